"""The leaderboard of role stability as data: the shape of role_stability.json. Later versions only add fields.

Values that are undefined or rest on partial data are None, or come with the count that says so.
"""

from collections.abc import Iterable
from typing import Literal

from independence_bench.kinds.roles.metrics.chance import Chance
from independence_bench.kinds.roles.metrics.measured import Numbers
from independence_bench.kinds.roles.metrics.ranking import Diversity
from independence_bench.report.analysis.board_facts import BoardFacts
from independence_bench.report.analysis.row import BoardRow
from independence_bench.report.report_data import ReportData

Interval = tuple[float, float]


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
        known = list(several)
        return cls(**{name: sum(getattr(each, name) for each in known) for name in cls.model_fields})


class RoleContextNamed(ReportData):
    """One context as it is named in reports."""

    id: str
    title: str
    kind: Literal["portrait", "survey"]
    retest_of: str | None


class RoleRun(ReportData):
    """One run in full."""

    run: int
    numbers: Numbers
    rank_order_interval: Interval | None  # bootstrap over personas; None where it is not known
    cardinal_bounds: Interval
    answers: AnswerCounts


class RolePair(ReportData):
    """Rank order between two contexts, mean over runs."""

    first: str
    second: str
    kind: str  # ``portrait_portrait``, ``portrait_survey`` or ``survey_survey``
    rank_order: float | None


class RoleRow(BoardRow):
    """One model configuration."""

    rank: int | None
    """By the Cardinal score, as the published leaderboard ranks; None where a planned trial is missing."""
    numbers: Numbers | None
    """Mean over the runs; None where one planned trial is missing. ``share_of_ceiling`` is None, too, where the ceiling
    is not clearly above chance."""
    cardinal_bounds: Interval | None  # the Cardinal score if every undefined number were worst, or best
    cardinal_above_chance: float | None  # rescaled so that answers at random have 0 and perfect ones 1
    ordinal: float | None = None
    """Mean over columns of the share of the other models that are strictly below; None below two models."""
    rank_order_interval: Interval | None
    """Bootstrap over personas of the mean over the runs: other people of this kind; None where it is not known."""
    rank_order_interval_by_run: Interval | None
    """Student's t over the runs: the same people asked again; None below two runs, and where all runs agree."""
    pairs: list[RolePair]
    runs: list[RoleRun]
    answers: AnswerCounts | None

    @property
    def counts(self) -> AnswerCounts:
        """Counts of questions by outcome; all 0 where nothing is computed."""
        return self.answers or AnswerCounts()

    def number(self, name: str) -> float | None:
        """Return a number by name; None where it is undefined, or nothing is computed."""
        found: float | None = getattr(self.numbers, name) if self.numbers else None
        return found

    def ends(self, name: str) -> Interval | None:
        """Return a number's interval by name: only that of the rank order is known."""
        return self.rank_order_interval if name == "rank_order" else None

    def order_on(self, value: str) -> float | None:
        """Return the rank order on one basic value; None where it is undefined, or nothing is computed."""
        return self.numbers.rank_order_per_value.get(value) if self.numbers else None


class RoleBoard(BoardFacts[RoleRow]):
    """A view of the store: one edition and one set of texts."""

    personas: int
    contexts: list[RoleContextNamed]
    talk_temperature: float
    answer_temperature: float
    resamples: int  # samples of personas behind an interval
    chance: Chance  # results of random answers with these personas, contexts and questionnaires
    diversity: Diversity | None  # none below two ranked models

    @property
    def main_contexts(self) -> list[RoleContextNamed]:
        """Contexts that do not repeat another one."""
        return [context for context in self.contexts if context.retest_of is None]

    @property
    def ranked(self) -> list[RoleRow]:
        """Models of which everything is measured."""
        return [row for row in self.models if row.numbers is not None]

    @property
    def unranked(self) -> list[RoleRow]:
        """Models with trials missing."""
        return [row for row in self.models if row.numbers is None]
