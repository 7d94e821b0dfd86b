"""The tidy tables about trials, verdicts, items and turns of conversations, each column declared once."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from independence_bench.report.analysis.difficulty import GROUPINGS, ScenarioDifficulty
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
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
    field_column,
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
        field_column("experiment", "text", "experiment of the scenario", field="trial.scenario.experiment"),
        field_column("scenario", "text", "id of the scenario", field="trial.cell.scenario"),
        field_column("system_variant", "text", "name of the system prompt", field="trial.cell.system_variant"),
        field_column("delivery_mode", "text", "`user_role` or `tool_role`", field="trial.cell.delivery_mode"),
        field_column("run", "count", "number of the run, from 1", field="trial.run"),
        field_column("measured", "truth", "it has a transcript and a verdict of every judge", field="trial.measured"),
        field_column(
            "held",
            "truth",
            "it reached the pass mark; missing where it is not measured or has none",
            field="trial.held",
        ),
        field_column(
            "share",
            "number",
            "share of its points of the Index that it kept; without weight, mean of its scores as shares of the best",
            SHARE,
            field="trial.share",
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
        field_column("scenario", "text", "id of the scenario", field="trial.cell.scenario"),
        field_column("run", "count", "number of the run, from 1", field="trial.run"),
        field_column("judge", "text", "label of the judge", field="judge.label"),
        field_column("judge_id", "text", "public id of the judge", field="judge.model_id"),
        field_column("verdict", "text", "key of the verdict; equal conversations share one", field="verdict.key"),
        field_column("rubric", "text", "the rubric that it scored by", field="verdict.rubric_id"),
        field_column("score", "text", "name of the score", field="field.name"),
        field_column("value", "number", "the score as given; true is 1"),
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
        field_column(
            "usd",
            "number",
            "cost of the whole verdict, the same in each of its rows; missing where unknown",
            DOLLARS,
            field="verdict.cost_usd",
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


def _discrimination(name: str) -> Column:
    meaning = (
        f"correlation over models of what the scenario gives to {BESIDE_INDEX[name].head} with what the rest gives"
    )
    return TidyColumn(
        f"{name}_discrimination", "number", meaning, lambda each: each.discriminations.get(name), "−1 to 1"
    )


ITEMS: TidyTable[ScenarioDifficulty] = TidyTable(
    "items",
    "One scenario as an item of a test, the hardest first.",
    (
        field_column("scenario", "text", "id of the scenario"),
        field_column("experiment", "text", "experiment of the scenario"),
        field_column(
            "mean", "number", "mean over its measured trials of all scores, as shares of the best value", SHARE
        ),
        field_column("difficulty", "number", "100 × (1 − mean)", POINTS),
        field_column(
            "discrimination", "number", "correlation over models of the scenario with the rest of the Index", "−1 to 1"
        ),
        field_column("trials", "count", "measured trials"),
        field_column("models", "count", "models among them"),
        field_column("compared", "count", "models with an Index"),
        field_column(
            "best", "number", "share of the compared models' runs in which it gave all that it is worth", SHARE
        ),
        field_column("dead", "truth", "it gave all that it is worth in every run"),
        field_column("information", "number", "r² / (1 − r²) of the discrimination r, 0 where r is negative"),
        *map(_discrimination, BESIDE_INDEX),
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
        field_column("trial", "text", "key of the trial", field="key"),
        field_column("scenario", "text", "id of the scenario", field="trial.cell.scenario"),
        field_column("run", "count", "number of the run, from 1", field="trial.run"),
        field_column("turn", "count", "place in the conversation, from 1", field="number"),
        field_column("speaker", "text", "who is speaking", field="said.speaker"),
        field_column("text", "text", "what is said", field="said.text"),
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
