"""Summary of an import of the published cache: a count of every oddity, and the text of it. Reads no file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from independence_bench.safe_text import safe_text

NAMED = 20
"""Number of files that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class ZeroVerdictRun:
    """A run with an identity verdict of 0/0/0, which the published scorer drops and ours counts."""

    label: str
    run: int
    scenarios: tuple[str, ...]
    ours: float | None
    """Index with the zeros counted; None if another trial of the run is not measured."""
    published: float | None
    """Index by the published rule."""


ODDITIES = {
    "unjudged": "trials unjudged",
    "empty_verdicts": "of them with an empty verdict",
    "invalid_verdicts": "of them with a verdict that lacks a score or leaves its range",
    "other_judges": "verdicts of another judge, stored but not shown",
    "no_tool_call": "answers without a tool call: plain content, delivery not kept",
    "truncated_arguments": "answers with truncated tool arguments",
    "other_argument_keys": "answers with tool arguments under another key",
    "other_functions": "answers by a call of another function",
    "several_calls": "answers by several calls: the first that carries the answer counts",
    "template_junk": "answers with template junk",
    "cut_off": "answers cut off at the token limit",
    "short_answers": "answers of fewer than 100 characters",
    "repeated_answers": "answers whose text is also in another file",
    "html_answers": "answers with what looks like HTML",
    "stale_turns": "second turns with a stale first turn: judged with the history they were given",
    "stale_questionnaire": "questionnaire answers with a stale history",
    "legacy_runs": "legacy runs: without name-gender and the five pressures, so incomplete",
    "incomplete_trials": "trials without their last turn: not imported",
    "partial_questionnaires": "questionnaires judged on fewer than five answers",
    "absent_trials": "trials without any file",
    "no_finish_reason": "answers without a finish reason",
    "other_prompts": "trials with another system prompt than most of their scenario",
    "invented_keys": "verdicts with invented fields, ignored",
    "other_files": "files of no scenario or delivery mode of this edition, left out",
    "broken": "broken files, skipped",
    "zero_verdicts": "runs with an identity verdict of 0/0/0",
}
"""Oddity → its text; files, answers and trials are each counted in their own unit."""


@dataclass(slots=True)
class Summary:
    """Counts and costs of one import."""

    judge: str = ""
    configurations: int = 0
    runs: int = 0
    answers: int = 0
    """Answer files read."""
    imported: int = 0
    """Trials with a transcript."""
    judged: int = 0
    """Trials with a verdict."""
    odd: Counter[str] = field(default_factory=Counter)
    """Keys are those of :data:`ODDITIES`."""
    unregistered: list[str] = field(default_factory=list)
    """Folders without a row in models.yaml: labelled by their bare id."""
    broken: dict[str, str] = field(default_factory=dict)
    """Path within the cache → why it was skipped."""
    zero_verdicts: list[ZeroVerdictRun] = field(default_factory=list)
    generation_usd: float = 0.0
    judging_usd: float = 0.0
    unknown_costs: int = 0
    """Calls whose cost is in no file."""

    def text(self) -> str:
        """Return the summary for a terminal: what was imported, then every oddity that occurred, then both Indices."""
        odd = self.odd + Counter(broken=len(self.broken), zero_verdicts=len(self.zero_verdicts))
        return "\n".join(
            [
                f"Published cache: {self.answers} answers of {self.runs} runs of {self.configurations} configurations, "
                f"judged by {safe_text(self.judge)}.",
                f"Imported: {self.imported} trials, {self.judged} of them judged, {odd['unjudged']} unjudged; "
                f"generation {self.generation_usd:.4f} USD, judging {self.judging_usd:.4f} USD"
                + (f", {self.unknown_costs} calls of unknown cost." if self.unknown_costs else "."),
                *(f"  {odd[name]:6d}  {what}" for name, what in ODDITIES.items() if odd[name]),
                *self._named("Skipped, cannot be read", [f"{path}: {why}" for path, why in self.broken.items()]),
                *self._named("Labelled by their bare id, no row in models.yaml", self.unregistered),
                *self._zeros(),
            ]
        )

    def _zeros(self) -> Iterator[str]:
        if self.zero_verdicts:
            yield "Runs with an identity verdict of 0/0/0 (counted here, dropped by the published scorer):"
        for zeros in self.zero_verdicts:
            yield (
                f"  {safe_text(zeros.label)} run {zeros.run} ({', '.join(zeros.scenarios)}): "
                f"Index {_index(zeros.ours)}, by the published rule {_index(zeros.published)}"
            )

    @staticmethod
    def _named(what: str, names: list[str]) -> Iterator[str]:
        if names:
            yield f"{what}:"
        yield from (f"  {safe_text(name)}" for name in names[:NAMED])
        if len(names) > NAMED:
            yield f"  and {len(names) - NAMED} more"


def _index(index: float | None) -> str:
    return "incomplete" if index is None else f"{index:.2f}"
