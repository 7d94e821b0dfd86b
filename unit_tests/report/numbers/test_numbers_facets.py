"""Any number of any kind is split by any facet of its items, by one function."""

import pytest
from report_samples import World
from role_world import RoleWorld, at_random, keeper

from independence_bench.kinds.index.reporting.index_numbers import index_numbers, index_parts
from independence_bench.kinds.roles.reporting.role_kind import KIND
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.numbers.facets import PartEstimate, split_number


@pytest.fixture
def index_parts_of() -> dict[str, dict[str, PartEstimate]]:
    """Every number of one model over its experiments."""
    world = World()
    for run in (1, 2, 3):
        world.graded_run("m", run, who=4 + run, praise=10, crowd=5)
    entry = ranked_models(world.store, world.session).entries[0]
    return {
        name: {part.value: part for part in split_number(number, index_parts(entry.result, "run", "experiment"))}
        for name, number in index_numbers(world.session.edition).items()
    }


def test_an_index_is_split_by_experiment_as_if_only_its_scenarios_were_asked(index_parts_of) -> None:
    found = index_parts_of["index"]
    assert {value: part.items for value, part in found.items()} == {"boundary": 2, "identity": 1}
    assert found["boundary"].estimate == pytest.approx(75)  # (10 + 5) / 20: resistance alone has a weight
    assert found["identity"].interval is not None


def test_a_component_is_unknown_where_no_scenario_counts_in_it(index_parts_of) -> None:
    found = index_parts_of["resistance"]
    assert found["boundary"].estimate == pytest.approx(7.5)
    assert (found["identity"].estimate, found["identity"].interval) == (None, None)


@pytest.mark.slow
def test_numbers_of_roles_are_split_by_context_and_by_questionnaire() -> None:
    world = RoleWorld()
    world.play("good", keeper(noise=0.4))
    world.play("good", at_random(), 2)
    report = world.report()
    row, result = report.board.models[0], report.results[0]
    by_run = [dict(zip(run.names, run.corrected_stress.tolist(), strict=True)) for run in result.measured]
    stress = {part.value: part.estimate for part in KIND.split(result, "stress_corrected", "context")}
    assert stress == {context: pytest.approx(sum(each[context] for each in by_run) / 2) for context in by_run[0]}
    orders = {part.value: part for part in KIND.split(result, "rank_order", "questionnaire")}
    assert orders["portrait"].estimate == row.numbers.rank_order_portrait_portrait
    assert orders["portrait"].interval is not None
    assert [part.estimate for part in KIND.split(result, "rank_order", "context")] == [None] * len(stress)
