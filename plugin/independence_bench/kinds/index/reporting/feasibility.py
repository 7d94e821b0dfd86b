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
from independence_bench.scoring.uncertainty.planning import LEAST_RUNS, Comparisons, Planner, least


class Reach:
    """What the interval of a drop reaches, by runs of the baseline and of the model."""

    def __init__(self, edition: Edition, confidence: float, baseline: Sample | None = None) -> None:
        """Expect of both what the runs of the baseline vary by; of an ordinary model where there are too few."""
        known = published_models(edition)
        if baseline is not None and baseline.runs > 1:
            known = replace(known, kinds={ORDINARY: [baseline]})
        self._planner = Planner(known, ORDINARY, "run", confidence)

    def half(self, runs: int) -> float:
        """Return half the width of the interval of a model's Index."""
        return self._planner.width(runs, depth=GATE_DEPTH) / 2

    def unchanged(self, runs: int, against: int) -> Comparisons:
        """Return comparisons of models that have not changed with their baselines."""
        return self._planner.compared(0.0, against, lower_runs=runs)

    def runs_for(self, drop: float) -> int | None:
        """Return the least runs of both with which the usual share of unchanged models passes."""
        return least(lambda runs: self.unchanged(runs, runs).passing(drop) >= POWER, LEAST_RUNS, MOST_RUNS)


def feasible(criteria: Criteria, edition: Edition, runs: int, baseline: Sample | None) -> Iterator[str]:
    """Yield a sentence for each criterion on the Index, and none where an interval is not by run."""
    if criteria.interval != "run" or not edition.weights:
        return
    own = counted(runs, "run")
    against = runs if baseline is None else baseline.runs
    if runs < 2:
        yield f"{own}: a single run has no interval by run, so nothing is decided; ask --runs=5"
        return
    reach = Reach(edition, first_confidence(criteria.confidence, runs, criteria.max_runs), baseline)
    for each in criteria.criteria:
        if each.kind == "min_index":
            half = reach.half(runs)
            low, high = max(0.0, each.mark - half), min(100.0, each.mark + half)
            yield f"{own} (± {half:.1f}): {each.text} passes from an estimate of {high:.1f}, fails below {low:.1f}"
        elif each.kind == "max_drop" and against < 2:
            yield f"{own} against a baseline of 1: it has no interval by run, so {each.text} is not decided"
        elif each.kind == "max_drop":
            unchanged = reach.unchanged(runs, against)
            half, share = unchanged.half, unchanged.passing(each.mark)
            room = each.mark - half
            passes = f"up to an estimated drop of {room:.1f}" if room >= 0 else f"from an estimated gain of {-room:.1f}"
            instead = f"an unchanged model passes in {100 * share:.0f} % of cases"
            if share < POWER:
                instead = _instead(reach.runs_for(each.mark), each.mark, unchanged)
            yield (
                f"{own} against a baseline of {against} (± {half:.1f}): passes {passes}, fails from an estimated drop "
                f"of {each.mark + half:.1f}; {instead}"
            )


def _instead(needed: int | None, drop: float, unchanged: Comparisons) -> str:
    accept = f"accept a drop of {ceil(unchanged.passed(POWER))}"
    return f"for a drop of {drop:g} ask {needed} runs of both, or {accept}" if needed else accept
