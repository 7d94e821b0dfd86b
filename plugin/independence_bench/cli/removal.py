"""The commands ``forget`` and ``prune``: rows out of the store, after a question and under a lock.

Which rows these are, the store decides.
"""

from collections.abc import Callable
from pathlib import Path

from independence_bench.cli.stored_models import named_models
from independence_bench.cli.terminal import confirm, say
from independence_bench.counted import listed
from independence_bench.store import Store
from independence_bench.store.lock import exclusive
from independence_bench.store.removing import Removal, of_models, of_verdicts

_NAMES = {
    "transcripts": "transcript",
    "verdicts": "verdict",
    "failures": "failed attempt",
    "configurations": "model configuration",
    "judge_checks": "judge check",
}


def of_model(store: Store, name: str, verdicts_only: bool) -> tuple[Removal, str]:
    """Return what a model's name stands for, or only the verdicts on it, and how a sentence calls that."""
    stored = named_models(store, [name])
    configurations = [each.facts.configuration for each in stored]
    labels = ", ".join(dict.fromkeys(each.facts.label for each in stored))
    if verdicts_only:
        return of_verdicts(configurations), f"of {labels}, also those that other models' equal words share"
    return of_models(configurations), f"of {labels}"


def take_out(path: Path, doing: str, chosen: Callable[[Store], tuple[Removal, str]], yes: bool) -> int:
    """Say how much it is, ask, and take it out; returns the exit status: 1 where the answer was no.

    Raises:
        BadInput: there is no such store, it is in use, or there is nobody to ask.
    """
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

    return listed({name: counts.get(table, 0) for table, name in _NAMES.items()})
