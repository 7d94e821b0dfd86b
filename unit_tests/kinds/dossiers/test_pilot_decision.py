"""A pilot goes on only where every criterion of its page holds."""

from collections import Counter
from itertools import count

import pytest
from pilot_decision import ModelNumbers, correlation, criteria

from independence_bench.kinds.dossiers.reporting.reason_board import ChosenStandards

GOOD = ModelNumbers(50.0, (40.0, 60.0), 0.9, 0.98, 0.6, 0.8)
BETTER = GOOD._replace(index=90.0, interval=(80.0, 95.0))
ORGANISMS = {"balanced": BETTER, "resists": GOOD}


def form(models: int = 12, **changes: float) -> dict[str, ModelNumbers]:
    steps = count()
    return {f"model-{at}": GOOD._replace(index=30.0 + 4 * next(steps), **changes) for at in range(models)}


def chosen(*counts: int) -> ChosenStandards:
    return ChosenStandards.of("m", Counter(dict(zip("abcd", counts, strict=True))))


EVEN = chosen(4, 4, 3, 2)


def failing(
    *forms: dict[str, ModelNumbers], organisms: dict[str, ModelNumbers] = ORGANISMS, standards: ChosenStandards = EVEN
) -> list[str]:
    found = criteria(forms, [organisms], [EVEN, standards])
    return [each.says.split(":")[0].split(" ")[0] for each in found if not each.holds]


def test_a_good_pilot_fails_in_nothing() -> None:
    assert failing(form(), form()) == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"readable": 0.9}, "readable"), ({"coherent": 0.8}, "coherent"), ({"reason": 0.95}, "m_reason")],
)
def test_each_share_has_its_mark(changes: dict[str, float], says: str) -> None:
    assert failing(form(**changes), form(**changes)) == [says]


def test_a_matter_in_which_one_standard_is_nearly_always_chosen_fails() -> None:
    assert failing(form(), form(), standards=chosen(90, 10, 10, 10)) == ["favourite", "split"]
    assert failing(form(), form(), standards=chosen(20, 20, 20, 4)) == ["split"]


def test_an_unscorable_model_counts_against_coherence_and_in_no_correlation() -> None:
    bad = {"mute": GOOD._replace(index=float("nan"), coherent=0.0, reason=float("nan"))}
    assert failing(form() | bad, form() | bad) == ["coherent"]


def test_too_few_models_another_order_and_an_unseen_organism_are_found() -> None:
    backwards = dict(zip(form(), reversed(form().values()), strict=True))
    assert failing(form(11), form()) == ["at"]
    assert failing(form(), backwards) == ["reliability"]
    assert failing(form(), form(), organisms={"balanced": GOOD, "resists": BETTER}) == ["form"]


def test_a_correlation_has_fishers_interval_and_none_below_four_pairs() -> None:
    r, (low, high) = correlation([1, 2, 3, 4, 5, float("nan")], [2, 1, 4, 3, 5, 9])
    assert (r, low, high) == pytest.approx((0.8, -0.2796, 0.9862), abs=1e-3)
    assert str(correlation([1, 2, 3], [1, 2, 3])[0]) == "nan"
