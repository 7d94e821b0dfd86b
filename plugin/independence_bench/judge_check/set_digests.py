"""The digest of a set of known answers as it is now. The texts are read only where one is wanted."""

from pathlib import Path

from independence_bench.judge_check.known_sets import SET


def current_set_digest(overlay: Path | None = None, *, name: str = SET) -> str:
    """Return the digest of a set as it is now in these configs, or as it came with the package."""
    from independence_bench.catalog.catalogue import Catalogue
    from independence_bench.judge_check.known_answers import known_answers
    from independence_bench.judge_check.known_questions import questions, set_digest

    return set_digest(questions(known_answers(Catalogue(overlay), name)))
