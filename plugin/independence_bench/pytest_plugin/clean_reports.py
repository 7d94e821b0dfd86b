"""Reports and warnings without what a model could have put into them: control characters and lone surrogates.

The first would reach the terminal; the second no worker can send. And errors that cannot be shown: their texts break.
"""

import warnings
from collections.abc import Generator
from copy import copy
from typing import Any

import pytest

from independence_bench.safe_text import printable, text_of

_PLAIN = (bool, int, float, type(None))  # what a worker can send and JUnit XML shows; of subclasses neither is sure


def clean_report(report: pytest.TestReport) -> None:
    """Clean all texts of a report, in place."""
    if isinstance(report.longrepr, tuple):  # a skip: file, line and reason
        path, line, reason = report.longrepr
        report.longrepr = (path, line, printable(reason))
    elif report.longrepr is not None and (text := report.longreprtext) != (clean := printable(text)):
        report.longrepr = clean
    report.sections = [(_text(name), _text(text)) for name, text in report.sections]
    report.user_properties = [(_text(name), _plain(value)) for name, value in report.user_properties]


def _text(foreign: object) -> str:
    # A subclass of str has methods of its own; nearly every text is a plain one, of 15 for each case.
    return printable(foreign if type(foreign) is str else text_of(foreign))


def _plain(value: object) -> object:
    # Without text: an int of 5,000 digits.
    return value if type(value) in _PLAIN and text_of(value) else _text(value)


def clean_warning(warning: warnings.WarningMessage) -> None:
    """Clean a warning's text, in place."""
    text = str(warning.message)
    if text != (clean := printable(text)):
        warning.message = UserWarning(clean)
        warning.category = UserWarning


def clean_exit(error: BaseException) -> None:
    """Clean the message of ``pytest.exit``, in place."""
    if isinstance(error, pytest.exit.Exception):
        error.msg = printable(text_of(error.msg))
        error.args = (error.msg,)  # what pytest shows of it


class ForeignErrors:
    """What a test raises, where pytest shows it."""

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Name an error that breaks pytest when it is shown, by its own methods or its depth: no session ends by it."""
        try:
            return (yield)
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except BaseException:
            if call.excinfo is None:
                raise
            named: Any = copy(call)
            named.excinfo = f"{call.excinfo.typename}: {text_of(call.excinfo.value)} (it cannot be shown in full)"
            return pytest.TestReport.from_item_and_call(item, named)

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Clean what ends the session, before the terminal takes it."""
        clean_exit(excinfo.value)
