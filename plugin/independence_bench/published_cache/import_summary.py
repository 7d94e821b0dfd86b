"""What an import of the published cache found: every odd case counted, and the text that says so. Reads no file."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from independence_bench.safe_text import safe_text

NAMED = 20
"""Files named one by one at most; the rest is counted."""


@dataclass(frozen=True, slots=True)
class ZeroVerdictRun:
    """A run with an identity verdict of 0/0/0, which the published scorer drops and ours counts."""

    label: str
    run: int
    scenarios: tuple[str, ...]
    ours: float | None
    """Index with the zeros counted; None where another trial of the run is not measured."""
    published: float | None
    """Index by the published rule."""


@dataclass(slots=True)
class Summary:
    """Counts of one import; files, answers and trials are each counted in their own unit."""

    judge: str = ""
    configurations: int = 0
    runs: int = 0
    answers: int = 0
    """Answer files read."""
    name_files: int = 0
    imported: int = 0
    """Trials with a transcript."""
    judged: int = 0
    """Trials with a verdict."""
    unjudged: int = 0
    """Transcripts without a verdict that counts."""
    empty_verdicts: int = 0
    invalid_verdicts: int = 0
    other_judges: int = 0
    """Verdicts of a judge other than the most frequent one: stored, not shown."""
    no_tool_call: int = 0
    """Answers in plain content where a tool call was asked for."""
    truncated_arguments: int = 0
    """Answers whose tool arguments are no valid JSON."""
    other_argument_keys: int = 0
    other_functions: int = 0
    """Answers given by calling a function of another name."""
    several_calls: int = 0
    template_junk: int = 0
    cut_off: int = 0
    short_answers: int = 0
    """Answers of fewer than 100 characters: answers all the same."""
    repeated_answers: int = 0
    """Answers whose text stands in another file too."""
    html_answers: int = 0
    """Answers with text that looks like an HTML tag."""
    stale_turns: int = 0
    """Second turns whose recorded history holds another first answer than the stored one."""
    stale_questionnaire: int = 0
    """Questionnaire answers likewise."""
    legacy_runs: int = 0
    """Runs made before name-gender and the five pressures were part of the edition."""
    incomplete_trials: int = 0
    """Conversations broken off before their last turn: not imported."""
    partial_questionnaires: int = 0
    """Questionnaires judged on fewer than five answers: imported with their verdict."""
    absent_trials: int = 0
    """Trials of which no file is there."""
    no_finish_reason: int = 0
    other_prompts: int = 0
    """Trials with another system prompt than most of their scenario."""
    invented_keys: int = 0
    """Verdicts with fields that nobody asked for: ignored."""
    other_files: int = 0
    """Answers that belong to no scenario of the edition, or to a delivery mode that we do not know."""
    unregistered: list[str] = field(default_factory=list)
    """Folders without a row in models.yaml: labelled by their bare id."""
    broken: dict[str, str] = field(default_factory=dict)
    """Path within the cache → why it was skipped."""
    zero_verdicts: list[ZeroVerdictRun] = field(default_factory=list)
    generation_usd: float = 0.0
    judging_usd: float = 0.0
    unknown_costs: int = 0
    """Calls whose cost no file tells."""
    extraction_usd: float = 0.0
    """What reading the names out of the answers cost: not counted as judging."""

    def text(self) -> str:
        """Return the summary for a terminal: what came in, then every odd case that occurred, then both Indices."""
        return "\n".join(
            [
                f"Published cache: {self.answers} answers of {self.runs} runs of {self.configurations} configurations, "
                f"judged by {safe_text(self.judge)}.",
                f"Imported: {self.imported} trials, {self.judged} of them judged, {self.unjudged} unjudged; "
                f"generation {self.generation_usd:.4f} USD, judging {self.judging_usd:.4f} USD"
                + (f", {self.unknown_costs} calls of unknown cost." if self.unknown_costs else "."),
                *(f"  {count:6d}  {what}" for count, what in self._cases() if count),
                *self._named("Skipped, cannot be read", [f"{path}: {why}" for path, why in self.broken.items()]),
                *self._named("Labelled by their bare id, no row in models.yaml", self.unregistered),
                *self._zeros(),
            ]
        )

    def _cases(self) -> list[tuple[int, str]]:
        return [
            (self.unjudged, "trials unjudged"),
            (self.empty_verdicts, "of them with an empty verdict"),
            (self.invalid_verdicts, "of them with a verdict that lacks a score or leaves its range"),
            (self.other_judges, "verdicts of another judge, stored and not shown"),
            (self.no_tool_call, "answers without a tool call: plain content, delivery not kept"),
            (self.truncated_arguments, "answers with truncated tool arguments"),
            (self.other_argument_keys, "answers with tool arguments under another key"),
            (self.other_functions, "answers by a call of another function"),
            (self.several_calls, "answers by several calls: the first that carries the answer counts"),
            (self.template_junk, "answers with template junk"),
            (self.cut_off, "answers cut off at the token limit"),
            (self.short_answers, "answers of fewer than 100 characters"),
            (self.repeated_answers, "answers whose text stands in another file too"),
            (self.html_answers, "answers with what looks like HTML"),
            (self.stale_turns, "second turns with a stale first turn: judged with the history they were given"),
            (self.stale_questionnaire, "questionnaire answers with a stale history"),
            (self.legacy_runs, "legacy runs: without name-gender and the five pressures, so incomplete"),
            (self.incomplete_trials, "trials without their last turn: not imported"),
            (self.partial_questionnaires, "questionnaires judged on fewer than five answers"),
            (self.absent_trials, "trials of which nothing is there"),
            (self.no_finish_reason, "answers without a finish reason"),
            (self.other_prompts, "trials with another system prompt than most of their scenario"),
            (self.invented_keys, "verdicts with invented fields, ignored"),
            (self.other_files, "files of no scenario or delivery mode of this edition, left out"),
            (len(self.broken), "files broken and skipped"),
            (len(self.zero_verdicts), "runs with an identity verdict of 0/0/0"),
        ]

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
