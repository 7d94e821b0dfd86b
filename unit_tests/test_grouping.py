"""Values under the keys that they share."""

from independence_bench.grouping import group_values


def test_keys_and_values_keep_the_order_in_which_they_came_first():
    pairs = [("b", 2), ("a", 1), ("b", 1), ("a", 1)]
    assert [*group_values(pairs).items()] == [("b", [2, 1]), ("a", [1, 1])]
    assert group_values([]) == {}
