"""The command ``forget``: removes the rows that the store decides on, after a question and under a lock."""

import argparse

from independence_bench.cli.places import store_file
from independence_bench.cli.terminal import confirm, say
from independence_bench.counted import listed
from independence_bench.store import Store
from independence_bench.store.lock import locked
from independence_bench.store.model_names import named_models
from independence_bench.store.removing import Removal, of_models, of_verdicts

ROWS = {
    "transcripts": "transcript",
    "verdicts": "verdict",
    "failures": "failed attempt",
    "sessions": "session",
    "configurations": "model configuration",
    "looks": "gate look",
    "judge_checks": "judge check",
    "labels": "human label",
    "answers": "answer of an unfinished conversation",
}
"""What a row of each table of the store is called."""


def _selection(arguments: argparse.Namespace, store: Store) -> tuple[Removal, str]:
    """Return the rows to remove, and their name in a sentence."""
    if arguments.unused:
        return store.unused(), "of no further use"
    matches = named_models(store, [arguments.model])
    configurations = [each.configuration for each in matches]
    labels = ", ".join(dict.fromkeys(each.label for each in matches))
    if arguments.verdicts_only:
        return of_verdicts(configurations), f"of {labels}, including those that equal answers of other models share"
    return of_models(configurations), f"of {labels}"


def take_out(arguments: argparse.Namespace) -> int:
    """Count the rows, ask, and remove them; 1 for the answer no. Raises BadInput: no store, in use, or no terminal."""
    path = store_file(arguments)
    Store.open(path, read_only=True).close()  # a missing store is refused before a lock file is made
    with locked(path, "forget"), Store.open(path) as store:
        removal, what = _selection(arguments, store)
        counts = store.would_remove(removal)
        if not any(counts.values()):
            say(f"{path}: holds no rows {what}; nothing is removed.")
            return 0
        if not confirm(f"Remove {_rows(counts)} {what} from {path} permanently?", arguments.yes):
            say("Nothing is removed.")
            return 1
        say(f"{path}: removed {_rows(store.remove(removal))} {what}.")
    return 0


def _rows(counts: dict[str, int]) -> str:
    return listed({name: counts.get(table, 0) for table, name in ROWS.items()})
