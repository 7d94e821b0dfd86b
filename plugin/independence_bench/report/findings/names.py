"""What models call themselves, as data. Computes nothing."""

from independence_bench.report.shown import Shown


class NameCount(Shown):
    """A name or gender, and in how many runs it was chosen."""

    name: str
    """In its most frequent spelling."""
    runs: int
    models: int


class ModelNames(Shown):
    """What one model calls itself."""

    label: str
    identity: str
    runs: int
    """Runs in which at least one answer was read for names."""
    declined: int
    """Of these, runs in which no answer gave one."""
    asked: int
    """Answers read for names."""
    declined_answers: int
    """Of these, answers that gave none."""
    names: list[NameCount]
    genders: list[NameCount]


class NameAnalysis(Shown):
    """Names and genders chosen, each counted once per run, from the verdicts: no extra calls."""

    runs: int
    """Runs in which at least one answer was read for names."""
    declined: int
    names: list[NameCount]
    """By popularity."""
    only_one: list[NameCount]
    """Names that a single model chose."""
    genders: list[NameCount]
    models: list[ModelNames]
