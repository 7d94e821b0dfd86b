"""What a number of runs can tell, and what a question needs, simulated with models of the store or published ones."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import harmonic_mean
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted, some_of
from independence_bench.report.analysis.tidy import tabled_kind
from independence_bench.report.formatting import dollars, number, percent
from independence_bench.report.report_data import ReportData
from independence_bench.session.estimate import estimates, read_token_counts
from independence_bench.session.plan import Plan
from independence_bench.spec import is_embedded
from independence_bench.store import Store

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis
    from independence_bench.scoring.uncertainty.known_models import KnownModels


@dataclass(frozen=True, slots=True)
class PowerQuestion:
    """What a measurement is to answer; at most one of ``difference`` and ``width``."""

    runs: int
    power: float
    difference: float | None = None  # of two models' Indices, in points
    width: float | None = None  # of one model's interval from end to end, in points


def known_models(store: Store, edition: Edition) -> "KnownModels | None":
    """Return the store's ranked models with two runs that differ, without embedded ones, else the usual ones, or None.

    Of the store's there are two or more.
    """
    kind = tabled_kind(edition.kind)
    usual = kind.known_models(edition)
    if usual is None:
        return None
    session = store.newest_session(edition.id)
    measured = kind.samples(store, session) if session else []
    several = [sample for row, sample in measured if sample.runs > 1 and not is_embedded(row.model_id)]
    if len(several) < 2 or not any(sample.run_error.variance for sample in several):
        return usual
    from independence_bench.scoring.uncertainty.known_models import ORDINARY, KnownModels  # late: numpy

    runs = f"{harmonic_mean([sample.runs for sample in several]):.3g}"
    return KnownModels(several, f"this store, {counted(len(several), 'model')} × {runs} runs", {ORDINARY: several})


def precision_sentence(store: Store, plan: Plan) -> str | None:
    """Return what a plan's runs can tell, in one line; None for an edition without an Index."""
    known = known_models(store, plan.edition)
    if known is None:
        return None
    from independence_bench.scoring.uncertainty import BASES
    from independence_bench.scoring.uncertainty.difference import POWER
    from independence_bench.scoring.uncertainty.known_models import ORDINARY

    question = PowerQuestion(plan.runs, POWER)
    by_run, by_scenario = (power_answer(question, known, ORDINARY, basis).difference for basis in BASES)
    same = "none by run (that needs two runs)" if by_run is None else f"{by_run:.1f} points by run"
    return (
        f"Difference of two models that {counted(plan.runs, 'run')} would detect in 4 of 5 cases: {same}, "
        f"{number(by_scenario, 1)} points by scenario (simulated: {known.source})."
    )


class BasisPower(ReportData):
    """What so many runs tell by run, or by scenario; what was not asked is None."""

    power: float | None = None  # probability of detecting the difference asked for, 0..1
    difference: float | None = None  # of two models that is detected with the power asked for, points; or None
    width: float | None = None  # of one model's interval from end to end, points; or None
    needed: int | None = None  # runs (by run) or scenarios that answer it; None if ``most`` do not


class KindPower(ReportData):
    """One kind of models."""

    models: str  # ``ordinary``, or models whose runs vary less or more: ``mid``, ``high``, ``ceiling``
    by_run: BasisPower
    by_scenario: BasisPower | None  # none where only the runs' variance is known


class RunsCost(ReportData):
    """What a number of runs costs; what is stored already is not subtracted."""

    runs: int
    models: list[str] | None  # None: each model, whichever
    calls: int
    usd: float | None  # at list prices; None where one is unknown


class PowerPlan(ReportData):
    """The answer of ``power``: the shape of ``--format=json``. Later versions add fields and never change these."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    edition: str
    experimental: bool = False  # numbers of this edition are not to be cited yet
    runs: int
    scenarios: int
    effective_scenarios: float  # as many equally heavy scenarios the Index is worth
    confidence: float
    power: float
    difference: float | None  # the question: points to detect
    width: float | None  # the question: points from end to end
    most: int  # runs, or scenarios, beyond which nothing is looked for
    source: str  # of the models that are simulated
    kinds: list[KindPower]  # ordinary models first
    costs: list[RunsCost]  # of ``runs``, and of the runs that ordinary models need


def power_plan(question: PowerQuestion, plan: Plan, store: Store, named: bool) -> PowerPlan:
    """Return the answer for each kind of models, its basis and cost; ``plan`` has one run, of ``named`` models."""
    from independence_bench.scoring.uncertainty import CONFIDENCE
    from independence_bench.scoring.uncertainty.planning import MOST

    known = known_models(store, plan.edition)
    if known is None:
        raise BadInput(f"--edition={plan.edition.id}: it has no Index to plan for; name an edition with an Index")
    kinds = [
        KindPower(
            models=kind,
            by_run=power_answer(question, known, kind, "run"),
            # Other kinds differ by their runs; what they need by scenario would cost a second to say.
            by_scenario=None if place else power_answer(question, known, kind, "scenario"),
        )
        for place, kind in enumerate(known.kinds)
    ]
    template = known.samples[0]
    return PowerPlan(
        **asdict(question),
        edition=plan.edition.id,
        experimental=bool(plan.edition.standing),
        scenarios=len(template.worth),
        effective_scenarios=template.effective_scenarios,
        confidence=CONFIDENCE,
        most=MOST,
        source=known.source,
        kinds=kinds,
        costs=_costs(plan, store, sorted({question.runs, kinds[0].by_run.needed or question.runs}), named),
    )


def power_answer(question: PowerQuestion, known: "KnownModels", kind: str, basis: "Basis") -> BasisPower:
    """Return what runs of known models of a kind tell, by run or by scenario."""
    from independence_bench.scoring.uncertainty import planning

    models, template = planning.PlannedModels(known, kind, basis), known.samples[0]
    runs, difference, wanted = question.runs, question.difference, question.width
    unknown = runs < 2 if basis == "run" else not template.strata

    def reached(more: int) -> float:
        asked = (more, 0) if basis == "run" else (runs, more)
        if difference is None:
            return planning.mean_width(models, *asked)
        return planning.comparisons(models, difference, *asked).detected(question.power)

    needed = width = None
    if (goal := difference or wanted) and (basis == "run" or not unknown):
        needed = planning.needed(reached, goal, planning.LEAST_RUNS if basis == "run" else len(template.worth))
    if difference is not None:
        power = 0.0 if unknown else planning.comparisons(models, difference, runs).power(difference)
        return BasisPower(power=power, needed=needed)
    if not unknown:
        width = planning.mean_width(models, runs)
        difference = None if wanted else planning.detectable(models, runs, question.power)
    return BasisPower(difference=difference, width=width, needed=needed)


def _costs(plan: Plan, store: Store, numbers: Sequence[int], named: bool) -> list[RunsCost]:
    efforts = estimates(plan, {}, list(plan.by_key), read_token_counts(store, plan))
    row = efforts[-1] if named else efforts[0]
    effort = row.generation + row.judging
    usd = effort.usd if named else None
    models = [model.label for model in plan.models] if named else None
    return [
        RunsCost(runs=runs, models=models, calls=runs * effort.calls, usd=None if usd is None else runs * usd)
        for runs in numbers
    ]


def power_text(plan: PowerPlan) -> str:
    """Return the answer as a table with a line for each kind of models, and what it rests on and costs."""
    from tabulate import tabulate

    runs = counted(plan.runs, "run")
    lines = [
        f"Edition {plan.edition}{' (experimental)' if plan.experimental else ''}, {runs} of "
        f"{counted(plan.scenarios, 'scenario')} (by weight as precise as {plan.effective_scenarios:.1f} equal ones):",
        "",
        tabulate(
            [{"models": kind.models, **_cells(plan, kind)} for kind in plan.kinds],
            headers="keys",
            disable_numparse=True,
            stralign="right",
            colalign=("left",),
        ),
        "",
        "By run: these scenarios asked again. By scenario: others of their kinds, too. Confidence 95 %.",
    ]
    asked = "" if plan.width is None else f"for an interval {plan.width:g} points wide"
    if plan.difference is not None:
        asked = f"to detect {plan.difference:g} points with {percent(plan.power)} power"
    if asked:
        lines.append(f"Needed {asked}: so many runs (by run), or so many scenarios in {runs} (by scenario).")
    if len(plan.kinds) > 1:
        lines.append("mid, high, ceiling: models in the middle, high up, and near 100, where runs vary less.")
    lines.append(f"Simulated: {plan.source}.")
    return "\n".join([*lines, *map(_cost_line, plan.costs)])


def _cells(plan: PowerPlan, kind: KindPower) -> dict[str, str]:
    cells: dict[str, str] = {}
    for basis, answer in (("run", kind.by_run), ("scenario", kind.by_scenario)):
        cell = answer or BasisPower()
        if plan.difference is not None:
            cells[f"power by {basis}"] = percent(cell.power)
        else:
            cells[f"width by {basis}"] = number(cell.width, 1)
        if plan.difference is None and plan.width is None:
            cells[f"difference by {basis}"] = number(cell.difference, 1)
        else:
            needed = f"> {plan.most}" if cell.needed is None else counted(cell.needed, basis)
            cells[f"needed by {basis}"] = needed if answer else "–"
    return cells


def _cost_line(cost: RunsCost) -> str:
    money = "name it with --model for a price" if cost.models is None else "at an unknown price"
    if cost.usd is not None:
        money = f"about {dollars(cost.usd)} US dollars at list prices"
    whom = "each model" if cost.models is None else some_of(cost.models)
    return f"{counted(cost.runs, 'run')} of {whom}: {counted(cost.calls, 'call')}, {money}."
