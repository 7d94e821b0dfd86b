"""Rows of a board that are one model under several names: found by what is asked of it, and by what it answered.

The best of several measurements of one model is higher by chance alone, so readers are told which rows belong together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from independence_bench.report.analysis.model_ids import base_model
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.spec import is_embedded

SAME = 0.5
"""Share of equal conversations from which two rows count as one measurement."""
NAMED = 6
"""Rows that a sentence names."""


def same_model(entries: Sequence[Ranked]) -> Iterator[str]:
    """Yield a sentence for every model with several rows of the edition's own configurations."""
    rows = [entry for entry in entries if entry.own and not is_embedded(entry.row.model_id)]
    by_settings: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for entry in rows:
        row = entry.row
        by_settings[base_model(row.model_id), row.provider, row.temperature, row.reasoning_effort].append(row.label)
    for labels in by_settings.values():
        if len(labels) > 1:
            yield (
                f"One model at the same settings under {len(labels)} names: {_named(labels)}. Read these rows "
                "together: the best of several is higher by chance alone."
            )
    for first, second, equal, smaller in _alike(rows):
        yield (
            f"{first} and {second} hold the same conversations ({equal} of {smaller}): they are one measurement under "
            "two names."
        )


def _alike(rows: Iterable[Ranked]) -> Iterator[tuple[str, str, int, int]]:
    """Yield every two rows that share conversations: their labels, how many, and how many the smaller has."""
    holders: dict[tuple[object, ...], set[int]] = defaultdict(set)
    said, labels = {}, {}
    for place, entry in enumerate(rows):
        asked = {(trial.cell, trial.transcript.transcript_hash) for trial in entry.result.trials if trial.transcript}
        said[place], labels[place] = len(asked), entry.row.label
        for each in asked:
            holders[each].add(place)
    equal: dict[tuple[int, int], int] = defaultdict(int)
    for places in holders.values():
        for pair in combinations(sorted(places), 2):
            equal[pair] += 1
    for (first, second), count in sorted(equal.items()):
        smaller = min(said[first], said[second])
        if count >= SAME * smaller:
            yield labels[first], labels[second], count, smaller


def _named(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return ", ".join(sorted(labels)[:NAMED]) + more
