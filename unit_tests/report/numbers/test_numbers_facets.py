"""Any number of any kind is split by any facet of its items, by one function."""

import pytest
from role_world import RoleWorld, at_random, keeper

from independence_bench.kinds.roles.reporting.role_kind import KIND


@pytest.mark.slow
def test_numbers_of_roles_are_split_by_context_and_by_questionnaire() -> None:
    world = RoleWorld()
    world.play("good", keeper(noise=0.4))
    world.play("good", at_random(), 2)
    report = world.report()
    row, result = report.board.models[0], report.results[0]
    by_run = [dict(zip(run.names, run.stress.tolist(), strict=True)) for run in result.measured]
    stress = {part.value: part.estimate for part in KIND.split(result, "stress", "context")}
    assert stress == {context: pytest.approx(sum(each[context] for each in by_run) / 2) for context in by_run[0]}
    orders = {part.value: part for part in KIND.split(result, "rank_order", "questionnaire")}
    assert orders["portrait"].estimate == row.number("rank_order_portrait_portrait")
    assert orders["portrait"].interval is not None
    assert [part.estimate for part in KIND.split(result, "rank_order", "context")] == [None] * len(stress)
