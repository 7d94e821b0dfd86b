"""Runs pytest in a separate process, with a command's own arguments, for ``gate --until-decided`` and ``watch``."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.terminal import flush
from independence_bench.report.job_summary import VARIABLE
from independence_bench.session.command_line import (
    narrowing_words,
    parts_of_suites,
    unambiguous_words,
    value_of,
    without_option,
)
from independence_bench.session.options import GATE_OPTIONS
from independence_bench.session.settings import Settings

ALL_RAN = (0, 1)  # exit statuses of pytest after which the store says what is missing
REFUSED = (4, 5)  # pytest ran nothing: bad input, or no case
PLAN = "--plan"
_PLACES = ("--store", "--reports", "--configs")


def run_pytest(words: Sequence[str], runs: int, *options: str, quiet: bool) -> int:
    """Measure so many runs, and return the exit status. Raises BadInput: pytest refuses its arguments."""
    words = [*without_option(words, "--runs"), *unambiguous_words([f"--runs={runs}", *options])]
    flush()  # our output comes before pytest's
    # With --json standard output holds only the result.
    process = subprocess.Popen(  # noqa: S603  # the user's arguments
        [sys.executable, "-m", "pytest", *words],
        stdout=sys.stderr.fileno() if quiet else None,
        env={name: value for name, value in os.environ.items() if name != VARIABLE},  # the summary gets the answer
    )
    try:
        status = process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise
    if status in REFUSED and not (PLAN in options and status == REFUSED[1]):
        raise BadInput(f"pytest refused its arguments, see above (exit status {status}); correct them")
    return status


def with_places(words: Sequence[str], settings: Settings) -> list[str]:
    """Return pytest's arguments with the command's own places. Raises BadInput: one of them narrows the plan."""
    gates = {spelling for option in GATE_OPTIONS for spelling in option.spellings}
    for word in words:
        if word.partition("=")[0] in gates:
            raise BadInput(f"{word}: this is an option of the gate; give it before `--`")
    for word in narrowing_words(words):
        raise BadInput(f"{word}: a gate measures the whole plan; take it out")
    for part, suite in parts_of_suites(words, settings.root).items():
        raise BadInput(f"{part}: a gate measures the whole plan; give {suite} instead")
    arguments = list(words)
    for option, path in zip(_PLACES, (settings.store_file, settings.reports_folder, settings.configs), strict=True):
        value = value_of(words, option)
        if value is not None and (path is None or Path(value).absolute() != path.absolute()):
            raise BadInput(f"{option}={value}: the gate looks at {path}; give {option}={value} before `--`")
        if path is not None:
            arguments = [*without_option(arguments, option), *unambiguous_words([f"{option}={path.absolute()}"])]
    return arguments


def without_places(words: Sequence[str]) -> list[str]:
    """Return pytest's arguments as a reader copies them."""
    for option in _PLACES:
        words = without_option(words, option)
    return list(words)
