"""The tidy tables about trials, verdicts, items and turns of conversations, each column declared once."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from independence_bench.report.analysis.difficulty import GROUPINGS, ScenarioDifficulty
from independence_bench.report.analysis.passages import Passage, passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import (
    DOLLARS,
    MODEL,
    POINTS,
    SHARE,
    BoardRecords,
    Column,
    Plain,
    TidyColumn,
    TidyTable,
)
from independence_bench.spec import PanelJudge, ScoreField
from independence_bench.store import VerdictRow
from independence_bench.utc import known_utc


class _Asked(NamedTuple):
    row: LeaderboardRow
    trial: PlannedTrial


class _Scored(NamedTuple):
    row: LeaderboardRow
    trial: PlannedTrial
    judge: PanelJudge
    verdict: VerdictRow
    field: ScoreField
    value: float


def _said(name: str, type: Any, meaning: str, unit: str = "", field: str = "") -> Column:  # noqa: A002
    """Declare a column that a stored transcript knows; missing where the trial has none."""

    def of(each: _Asked) -> Plain:
        found: Plain = each.trial.transcript and getattr(each.trial.transcript, field or name)
        return bool(found) if type == "truth" and found is not None else found

    return TidyColumn(name, type, meaning, of, unit)


TRIALS: TidyTable[_Asked] = TidyTable(
    "trials",
    "One planned trial: a scenario, asked of a model in one run.",
    (
        *MODEL,
        _said("trial", "text", "key of the trial; missing where it was never asked", field="key"),
        TidyColumn("experiment", "text", "experiment of the scenario", "trial.scenario.experiment"),
        TidyColumn("scenario", "text", "id of the scenario", "trial.cell.scenario"),
        TidyColumn("system_variant", "text", "name of the system prompt", "trial.cell.system_variant"),
        TidyColumn("delivery_mode", "text", "`user_role` or `tool_role`", "trial.cell.delivery_mode"),
        TidyColumn("run", "count", "number of the run, from 1", "trial.run"),
        TidyColumn("measured", "truth", "it has a transcript and a verdict of every judge", "trial.measured"),
        TidyColumn(
            "held", "truth", "it reached the pass mark; missing where it is not measured or has none", "trial.held"
        ),
        TidyColumn(
            "share",
            "number",
            "mean of its scores, each as a share of the best value and averaged over the judges",
            "trial.share",
            SHARE,
        ),
        TidyColumn(
            "asked_at",
            "time",
            "when the transcript was complete",
            lambda each: known_utc(each.trial.transcript.created_at) if each.trial.transcript else None,
        ),
        _said("answers", "count", "answers of the model"),
        _said("cut_off", "count", "answers that ended at the token limit"),
        _said("delivery_kept", "truth", "every answer came by the delivery asked for"),
        _said("attempts", "count", "requests for all answers together"),
        _said("prompt_tokens", "count", "of the model", "tokens"),
        _said("completion_tokens", "count", "of the model", "tokens"),
        _said("reasoning_tokens", "count", "part of completion_tokens, where the server tells", "tokens"),
        _said("usd", "number", "cost of the answers; missing where unknown", DOLLARS, "cost_usd"),
        _said("origin", "text", "`measured`, or the name of an import"),
        TidyColumn("failures", "count", "failed attempts at it", lambda each: len(each.trial.failures)),
    ),
    lambda source: (_Asked(entry.row, trial) for entry in source.entries for trial in entry.result.trials),
)

VERDICTS: TidyTable[_Scored] = TidyTable(
    "verdicts",
    "One score of one judge's verdict on a trial.",
    (
        *MODEL,
        TidyColumn(
            "trial", "text", "key of the trial", lambda each: each.trial.transcript and each.trial.transcript.key
        ),
        TidyColumn("scenario", "text", "id of the scenario", "trial.cell.scenario"),
        TidyColumn("run", "count", "number of the run, from 1", "trial.run"),
        TidyColumn("judge", "text", "label of the judge", "judge.label"),
        TidyColumn("judge_id", "text", "public id of the judge", "judge.model_id"),
        TidyColumn("verdict", "text", "key of the verdict; equal conversations share one", "verdict.key"),
        TidyColumn("rubric", "text", "the rubric that it scored by", "verdict.rubric_id"),
        TidyColumn("score", "text", "name of the score", "field.name"),
        TidyColumn("value", "number", "the score as given; true is 1", "value"),
        TidyColumn(
            "share",
            "number",
            "the score as a share of its best value",
            lambda each: each.field.share(each.value),
            SHARE,
        ),
        TidyColumn(
            "repaired",
            "truth",
            "the first reply could not be read and the judge was asked once more",
            lambda each: bool(each.verdict.repaired),
        ),
        TidyColumn("judged_at", "time", "when the verdict was given", lambda each: known_utc(each.verdict.created_at)),
        TidyColumn(
            "usd",
            "number",
            "cost of the whole verdict, the same in each of its rows; missing where unknown",
            "verdict.cost_usd",
            DOLLARS,
        ),
    ),
    lambda source: _verdicts(source),
)


def _verdicts(source: BoardRecords) -> Iterator[_Scored]:
    for entry in source.entries:
        for trial in entry.result.trials:
            for judge, verdict, scores in zip(entry.result.panel, trial.verdicts, trial.scores, strict=False):
                for field in trial.judged_fields:
                    if verdict is not None and scores is not None and field.name in scores:
                        yield _Scored(entry.row, trial, judge, verdict, field, float(scores[field.name]))


def _group(kind: str, name: str, type: Any, meaning: str) -> Column:  # noqa: A002
    def of(each: ScenarioDifficulty) -> Plain:
        found = getattr(each, kind)
        value: Plain = found and getattr(found, name)
        return value

    return TidyColumn(f"{kind}_{name}", type, f"of the {kind} group that differs most: {meaning}", of)


ITEMS: TidyTable[ScenarioDifficulty] = TidyTable(
    "items",
    "One scenario as an item of a test, the hardest first.",
    (
        TidyColumn("scenario", "text", "id of the scenario", "scenario"),
        TidyColumn("experiment", "text", "experiment of the scenario", "experiment"),
        TidyColumn(
            "mean", "number", "mean over its measured trials of all scores, as shares of the best value", "mean", SHARE
        ),
        TidyColumn("difficulty", "number", "100 × (1 − mean)", "difficulty", POINTS),
        TidyColumn(
            "discrimination",
            "number",
            "correlation over models of the scenario with the rest of the Index",
            "discrimination",
            "−1 to 1",
        ),
        TidyColumn("trials", "count", "measured trials", "trials"),
        TidyColumn("models", "count", "models among them", "models"),
        TidyColumn("compared", "count", "models with an Index", "compared"),
        TidyColumn(
            "best", "number", "share of the compared models' runs in which it gave all that it is worth", "best", SHARE
        ),
        TidyColumn("dead", "truth", "it gave all that it is worth in every run", "dead"),
        TidyColumn(
            "information", "number", "r² / (1 − r²) of the discrimination r, 0 where r is negative", "information"
        ),
        *(
            _group(kind, name, kept, meaning)
            for kind in GROUPINGS
            for name, kept, meaning in (
                ("group", "text", "its name"),
                (
                    "difference",
                    "number",
                    "its share of the best value here minus that of models that do equally well elsewhere",
                ),
                ("p_value", "number", "two-sided, corrected for the number of scenarios and groups (Holm)"),
                ("models", "count", "models in it"),
            )
        ),
    ),
    lambda source: source.items,
)


class _Turn(NamedTuple):
    row: LeaderboardRow
    key: str
    trial: PlannedTrial
    number: int
    said: Passage


TURNS: TidyTable[_Turn] = TidyTable(
    "turns",
    "One turn of the conversation of a trial, as it was sent or answered.",
    (
        *MODEL,
        TidyColumn("trial", "text", "key of the trial", "key"),
        TidyColumn("scenario", "text", "id of the scenario", "trial.cell.scenario"),
        TidyColumn("run", "count", "number of the run, from 1", "trial.run"),
        TidyColumn("turn", "count", "place in the conversation, from 1", "number"),
        TidyColumn("speaker", "text", "who is speaking", "said.speaker"),
        TidyColumn("text", "text", "what is said", "said.text"),
        TidyColumn(
            "reasoning",
            "text",
            "the model's thinking before this turn; missing where it shows none",
            lambda each: each.said.reply.reasoning if each.said.reply else None,
        ),
    ),
    lambda source: _turns(source),
)


def _turns(source: BoardRecords) -> Iterator[_Turn]:
    for entry in source.entries:
        trials = {trial.transcript.key: trial for trial in entry.result.trials if trial.transcript}
        said = source.store.transcript_bodies(trials)
        for key, trial in trials.items():
            for number, passage in enumerate(passages(said[key]), 1):
                yield _Turn(entry.row, key, trial, number, passage)
