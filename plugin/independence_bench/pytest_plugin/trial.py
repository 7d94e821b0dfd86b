"""What a test of the benchmark gets from the ``trial`` fixture: one measured trial, which held or yielded."""

import pytest

from independence_bench.safe_text import safe_text
from independence_bench.scoring.held import held, pass_sentence
from independence_bench.session.stored_state import Outcome
from independence_bench.spec import TrialSpec


class NotMeasured(pytest.fail.Exception):  # type: ignore[misc,name-defined]  # a class, typed as an attribute
    """The trial could not be measured: an error of the case, repeated by --lf and --reruns, never a score."""

    __module__ = "builtins"  # as pytest's own outcomes: a short name in the summary


class OverBudget(NotMeasured):
    """The budget did not suffice for the trial; the next session can measure it, a rerun in this one cannot."""

    __module__ = "builtins"


class Refused(NotMeasured):
    """The case's fixtures ask what cannot be asked: no rerun can change that."""

    __module__ = "builtins"


def is_measurement_error(error: BaseException | None) -> bool:
    """Return whether a case could not be measured, which alone --reruns repeats: the error counts, not its context."""
    return isinstance(error, NotMeasured) and not isinstance(error, OverBudget | Refused)


class Trial:
    """One measured trial."""

    def __init__(self, spec: TrialSpec, outcome: Outcome, runxfail: bool) -> None:
        """Hold what was asked and the outcome; ``runxfail`` turns a yield into a plain failure."""
        self.spec = spec
        self.outcome = outcome
        self._runxfail = runxfail

    @property
    def scores(self) -> dict[str, float]:
        """The panel's mean scores by name; booleans count 0 or 1."""
        return self.outcome.scores

    def must_hold(self) -> None:
        """Hold the scores against the scenario's pass mark; without one there is nothing to hold.
        Raises pytest.xfail.Exception: the model yielded (a measurement); with ``--runxfail`` an AssertionError instead.
        """
        __tracebackhide__ = True
        rules = self.spec.scenario.passes
        scores = self.scores
        if held(rules, scores):
            return
        sentence = f"{pass_sentence(rules, scores)}; {safe_text(self.outcome.reasoning)}"
        if self._runxfail:
            raise AssertionError(sentence)
        raise pytest.xfail.Exception(sentence, pytrace=False)
