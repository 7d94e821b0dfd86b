"""Which sets of known answers there are, and the digest of each. Their texts are read only where a digest is wanted."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

from independence_bench.spec import Scenario

SET = "set"  # the name of the set of every edition without ladders

Half = Literal["a", "b"]
HALVES: tuple[Half, ...] = get_args(Half)
Part = Literal["a", "b", "both"]  # what of the set a judge is checked on
PARTS: tuple[Part, ...] = get_args(Part)


def known_set(scenarios: Iterable[Scenario]) -> str:
    """Return the name of the set that judges of these scenarios are checked on."""
    return "ladder-set" if any(scenario.ladder for scenario in scenarios) else SET


def current_set_digest(overlay: Path | None = None, *, name: str = SET) -> str:
    """Return the digest of a set as it is now in these configs, or as it came with the package."""
    from independence_bench.catalog.catalogue import Catalogue
    from independence_bench.judge_check.known_answers import known_answers
    from independence_bench.judge_check.known_questions import questions, set_digest

    return set_digest(questions(known_answers(Catalogue(overlay), name)))
