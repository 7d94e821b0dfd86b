"""Counts oddities in the files and trials of the published cache while they are read. Changes none of them."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product

from independence_bench.catalog.editions import Edition
from independence_bench.published_cache.import_summary import Summary, ZeroVerdictRun
from independence_bench.published_cache.recorded_files import AnswerFile, RunFiles
from independence_bench.published_cache.recorded_requests import MESSAGE, arguments_of, counting_call
from independence_bench.published_cache.recorded_trials import CHAINS, MODES, ReadTrial
from independence_bench.scoring import PanelScores, component_values, index_or_none
from independence_bench.scoring.published import is_zero_verdict, published_index
from independence_bench.scoring.template_junk import has_template_junk

TOOL = "send_message_to_human"
"""The function through which the models spoke."""

SHORT = 100
"""Characters below which the predecessor asked again: an honest short refusal was selected against."""

_FILES = frozenset(file for chain in CHAINS.values() for file in chain.files)
_HTML = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_LATER = ("name_gender", "rs")
"""Prefixes of the files that legacy runs lack."""


class Counting:
    """Fills a summary, run by run."""

    def __init__(self, edition: Edition) -> None:
        """Start with all counts at zero."""
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
        """Record a run's Index by both rules if an identity verdict is 0/0/0, under the edition's own conditions."""
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
