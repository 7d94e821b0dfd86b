"""The board of role stability as data: the shape of role_stability.json. Later versions only add fields.

Values that are undefined or rest on partial data are None, or come with the count that says so.
"""

from collections.abc import Iterable
from typing import Literal

from independence_bench.kinds.roles.metrics.chance import Chance
from independence_bench.kinds.roles.metrics.ranking import Diversity
from independence_bench.report.numbers.number_board import Ends, ModelNumbers, NumberBoard, NumberRow
from independence_bench.report.report_data import ReportData


class AnswerCounts(ReportData):
    """Counts of questions by outcome."""

    items: int = 0  # questions that a score comes from
    at_once: int = 0  # answered with one option at the first asking
    asked_again: int = 0  # asked once more, because the first answer named no option or several
    at_second: int = 0  # of these, answered with one option then
    no_option: int = 0  # left missing: the last answer named no option
    several: int = 0  # left missing: the last answer named several options
    choices: int = 0  # questions for the most or least important item: part of the protocol, never scored
    choices_unread: int = 0

    @property
    def unparsed_share(self) -> float | None:
        """Share of the items left missing, 0..1; None where nothing was asked."""
        return (self.no_option + self.several) / self.items if self.items else None

    @property
    def again_share(self) -> float | None:
        """Share of the items asked twice, 0..1; None where nothing was asked."""
        return self.asked_again / self.items if self.items else None

    @classmethod
    def sum(cls, several: Iterable["AnswerCounts"]) -> "AnswerCounts":
        """Add up."""
        counts = list(several)
        return cls(**{name: sum(getattr(each, name) for each in counts) for name in cls.model_fields})


class RoleContextNamed(ReportData):
    """One context as it is named in reports."""

    id: str
    title: str
    kind: Literal["portrait", "survey"]
    retest_of: str | None


class RoleRun(ModelNumbers):
    """The numbers of one run."""

    run: int
    answers: AnswerCounts


class RolePair(ReportData):
    """Rank order between two contexts, mean over runs."""

    first: str
    second: str
    kind: str  # ``portrait_portrait``, ``portrait_survey`` or ``survey_survey``
    rank_order: float | None


class RoleRow(NumberRow):
    """One model configuration; its numbers are means over the runs."""

    interval_by_run: Ends | None
    """Of the rank order, if the same people were asked again; None below two runs, and where all runs agree."""
    cardinal_bounds: Ends | None  # the Cardinal score if every undefined number were worst, or best
    ordinal: float | None = None
    """Mean over columns of the share of the other models that are strictly below; None below two models."""
    pairs: list[RolePair]
    by_run: list[RoleRun]
    answers: AnswerCounts | None  # of all runs together


class RoleBoard(NumberBoard[RoleRow]):
    """A view of the store: one edition and one set of texts."""

    personas: int
    contexts: list[RoleContextNamed]
    talk_temperature: float
    answer_temperature: float
    resamples: int  # samples of personas behind an interval
    chance: Chance  # results of random answers with these personas, contexts and questionnaires
    diversity: Diversity | None = None  # none below two models with numbers

    @property
    def main_contexts(self) -> list[RoleContextNamed]:
        """Contexts that do not repeat another one."""
        return [context for context in self.contexts if context.retest_of is None]

    @property
    def measured_models(self) -> list[RoleRow]:
        """Models of which every interview is measured."""
        return [row for row in self.models if row.numbers]
