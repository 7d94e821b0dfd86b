"""Reads the published verdicts without their answers: the two tables of numbers in benchmarks/published_scores.

Everything that needs no text can be reported from them. In place of an answer stands a line that says so.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from independence_bench.bad_input import BadInput
from independence_bench.digest import digest
from independence_bench.safe_text import safe_text
from independence_bench.spec import DELIVERY_MODES, Scenario, ScoreField
from independence_bench.store.database import Database
from independence_bench.store.sessions import Configuration
from independence_bench.store.store import Store
from independence_bench.store.table_rows import MOST_FOREIGN_RUNS
from independence_bench.trial import Exchange, Reply, Transcript, TrialRecord, Usage
from published_cache.recorded_files import MOST_TOKENS
from published_cache.unknown_texts import (
    ORIGIN,
    RecordedCell,
    published_edition,
    published_session,
    published_trial,
    published_verdict,
)

Made = TypeVar("Made")
JUDGE = "google/gemini-3-flash-preview"
"""Who gave every published verdict."""
WITHHELD = "(Not in these data: only the scores of this conversation are published.)"


def read_published_scores(folder: Path) -> Store:
    """Return everything in a store that is deleted on closing.
    Raises BadInput: a table cannot be read, or one of its rows contradicts the edition.
    """
    scenarios = {scenario.id: scenario for scenario in published_edition().scenarios}
    models = {model.label: model for model in _read(folder / "models.csv", _configuration)}
    records = [*_read(folder / "scores.csv", lambda row: _record(row, models, scenarios))]
    session = published_session(published_edition(), records, JUDGE, models.values())
    store = Store(Database.scratch(folder))
    store.add_all(records, session.id, origin=ORIGIN)
    store.begin_session(session, [*models.values()])
    store.end_session(session.id, session.started_at)
    return store


def _read(file: Path, made: Callable[[Mapping[str, str]], Made]) -> Iterator[Made]:
    """Yield what is made of each row of a table."""
    again = "correct it, or take both tables from benchmarks/published_scores again"
    with (
        BadInput.instead_of(OSError, file, "cannot be read ({}); check the path"),
        BadInput.instead_of(UnicodeDecodeError, file, f"is no UTF-8 text; {again}"),
    ):
        rows = csv.DictReader(file.read_text("utf-8").splitlines())
    try:
        for row in rows:
            if None in row or None in row.values():
                raise ValueError("it has not as many fields as the first line")
            yield made(row)
    except (KeyError, ValueError, csv.Error) as error:  # pydantic's ValidationError is a ValueError
        why = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        if isinstance(error, ValidationError):
            why = ": ".join([".".join(map(str, error.errors()[0]["loc"])), error.errors()[0]["msg"]])
        raise BadInput.at(file, f"line {rows.line_num}", f"{safe_text(why)}; {again}") from None


def _known(among: Mapping[str, Made], row: Mapping[str, str], column: str) -> Made:
    if (found := among.get(row[column])) is None:
        raise ValueError(f"{column}: {row[column]!r} is not known")
    return found


def _configuration(row: Mapping[str, str]) -> Configuration:
    known = {name: value for name, value in row.items() if value}
    return Configuration(configuration=digest({"origin": ORIGIN, "scores of": row["label"]}), **known)


def _record(
    row: Mapping[str, str], models: Mapping[str, Configuration], scenarios: Mapping[str, Scenario]
) -> TrialRecord:
    model, scenario = _known(models, row, "label"), _known(scenarios, row, "scenario")
    rubric = scenario.rubric
    assert rubric is not None, "a judge reads every scenario of v2"
    if row["delivery_mode"] not in DELIVERY_MODES:
        raise ValueError(f"delivery_mode: {row['delivery_mode']!r} is none of {', '.join(DELIVERY_MODES)}")
    key = digest(
        [ORIGIN, "scores", *(row[name] for name in ("label", "scenario", "run", "system_variant", "delivery_mode"))]
    )
    tokens = ("prompt_tokens", "completion_tokens", "reasoning_tokens")
    spent: dict[str, object] = {name: _whole(row, name, 0, MOST_TOKENS) for name in tokens if row[name]}
    usage = Usage.model_validate(spent | {"cost_usd": row["cost_usd"] or None})
    # Verdicts belong to texts: the line that stands for the answer is another one for each trial.
    answer = Reply(answer=f"{WITHHELD} {key[:12]}", withheld=True, usage=usage)
    exchange = Exchange(after=None, asked=WITHHELD, reply=answer)
    transcript = Transcript(delivery_mode=row["delivery_mode"], system="", exchanges=(exchange,))
    verdict = published_verdict(
        key,
        rubric,
        JUDGE,
        transcript_hash=transcript.hash,
        scores={wanted.name: wanted.read(_score(row[wanted.name], wanted)) for wanted in rubric.scores},
        reasoning="",
        raw="",
        usage=Usage(cost_usd=None),
    )
    cell = RecordedCell(scenario.id, row["system_variant"], row["delivery_mode"])
    run = _whole(row, "run", 1, MOST_FOREIGN_RUNS)
    return published_trial(key, scenario, cell, model, run=run, transcript=transcript, verdicts=(verdict,))


def _whole(row: Mapping[str, str], name: str, least: int, most: int) -> int:
    text = row[name]
    if not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
        raise ValueError(f"{name}: {text[:20]!r} is not a whole number from {least} to {most:,}")
    return int(text)


def _score(text: str, wanted: ScoreField) -> int | bool:
    return bool(int(text)) if wanted.type == "boolean" else int(text)
