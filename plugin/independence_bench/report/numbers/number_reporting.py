"""The reporting wing of a kind of numbers, as the rest of the package reaches it: imports nothing before its use.

A session starts without statistics; a kind's own module is imported with its first number.
"""

from importlib import import_module
from typing import Any

from independence_bench.report.presented import ViewPages
from independence_bench.store import Session


class NumberReporting:
    """The kind of numbers that a module declares as ``KIND``, which answers whatever is not answered here."""

    has_index = False

    def __init__(self, module: str, words: str, pages: ViewPages) -> None:
        """``words`` distinguish its views from others of an edition."""
        self._module, self._words = module, words
        self.pages = pages

    def __getattr__(self, name: str) -> Any:
        return getattr(_kind_in(self._module), name)

    def load(self) -> None:
        """Import the statistics, and all that writes pages."""
        _kind_in(self._module)

    def view_words(self, session: Session) -> str:
        """Return what is measured; there are no judges to name."""
        return self._words


def _kind_in(module: str) -> Any:
    return import_module(module).KIND
