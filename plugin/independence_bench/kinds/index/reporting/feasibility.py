"""What a gate's runs can decide, said before anything is asked. By published variances, or those of the baseline."""

from collections.abc import Iterator
from math import ceil, sqrt

from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gate_result import MOST_RUNS
from independence_bench.report.gate.look_history import first_confidence
from independence_bench.scoring.special_functions import ndtr
from independence_bench.scoring.uncertainty import Sample
from independence_bench.scoring.uncertainty.intervals import student
from independence_bench.scoring.uncertainty.planning import published_variances
from independence_bench.scoring.uncertainty.sample import Error, add_errors

USUAL = 0.8  # share of unchanged models that a criterion should decide
_DEVIATE = 0.8416  # of this share, one-sided


class Reach:
    """How far the interval of a drop reaches, by runs of the model and of its baseline."""

    def __init__(self, edition: Edition, confidence: float, baseline: Sample | None = None) -> None:
        """Expect of both what the runs of the baseline vary by; of an ordinary model where there are too few."""
        self._confidence = confidence
        usual = published_variances(edition).ordinary
        self._variance, self._df = usual.run / usual.effective_scenarios, usual.effective_scenarios
        if baseline is not None and baseline.runs > 1:
            error = baseline.run_error
            self._variance, self._df = error.variance, error.df / (baseline.runs - 1)

    def error(self, *runs: int) -> Error:
        """Return the error of a mean over so many runs, or of a difference of two."""
        return add_errors([Error(self._variance / each, self._df * (each - 1)) for each in runs])

    def half(self, *runs: int) -> float:
        """Return half the width of the interval."""
        return student(self.error(*runs), self._confidence)

    def passing(self, drop: float, *runs: int) -> float:
        """Return the share of unchanged models that pass."""
        return float(ndtr((drop - self.half(*runs)) / max(sqrt(self.error(*runs).variance), 1e-9)))

    def least_drop(self, *runs: int) -> int:
        """Return the least drop, whole points, that the usual share of unchanged models passes."""
        return ceil(self.half(*runs) + _DEVIATE * sqrt(self.error(*runs).variance))

    def runs_for(self, drop: float) -> int | None:
        """Return the least runs of both with which the usual share of unchanged models passes."""
        return next((runs for runs in range(2, MOST_RUNS + 1) if self.passing(drop, runs, runs) >= USUAL), None)


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
            half = reach.half(runs, against)
            room = each.mark - half
            passes = f"up to an estimated drop of {room:.1f}" if room >= 0 else f"from an estimated gain of {-room:.1f}"
            share = reach.passing(each.mark, runs, against)
            yield (
                f"{own} against a baseline of {against} (± {half:.1f}): passes {passes}, fails from an estimated drop "
                f"of {each.mark + half:.1f}; {_instead(reach, each.mark, share, runs, against)}"
            )


def _instead(reach: Reach, drop: float, share: float, runs: int, against: int) -> str:
    if share >= USUAL:
        return f"an unchanged model passes in {100 * share:.0f} % of cases"
    needed, accept = reach.runs_for(drop), f"accept a drop of {reach.least_drop(runs, against)}"
    return f"for a drop of {drop:g} ask {needed} runs of both, or {accept}" if needed else accept
