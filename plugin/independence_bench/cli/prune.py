"""The command ``prune``: what nobody looks up any more out of the store."""

import argparse

from independence_bench.cli.places import add_command, add_places, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "prune",
        "take out what is never looked up again",
        "Take out what is never looked up again: measurements by embedded models of earlier versions of this package, "
        "verdicts of embedded judges of earlier versions, and verdicts on transcripts that are no more. What a server "
        "was asked for always stays. Asks first.",
        "independence-bench prune --yes",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask, and do it."""
    from independence_bench.cli.removing import take_out
    from independence_bench.store import Store
    from independence_bench.store.removing import Removal

    def chosen(store: Store) -> tuple[Removal, str]:
        return store.unused(), "that nobody looks up any more"

    return take_out(store_file(arguments), "prune", chosen, arguments.yes)
