"""What a number of runs can tell, and how many runs, scenarios, calls and dollars a question needs, as text.

Uses the variances of the store's models, or the published ones where it has none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.kinds import telling
from independence_bench.report.formatting import dollars
from independence_bench.session.estimate import estimates
from independence_bench.session.missing_keys import some_of
from independence_bench.session.plan import Plan
from independence_bench.session.token_counts import read_token_counts
from independence_bench.spec import is_embedded
from independence_bench.store import Store

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis, VarianceComponents
    from independence_bench.scoring.uncertainty.planning import KnownVariances


@dataclass(frozen=True, slots=True)
class PowerQuestion:
    """What a measurement is to answer; at most one of ``difference`` and ``width``."""

    runs: int
    power: float
    difference: float | None = None
    """Of two models' Indices, in points."""
    width: float | None = None
    """Of one model's interval from end to end, in points."""


def known_variances(store: Store, edition: Edition) -> "KnownVariances | None":
    """Return the variances over the store's ranked models of an edition, embedded ones left out, else the usual ones.

    None for an edition without an Index.
    """
    from independence_bench.scoring.uncertainty import variance_components  # late: numpy
    from independence_bench.scoring.uncertainty.planning import ORDINARY, KnownVariances

    kind = telling(edition.kind)
    usual = kind.usual_variances(edition)
    if usual is None:
        return None
    session = store.newest_session(edition.id, own=True) or store.newest_session(edition.id)
    measured = kind.samples(store, session) if session else []
    found = variance_components([sample for row, sample in measured if not is_embedded(row.model_id)])
    if found is not None and found.run:
        models, runs = counted(found.models, "model"), f"{found.runs:.3g}"
        return KnownVariances({ORDINARY: found}, f"this store, {models} × {runs} runs")
    return usual


def precision_sentence(store: Store, plan: Plan) -> str | None:
    """Return what a plan's runs can tell, in one line; None for an edition without an Index."""
    from independence_bench.scoring.uncertainty import minimum_detectable

    known = known_variances(store, plan.edition)
    if known is None:
        return None
    by_run, by_scenario = (minimum_detectable(known.ordinary, basis, plan.runs) for basis in ("run", "scenario"))
    same = f"{by_run:.1f} points by run" if isfinite(by_run) else "none by run (that needs two runs)"
    return (
        f"Difference of two models that {counted(plan.runs, 'run')} would detect in 4 of 5 cases: {same}, "
        f"{by_scenario:.1f} points by scenario (variances: {known.source})."
    )


def power_text(question: PowerQuestion, plan: Plan, store: Store, named: bool) -> str:
    """Return the answer as a table with a line for each kind of models, what it rests on, and what it costs.

    ``plan`` is of one run; ``named`` says whether its models were asked for by name.
    """
    from tabulate import tabulate

    known = known_variances(store, plan.edition)
    if known is None:
        raise BadInput(f"--edition={plan.edition.id}: it has no Index to plan for; name an edition with an Index")
    asked = {kind: _Asked(question, found) for kind, found in known.kinds.items()}
    rows = [{"models": kind, **each.cells(each.found is known.ordinary)} for kind, each in asked.items()]
    found, runs = known.ordinary, counted(question.runs, "run")
    lines = [
        f"Edition {plan.edition.id}, {runs} of {found.scenarios} scenarios (by weight as precise as "
        f"{found.effective_scenarios:.1f} equal ones):",
        "",
        tabulate(rows, headers="keys", disable_numparse=True, stralign="right", colalign=("left",)),
        "",
        "By run: these scenarios asked again. By scenario: others of their kinds, too. Confidence 95 %.",
    ]
    if question.difference is not None:
        lines.append(
            f"Needed to detect {question.difference:g} points with {_percent(question.power)} power: so many runs (by "
            f"run), or so many scenarios in {runs} (by scenario)."
        )
    elif question.width is not None:
        lines.append(
            f"Needed for an interval {question.width:g} points wide: so many runs (by run), or so many scenarios in "
            f"{runs} (by scenario)."
        )
    if len(known.kinds) > 1:
        lines.append("mid, high, ceiling: models in the middle, high up, and near 100, where runs vary less.")
    lines.append(f"Variances: {known.source}.")
    needed = _Asked(question, found).needed("run")
    return "\n".join([*lines, *_costs(plan, store, sorted({question.runs, needed or question.runs}), named)])


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, of models with such variances."""

    question: PowerQuestion
    found: "VarianceComponents"

    def detected(self, basis: "Basis", runs: int, scenarios: float = 1.0) -> float:
        from independence_bench.scoring.uncertainty import minimum_detectable

        return minimum_detectable(self.found, basis, runs, scenarios, power=self.question.power)

    def width(self, basis: "Basis", runs: int, scenarios: float = 1.0) -> float:
        from independence_bench.scoring.uncertainty import expected_half_width

        return 2 * expected_half_width(self.found, basis, runs, scenarios)

    def needed(self, basis: "Basis") -> int | None:
        """Return the runs (by run) or scenarios (by scenario) that reach what is asked; None where none do."""
        from independence_bench.scoring.uncertainty.planning import least

        runs, found = self.question.runs, self.found
        goal, reached = self.question.difference, self.detected
        if goal is None:
            goal, reached = self.question.width, self.width
        if goal is None:
            return None
        if basis == "run":
            return least(lambda more: reached("run", more) <= goal, 2)
        return least(lambda more: reached("scenario", runs, more / found.scenarios) <= goal, found.strata + 1)

    def cells(self, ordinary: bool) -> dict[str, str]:
        """Return column → cell. By scenario only for ordinary models: of others the interaction is not known."""
        from independence_bench.scoring.uncertainty.planning import MOST, power_of

        question, cells = self.question, dict[str, str]()
        bases: tuple[Basis, Basis] = ("run", "scenario")
        for basis in bases:
            numbers = {}
            if question.difference is not None:
                numbers["power"] = _percent(power_of(self.found, basis, question.difference, question.runs))
            else:
                numbers["width"] = _points(self.width(basis, question.runs))
            if question.difference is None and question.width is None:
                numbers["difference"] = _points(self.detected(basis, question.runs))
            else:
                needed = self.needed(basis)
                numbers["needed"] = f"> {MOST}" if needed is None else counted(needed, basis)
            cells |= {
                f"{name} by {basis}": number if ordinary or basis == "run" else "–" for name, number in numbers.items()
            }
        return cells


def _costs(plan: Plan, store: Store, numbers: Sequence[int], named: bool) -> Iterator[str]:
    """Yield calls and money of so many runs; what the store holds already is not subtracted."""
    efforts = estimates(plan, {}, list(plan.by_key), read_token_counts(store, plan))
    row = efforts[-1] if named else efforts[0]
    calls = row.generation.calls + row.judging.calls
    usd = [row.generation.usd, row.judging.usd]
    whom = some_of([model.label for model in plan.models]) if named else "each model"
    for runs in numbers:
        money = "name it with --model for a price" if not named else "at an unknown price"
        if named and None not in usd:
            money = f"about {dollars(runs * sum(each or 0.0 for each in usd))} US dollars at list prices"
        yield f"{counted(runs, 'run')} of {whom}: {counted(runs * calls, 'call')}, {money}."


def _points(points: float) -> str:
    return f"{points:.1f}" if isfinite(points) else "–"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
