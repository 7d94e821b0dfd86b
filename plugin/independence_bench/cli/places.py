"""Where a command finds store and reports. Opens no file."""

import argparse
from pathlib import Path

DEFAULT_STORE = Path("reports/trials.sqlite")
"""Relative to the current folder."""


def reports_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder for reports."""
    given: Path | None = getattr(arguments, "reports", None)
    return given or Path("reports")


def store_file(arguments: argparse.Namespace) -> Path:
    """Return the store's file: the given one, else the one in the reports folder, else the one in reports/."""
    given: Path | None = arguments.store
    beside = reports_folder(arguments) / DEFAULT_STORE.name
    return given or (beside if beside.exists() else DEFAULT_STORE)
