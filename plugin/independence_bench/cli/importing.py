"""The command ``import``: one source into the store."""

import argparse
from pathlib import Path

from independence_bench.cli.places import add_command, add_places, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "import",
        "bring an export or a published cache into the store",
        "Bring all that a source holds into the store, in one transaction: an export, another store, or a folder laid "
        "out as the published cache. Imported texts form a group of their own in the reports.",
        "independence-bench import colleague.jsonl",
    )
    parser.add_argument(
        "source", metavar="PATH", type=Path, help="an export, a store, or the folder of a published cache"
    )
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Import, and say what it came to."""
    from independence_bench.cli.bringing import bring_together

    bring_together(store_file(arguments), [arguments.source], "an import")
    return 0
