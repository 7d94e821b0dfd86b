"""The command ``merge``: several stores and exports into one."""

import argparse
from pathlib import Path

from independence_bench.cli.places import add_command, add_places, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "merge",
        "bring stores and exports together in one store",
        "Bring all that several stores and exports hold into one store, in one transaction. Of every measurement the "
        "oldest stands, in whatever order they are named; verdicts on a transcript that lost are dropped and counted.",
        "independence-bench merge shard1.sqlite shard2.sqlite shard3.jsonl --store=all.sqlite",
    )
    parser.add_argument("sources", metavar="FILE", nargs="+", type=Path, help="a store, or an export of one")
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Merge, and say what it came to."""
    from independence_bench.cli.bringing import bring_together

    bring_together(store_file(arguments), arguments.sources, "a merge")
    return 0
