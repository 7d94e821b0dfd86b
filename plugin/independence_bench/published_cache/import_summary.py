"""Summary of an import of the published cache: every oddity of its files and trials counted, and its text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from independence_bench.grouping import group_values
from independence_bench.published_cache.recorded_files import MESSAGE, AnswerFile, RunFiles, arguments_of, counting_call
from independence_bench.published_cache.recorded_trials import UNKNOWN_JUDGE, usage
from independence_bench.published_cache.unknown_texts import CONTENT, SCENARIOS, published_edition
from independence_bench.safe_text import safe_text
from independence_bench.scoring import PanelScores, component_values, index_or_none
from independence_bench.scoring.published import is_zero_verdict, published_index
from independence_bench.scoring.template_junk import has_template_junk
from independence_bench.spec import DELIVERY_MODES
from independence_bench.trial import TrialRecord

NAMED = 20  # number of files that are named; the others are counted

TOOL = "send_message_to_human"  # the function through which the models spoke

SHORT = 100  # characters below which the predecessor asked again: an honest short refusal was selected against

ODDITIES: dict[str, str] = CONTENT["oddities"]
"""Oddity → its text; files, answers and trials are each counted in their own unit."""

_FILES = frozenset(file for chain in SCENARIOS.values() for file in chain.files)
_HTML = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_LATER = ("name_gender", "rs")  # prefixes of the files that legacy runs lack


@dataclass(frozen=True, slots=True)
class ZeroVerdictRun:
    """A run with an identity verdict of 0/0/0, which the published scorer drops and ours counts."""

    label: str
    run: int
    scenarios: tuple[str, ...]
    ours: float | None  # Index with the zeros counted; None if another trial of the run is not measured
    published: float | None


@dataclass(slots=True)
class Summary:
    """Counts and costs of one import, run by run."""

    judge: str = UNKNOWN_JUDGE  # the judge of most verdicts, which are shown
    configurations: int = 0
    runs: int = 0
    answers: int = 0  # answer files read
    imported: int = 0  # trials with a transcript
    odd: Counter[str] = field(default_factory=Counter)  # keys are those of :data:`ODDITIES`
    unregistered: list[str] = field(default_factory=list)  # folders that models.yaml lacks: labelled by their bare id
    broken: dict[str, str] = field(default_factory=dict)  # path within the cache → why it was skipped
    zero_verdicts: list[ZeroVerdictRun] = field(default_factory=list)
    generation_usd: float = 0.0
    judging_usd: float = 0.0
    unknown_costs: int = 0  # calls whose cost is in no file
    judges: Counter[str] = field(default_factory=Counter)  # verdicts of each
    prompts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # by scenario
    texts: Counter[str] = field(default_factory=Counter)  # of answers

    @property
    def judged(self) -> int:
        """The number of trials with a verdict."""
        return self.judges.total()

    def count(self, run: RunFiles, trials: Sequence[TrialRecord]) -> None:
        """Count one run and its trials."""
        self.runs += bool(run.answers)
        self.broken |= run.broken
        for (_, mode), answers in run.answers.items():
            known = {file: answer for file, answer in answers.items() if file in _FILES and mode in DELIVERY_MODES}
            self.odd["other_files"] += len(answers) - len(known)
            self.odd["legacy_runs"] += bool(known) and not any(file.startswith(_LATER) for file in known)
            for answer in known.values():
                self._count_answer(answer, mode)
        for trial in trials:
            if trial.transcript is not None:
                self.imported += 1
                self.prompts[trial.scenario][trial.transcript.system] += 1
            self.judges.update(verdict.judge for verdict in trial.verdicts)
        self._note_zeros(trials)

    def finish(self) -> None:
        """Choose the judge, and count what can be counted only once all runs have been read."""
        self.judge = max(sorted(self.judges), key=self.judges.__getitem__, default=UNKNOWN_JUDGE)
        self.odd["other_judges"] = self.judged - self.judges[self.judge]
        self.odd["repeated_answers"] = sum(times for times in self.texts.values() if times > 1)
        self.odd["other_prompts"] = sum(prompts.total() - max(prompts.values()) for prompts in self.prompts.values())
        self.odd["broken"] = len(self.broken)
        self.odd["zero_verdicts"] = len(self.zero_verdicts)

    def _count_answer(self, answer: AnswerFile, mode: str) -> None:
        odd = self.odd
        self.answers += 1
        calls = answer.response_tool_calls or ()
        odd["no_tool_call"] += mode == "tool_role" and not calls
        odd["several_calls"] += len(calls) > 1
        if (call := counting_call(answer)) is not None:
            read = arguments_of(call.arguments)
            odd["truncated_arguments"] += read is None
            odd["other_argument_keys"] += read is not None and MESSAGE not in read
            odd["other_functions"] += call.name != TOOL
        odd["template_junk"] += has_template_junk(answer.response)
        odd["cut_off"] += answer.finish_reason == "length"
        odd["no_finish_reason"] += answer.finish_reason is None
        odd["short_answers"] += len(answer.response) < SHORT
        odd["html_answers"] += _HTML.search(answer.response) is not None
        odd["invented_keys"] += bool(answer.judge_scores and answer.judge_scores.keys() - _verdict_fields())
        self.texts[answer.response] += 1
        generation = usage(answer.gen_cost).cost_usd
        judging = answer.judge_cost.cost_usd if answer.judge_cost else 0.0
        self.generation_usd += generation or 0.0
        self.judging_usd += judging or 0.0
        self.unknown_costs += (generation is None) + (judging is None)

    def _note_zeros(self, trials: Sequence[TrialRecord]) -> None:
        edition = published_edition()
        conditions = set(product(edition.system_variants, edition.delivery_modes))
        own = [trial for trial in trials if (trial.system_variant, trial.delivery_mode) in conditions]
        given = [(trial.scenario, trial.verdicts[0].scores if trial.verdicts else None) for trial in own]
        zeros = tuple(scenario for scenario, scores in given if scores and is_zero_verdict(scores))
        if zeros:
            scores: Mapping[str, list[PanelScores]] = group_values((scenario, [each]) for scenario, each in given)
            ours, published = (
                index_or_none(edition, component_values(edition, scores)),
                published_index(edition, scores),
            )
            self.zero_verdicts.append(ZeroVerdictRun(trials[0].label, trials[0].run, zeros, ours, published))

    def text(self) -> str:
        """Return the summary for a terminal: what was imported, then every oddity that occurred, then both Indices."""
        return "\n".join(
            [
                f"Published cache: {self.answers} answers of {self.runs} runs of {self.configurations} configurations, "
                f"judged by {safe_text(self.judge)}.",
                f"Imported: {self.imported} trials, {self.judged} of them judged, {self.odd['unjudged']} unjudged; "
                f"generation {self.generation_usd:.4f} USD, judging {self.judging_usd:.4f} USD"
                + (f", {self.unknown_costs} calls of unknown cost." if self.unknown_costs else "."),
                *(f"  {self.odd[name]:6d}  {what}" for name, what in ODDITIES.items() if self.odd[name]),
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


@cache
def _verdict_fields() -> frozenset[str]:
    fields = (field.name for scenario in published_edition().scenarios for field in scenario.judged_fields)
    return frozenset(["reasoning", *fields])
