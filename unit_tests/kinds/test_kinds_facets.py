"""A kind offers all that some part of the package asks of one."""

from inspect import get_annotations

import pytest
import toy_kind.measuring
import toy_kind.reporting

from independence_bench.kind_registry import KINDS, wing
from independence_bench.kinds.measuring_protocol import Measuring
from independence_bench.report.kind_facets import Reporting

WINGS = {
    **{f"{kind} {name}": wing(kind, name) for kind in KINDS for name in ("measuring", "reporting")},
    "toy measuring": toy_kind.measuring.MEASURING,
    "toy reporting": toy_kind.reporting.REPORTING,
}


def members(protocol: type) -> set[str]:
    declared = {name for facet in protocol.__mro__ for name in (*vars(facet), *get_annotations(facet))}
    return {name for name in declared if not name.startswith("_")}


@pytest.mark.parametrize("name", WINGS)
def test_a_wing_has_every_member_of_its_facets(name: str) -> None:
    protocol = Measuring if name.endswith("measuring") else Reporting
    assert {"cells", "content", "conduct"} <= members(protocol) or {"presented", "pages"} <= members(protocol)
    assert not [member for member in members(protocol) if not hasattr(WINGS[name], member)]
