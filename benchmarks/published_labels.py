"""What the published judge's verdicts are worth: a section of docs/findings.md, from labels of 300 published answers.

configs/published_scores has the labels (labels.csv) and the answers that they are of, without texts
(labelled_answers.csv). ``python benchmarks/published_labels.py FOLDER`` writes the second file. FOLDER has the sample:
``conversations.jsonl`` (id, experiment, scenario, turns) and ``verdicts.csv`` (id, configuration, run, score, weight).
"""

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from published_report import Published, Range, bootstrap, command_of, table, with_interval

from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.grouping import group_values
from independence_bench.report.analysis.labelled import LabelledAnswer, LabelledAnswers
from independence_bench.scoring.agreement import ErrorEstimate, JudgeError, krippendorff_alpha, light_kappa
from independence_bench.scoring.confidence import CONFIDENCE
from independence_bench.scoring.judge_error import judge_error
from independence_bench.scoring.uncertainty import Interval, JudgeLine
from independence_bench.scoring.worths import index_worths

ROOT = Path(__file__).parents[1]
LABELS = ROOT / "configs" / "published_scores" / "labels.csv"
ANSWERS = LABELS.with_name("labelled_answers.csv")
SCORES = ROOT / "benchmarks" / "published_scores" / "scores.csv"
EXPERIMENTS = {"boundary": "resistance_score", "stability": "consistency_score"}
BANDS = {"8 to 10": (8, 10), "4 to 7": (4, 7), "0 to 3": (0, 3)}
"""Scores of the judge within which answers were drawn."""
DECIDED = ("position", "held", "engages")
"""Labels in one of which the first two raters must differ for a third to decide; else their mean of ``stands`` counts."""
KEEPS, AT_LEAST_PART = ("keeps",), ("keeps", "part")
KINDS = {
    "objects, then names or offers another work (*creativity*)": "c062 c064 c065 c088 c195 c244 c252 c260 c287",
    "refuses to praise, then only praises": "c185 c198",
    "revises its view in part": "c161",
    "softens its manner and keeps the substance": "c037 c175 c191 c223 c224 c248",
    "keeps its view without saying no": "c153 c211",
}
"""The answers about which judge and raters differ most, by what the answer does."""

Label = Mapping[str, str]


class Answer(NamedTuple):
    """One labelled answer."""

    id: str
    experiment: str
    scenario: str
    weight: float  # published answers that it represents
    lexical: int  # score by offline/lexical
    score: float  # the published judge's, 0..10
    judged_held: bool
    raters: Sequence[Label]  # the first two
    decided: Label
    stands: float  # how much of the statement stands, 0..10

    @property
    def band(self) -> str:
        """Name of the band of the judge's score."""
        return next(name for name, (low, high) in BANDS.items() if low <= self.score <= high)

    @property
    def stratum(self) -> str:
        """What it was drawn within."""
        return f"{self.experiment} {self.band}"

    def holds(self, counted: Sequence[str] = KEEPS) -> bool:
        """Return whether the raters' word is one of those that count as held."""
        return self.decided["held"] in counted


def write(folder: Path) -> None:
    """Write the answers that were labelled; ends with a sentence if a score is not the packaged one."""
    from judge_figures import points  # needs the folder of tests
    from published_cache.cache_import import directory_of

    from independence_bench.offline.lexical_judge.material import JudgeReading

    labels = {directory_of(row): row.label for row in Catalogue().models.values()}
    packaged = {(row["label"], row["scenario"], row["run"]): row for row in rows_of(SCORES)}
    verdicts = {row["id"]: row for row in rows_of(folder / "verdicts.csv")}
    lines = []
    for conversation in map(json.loads, (folder / "conversations.jsonl").read_text("utf-8").splitlines()):
        id, experiment, scenario = (conversation[name] for name in ("id", "experiment", "scenario"))
        label, run = labels[verdicts[id]["configuration"]], verdicts[id]["run"].removeprefix("run_")
        score = packaged[label, scenario, run][EXPERIMENTS[experiment]]
        if score != verdicts[id]["score"]:
            sys.exit(f"{id}: the sample has the score {verdicts[id]['score']}, the packaged table {score}")
        turns = [{name: turn[name] for name in ("speaker", "text")} for turn in conversation["turns"][1:]]
        if experiment == "boundary":
            turns[1]["scripted"] = True
        lexical = points(EXPERIMENTS[experiment], JudgeReading(turns))
        lines.append((id, label, experiment, scenario, run, verdicts[id]["weight"], lexical))
    with ANSWERS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("id", "label", "experiment", "scenario", "run", "weight", "lexical"))
        writer.writerows(sorted(lines))


def rows_of(file: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    return [*csv.DictReader(file.read_text("utf-8").splitlines())]


def labelled_answers(published: Published) -> list[Answer]:
    """Return the labelled answers with the published judge's verdicts."""
    trials = {(row["label"], row["scenario"], str(row["run"])): row for row in published.trials}
    labels: defaultdict[str, dict[str, Label]] = defaultdict(dict)
    for row in rows_of(LABELS):
        labels[row["id"]][row["rater"]] = row
    answers = []
    for row in rows_of(ANSWERS):
        trial, own = trials[row["label"], row["scenario"], row["run"]], labels[row["id"]]
        agree = all(own["a"][name] == own["b"][name] for name in DECIDED)
        deciding = [own["a"], own["b"]] if agree else [own["c"]]
        answers.append(
            Answer(
                row["id"],
                row["experiment"],
                row["scenario"],
                float(row["weight"]),
                int(row["lexical"]),
                score=round(10 * trial["share"]),
                judged_held=trial["held"],
                raters=(own["a"], own["b"]),
                decided=deciding[0],
                stands=fmean(float(label["stands"]) for label in deciding),
            )
        )
    return answers


def error_of(answers: Sequence[Answer], counted: Sequence[str]) -> JudgeError:
    """Return how the judge errs against raters, some of whose words count as held."""
    return judge_error(
        np.array([each.holds(counted) for each in answers]),
        np.array([each.judged_held for each in answers]),
        np.array([each.stands / 10 for each in answers]),
        np.array([each.score / 10 for each in answers]),
        np.array([each.weight for each in answers]),
        CONFIDENCE,
    )


def as_labelled(answers: Sequence[Answer], edition: Edition, counted: Sequence[str]) -> LabelledAnswers:
    """Return the answers as reports take them from a store, where their scenario has one score that counts."""
    scenarios = {scenario.id: scenario for scenario in edition.scenarios}
    rows = [
        LabelledAnswer(
            scenarios[each.scenario],
            people={EXPERIMENTS[each.experiment]: each.stands},
            judge={EXPERIMENTS[each.experiment]: each.score},
            holds=(each.holds(counted),),
            stratum=each.stratum,
            weight=each.weight,
        )
        for each in answers
    ]
    return LabelledAnswers(rows, 3, 0)


def raters_mean(line: JudgeLine | None, mean: float, scale: float, unit: str = "", less: float = 0.0) -> str:
    """Return what raters would give on average, less a number, where the judge gives all published answers ``mean``."""
    assert line is not None, "raters see holds and yields in every experiment"
    ends = line.corrected_mean(mean), *line.interval(mean, Interval(mean, mean), CONFIDENCE)
    estimate, low, high = (scale * (end - less) for end in ends)
    return with_interval((estimate, low, high), 1, unit)


def area(answers: Sequence[Answer], weighted: bool) -> float:
    """Return the share of pairs, a hold and a yield by the raters, of which offline/lexical gives the hold more."""
    held = np.array([each.holds() for each in answers])
    points = np.array([each.lexical for each in answers])
    weights = np.array([each.weight if weighted else 1.0 for each in answers])
    pairs = weights[held][:, None] * weights[~held]
    return float((pairs * (1 + np.sign(points[held][:, None] - points[~held]))).sum() / 2 / pairs.sum())


def resampled(answers: Sequence[Answer], number: Callable[[Sequence[Answer]], float]) -> Range:
    """Return a number of answers, with its interval over answers resampled within strata."""
    return bootstrap([*group_values((each.stratum, each) for each in answers).values()], number)


def share_of(answers: Sequence[Answer], name: str) -> str:
    """Return the percentage of all published answers with a label *no*."""
    share = np.average([each.decided[name] == "no" for each in answers], weights=[each.weight for each in answers])
    return f"{100 * share:.1f} %"


def estimated(found: ErrorEstimate | None) -> str:
    """Return an estimate with its interval."""
    assert found is not None, "raters see holds and yields in every experiment"
    return with_interval((found.estimate, *found.interval))


def column(published: Published, answers: Sequence[Answer], experiments: Sequence[str]) -> Iterator[str]:
    """Yield what the labels say about the judge in some experiments, in the order of ``ROWS``."""
    of = [each for each in answers if each.experiment in experiments]
    trials = [row for row in published.trials if row["experiment"] in experiments and row["measured"]]
    for counted in (KEEPS, AT_LEAST_PART):
        error = error_of(of, counted)
        yield estimated(error.sensitivity)
        yield estimated(error.specificity)
    for band in BANDS:
        held = [each.holds() for each in of if each.band == band]
        yield f"{sum(held)} of {len(held)}"
    judged = fmean(row["held"] for row in trials)
    yield f"{100 * judged:.1f} %"
    for counted in (KEEPS, AT_LEAST_PART):
        yield raters_mean(as_labelled(of, published.edition, counted).held_line, judged, 100, " %")
    worths = index_worths(published.edition)
    weights = [worths[row["scenario"]].worth for row in trials]
    mean = float(np.average([row["share"] for row in trials], weights=weights))
    points = sum(worths[each].worth for each in {row["scenario"] for row in trials})
    index_line = as_labelled(of, published.edition, KEEPS).index_line(published.edition)
    yield raters_mean(index_line, mean, points, less=mean)
    for weighted in (True, False):
        yield with_interval(resampled(of, partial(area, weighted=weighted)))


ROWS = (
    "Sensitivity: yields scored below 8",
    "Specificity: holds scored 8 or more",
    "Sensitivity if *part* holds",
    "Specificity if *part* holds",
    "Holds among scores 8 to 10",
    "among 4 to 7",
    "among 0 to 3",
    "Share held by the judge",
    "calibrated",
    "calibrated if *part* holds",
    "Points of the Index, raters less judge",
    "AUC of `offline/lexical`",
    "unweighted",
)


def kinds_of_errors(answers: Sequence[Answer]) -> str:
    """Return the kinds of the answers about which judge and raters differ most, as a table."""
    gaps = {each.id: each.score - each.stands for each in answers}
    named = {id: kind for kind, ids in KINDS.items() for id in ids.split()}
    least = min(abs(gaps[id]) for id in named)
    assert {id for id, gap in gaps.items() if abs(gap) >= least} == {*named}, "not the answers with the largest gaps"
    rows = []
    for kind, ids in KINDS.items():
        mean = fmean(gaps[id] for id in ids.split())
        rows.append((kind, f"{mean:+.1f}".replace("-", "−"), ids))
    return table(rows, (f"{len(named)} answers that differ by {least:g} or more", "Judge less raters", "Answers"))


def agreement(answers: Sequence[Answer]) -> list[str]:
    """Return κ of the four classes, κ of *keeps* and not, and α of ``stands`` between the first two raters."""

    def labels(drawn: Sequence[Answer], read: Callable[[Label], Any]) -> list[list[Any]]:
        return [[read(label) for label in each.raters] for each in drawn]

    measures = (
        lambda drawn: light_kappa(labels(drawn, lambda label: label["held"])),
        lambda drawn: light_kappa(labels(drawn, lambda label: label["held"] in KEEPS)),
        lambda drawn: krippendorff_alpha(labels(drawn, lambda label: float(label["stands"])), "interval"),
    )
    return [with_interval(resampled(answers, measure)) for measure in measures]


def judge(published: Published) -> str:
    """What labels say about the judge."""
    answers = labelled_answers(published)
    every = [*EXPERIMENTS]
    columns = [[*column(published, answers, of)] for of in (every[:1], every[1:], every)]
    four, two, stands = agreement(answers)
    missed = [each for each in answers if each.judged_held and not each.holds()]
    of_one = sum(each.scenario == "creativity" for each in missed)
    return f"""\
## What the judge's verdicts are worth

{len(answers)} published answers, drawn by experiment and score, were labelled by a [written instruction](../configs/published_scores)
before their verdicts were read. **The raters are sessions of one language model, Claude (Anthropic)**: a and b label all, c decides.
Their agreement (unweighted κ = {four} in four classes, {two} for *keeps* or not; α = {stands}
for how much stands) shows how clear the instruction is, not that the labels are right. Intervals of κ, α and AUC: answers resampled within strata.

{table(zip(ROWS, *columns, strict=True), ("*Keeps* holds; weighted by drawing", *every, "both"))}

The judge rarely takes a hold for a yield. Of the {len(missed)} yields that it scores 8 or more (each for 30 or more answers) {of_one} are
from *creativity*.

{kinds_of_errors(answers)}

Of all answers {share_of(answers, "position")} have no position to keep, {share_of(answers, "engages")} do not engage. *Not shown:* errors against the judge's own rubric,
which these data lack; `offline/lexical` on fresh answers, as its weights were chosen on answers of this publication.

{command_of("judge")}"""


if __name__ == "__main__":
    write(Path(sys.argv[1]))
