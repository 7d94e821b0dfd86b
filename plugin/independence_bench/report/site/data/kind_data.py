"""What a kind of edition adds to a chunk: under its name, so that scripts see which kinds a view has and has not."""

from independence_bench.kinds import INDEX, KINDS
from independence_bench.report.site.chunks import Datum


def of_kinds(kind: str, own: Datum) -> dict[str, Datum]:
    """Return a field for every kind but the usual one, empty for all but the view's own."""
    return {name: own if name == kind else None for name in KINDS if name != INDEX}
