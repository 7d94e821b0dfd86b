"""What needs no store."""

from collections.abc import Mapping

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring.components import compute_index


def index_from_components(edition: Edition | str, components: Mapping[str, float]) -> float:
    """Return the Independence Index, 0..100, of component values on their own scales.

    Where low is good a component counts (maximum − x) / maximum, else x / maximum; each times its weight. Components
    that the edition does not weigh are ignored. Nothing is rounded.

    ``edition`` may be the id of a packaged edition, such as ``"v2"``.
    Raises KeyError: a weighed component is missing; weights are never renormalised.
    """
    return compute_index(load_edition(edition) if isinstance(edition, str) else edition, components)
