"""Computes the comparison of two models' role stability, paired by persona. Formats nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.stats import rankdata

from independence_bench.kinds.roles.design import RolesDesign, roles_design
from independence_bench.kinds.roles.metrics.bootstrap import (
    RESAMPLES,
    PairedDifference,
    overall_of,
    paired_difference,
    persona_weights,
    rho_draws,
)
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import Array, mean_of_defined
from independence_bench.kinds.roles.telling.compared import (
    ComparedAnswer,
    ComparedOrders,
    ComparedPlayer,
    Displaced,
    RoleComparison,
)
from independence_bench.kinds.roles.telling.role_report import RoleResult, analysed
from independence_bench.report.analysis.interviews import AnsweredItem, answered_items
from independence_bench.report.analysis.ranked import Ranked, texts_of
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.report_data import shared
from independence_bench.scoring.components import finite

SHOWN = 10
"""Personas in a context that are listed."""


@dataclass(frozen=True)
class Player:
    """One side with everything computed of it."""

    side: Side
    result: RoleResult

    @cached_property
    def rho(self) -> Array:
        """(pairs, 10): mean over the runs."""
        rho: Array = np.mean([each.orders.rho for each in self.result.measured], axis=0)
        return rho

    @cached_property
    def draws(self) -> Array:
        """(pairs, 10, draws): mean over the runs, in equal samples of personas for both sides."""
        weights = persona_weights(self.result.personas)
        draws: Array = np.mean([rho_draws(each.contexts, weights) for each in self.result.measured], axis=0)
        return draws

    @cached_property
    def displacement(self) -> Array:
        """(contexts, personas): distance of each place from the mean of the other contexts, mean over runs."""
        runs = []
        for measured in self.result.measured:
            centred = np.array([context.centred for context in measured.contexts])
            places = rankdata(centred.round(9), axis=1, nan_policy="omit")
            others = (places.sum(axis=0) - places) / (len(places) - 1)
            runs.append(mean_of_defined(np.abs(places - others), axis=2))
        displacement: Array = np.mean(runs, axis=0)
        return displacement


def build_role_comparison(request: ComparisonRequest) -> RoleComparison:
    """Return the comparison of two models under the session's edition and texts."""
    session, confidence = request.session, request.confidence
    design = roles_design(session.edition)
    one, other = (
        Player(side, analysed(side.store, Ranked(side.row, side.result))) for side in (request.first, request.second)
    )
    whole = bool(one.result.measured and other.result.measured)
    found = _Paired(one, other, confidence) if whole else None
    return RoleComparison(
        edition=session.edition.id,
        title=session.edition.title,
        texts=texts_of(session),
        confidence=confidence,
        resamples=RESAMPLES,
        n_personas=len(design.personas),
        first=_shown(one, confidence),
        second=_shown(other, confidence),
        difference=found.overall if found else None,
        gap=found.gap if found else None,
        values=list(found.orders(0, VALUES)) if found else [],
        contexts=list(found.orders(1, (f"{a} – {b}" for a, b in one.result.measured[0].orders.pairs))) if found else [],
        notes=list(_notes(one, other, whole)),
        personas=_displaced(design, one, other, request.answers) if found else [],
    )


class _Paired:
    """The differences of two complete sides."""

    def __init__(self, first: Player, second: Player, confidence: float) -> None:
        self._first, self._second, self._confidence = first, second, confidence

    @property
    def gap(self) -> float | None:
        return finite(float(overall_of(self._first.rho)) - float(overall_of(self._second.rho)))

    @property
    def overall(self) -> PairedDifference | None:
        return self._difference(self.gap, overall_of(self._first.draws) - overall_of(self._second.draws))

    def orders(self, axis: Literal[0, 1], names: Iterable[str]) -> Iterator[ComparedOrders]:
        """Yield the differences by value, over the pairs of contexts (axis 0), or by pair, over the values (axis 1)."""
        sides = [mean_of_defined(each.rho, axis=axis) for each in (self._first, self._second)]
        draws = [mean_of_defined(each.draws, axis=axis) for each in (self._first, self._second)]
        for place, name in enumerate(names):
            first, second = (finite(float(side[place])) for side in sides)
            gap = None if first is None or second is None else first - second
            found = self._difference(gap, draws[0][place] - draws[1][place])
            yield ComparedOrders(name=name, first=first, second=second, difference=found)

    def _difference(self, gap: float | None, draws: Array) -> PairedDifference | None:
        return None if gap is None else paired_difference(gap, draws, self._first.result.personas, self._confidence)


def _shown(player: Player, confidence: float) -> ComparedPlayer:
    row, result = player.side.row, player.result
    return ComparedPlayer(
        source=player.side.source,
        runs=len(row.runs),
        numbers=result.numbers,
        rank_order_interval=result.interval(confidence),
        unparsed_share=result.answers.unparsed_share,
        **shared(row, ComparedPlayer, "runs"),
    )


def _notes(first: Player, second: Player, whole: bool) -> Iterator[str]:
    if not whole:
        yield "An incomplete population has no rank order to compare: measure the missing interviews first."
        return
    keys = [{trial.transcript.key for trial in each.side.result.trials if trial.transcript} for each in (first, second)]
    shared = len(keys[0] & keys[1])
    if shared:
        yield f"{shared} of {len(keys[0])} interviews are the same measurement on both sides: they are no evidence."
    yield (
        "The p-values of single values and pairs of contexts are not corrected for multiple comparisons: on average "
        "1 in 20 is below 0.05 without any difference."
    )


def _displaced(design: RolesDesign, first: Player, second: Player, answers: int) -> list[Displaced]:
    contexts = [context for context in design.contexts if context.retest_of is None]
    gaps = first.displacement - second.displacement
    order = np.argsort(-np.abs(np.nan_to_num(gaps)), axis=None, kind="stable")
    found: list[Displaced] = []
    for place in order[: max(SHOWN, answers)].tolist():
        context, persona = divmod(int(place), len(design.personas))
        scenario = design.scenario_id(design.personas[persona], contexts[context])
        ends = first.displacement[context, persona], second.displacement[context, persona]
        if np.isnan(ends).any():
            continue
        run, pairs = _answers(first, second, scenario) if len(found) < answers else (None, [])
        found.append(
            Displaced(
                scenario=scenario,
                persona=design.personas[persona].name,
                context=contexts[context].title,
                first=float(ends[0]),
                second=float(ends[1]),
                run=run,
                answers=pairs,
            )
        )
    return found


def _answers(first: Player, second: Player, scenario: str) -> tuple[int, list[ComparedAnswer]]:
    """Return every scored item of the first run, which all complete models have."""
    sides = [_items(each, scenario) for each in (first, second)]
    return 1, [
        ComparedAnswer(
            item=item,
            words=one.words,
            first_said=one.said,
            first_score=one.score,
            second_said=sides[1][item].said,
            second_score=sides[1][item].score,
        )
        for item, one in sides[0].items()
    ]


def _items(player: Player, scenario: str) -> dict[int, AnsweredItem]:
    trials = (trial for trial in player.side.result.trials if trial.cell[0] == scenario and trial.run == 1)
    transcript = next(trial.transcript for trial in trials)
    assert transcript is not None, "every planned trial is measured"
    found = answered_items(player.side.store.transcript_body(transcript.key))
    return {each.item: each for each in found if each.item is not None}
