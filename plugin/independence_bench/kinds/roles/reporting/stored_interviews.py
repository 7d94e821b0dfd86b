"""Reads answers to a session's edition from the store: one population per model and run. Computes nothing.

The questionnaire comes from the stored session, so no configs are needed.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from independence_bench.kinds.roles.design import Persona, QuestionnaireShape, RoleContext, RolesDesign, roles_design
from independence_bench.kinds.roles.metrics.answers import PersonaAnswers, Population, population_of
from independence_bench.kinds.roles.reporting.role_board import AnswerCounts
from independence_bench.option_labels import named_options
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.store import Store
from independence_bench.store.damage import damaged_store


@dataclass(frozen=True, slots=True)
class PlayedRun:
    """One complete run of one model configuration."""

    run: int
    population: Population
    counts: AnswerCounts


def load_interviews(store: Store, entry: Ranked) -> list[PlayedRun]:
    """Read one model configuration's interviews, run by run; empty where a planned trial is missing.
    Raises StoreFailed: a transcript cannot be read, or lacks an item.
    """
    result = entry.result
    if not result.complete:
        return []
    runs = []
    for run, trials in zip(result.runs, result.by_run, strict=True):
        keys = {trial.transcript.key: trial.scenario.id for trial in trials if trial.transcript}
        runs.append(_run(store, roles_design(result.session.edition.design), entry.row.label, run, keys))
    return runs


def _run(store: Store, design: RolesDesign, label: str, run: int, keys: dict[str, str]) -> PlayedRun:
    answers_of = {keys[key]: answers for key, answers in store.read_transcripts(keys, read_answers).items()}

    def scores(persona: Persona, context: RoleContext, shape: QuestionnaireShape) -> PersonaAnswers:
        scenario = design.scenario_id(persona, context)
        try:
            return [answers_of[scenario][0][item] for item in range(1, shape.n_items + 1)]
        except KeyError:
            raise damaged_store(store.path, f"the transcript of {scenario} in run {run} lacks items") from None

    population = population_of(design, label, scores)
    return PlayedRun(run, population, AnswerCounts.sum(counts for _, counts in answers_of.values()))


def read_answers(transcript: Any) -> tuple[dict[int, int | None], AnswerCounts]:
    """Read one transcript's JSON: the score of each item, None where the last answer named no option or several.
    Raises LookupError or TypeError: it is incomplete.
    """
    # A question asked twice continues the same exchange twice.
    questions: dict[tuple[int | None, int | None, str], list[dict[str, Any]]] = {}
    for exchange in transcript["exchanges"]:
        if exchange["options"]:  # the conversation has none
            place = (exchange["after"], exchange["item"], exchange["asked"])
            questions.setdefault(place, []).append(exchange)
    scores: dict[int, int | None] = {}
    counts = Counter[str]()
    for (_, item, _), (*earlier, last) in questions.items():
        labels = named_options(last["reply"]["answer"], len(last["options"]))
        option = last["options"][labels[0]] if len(labels) == 1 else None
        if item is None:
            counts.update(choices=1, choices_unread=option is None)
            continue
        scores[item] = option
        counts.update(items=1, asked_again=bool(earlier))
        if option is None:
            counts["several" if labels else "no_option"] += 1
        else:
            counts["at_second" if earlier else "at_once"] += 1
    return scores, AnswerCounts(**counts)
