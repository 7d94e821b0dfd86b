"""What labels say so far: how sure the judge's error is, what more labels would bring, and how far raters agree."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from independence_bench.grouping import group_values
from independence_bench.report.analysis.labelled import LabelledAnswer, LabelledAnswers, labelled_answer
from independence_bench.report.labelling.label_tasks import LabelTask, LabelTasks
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.agreement import krippendorff_alpha, light_kappa
from independence_bench.scoring.held import held
from independence_bench.scoring.label_sample import Stratum
from independence_bench.spec import Level
from independence_bench.trial import HumanLabel

FURTHER = (30, 60)  # numbers of further labels whose effect is reported
_Key = tuple[str, str]  # of an answer: the hash of its transcript and the digest of its rubric


class RaterCount(ReportData):
    """One rater's labels of this session's answers."""

    rater: str
    labels: int
    unclear: int


class ScoreAgreement(ReportData):
    """How far two raters agree on one score, or on whether the answer held (score ``held``)."""

    raters: tuple[str, str]
    rubric: str
    score: str
    answers: int
    alpha: float | None  # krippendorff's alpha; None where the scores do not vary
    kappa: float | None  # cohen's κ of yes and no; None for scores, or where chance alone agrees


class HalfWidth(ReportData):
    """Half of the 95 % interval of the judge's mean error."""

    further: int  # labels that this takes beyond those that there are
    points: float  # 0..100, 100 being the best score


class LabelFindings(ReportData):
    """What the labels of a session's answers say."""

    raters: list[RaterCount]
    labels: int  # answers that somebody has scored
    held: int
    """Of these, answers that reach their pass mark by most raters' scores; where as many say no, by the mean scores."""
    yielded: int
    enough: bool  # at least 30 answers held or yielded, and at least a third of them of the rarer class
    half_widths: list[HalfWidth]
    agreement: list[ScoreAgreement]


def label_findings(tasks: LabelTasks, labels: Iterable[HumanLabel]) -> LabelFindings:
    """Sum up the labels of these tasks. Of several raters' labels of one answer, the mean counts."""
    by_key = {task.key: task for task in tasks.tasks}
    keyed = [((label.transcript_hash, label.rubric_digest), label) for label in labels]
    by_answer = group_values((key, label) for key, label in keyed if key in by_key)
    raters = group_values((label.rater, label) for key, label in keyed if key in by_key)
    differences: dict[Stratum, list[float]] = defaultdict(list)
    answers: list[LabelledAnswer] = []
    for key, group in by_answer.items():
        if scored := [label for label in group if not label.unclear]:
            task = by_key[key]
            answers.append(labelled_answer(task.scenario, scored, task.means, task.stratum.name))
            differences[task.stratum].append(task.shares(answers[-1].people) - task.shares(task.means))
    labelled = LabelledAnswers(answers, len(raters), 0)
    holds = sum(each.held for each in labelled.marked)
    widths = [(further, tasks.sample.half_width(differences, further)) for further in (0, *FURTHER)]
    return LabelFindings(
        raters=[
            RaterCount(rater=name, labels=len(group), unclear=sum(label.unclear for label in group))
            for name, group in sorted(raters.items())
        ],
        labels=len(answers),
        held=holds,
        yielded=len(labelled.marked) - holds,
        enough=labelled.refusal is None,
        half_widths=[HalfWidth(further=further, points=100 * width) for further, width in widths if width is not None],
        agreement=list(_agreement(by_key, by_answer)),
    )


def _agreement(
    tasks: Mapping[_Key, LabelTask], by_answer: Mapping[_Key, Sequence[HumanLabel]]
) -> Iterator[ScoreAgreement]:
    names = sorted({label.rater for group in by_answer.values() for label in group})
    for raters in combinations(names, 2):
        pairs: dict[str, list[tuple[LabelTask, list[HumanLabel]]]] = defaultdict(list)
        for key, group in by_answer.items():
            scored = {label.rater: label for label in group if not label.unclear}
            if all(name in scored for name in raters):
                pairs[tasks[key].rubric.digest].append((tasks[key], [scored[name] for name in raters]))
        sides = [
            [float(held(marks, label.scores)) for label in group]
            for task, group in chain.from_iterable(pairs.values())
            if (marks := task.scenario.judged_marks)
        ]
        if sides:
            yield _score_agreement(raters, "all", "held", sides, "nominal", binary=True)
        for both in sorted(pairs.values(), key=lambda each: each[0][0].rubric.id):
            rubric = both[0][0].rubric
            for field in rubric.scores:
                units = [[float(label.scores[field.name]) for label in group] for _, group in both]
                binary = field.type == "boolean"
                yield _score_agreement(raters, rubric.id, field.name, units, field.level, binary=binary)


def _score_agreement(
    raters: tuple[str, str], rubric: str, score: str, units: Sequence[Sequence[float]], level: Level, *, binary: bool
) -> ScoreAgreement:
    alpha, kappa = krippendorff_alpha(units, level), light_kappa(units) if binary else None
    return ScoreAgreement(raters=raters, rubric=rubric, score=score, answers=len(units), alpha=alpha, kappa=kappa)
