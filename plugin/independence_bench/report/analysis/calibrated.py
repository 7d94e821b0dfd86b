"""The judge against people: how it errs on labelled answers, and every Index corrected by that.

Takes the statistics from scoring and computes none. The correction is the same for all models, so that it changes no
rank and no comparison: those stay as they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import Field

from independence_bench.counted import counted
from independence_bench.grouping import group_values
from independence_bench.report.analysis.analysis_columns import analysis_columns, with_level
from independence_bench.report.analysis.labelled import LabelledAnswer, LabelledAnswers, labelled_answers
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.planned import mean_share
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.blocks import Block, Paragraph, Table, paragraph
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.agreement import ErrorEstimate, JudgeError
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import JudgeLine, Sample

Ends = tuple[float, float]
ALL = "all"  # replaces the rubric where all of them are taken together


@dataclass(frozen=True)
class AgainstPeople(JudgeError):
    """The panel against people on the labelled answers of one rubric with a pass mark."""

    rubric: str  # ``all``: of all rubrics together


class CorrectionLine(ReportData):
    """The panel's share of the best as a function of people's: intercept + slope · share."""

    intercept: float
    slope: float


class CalibratedShare(ReportData):
    """One number of one model before and after the correction, in points (Index) or per cent (held)."""

    judged: float
    calibrated: float
    by_run: Ends | None  # confidence interval for new runs, with the panel's error; None below two runs
    by_scenario: Ends | None  # confidence interval for other scenarios, too; None for a single scenario


class CalibratedModel(ModelName):
    """One model within the edition's own configurations."""

    index: CalibratedShare | None  # none where the edition weighs nothing that is labelled
    held: CalibratedShare | None  # none where no scenario has a pass mark


class CalibrationAnalysis(ReportData):
    """What labels of people tell about the panel and, corrected by that, about the models."""

    confidence: float = CONFIDENCE
    labels: int  # answers with a label that is not “unclear” and a verdict of every judge
    raters: int
    unclear: int  # answers of which no rater could tell
    labelled_twice: int  # answers that several raters labelled
    raters_differ: int  # those of which they do not agree whether it held
    missing: str | None  # why nothing is corrected; None where there are labels enough
    rubrics: list[AgainstPeople] = Field(default_factory=list)
    """All together, then each; empty where nothing is corrected, like what follows."""
    index: CorrectionLine | None = None
    held: CorrectionLine | None = None
    models: list[CalibratedModel] = Field(default_factory=list)  # in the order of the leaderboard

    @property
    def badge(self) -> str | None:
        """The state in a few words; None where nothing is corrected."""
        if self.missing:
            return None
        kappa = self.rubrics[0].kappa
        agreement = f", κ {kappa.estimate:.2f}".replace(" 0.", " .") if kappa else ""
        return f"calibrated with {counted(self.labels, 'label')}{agreement}"

    @property
    def sentence(self) -> str:
        """What is known about the judge's error, or that it is not known."""
        if self.missing:
            return (
                f"How far the judge errs against people is not known, and no interval contains it: {self.missing} "
                "(independence-bench label)."
            )
        return (
            f"The Index is {self.badge}: its calibrated value and intervals contain the judge's error against people. "
            "The correction is the same for all models; it changes no rank and no comparison."
        )


def compute(measured: Measurements) -> CalibrationAnalysis | None:
    """Measure the panel by the labels and correct every complete model; None without a panel or a measured model."""
    own = [entry for entry in measured.own if entry.result.sample is not None]
    if not own or not measured.session.panel:
        return None
    labelled = labelled_answers(measured.store, measured.session)
    facts: dict[str, Any] = {
        "labels": len(labelled.answers),
        "raters": labelled.raters,
        "unclear": labelled.unclear,
        "labelled_twice": sum(len(each.holds) > 1 for each in labelled.answers),
        "raters_differ": sum(len({*each.holds}) > 1 for each in labelled.answers),
        "missing": labelled.refusal,
    }
    corrected = {} if labelled.refusal else _corrected(measured, own, labelled)
    return CalibrationAnalysis.model_validate(facts | corrected)


def _corrected(measured: Measurements, own: Sequence[Ranked], labelled: LabelledAnswers) -> dict[str, Any]:
    index, held = labelled.index_line(measured.session.edition), labelled.held_line
    of_rubrics = group_values((each.scenario.rubric.id, each) for each in labelled.marked if each.scenario.rubric)
    return {
        "rubrics": [
            {"rubric": rubric, **vars(_error_against_people(answers))}
            for rubric, answers in ({ALL: labelled.marked} | of_rubrics).items()
        ],
        "index": index,
        "held": held,
        "models": [
            CalibratedModel(
                **entry.row.fields_of(ModelName),
                index=_calibrated(index, entry.result.sample),
                held=_calibrated(held, entry.result.held_sample),
            )
            for entry in own
        ],
    }


def _error_against_people(answers: Sequence[LabelledAnswer]) -> JudgeError:
    import numpy as np

    from independence_bench.scoring.judge_error import judge_error

    return judge_error(
        np.array([each.held for each in answers]),
        np.array([each.judged_held for each in answers]),
        np.array([mean_share(each.scenario.judged_fields, each.people) for each in answers]),
        np.array([mean_share(each.scenario.judged_fields, each.judge) for each in answers]),
        np.array([each.weight for each in answers]),
        CONFIDENCE,
    )


def _calibrated(line: "JudgeLine | None", sample: "Sample | None") -> CalibratedShare | None:
    if line is None or sample is None:
        return None
    from independence_bench.scoring.uncertainty import BASES, interval

    judged = {f"by_{basis}": interval(sample, basis) for basis in BASES}
    ends = {name: result and line.interval_of(sample, result, CONFIDENCE) for name, result in judged.items()}
    return CalibratedShare(judged=sample.mean, calibrated=line.mean_of(sample), **ends)


def blocks(result: CalibrationAnalysis) -> Iterator[Block[Any]]:
    """Yield what is known; where there are labels enough, the judge's error and every model before and after."""
    yield Paragraph([result.sentence])
    if result.missing:
        return
    lines = [
        f"{counted(result.labels, 'labelled answer')} by {counted(result.raters, 'rater')}, weighed by how they were "
        f"drawn; intervals of {shown_confidence(result.confidence)}."
    ]
    if result.labelled_twice:
        lines.append(
            f"Several raters labelled {counted(result.labelled_twice, 'answer')}; they differ about held or yielded in "
            f"{result.raters_differ}."
        )
    if result.unclear:
        lines.append(f"Of {counted(result.unclear, 'answer')} raters could not tell.")
    yield Paragraph(lines)
    measures = ("sensitivity", "specificity", "kappa", "spearman")
    with_intervals = {name: partial(_with_interval, name) for name in measures}
    yield Table(analysis_columns("against_people", **with_intervals), result.rubrics)
    if result.index is not None and result.index.slope <= 0:
        yield paragraph("On these labels the panel is no better than chance: it says nothing about the models.")
    yield Table(with_level(analysis_columns("calibrated"), result.confidence), result.models)


def _with_interval(name: str, row: AgainstPeople) -> str:
    known: ErrorEstimate | None = getattr(row, name)
    if known is None:
        return "–"
    low, high = known.interval
    return f"{known.estimate:.2f} [{low:.2f}, {high:.2f}]"


CALIBRATION = Analysis("calibration", "The judge against people", compute, blocks, page="judges.html")
