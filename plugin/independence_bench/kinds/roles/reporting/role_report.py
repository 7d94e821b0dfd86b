"""The leaderboard of role stability built from a store. Formats nothing.

Equal stores give equal boards: seeds are fixed, nothing depends on the time or on the order in which records arrived.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from independence_bench.kinds.roles.design import roles_design
from independence_bench.kinds.roles.metrics.answers import ContextAnswers
from independence_bench.kinds.roles.metrics.bootstrap import RESAMPLES, interval_of, run_interval
from independence_bench.kinds.roles.metrics.chance import Chance, chance_of
from independence_bench.kinds.roles.metrics.measured import Measured, measure_alone
from independence_bench.kinds.roles.metrics.numbers import Numbers, mean_numbers, numbers_of
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.kinds.roles.metrics.ranking import Diversity, over_columns
from independence_bench.kinds.roles.metrics.result import as_json
from independence_bench.kinds.roles.reporting.role_board import (
    AnswerCounts,
    Interval,
    RoleBoard,
    RoleContextNamed,
    RolePair,
    RoleRow,
    RoleRun,
)
from independence_bench.kinds.roles.reporting.stored_interviews import PlayedRun, load_interviews
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.ranked import Ranked, RankedModels, ranked_models, ranks
from independence_bench.report.numbers.number import Estimated, WithoutInterval
from independence_bench.report.numbers.number_questions import RANK_ORDER
from independence_bench.report.numbers.number_report import (
    MeasuredModel,
    NumberReport,
    board_facts,
    closing_notes,
    embedded_note,
)
from independence_bench.scoring.components import finite
from independence_bench.scoring.uncertainty import Interval as UncertaintyInterval
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.store import Session, Store

FEW_PERSONAS = 40
"""With fewer, most factor models cannot be fitted, and intervals are wide."""
CLEARLY = 3
"""A ceiling counts only where it is this many standard deviations above chance."""
MUCH_UNPARSED = 0.05
"""Share of unparsed items above which a note reports it."""


@dataclass(frozen=True)
class RankOrderNumber:
    """The mean rank order of one model over its runs, with its interval over personas."""

    result: "RoleResult"

    @property
    def estimate(self) -> float | None:
        """None where it is undefined."""
        return finite(float(np.mean(self.result.by_run)))

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> UncertaintyInterval | None:
        """Return the interval by persona; with ``runs``, None: what more of them would change is unknown."""
        ends = self.result.interval(confidence) if runs is None else None
        return None if ends is None else UncertaintyInterval(*ends)


@dataclass(frozen=True)
class RoleResult(MeasuredModel["RoleResult"]):
    """One model configuration with everything computed of it."""

    played: list[PlayedRun]
    """In order; empty where a planned trial is missing."""
    measured: list[Measured]
    """One per run."""

    @property
    def found(self) -> "RoleResult | None":
        """None where a planned trial is missing."""
        return self if self.measured else None

    def estimated(self, name: str) -> Estimated:
        """Return a number by name."""
        return RankOrderNumber(self) if name == RANK_ORDER else WithoutInterval(getattr(self.numbers, name))

    @property
    def contexts(self) -> Sequence[ContextAnswers]:
        """What is asked, as it was answered in the first run; retests apart."""
        return self.measured[0].population.measured

    def among(self, contexts: Sequence[ContextAnswers]) -> "RoleResult":
        """Return what is measured in some of the contexts, as if no others were asked."""
        names = {context.name for context in contexts}
        return replace(self, measured=[measure_alone(each.population.among(names)) for each in self.measured])

    @cached_property
    def answers(self) -> AnswerCounts:
        """Of all runs together."""
        return AnswerCounts.sum(run.counts for run in self.played)

    @cached_property
    def numbers(self) -> Numbers | None:
        """Mean over the runs."""
        return mean_numbers([numbers_of(each) for each in self.measured]) if self.measured else None

    @property
    def by_run(self) -> list[float]:
        """Rank order of each run; NaN where undefined."""
        return [each.orders.overall for each in self.measured]

    @cached_property
    def draws(self) -> Array:
        """(draws,): mean rank order over the runs, in equal samples of personas for every model and run."""
        draws: Array = np.mean([each.draws for each in self.measured], axis=0)
        return draws

    @property
    def personas(self) -> int:
        """How many answered."""
        return self.measured[0].population.n_personas

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Return that of the mean rank order, by persona."""
        if not self.measured:
            return None
        return interval_of(float(np.mean(self.by_run)), self.draws, self.personas, confidence)

    @property
    def interval_by_run(self) -> Interval | None:
        """Of the mean rank order, by run."""
        return run_interval(self.by_run)

    @cached_property
    def columns(self) -> dict[str, float]:
        """The columns that models are ranked over, mean over the runs; NaN where undefined."""
        tables = [each.columns for each in self.measured]
        return {name: float(np.mean([table[name] for table in tables])) for name in tables[0]}


RoleReport = NumberReport[RoleResult, RoleBoard]


def build_role_report(
    store: Store, session: Session, pairs_of: Callable[[Sequence[RoleResult]], PairTable]
) -> RoleReport:
    """Return the leaderboard of the session's edition and texts over all that the store holds."""
    found = ranked_models(store, session)
    design = roles_design(session.edition.design)
    chance = chance_of(design)
    results = [measure_roles(store, entry) for entry in found.entries if entry.own]
    cardinals = [each.numbers.cardinal if each.numbers else None for each in results]
    rows = [_row(each, rank, chance) for each, rank in zip(results, ranks(cardinals), strict=True)]
    places = sorted(range(len(rows)), key=lambda place: _order(rows[place]))
    rows, results = [rows[place] for place in places], [results[place] for place in places]
    rows, diversity = _ranked_over_columns(rows, results)
    kinds = {shape.name: shape.kind for shape in design.questionnaires}
    board = RoleBoard(
        **board_facts(session, found),
        notes=list(_notes(rows, len(design.personas), found)),
        personas=len(design.personas),
        contexts=[
            RoleContextNamed(
                id=context.id, title=context.title, kind=kinds[context.instrument], retest_of=context.retest_of
            )
            for context in design.contexts
        ],
        talk_temperature=design.talk.temperature,
        answer_temperature=design.answer.temperature,
        resamples=RESAMPLES,
        chance=chance,
        diversity=diversity,
        models=rows,
    )
    known = [each for each in results if each.measured and RankOrderNumber(each).estimate is not None]
    known.sort(key=lambda each: -float(np.mean(each.by_run)))
    return NumberReport(board, results, known, pairs_of(known) if len(known) > 1 else None)


def measure_roles(store: Store, entry: Ranked) -> RoleResult:
    """Return every metric of every run; slow ones are computed on first use."""
    runs = load_interviews(store, entry)
    return RoleResult(entry, runs, [measure_alone(run.population) for run in runs])


def _row(result: RoleResult, rank: int | None, chance: Chance) -> RoleRow:
    row, numbers = result.entry.row, _with_a_ceiling(result.numbers, chance)
    bounds = np.array([each.cardinal_bounds for each in result.measured])
    return RoleRow(
        rank=rank,
        numbers=numbers,
        cardinal_bounds=(float(np.mean(bounds[:, 0])), float(np.mean(bounds[:, 1]))) if len(bounds) else None,
        cardinal_above_chance=_above_chance(numbers, chance),
        rank_order_interval=result.interval(),
        rank_order_interval_by_run=result.interval_by_run,
        pairs=_pairs(result.measured),
        runs=[_run(run.run, run.counts, each) for run, each in zip(result.played, result.measured, strict=True)],
        answers=result.answers if result.measured else None,
        **row.fields_of(RowFacts),
    )


def _with_a_ceiling(numbers: Numbers | None, chance: Chance) -> Numbers | None:
    """Remove the share of the ceiling where the ceiling could be chance: a share of almost nothing means nothing."""
    level, spread = chance.mean.ceiling, chance.sd.ceiling
    if numbers is None or numbers.ceiling is None or level is None or spread is None:
        return numbers
    clear = numbers.ceiling > level + CLEARLY * spread
    return numbers if clear else numbers.model_copy(update={"share_of_ceiling": None})


def _run(run: int, counts: AnswerCounts, measured: Measured) -> RoleRun:
    analysis = as_json(measured)
    # Of the published design, not of this one: the row has its own.
    analysis.pop("cardinal_above_chance")
    return RoleRun(
        run=run,
        numbers=numbers_of(measured),
        rank_order_interval=measured.interval,
        cardinal_bounds=measured.cardinal_bounds,
        answers=counts,
        analysis=analysis,
    )


def _above_chance(numbers: Numbers | None, chance: Chance) -> float | None:
    level = chance.mean.cardinal
    if numbers is None or numbers.cardinal is None or level is None:
        return None
    return (numbers.cardinal - level) / (1 - level)


def _pairs(measured: Sequence[Measured]) -> list[RolePair]:
    if not measured:
        return []
    orders = measured[0].orders
    means = np.mean([each.orders.per_pair for each in measured], axis=0).tolist()
    return [
        RolePair(first=first, second=second, kind=kind, rank_order=None if np.isnan(mean) else mean)
        for (first, second), kind, mean in zip(orders.pairs, orders.kinds, means, strict=True)
    ]


def _ranked_over_columns(rows: list[RoleRow], results: Sequence[RoleResult]) -> tuple[list[RoleRow], Diversity | None]:
    """Add the Ordinal score, and say how differently the columns rank: both over the columns defined for all."""
    ranked = [place for place, row in enumerate(rows) if row.numbers is not None]
    if len(ranked) < 2:
        return rows, None
    ordinal, diversity = over_columns([results[place].columns for place in ranked])
    scores = dict(zip(ranked, ordinal, strict=True))
    return [
        row.model_copy(update={"ordinal": scores[place]}) if place in scores else row for place, row in enumerate(rows)
    ], diversity


def _order(row: RoleRow) -> tuple[float, bool, str, str]:
    return float("inf") if row.rank is None else row.rank, row.numbers is None, row.label, row.identity


def _notes(rows: Sequence[RoleRow], personas: int, found: RankedModels) -> Iterator[str]:
    yield (
        "All texts were written for this project: these figures are not comparable with those that others have "
        "published with the official questionnaires."
    )
    yield from embedded_note(rows)
    if personas < FEW_PERSONAS:
        yield (
            f"With {personas} personas most factor models cannot be fitted and intervals are wide: this is a first "
            "look; do not publish it."
        )
    for row in rows:
        if row.unparsed_share is not None and row.unparsed_share > MUCH_UNPARSED:
            yield (
                f"{row.label} left {100 * row.unparsed_share:.0f} % of the items unparsed: its compatibility numbers "
                "and its Cardinal score rest in part on answers filled in at random."
            )
    if any(len(row.runs) == 1 for row in rows):
        yield "A single run has no interval by run: measure several runs (--runs=3) to see the effect of chance."
    yield from closing_notes(found)
