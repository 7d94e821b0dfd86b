"""Inputs of a site in addition to the store: everything that the reporting side cannot know by itself."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.spec import Rubric
from independence_bench.trial import Transcript


class JudgePrompt(NamedTuple):
    """What a judge is asked about one transcript."""

    system: str
    question: str


PromptOf = Callable[[Rubric, Transcript], JudgePrompt]
"""Renders the fenced prompt; the callers hand in judging's function."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Handed in by the callers."""

    prompt_of: PromptOf | None = None  # None: the pages show no judge prompt
    editions: Sequence[Edition] = ()
    """The published editions, in the order in which they followed one another, for the method page."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """What the scenarios of each experiment ask of a model, by experiment."""
    set_digest: SetDigest = current_set_digest
    site_url: str | None = None
    """Where the site will be published, with a slash at its end: what shared links and pictures need. None: unknown."""
