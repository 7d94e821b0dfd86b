"""Where store and reports lie and what of a store is shown: options that commands share. Opens nothing."""

import argparse
from pathlib import Path
from typing import Any

DEFAULT_STORE = Path("reports/trials.sqlite")
"""In the folder the command is given in."""


def add_places(parser: argparse.ArgumentParser, *, reports: bool = False) -> None:
    """Add ``--store``, and ``--reports`` where a command writes reports."""
    beside = "trials.sqlite in DIR if it is there, else " if reports else ""
    parser.add_argument("--store", metavar="FILE", type=Path, help=f"the store (default: {beside}{DEFAULT_STORE})")
    if reports:
        parser.add_argument("--reports", metavar="DIR", type=Path, help="folder for the reports (default: reports)")


def add_showing(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose what is shown, where it shall not be what the newest session looked at."""
    parser.add_argument("--edition", metavar="ID", help="the newest session of this edition decides")
    parser.add_argument(
        "--judge",
        metavar="NAME",
        action="append",
        default=[],
        help="the newest session that had these judges, all of them; repeatable, comma lists",
    )
    parser.add_argument("--texts", metavar="DIGEST", help="these texts, such as imported ones; the first digits do")


def add_require_judge_check(parser: argparse.ArgumentParser) -> None:
    """Add ``--require-judge-check``."""
    parser.add_argument(
        "--require-judge-check",
        action="store_true",
        help="refuse unless every judge has passed `independence-bench judge-check` in this store",
    )


def reports_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder for reports."""
    given: Path | None = getattr(arguments, "reports", None)
    return given or Path("reports")


def store_file(arguments: argparse.Namespace) -> Path:
    """Return the store's file: the one named, else the one that lies with the reports, else the one in reports/."""
    given: Path | None = arguments.store
    beside = reports_folder(arguments) / DEFAULT_STORE.name
    return given or (beside if beside.exists() else DEFAULT_STORE)


def add_command(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    summary: str,
    description: str,
    example: str,
    *,
    mixed: bool = False,
) -> argparse.ArgumentParser:
    """Add a command with an example below its options; ``mixed`` lets options stand between its two positionals."""
    options: dict[str, Any] = {"mixed": True} if mixed else {}
    return subparsers.add_parser(
        name,
        **options,
        help=summary,
        description=description,
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
