"""What a gate's runs can decide, said before anything is asked. Simulated with published models, or the baseline."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gate_result import MOST_RUNS
from independence_bench.report.gate.look_history import first_confidence
from independence_bench.scoring.uncertainty import GATE_DEPTH, Sample
from independence_bench.scoring.uncertainty.difference import POWER
from independence_bench.scoring.uncertainty.known_models import ORDINARY, published_models
from independence_bench.scoring.uncertainty.planning import LEAST_RUNS, PlannedModels, comparisons, mean_width, needed


def feasible(criteria: Criteria, edition: Edition, runs: int, baseline: Sample | None) -> Iterator[str]:
    """Yield a sentence for each criterion on the Index, and none where an interval is not by run.

    Models are expected to vary as the baseline, or as ordinary ones where it has too few runs. The sentence says whose
    spread it is, unless it is that of ordinary models in these scenarios.
    """
    if criteria.interval != "run" or not edition.weights:
        return
    own = counted(runs, "run")
    against = runs if baseline is None else baseline.runs
    if runs < 2:
        yield f"{own}: a single run has no interval by run, so nothing is decided; ask --runs=5"
        return
    known = published_models(edition)
    if baseline is not None and baseline.runs > 1:
        known = replace(known, kinds={ORDINARY: [baseline]}, varies="the baseline")
    like = f" if it varies as {known.varies}" if known.varies else ""
    models = PlannedModels(known, ORDINARY, "run", first_confidence(criteria.confidence, runs, criteria.max_runs))
    for each in criteria.criteria:
        if each.kind == "min_index":
            half = mean_width(models, runs, depth=GATE_DEPTH) / 2
            low, high = max(0.0, each.mark - half), min(100.0, each.mark + half)
            reach = f"passes from an estimate of {high:.1f}, fails below {low:.1f}"
            yield f"{own} (± {half:.1f}{like}): {each.text} {reach}"
        elif each.kind == "max_drop" and against < 2:
            yield f"{own} against a baseline of 1: it has no interval by run, so {each.text} is not decided"
        elif each.kind == "max_drop":
            unchanged = comparisons(models, 0.0, runs, lower_runs=against)
            half, share = unchanged.detected(0.5), unchanged.power(each.mark)
            room = each.mark - half
            passes = f"up to an estimated drop of {room:.1f}" if room >= 0 else f"from an estimated gain of {-room:.1f}"
            instead = f"an unchanged model passes in {100 * share:.0f} % of cases"
            if share < POWER:
                instead = f"accept a drop of {ceil(unchanged.detected(POWER))}"
                enough = runs_to_pass(models, each.mark)
                instead = f"for a drop of {each.mark:g} ask {enough} runs of both, or {instead}" if enough else instead
            yield (
                f"{own} against a baseline of {against} (± {half:.1f}{like}): passes {passes}, fails from an estimated "
                f"drop of {each.mark + half:.1f}; {instead}"
            )


def runs_to_pass(models: PlannedModels, drop: float) -> int | None:
    """Return the least runs of both with which 80 % of unchanged models pass; None where a gate sees no such number."""
    return needed(lambda runs: comparisons(models, 0.0, runs).detected(POWER), drop, LEAST_RUNS, MOST_RUNS)
