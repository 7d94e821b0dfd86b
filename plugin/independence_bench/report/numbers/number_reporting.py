"""The reporting wing of a kind of numbers, as the rest of the package reaches it: imports nothing before its use.

A session starts without statistics; a kind's own module is imported with its first number.
"""

from importlib import import_module
from typing import Any

from independence_bench.report.presented import ViewPages
from independence_bench.store import Session


class NumberReporting:
    """The kind of numbers that a module declares as ``KIND``, which answers whatever is not answered here."""

    def __init__(self, module: str, pages: ViewPages, words: str = "", *, has_index: bool = False) -> None:
        """``words`` distinguish its views from others of an edition."""
        self._module, self._words = module, words
        self.pages, self.has_index = pages, has_index

    def __getattr__(self, name: str) -> Any:
        return getattr(_kind_in(self._module), name)

    def load(self) -> None:
        """Import the statistics, and all that writes pages."""
        _kind_in(self._module)

    def view_words(self, session: Session) -> str:
        """Return what is measured, the judges, and whether the session was imported."""
        judges = ", ".join(judge.label for judge in session.panel)
        judged = f"judged by {judges or 'no judge'}" if judges or not self._words else ""
        return ", ".join(filter(None, [self._words, judged, "imported" if session.imported else ""]))


def _kind_in(module: str) -> Any:
    return import_module(module).KIND
