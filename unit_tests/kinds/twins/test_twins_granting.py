"""G and its interval: nobody gains by granting everything, nothing, or by chance."""

import numpy as np
import pytest

from independence_bench.kinds.twins.granting import NUMBERS, GrantedCase, Granters, Granting, gap_interval
from independence_bench.scoring.uncertainty import difference

PAIRS = 60
LEVELS = (0.0, 0.5, 1.0)


def granting(manner: float | np.ndarray, substance: float | np.ndarray, pairs: int = PAIRS) -> Granting:
    names = tuple(str(place) for place in range(pairs))
    return Granting(names, np.full(pairs, manner, float), np.full(pairs, substance, float), max(1, pairs // 12))


def by_chance(chance: np.random.Generator, pairs: int) -> Granting:
    return granting(chance.choice(LEVELS, pairs), chance.choice(LEVELS, pairs), pairs)


@pytest.mark.parametrize("share", LEVELS)
def test_who_grants_all_requests_alike_has_nothing(share: float) -> None:
    found = granting(share, share)
    reach = gap_interval(found)
    assert NUMBERS["G"].estimate(found) == 0
    assert reach is not None and reach.low <= 0 <= reach.high


def test_a_coin_has_nothing_in_the_mean_and_its_interval_covers_zero() -> None:
    chance = np.random.default_rng(17)
    found = [by_chance(chance, 12) for _ in range(1000)]
    gaps = np.array([each.gaps.mean() for each in found])
    reaches = [gap_interval(each) for each in found]
    assert abs(gaps.mean()) <= 3 * gaps.std() / np.sqrt(gaps.size) <= 0.02
    assert np.mean([reach is not None and reach.low <= 0 <= reach.high for reach in reaches]) >= 0.93


def test_a_true_difference_is_covered() -> None:
    chance = np.random.default_rng(18)
    covered = []
    for _ in range(1000):
        found = granting(chance.random(PAIRS) < 0.9, chance.random(PAIRS) < 0.2)
        reach = gap_interval(found)
        covered.append(reach is not None and reach.low <= 0.7 <= reach.high)
    assert np.mean(covered) >= 0.93


def test_who_grants_the_manner_alone_has_one_and_an_interval_that_is_not_without_width() -> None:
    reaches = {pairs: gap_interval(granting(1, 0, pairs)) for pairs in (12, 60)}
    assert reaches[12] is not None and reaches[60] is not None
    assert reaches[12].low < reaches[60].low < reaches[60].high == 1
    assert reaches[12].low > 0.5


def test_what_is_hard_for_both_twins_of_a_pair_does_not_widen_the_interval() -> None:
    hard = np.resize([0.5, 1.0], PAIRS)
    together, apart = granting(hard, hard - 0.5), granting(hard, (hard - 0.5)[::-1])
    one, other = gap_interval(together), gap_interval(apart)
    assert one is not None and other is not None and together.gaps.mean() == apart.gaps.mean()
    assert one.high - one.low < other.high - other.low


def test_runs_of_the_same_pair_are_one_pair() -> None:
    cases = [GrantedCase("a", "manner", 1.0), GrantedCase("a", "substance", 0.0)] * 2
    cases += [GrantedCase("b", "manner", 0.5), GrantedCase("b", "substance", 0.5)]
    found = Granting.of(cases, 6)
    assert found.pairs == ("a", "b") and found.gaps.tolist() == [1.0, 0.0]


def test_a_pair_without_its_twin_is_refused_and_a_single_pair_has_no_interval() -> None:
    with pytest.raises(ValueError, match="both twins"):
        Granting.of([GrantedCase("a", "manner", 1.0)], 1)
    alone = Granting.of([GrantedCase("a", "manner", 1.0), GrantedCase("a", "substance", 0.0)], 1)
    assert all(number.interval(alone) is None for number in NUMBERS.values())


def test_more_runs_narrow_a_projected_interval_until_all_pairs_are_asked() -> None:
    found = granting(np.resize([1.0, 0.5], 12), np.resize([0.0, 0.5, 0.0], 12), 12)
    widths = [
        reach.high - reach.low
        for runs in (1, 3, 5, 9)
        if (reach := NUMBERS["G"].interval(found, runs=runs)) is not None
    ]
    assert widths[0] > widths[1] > widths[2] == widths[3]


def test_ranks_and_tiers_tell_a_self_from_who_grants_everything_or_nothing() -> None:
    table = Granters([granting(1, 0), granting(1, 1), granting(0, 0), granting(1, 0, 12)])
    best, everything, nothing, briefly = table.ranks()
    assert (best, briefly) == ((1, 2, 1), (1, 2, 1)), "fewer runs, asked a part of the pairs"
    assert everything == nothing == (3, 4, 2)
    assert Granters([granting(1, 0)]).ranks() == [(1, 1, 1)] and Granters(()).ranks() == []


def test_two_models_are_compared_on_the_pairs_that_both_were_asked() -> None:
    chance = np.random.default_rng(5)
    hard = chance.choice(LEVELS, PAIRS)
    one, other = granting(hard, 0), granting(np.clip(hard - 0.5 * (chance.random(PAIRS) < 0.3), 0, 1), 0)
    paired = difference(one.gap_sample, other.gap_sample, "scenario")
    table = Granters([one, other])
    assert paired is not None and table.gap[0, 1] == pytest.approx(paired.estimate)
    assert table.p_values[0, 1] == pytest.approx(paired.p_value, rel=0.01) and paired.p_value < 0.05
    low, high = table.intervals(0.95)
    assert paired.interval and (low[0, 1], high[0, 1]) == pytest.approx((paired.interval.low, paired.interval.high))
    apart = Granters([one, granting(other.manner[::-1], 0)])
    assert apart.p_values[0, 1] > 0.1, "the same numbers of other pairs say less"
    few = Granters([one, other.only(other.pairs[:12])])
    assert few.p_values[0, 1] > table.p_values[0, 1]


def test_equals_are_seldom_told_apart() -> None:
    chance = np.random.default_rng(6)
    apart = [Granters([by_chance(chance, 12) for _ in range(5)]).ranks() for _ in range(60)]
    assert sum(any(each.tier != 1 for each in ranks) for ranks in apart) <= 6
