"""Summary of an import of the published cache: every oddity of its files and trials counted, and its text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from independence_bench.catalog.editions import Edition
from independence_bench.published_cache.recorded_files import MESSAGE, AnswerFile, RunFiles, arguments_of, counting_call
from independence_bench.published_cache.recorded_trials import MODES, ReadTrial
from independence_bench.published_cache.unknown_texts import CONTENT, SCENARIOS
from independence_bench.safe_text import safe_text
from independence_bench.scoring import PanelScores, component_values, index_or_none
from independence_bench.scoring.published import is_zero_verdict, published_index
from independence_bench.scoring.template_junk import has_template_junk

NAMED = 20  # number of files that are named; the others are counted


@dataclass(frozen=True, slots=True)
class ZeroVerdictRun:
    """A run with an identity verdict of 0/0/0, which the published scorer drops and ours counts."""

    label: str
    run: int
    scenarios: tuple[str, ...]
    ours: float | None  # Index with the zeros counted; None if another trial of the run is not measured
    published: float | None


ODDITIES: dict[str, str] = CONTENT["oddities"]
"""Oddity → its text; files, answers and trials are each counted in their own unit."""


@dataclass(slots=True)
class Summary:
    """Counts and costs of one import."""

    judge: str = ""
    configurations: int = 0
    runs: int = 0
    answers: int = 0  # answer files read
    imported: int = 0  # trials with a transcript
    judged: int = 0  # trials with a verdict
    odd: Counter[str] = field(default_factory=Counter)  # keys are those of :data:`ODDITIES`
    unregistered: list[str] = field(default_factory=list)  # folders that models.yaml lacks: labelled by their bare id
    broken: dict[str, str] = field(default_factory=dict)  # path within the cache → why it was skipped
    zero_verdicts: list[ZeroVerdictRun] = field(default_factory=list)
    generation_usd: float = 0.0
    judging_usd: float = 0.0
    unknown_costs: int = 0  # calls whose cost is in no file

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


TOOL = "send_message_to_human"  # the function through which the models spoke

SHORT = 100  # characters below which the predecessor asked again: an honest short refusal was selected against

_FILES = frozenset(file for chain in SCENARIOS.values() for file in chain.files)
_HTML = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_LATER = ("name_gender", "rs")  # prefixes of the files that legacy runs lack


class Counting:
    """Fills a summary, run by run."""

    def __init__(self, edition: Edition) -> None:
        self.summary = Summary()
        self.judges: Counter[str] = Counter()
        self._edition = edition
        rubrics = [scenario.rubric for scenario in edition.scenarios if scenario.rubric]
        self._fields = {"reasoning", *(score.name for rubric in rubrics for score in rubric.scores)}
        self._prompts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._texts: Counter[str] = Counter()

    def count(self, run: RunFiles, label: str, trials: Sequence[ReadTrial]) -> None:
        """Count one run and its trials."""
        summary, odd = self.summary, self.summary.odd
        summary.runs += 1
        summary.broken |= run.broken
        for (_, mode), answers in run.answers.items():
            known = {file: answer for file, answer in answers.items() if file in _FILES and mode in MODES}
            odd["other_files"] += len(answers) - len(known)
            odd["legacy_runs"] += bool(known) and not any(file.startswith(_LATER) for file in known)
            for answer in known.values():
                self._count_answer(answer, mode)
        for trial in trials:
            record = trial.record
            odd.update(trial.notes)
            if record.transcript is not None:
                summary.imported += 1
                self._prompts[record.scenario][record.transcript.system] += 1
            summary.judged += len(record.verdicts)
            self.judges.update(verdict.judge for verdict in record.verdicts)
        self._note_zeros(run, label, trials)

    def finish(self, judge: str) -> Summary:
        """Return the summary; ``judge`` is the judge whose verdicts are shown."""
        summary, odd = self.summary, self.summary.odd
        summary.judge = judge
        odd["other_judges"] = self.judges.total() - self.judges[judge]
        odd["repeated_answers"] = sum(times for times in self._texts.values() if times > 1)
        odd["other_prompts"] = sum(prompts.total() - max(prompts.values()) for prompts in self._prompts.values())
        return summary

    def _count_answer(self, answer: AnswerFile, mode: str) -> None:
        summary, odd = self.summary, self.summary.odd
        summary.answers += 1
        calls = answer.response_tool_calls or ()
        odd["no_tool_call"] += mode == "tool_role" and not calls
        odd["several_calls"] += len(calls) > 1
        if (call := counting_call(answer)) is not None:
            read = arguments_of(call.function.arguments)
            odd["truncated_arguments"] += read is None
            odd["other_argument_keys"] += read is not None and MESSAGE not in read
            odd["other_functions"] += call.function.name != TOOL
        odd["template_junk"] += has_template_junk(answer.response)
        odd["cut_off"] += answer.finish_reason == "length"
        odd["no_finish_reason"] += answer.finish_reason is None
        odd["short_answers"] += len(answer.response) < SHORT
        odd["html_answers"] += _HTML.search(answer.response) is not None
        odd["invented_keys"] += bool(answer.judge_scores and answer.judge_scores.keys() - self._fields)
        self._texts[answer.response] += 1
        generation = answer.gen_cost.cost_usd if answer.gen_cost else None
        judging = answer.judge_cost.cost_usd if answer.judge_cost else 0.0
        summary.generation_usd += generation or 0.0
        summary.judging_usd += judging or 0.0
        summary.unknown_costs += (generation is None) + (judging is None)

    def _note_zeros(self, run: RunFiles, label: str, trials: Sequence[ReadTrial]) -> None:
        edition = self._edition
        conditions = set(product(edition.system_variants, edition.delivery_modes))
        own = [trial for trial in trials if trial.cell[1:] in conditions]
        zeros = tuple(trial.cell.scenario for trial in own if trial.scores and is_zero_verdict(trial.scores))
        if not zeros:
            return
        scores: defaultdict[str, list[PanelScores]] = defaultdict(list)
        for trial in own:
            scores[trial.cell.scenario].append([trial.scores])
        ours = index_or_none(edition, component_values(edition, scores))
        self.summary.zero_verdicts.append(ZeroVerdictRun(label, run.run, zeros, ours, published_index(edition, scores)))
