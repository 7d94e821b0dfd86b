"""A difference in sentences, for the comparison of any kind. Amounts are in the direction that a sentence names."""

from dataclasses import dataclass
from math import ceil, floor, inf

from independence_bench.report.blocks import Phrase, Value, phrase
from independence_bench.report.comparison.comparison_data import NoWorse, PairDifference
from independence_bench.report.formatting import amount, shown_confidence, shown_p

EQUAL = 1e-9
"""A difference below this is the error of a float sum."""
_JOINT = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class DifferenceWords:
    """How the differences of one number are said."""

    number: str
    """What both sides have."""
    over: str
    """What the interval is over: ``by scenario``, ``over matters``."""
    by: str = ""
    """By what the models differ, with a space before it, where the unit does not say it."""
    unit: str = ""
    """Of the number, in the singular."""
    places: int = 1
    greatest: float = inf
    """The largest possible difference."""
    no_interval: str = "there is no interval"

    def sentence(self, names: tuple[Value, Value], gap: float, difference: PairDifference | None) -> Phrase:
        """Say how far the first is above the second, or below, and how sure that is."""
        if abs(gap) < EQUAL:
            stand = f"{{}} (A) and {{}} (B) have the same {self.number}"
        else:
            stand = f"{{}} (A) is {self.size(abs(gap))} {'above' if gap > 0 else 'below'} {{}} (B){self.by}"
        evidence = f" {self.evidence(self.over, gap, difference)}." if difference else f"; {self.no_interval}."
        return phrase(f"{stand}{evidence}", *names)

    def evidence(self, over: str, gap: float, difference: PairDifference) -> str:
        """Return the interval in the direction of the difference, the p-value, and what follows from them."""
        low, high = (difference.low, difference.high) if gap >= 0 else (-difference.high, -difference.low)
        p = shown_p(difference.p_value)
        # No line break may split it.
        sure = f"p{_JOINT}<{_JOINT}{p[1:]}" if p.startswith("<") else f"p{_JOINT}={_JOINT}{p}"
        ends = f"{amount(low, self.places)} to {amount(high, self.places)}"
        level = f"{shown_confidence(difference.confidence)} {over}".rstrip()
        verdict = "significantly different" if difference.significant else "not significantly different"
        least = difference.minimum_detectable
        power = f"a difference of {self.size(least)} or more would be detected in 4 of 5 such comparisons"
        if least >= self.greatest:
            power = "with so few trials even the greatest difference would be missed too often"
        return f"({level}: {ends}, {sure}): {verdict}; {power}"

    def size(self, value: float) -> str:
        """Return an amount with its unit."""
        text = amount(value, self.places)
        return f"{text} {self.unit}{'' if text == '1.0' else 's'}" if self.unit else text


def no_worse_sentence(each: NoWorse) -> Phrase:
    """Return the answer on a greatest drop."""
    mark = each.max_drop
    # The mark as it was given: one that is rounded could contradict the answer.
    drop = f"{mark:.1f}" if round(mark, 1) == mark else f"{mark:.10g}"
    question = f"B is at most {drop} point{'' if drop == '1.0' else 's'} below A, by {each.basis}: {each.answer}"
    if each.low is None or each.high is None:
        return phrase(f"{question}; there is no interval.")
    level, side = shown_confidence(round(each.confidence, 6)), f"{50 * (1 - each.confidence):.3g} %"
    ends = outwards(each.low, each.high)
    return phrase(f"{question} ({level} interval of A − B: {ends}; one-sided {side}).")


def outwards(low: float, high: float) -> str:
    """Return ends of what a difference may be, rounded outwards, so that none contradicts an answer."""
    return f"{amount(floor(10 * low + 1e-9) / 10)} to {amount(ceil(10 * high - 1e-9) / 10)}"
