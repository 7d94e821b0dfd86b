"""Answers that people have labelled, with what the panel gave them: of one session's texts. Estimates nothing.

Several labels of one answer are put together: the mean of every score, and held or yielded by the majority of raters.
Within a stratum all answers are equally likely to be drawn: a labelled one represents as many as the stratum has for
each that is labelled.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.aggregation import MEAN, aggregate, mean
from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.panel_verdicts import Verdicts, scores_of
from independence_bench.scoring import held
from independence_bench.scoring.label_sample import RARER
from independence_bench.scoring.worths import index_worths
from independence_bench.spec import Scenario
from independence_bench.store import Session, Store
from independence_bench.trial import HumanLabel

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import JudgeLine

LEAST_LABELS = 30  # labelled answers from which on a judge is measured by them


@dataclass(frozen=True)
class LabelledAnswer:
    """One answer that people and every judge of the panel have scored."""

    scenario: Scenario
    people: Mapping[str, float]  # mean of every score over the raters
    judge: Mapping[str, float]  # the panel's mean of every score
    holds: tuple[bool, ...]  # whether it held, by each rater; empty where the scenario has no pass mark
    stratum: str
    weight: float  # different answers that it represents

    @property
    def held(self) -> bool:
        """Whether it held, by the majority; where half of the raters say so, by the mean of their scores."""
        share = mean([float(each) for each in self.holds])
        return held(self.scenario.judged_marks, self.people) if share == 0.5 else share > 0.5

    @property
    def judged_held(self) -> bool:
        """Whether the panel says that it held."""
        return held(self.scenario.judged_marks, self.judge)


@dataclass(frozen=True)
class LabelledAnswers:
    """All that people have labelled of a session's edition and texts."""

    answers: Sequence[LabelledAnswer]  # in the order of transcripts and rubrics
    raters: int
    unclear: int  # answers of which no rater could tell

    @property
    def marked(self) -> list[LabelledAnswer]:
        """Those of scenarios with a pass mark."""
        return [each for each in self.answers if each.holds]

    def index_line(self, edition: Edition) -> "JudgeLine | None":
        """Return the judge's line of what an answer adds to the Index; each counts with its scenario's weight in it."""
        worths = index_worths(edition)
        return _line(
            (
                each.stratum,
                worth.points(each.people) / worth.worth,
                worth.points(each.judge) / worth.worth,
                each.weight * worth.worth,
            )
            for each in self.answers
            if (worth := worths.get(each.scenario.id))
        )

    @property
    def held_line(self) -> "JudgeLine | None":
        """The judge's line of held (1) and yielded (0)."""
        return _line((each.stratum, float(each.held), float(each.judged_held), each.weight) for each in self.marked)

    @property
    def refusal(self) -> str | None:
        """What is missing for a measurement of the judge, in words; None where there are enough labels."""
        answers = self.marked
        if len(answers) < LEAST_LABELS:
            return f"people have labelled {len(answers)} of the {LEAST_LABELS} answers that are needed"
        holds = sum(each.held for each in answers)
        rarer, word = min((holds, "held"), (len(answers) - holds, "yielded"))
        if rarer < RARER * len(answers):
            return f"{rarer} of {len(answers)} labelled answers {word}; a third must be of the rarer kind"
        return None


def labelled_answers(store: Store, session: Session) -> LabelledAnswers:
    """Return the labelled answers of the session's own texts on which every judge of its panel has a verdict."""
    judged = {scenario.id: scenario for scenario in session.edition.scenarios if scenario.rubric}
    labels = store.labels([scenario.rubric for scenario in judged.values() if scenario.rubric])
    if not labels or not session.panel:
        return LabelledAnswers([], 0, 0)
    rubrics = {(scenario.id, scenario.rubric.digest) for scenario in judged.values() if scenario.rubric}
    by_answer: dict[tuple[str, str], list[HumanLabel]] = defaultdict(list)
    for label in labels:
        if (label.scenario, label.rubric_digest) in rubrics:  # else the scenario no longer has the rubric
            by_answer[label.transcript_hash, label.rubric_digest].append(label)
    scripts = {cell.script_digest for cell in session.cells if cell.official}
    keys = {row.transcript_hash: row.key for row in reversed(store.trial_rows(scripts))}
    verdicts = Verdicts(store.verdict_rows({judge.configuration for judge in session.panel}))
    read: list[tuple[HumanLabel, list[HumanLabel], Mapping[str, float]]] = []
    raters, unclear = set(), 0
    for (transcript, rubric), own in by_answer.items():
        if transcript not in keys:
            continue
        panel = [verdicts.find(transcript, rubric, judge.configuration, keys[transcript]) for judge in session.panel]
        scores = aggregate([scores_of(verdict) if verdict else None for verdict in panel], session.edition.aggregation)
        clear = [label for label in own if not label.unclear]
        if scores is None or any(label.scores.keys() > scores.keys() for label in clear):  # a judge lacks one
            continue
        raters |= {label.rater for label in own}
        if clear:
            read.append((max(clear, key=_newest), clear, scores))
        else:
            unclear += 1
    labelled = Counter(newest.stratum for newest, _, _ in read)
    oldest_first = sorted((newest for newest, _, _ in read), key=_newest)
    weights = {each.stratum: each.population / labelled[each.stratum] for each in oldest_first}
    answers = [
        labelled_answer(judged[newest.scenario], clear, scores, newest.stratum, weights[newest.stratum])
        for newest, clear, scores in read
    ]
    return LabelledAnswers(answers, len(raters), unclear)


def _newest(label: HumanLabel) -> tuple[float, str]:
    return label.labelled_at, label.rater


def _line(answers: Iterable[tuple[str, float, float, float]]) -> "JudgeLine | None":
    """Return the line through answers: stratum, people's share, the judge's share, weight."""
    import numpy as np

    from independence_bench.scoring.uncertainty import JudgeLine

    found = list(answers)
    if not found:
        return None
    people, judge, weights = np.array([each[1:] for each in found]).T
    return JudgeLine.through(people, judge, weights, [each[0] for each in found])


def labelled_answer(
    scenario: Scenario, labels: Sequence[HumanLabel], judged: Mapping[str, float], stratum: str, weight: float = 1.0
) -> LabelledAnswer:
    """Put the clear labels of one answer together; ``judged`` is the panel's mean of every score."""
    people = aggregate([label.scores for label in labels], MEAN) or {}
    marks = scenario.judged_marks
    holds = tuple(held(marks, label.scores) for label in labels) if marks else ()
    return LabelledAnswer(scenario, people, judged, holds, stratum, max(1.0, weight))


def refuse_unlabelled(labelled: LabelledAnswers) -> None:
    """Raise BadInput, with the remedy, unless people have labelled enough of what a panel judged."""
    if labelled.refusal:
        raise BadInput(
            f"--require-labels: {labelled.refusal}; label answers of this panel with `independence-bench label` on "
            "this store"
        )


def refuse_unlabelled_panel(file: Path, session: Session) -> None:
    """Raise BadInput if a session's panel has too few labels; reads the store's file if it exists and makes none."""
    with Store.open(file, read_only=True) if file.exists() else Store.empty() as store:
        refuse_unlabelled(labelled_answers(store, session))
