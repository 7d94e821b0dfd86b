"""Files from elsewhere are checked row by row; what is refused is counted, and nothing in them stops a report."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli_samples import fill, measured, session, trial

from independence_bench.cli.parser import COMMANDS, parser
from independence_bench.store import Store
from independence_bench.store.damage import StoreFailed

Line = dict[str, Any]


def signed(lines: list[Line]) -> str:
    """An export of these lines, its last line as it must be."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines[:-1])
    counts = {kind: sum(line.get("line") == kind for line in lines) for kind in lines[-1]["counts"]}
    return text + json.dumps(lines[-1] | {"counts": counts, "sha256": sha256(text.encode()).hexdigest()}) + "\n"


def changed(folder: Path, kind: str, change: Callable[[Line], None]) -> Path:
    """An export of one model of which a line of one kind says something else, and the place of that line."""
    path = fill(folder / "theirs.sqlite", *measured("their/model"))
    with Store.open(path, read_only=True) as store:
        lines = [json.loads(line) for line in store.export_lines()]
    change(
        next(
            line
            for line in lines
            if line.get("line") == kind and ("graceful_handling" in str(line) or kind != "verdict")
        )
    )
    target = folder / "theirs.jsonl"
    target.write_text(signed(lines))
    return target


def setting(*place: str | int, to: object) -> Callable[[Line], None]:
    def change(line: Any) -> None:
        for part in place[:-1]:
            line = line[part]
        line[place[-1]] = to

    return change


FOREIGN = [
    ("verdict", setting("verdict", "scores", to={}), "its "),
    ("verdict", setting("verdict", "scores", "consistency_score", to=10**6), "integer from 0 to 10"),
    ("verdict", setting("verdict", "scores", "consistency_score", to=-1), "integer from 0 to 10"),
    ("verdict", setting("verdict", "scores", "consistency_score", to="9"), "consistency_score"),
    ("verdict", setting("cost_usd", to=1.7e308), "out of bounds"),
    ("verdict", setting("cost_usd", to=1e7), "cost_usd"),
    ("verdict", setting("cost_usd", to=0.5), "cost_usd is not that of the verdict"),
    ("verdict", setting("key", to="0" * 32), "key is not that"),
    ("verdict", setting("transcript_hash", to="0" * 32), "transcript_hash is not that"),
    ("verdict", setting("judge_configuration", to="x"), "judge_configuration is not that"),
    ("transcript", setting("transcript_hash", to="0" * 32), "transcript_hash is not that"),
    ("transcript", setting("transcript", "exchanges", 0, "reply", "answer", to="other"), "transcript_hash is not that"),
    ("transcript", setting("transcript", "exchanges", 0, "after", to=7), "does not come before"),
    (
        "transcript",
        setting("transcript", "exchanges", 0, "reply", "usage", "cost_usd", to=-1.0),
        "cost_usd is not that",
    ),
    ("transcript", setting("run", to=10**12), "run"),
    ("transcript", setting("run", to="1"), "run"),
    ("transcript", setting("created_at", to=1e300), "out of bounds"),
    ("transcript", setting("created_at", to=1e10), "created_at"),
    ("transcript", setting("created_at", to="noon"), "created_at"),
    ("transcript", setting("answers", to=99), "answers is not that"),
    ("session", setting("session", "runs", to=10**12), "runs"),
    ("session", setting("edition", to="other"), "edition is not that"),
    ("session", setting("session", "runs", to=10_001), "above 10,000"),
    ("session", setting("ended_at", to=0.5), "ended_at is before its started_at"),
    ("session", setting("session", "cells", 0, "scenario", to="other"), "'other', which its edition does not have"),
    ("session", setting("session", "edition", "scenarios", 0, "passes", 0, "score", to="x"), "has no score 'x'"),
    (
        "session",
        setting("session", "edition", "engaged", to={"consistency_score": {"weight": 1.0, "times": ""}}),
        "there is no component ''",
    ),
    ("transcript", setting("run", to=10_001), "above 10,000"),
    ("transcript", setting("key", to="a\0b"), "key contains a NUL"),
    ("transcript", setting("configuration", to="a\0"), "configuration contains a NUL"),
    ("configuration", setting("label", to="other"), "label is not that"),
    ("configuration", setting("seen_at", to=-1), "seen_at"),
]


@pytest.mark.parametrize(("kind", "change", "trouble"), FOREIGN)
def test_a_row_that_contradicts_itself_or_is_out_of_bounds_is_refused_by_line_and_nothing_is_taken(
    tell, store, folder, kind: str, change: Callable[[Line], None], trouble: str
) -> None:
    before = tell("export").out
    path = changed(folder, kind, change)

    told = tell("import", path)

    assert (told.status, told.err.count("\n")) == (2, 1)
    assert f"{path}: line " in told.err and trouble in told.err and "1 of 6 rows refused" in told.err
    assert tell("export").out == before


def test_the_rest_of_a_source_is_taken_where_that_is_asked_for(tell, store, folder) -> None:
    path = changed(folder, "verdict", setting("verdict", "scores", "consistency_score", to=11))

    told = tell("import", path, "--skip-bad")

    assert told.status == 0
    assert "2 transcripts and 1 verdict" in told.out or "2 transcripts, 1 verdict" in told.out
    assert "1 of 6 rows refused (1 × verdict: its consistency_score is not integer from 0 to 10)" in told.out
    told = tell("leaderboard")
    assert told.status == 0 and "their/model" in told.out


def all_of(command: str, statements: list[str]) -> list[Any]:
    return [pytest.param(command, statement, id=f"{command}-{statement}") for statement in statements]


def some_of(command: str, statements: list[str]) -> list[Any]:
    """Every fourth for a command that reads rows as another one does; the rest is tested in CI."""
    return [
        pytest.param(command, statement, id=f"{command}-{statement}", marks=[pytest.mark.external] * bool(number % 4))
        for number, statement in enumerate(statements)
    ]


STORED = [
    "UPDATE transcripts SET run = 1000000000000",
    "UPDATE transcripts SET created_at = 'noon'",
    "UPDATE transcripts SET created_at = 1e300",
    "UPDATE transcripts SET cost_usd = 9e999",
    "UPDATE transcripts SET transcript_hash = 'x'",
    "UPDATE transcripts SET body = replace(body, 'answer', 'anwser')",
    "UPDATE transcripts SET body = '{'",
    "UPDATE verdicts SET scores = '{', body = '{'",
    "UPDATE verdicts SET body = replace(body, ':9', ':9000000')",
    "UPDATE verdicts SET cost_usd = 1.7e308",
    "UPDATE verdicts SET created_at = 'noon'",
    "UPDATE verdicts SET scores = '{\"resistance_score\": 1000000}', reasoning = 'bought'",
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "statement"), all_of("import", STORED) + some_of("merge", STORED))
def test_a_row_of_a_store_is_checked_as_a_line_is(tell, store, folder, command: str, statement: str) -> None:
    before = tell("export").out
    path = fill(folder / "theirs.sqlite", *measured("their/model"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)

    told = tell(command, path)

    assert (told.status, told.err.count("\n")) == (2, 1)
    assert "rows refused" in told.err
    assert tell("export").out == before
    told = tell(command, path, "--skip-bad")
    assert told.status == 0 and "rows refused" in told.out


def test_scores_are_checked_by_rubrics_that_only_the_target_knows(tell, store, folder) -> None:
    wild = trial("their/model", "creativity")
    verdict = wild.verdicts[0].model_copy(
        update={"scores": {"consistency_score": 99, "graceful_handling": 6, "position_taken": True}}
    )
    path = folder / "theirs.sqlite"
    with Store.open(path) as theirs:
        theirs.add_all([wild.model_copy(update={"verdicts": (verdict,)})], "s1")

    told = tell("import", path)

    assert told.status == 2 and "consistency_score is not integer from 0 to 10" in told.err


UNREADABLE = [
    *STORED,
    "UPDATE verdicts SET scores = '[]'",
    "UPDATE verdicts SET scores = '{\"resistance_score\": 6333350}'",
    "UPDATE verdicts SET reports = '{'",
    "UPDATE transcripts SET prompt_tokens = 'many'",
    "UPDATE failures SET at = 'noon'",
    "UPDATE configurations SET facts = '{' WHERE configuration = 'third/model'",
    "UPDATE sessions SET body = '{' WHERE id = 's2'",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "statement"),
    all_of("leaderboard", UNREADABLE) + some_of("report", UNREADABLE) + some_of("site", UNREADABLE),
)
def test_a_row_that_cannot_be_read_is_named_and_left_out_and_counted_as_missing(
    tell, store, folder, command: str, statement: str
) -> None:
    fill(store, *measured("third/model"))
    with closing(sqlite3.connect(store)) as connection, connection:
        table = statement.split()[1]
        where = {"transcripts": "configuration = 'third/model'", "verdicts": "trial_key LIKE 'third/model%'"}.get(table)
        connection.execute(statement + (f" WHERE {where}" if where else ""))

    told = tell(command)

    assert told.status == 0, told.err
    if not any(told in statement for told in ("failures", "sessions", "'x'", ":9'", "reports")):  # none is read here
        assert "rows refused" in told.err and "counted as missing; the first is " in told.err


WORDS = {
    "view": ("--no-browser",),
    "show": ("some/model",),
    "compare": ("some/model", "other/model"),
    "power": ("--store=reports/trials.sqlite",),
    "gate": ("--min-index=1",),
}
"""What commands need that go on without unreadable rows."""
parser()
LEAVING_OUT = [name for name, own in COMMANDS.choices.items() if own.get_default("leaves_out")]


@pytest.mark.parametrize("name", LEAVING_OUT)
def test_every_command_that_declares_it_goes_on_without_an_unreadable_row(tell, store, monkeypatch, name: str) -> None:
    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", lambda server: None)
    named = session("s9", 9.0).model_copy(update={"labels": ("some/model",), "configurations": ("some/model",)})
    fill(store, *measured("third/model"), begun=named)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE configurations SET facts = '{' WHERE configuration = 'third/model'")

    told = tell(name, *WORDS.get(name, ()))

    assert told.status == (11 if name == "gate" else 0), told.err
    assert "rows refused" in told.err or name == "power"  # which reads no configuration here


@pytest.mark.parametrize(("words", "times"), [([], 2), (["--until-decided", "--max-runs=9"], 1)])
def test_a_gate_that_measures_does_not_begin_again(tell, monkeypatch, words, times) -> None:
    begun = []

    def unreadable(arguments):
        begun.append(arguments.leaving_out)
        raise StoreFailed("unreadable")

    monkeypatch.setattr("independence_bench.cli.gate_rounds.decide", unreadable)
    tell("gate", "--min-index=1", *words)
    assert len(begun) == times
