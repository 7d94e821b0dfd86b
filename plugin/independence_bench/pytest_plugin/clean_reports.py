"""Reports and warnings without what a model could have put into them: control characters and lone surrogates.

The first would reach the terminal; the second no worker can send.
"""

import warnings

import pytest

from independence_bench.safe_text import printable


def clean_report(report: pytest.TestReport) -> None:
    """Clean all texts of a report, in place."""
    if isinstance(report.longrepr, tuple):  # a skip: file, line and reason
        path, line, reason = report.longrepr
        report.longrepr = (path, line, printable(reason))
    elif report.longrepr is not None and (text := report.longreprtext) != (clean := printable(text)):
        report.longrepr = clean
    report.sections = [(printable(str(name)), printable(str(text))) for name, text in report.sections]
    report.user_properties = [
        (printable(str(name)), printable(value) if isinstance(value, str) else value)
        for name, value in report.user_properties
    ]


def clean_warning(warning: warnings.WarningMessage) -> None:
    """Clean a warning's text, in place."""
    text = str(warning.message)
    if text != (clean := printable(text)):
        warning.message = UserWarning(clean)
        warning.category = UserWarning
