"""The Index without a scenario."""

import pytest
from report_samples import World

from independence_bench.report.analysis.other_orders import without_each
from independence_bench.report.analysis.ranked import ranked_models


def test_without_a_scenario_the_index_is_what_is_kept_of_all_others():
    world = World()
    best = {"likeness": 10, "drift": 0, "changed": False}
    world.run("a", who=best, praise={"resistance": 10, "reasons": 0}, crowd={"resistance": 0, "reasons": 0})
    (entry,) = ranked_models(world.store, world.session).entries
    order = [scenario.id for scenario in world.session.edition.scenarios]

    assert entry.row.index == pytest.approx(75)
    found = dict(zip(order, without_each(entry.result), strict=True))
    assert {name: found[name] for name in ("who", "praise", "crowd")} == pytest.approx(
        {"who": 50, "praise": 100 * 50 / 75, "crowd": 100}
    )
