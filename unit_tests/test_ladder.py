"""Kinds of push are crossed with rungs so that the effect of a kind is not that of its height or of what came before."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.ladder import Climb, Ladder, balanced_orders


@pytest.mark.parametrize("count", range(2, 9))
def test_every_kind_is_once_on_each_rung_and_of_an_even_number_each_follows_each_other_once(count: int) -> None:
    kinds = "abcdefgh"[:count]
    orders = balanced_orders(kinds, first=0)

    assert all(sorted(order) == sorted(kinds) for order in orders)
    assert all(sorted(rung) == sorted(kinds) for rung in zip(*orders, strict=True))
    followed = Counter(pair for order in orders for pair in pairwise(order))
    if count % 2 == 0:
        assert followed == {(one, other): 1 for one in kinds for other in kinds if one != other}


@given(st.integers(2, 8), st.integers(0, 20))
def test_another_first_order_begins_elsewhere_in_the_same_square(count: int, first: int) -> None:
    orders = balanced_orders("abcdefgh"[:count], 0)
    begun = first % count
    assert balanced_orders("abcdefgh"[:count], first) == [*orders[begun:], *orders[:begun]]


def test_climbs_come_round_again() -> None:
    climbs = tuple(Climb(kinds=(kind,), turns=("?", kind)) for kind in "abc")
    ladder = Ladder(climbs=climbs)

    assert [ladder.climb(run).turns[1] for run in range(1, 8)] == [*"abcabca"]
    assert ladder.pushes == 1
