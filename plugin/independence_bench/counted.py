"""Small words of sentences to a reader."""

from collections.abc import Iterable, Mapping


def counted(number: int, thing: str) -> str:
    """Return a number with what is counted: ``1 verdict``, ``2 verdicts``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def listed(counts: Mapping[str, int]) -> str:
    """Return several things with their numbers, those that are not there left out: ``1 verdict and 2 transcripts``."""
    parts = [counted(number, thing) for thing, number in counts.items() if number] or ["nothing"]
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def some_of(labels: Iterable[str]) -> str:
    """Name at most three of the labels."""
    ordered = sorted(labels)
    return ", ".join(ordered[:3]) + (" and others" if len(ordered) > 3 else "")
