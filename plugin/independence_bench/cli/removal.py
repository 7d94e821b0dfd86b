"""The commands ``forget`` and ``prune``: rows out of the store, after a question and under a lock.

Which rows these are, the store decides.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.cli.places import add_command, add_places, store_file

if TYPE_CHECKING:
    from independence_bench.store import Store
    from independence_bench.store.removing import Removal

_NAMES = {
    "transcripts": "transcript",
    "verdicts": "verdict",
    "failures": "failed attempt",
    "configurations": "model configuration",
    "judge_checks": "judge check",
}


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the commands."""
    forgetting = add_command(
        subparsers,
        "forget",
        "take a model, or the verdicts on it, out of the store",
        "Take all that is known of a model out of the store for good, so that it is measured anew; or only the "
        "verdicts on it, so that it is judged anew. Asks first.",
        "independence-bench forget openai/gpt-5-nano --verdicts-only",
    )
    forgetting.add_argument("model", metavar="MODEL", help="label, id or glob over labels")
    forgetting.add_argument("--verdicts-only", action="store_true", help="keep the transcripts: they are judged anew")
    pruning = add_command(
        subparsers,
        "prune",
        "take out what is never looked up again",
        "Take out what is never looked up again: measurements by embedded models of earlier versions of this package, "
        "verdicts of embedded judges of earlier versions, and verdicts on transcripts that are no more. What a server "
        "was asked for always stays. Asks first.",
        "independence-bench prune --yes",
    )
    for parser, run in ((forgetting, forget), (pruning, prune)):
        parser.add_argument("--yes", action="store_true", help="do not ask")
        add_places(parser)
        parser.set_defaults(run=run)


def forget(arguments: argparse.Namespace) -> int:
    """Take out a model, or the verdicts on it."""
    from independence_bench.cli.stored_models import named_models
    from independence_bench.store.removing import of_models, of_verdicts

    def chosen(store: "Store") -> "tuple[Removal, str]":
        stored = named_models(store, [arguments.model])
        configurations = [each.facts.configuration for each in stored]
        labels = ", ".join(dict.fromkeys(each.facts.label for each in stored))
        if arguments.verdicts_only:
            return of_verdicts(configurations), f"of {labels}, also those that other models' equal words share"
        return of_models(configurations), f"of {labels}"

    return take_out(store_file(arguments), "forget", chosen, arguments.yes)


def prune(arguments: argparse.Namespace) -> int:
    """Take out what nobody looks up any more."""
    return take_out(
        store_file(arguments), "prune", lambda store: (store.unused(), "that nobody looks up any more"), arguments.yes
    )


def take_out(path: Path, doing: str, chosen: "Callable[[Store], tuple[Removal, str]]", yes: bool) -> int:
    """Say how much it is, ask, and take it out; returns the exit status: 1 where the answer was no.

    Raises:
        BadInput: there is no such store, it is in use, or there is nobody to ask.
    """
    from independence_bench.cli.terminal import confirm, say
    from independence_bench.store import Store
    from independence_bench.store.lock import exclusive

    with Store.open(path, read_only=True):
        pass  # a missing store is refused before a lock stands beside it
    with exclusive(path, doing), Store.open(path) as store:
        removal, what = chosen(store)
        counts = store.would_remove(removal)
        if not any(counts.values()):
            say(f"{path}: holds nothing {what}; nothing is taken out.")
            return 0
        if not confirm(f"Take {_told(counts)} {what} out of {path} for good?", yes):
            say("Nothing is taken out.")
            return 1
        say(f"{path}: took out {_told(store.remove(removal))} {what}.")
    return 0


def _told(counts: dict[str, int]) -> str:
    from independence_bench.counted import listed

    return listed({name: counts.get(table, 0) for table, name in _NAMES.items()})
