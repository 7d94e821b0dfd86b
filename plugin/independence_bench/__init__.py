"""independence-bench: does a chat model remain itself under pressure?

>>> import independence_bench as ib
>>> board = ib.open("reports/trials.sqlite").leaderboard()

What stands in ``__all__`` is public. It is imported when it is first used, because a pytest plugin must load fast.

PYTEST_DONT_REWRITE: `independence-bench run` has imported this module before pytest starts, which would warn of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from independence_bench.version import __version__ as __version__

if TYPE_CHECKING:
    from independence_bench.api.compute import index_from_components as index_from_components
    from independence_bench.api.record_list import RecordList as RecordList
    from independence_bench.api.results import Report as Report
    from independence_bench.api.results import Results as Results
    from independence_bench.api.results import TrialConversation as TrialConversation
    from independence_bench.api.results import open as open  # noqa: A004 -- ib.open("…") reads best
    from independence_bench.bad_input import BadInput as BadInput

_PLACES = {
    "BadInput": "bad_input",
    "RecordList": "api.record_list",
    "Report": "api.results",
    "Results": "api.results",
    "TrialConversation": "api.results",
    "index_from_components": "api.compute",
    "open": "api.results",
}
__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
