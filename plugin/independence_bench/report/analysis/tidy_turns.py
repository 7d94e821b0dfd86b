"""The tidy table of conversations: one turn a row. Reads the transcripts, one model at a time."""

from collections.abc import Iterator
from typing import NamedTuple

from independence_bench.report.analysis.passages import Passage, passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import MODEL, BoardRecords, TidyColumn, TidyTable, field_column


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
