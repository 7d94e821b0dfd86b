"""An analysis: how many answers each model gave, and how many of them were cut off."""

from collections.abc import Iterator
from typing import Any

from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.blocks import Block, Column, Table


def compute(measured: Measurements) -> list[dict[str, Any]]:
    """Return one record per model, as JSON: it goes into ``further`` of leaderboard.json."""
    return [
        {
            "label": entry.row.label,
            "answers": sum(trial.transcript.answers for trial in entry.result.trials if trial.transcript),
            "cut_off": sum(trial.transcript.cut_off for trial in entry.result.trials if trial.transcript),
        }
        for entry in measured.entries
    ]


def blocks(found: list[dict[str, Any]]) -> Iterator[Block[Any]]:
    """Yield what LEADERBOARD.md shows of it."""
    yield Table(
        [
            Column("model", lambda record: record["label"], right=False),
            Column("answers", lambda record: str(record["answers"])),
            Column("cut off", lambda record: str(record["cut_off"])),
        ],
        found,
    )


ANSWER_LENGTHS = Analysis("answer_lengths", "Answers and cut-offs", compute, blocks)
