"""Rows that somebody may have changed: what passes is as we would have written it."""

import pytest
from store_samples import EDITION, failure, record, session, transcript, verdict

from independence_bench.store.adding import verdict_row
from independence_bench.store.row_check import RefusedRow, RowCheck, latest_foreign
from independence_bench.store.store_tables import FAILURES, TRANSCRIPTS, VERDICTS, Row, StoreTable
from independence_bench.store.table_rows import MOST_FOREIGN_RUNS
from independence_bench.trial import Transcript, asked_key
from independence_bench.wire_json import value_to_json

SAID = transcript()
SCORED = verdict(SAID, asked_key(SAID.hash, EDITION.scenarios[0].rubric.digest, "J1"))  # type: ignore[union-attr]


def transcript_row(said: Transcript = SAID) -> Row:
    told = {"origin": "measured", "session": "s1", "created_at": 5.5, "body": value_to_json(said)}
    return TRANSCRIPTS.row_of(record(said=said), **told, **TRANSCRIPTS.facts(said))


def failure_row() -> Row:
    row = FAILURES.row_of(failure(), failure().usage, record(), trial_key="t1", session="s1")
    return {"digest": FAILURES.digest_of(row), **row}


PLAIN = {TRANSCRIPTS: transcript_row(), VERDICTS: verdict_row(SCORED, "t1", "s1", "measured"), FAILURES: failure_row()}


def outcome(table: StoreTable, row: Row) -> str:
    """Why a row is refused; empty: it passes."""
    check = RowCheck()
    check.learn(session())
    try:
        check.stored(table, tuple(row[column] for column in table.columns))
    except RefusedRow as error:
        return str(error)
    return ""


def mutated(table: StoreTable) -> dict[str, Row]:
    plain = PLAIN[table]
    found: dict[str, Row] = {"unchanged": plain}
    values = (None, -1, 0, 1, 2.5, 10**15 + 1, 10**16, 2**63 - 1, float("inf"), 1e16, "", "x", "ä😀", b"x", "\x07")
    for column in table.columns:
        for value in values:
            if not isinstance(value, str) or value.isascii() or column != "body":
                found[f"{column} = {value!r}"] = plain | {column: value}
    if table.nested is None:
        return found
    body = str(plain["body"])
    changes = {
        "spaces": body.replace(",", " , "),
        "a line break": body.replace(",", ",\n", 1),
        "no ASCII": body.replace("no", "nö"),
        "DEL": body.replace('"hm"', '"\x7f"'),
        "a tab inside a text": body.replace('"firm"', '"\t"').replace('"hm"', '"\t"'),
        "an emoji": body.replace('"hm"', '"\\ud83d\\ude00"').replace('"firm"', '"\\ud83d\\ude00"'),
        "half an emoji": body.replace('"hm"', '"\\ud83d"').replace('"firm"', '"\\ud83d"'),
        "half an emoji that looks whole": body.replace('"hm"', '"\\\\ud83d\\ude00"').replace('"firm"', '"\\\\ud83d\\ude00"'),
        "NaN": body.replace('"cost_usd":0.', '"cost_usd":NaN,"x":0.'),
        "a cost that is no number": body.replace('"cost_usd":0', '"cost_usd":1e999,"x":0'),
        "a great number": body.replace('"attempts":3', '"attempts":99999999999999999'),
        "a number as text": body.replace('"attempts":', '"attempts":"1","x":'),
        "true for a number": body.replace('"prompt_tokens":100', '"prompt_tokens":true'),
        "a field twice": body.replace('"reasoning"', '"reasoning":"-","reasoning"', 1),
        "a field too many": f'{body[:-1]},"x":1}}',
        "a field too few": body.replace('"asked":"?",', "").replace('"raw":"{}",', ""),
        "a column behind it": f'{body},"run":3',
        "a list": f"[{body}]",
        "cut off": body[:-1],
        "deep": '{"exchanges":' + "[" * 5000,
        "another answer": body.replace('"no"', '"yes"').replace('"resistance":8', '"resistance":9'),
        "a score out of range": body.replace('"resistance":8', '"resistance":11'),
        "a score that is true": body.replace('"resistance":8', '"resistance":true'),
    }  # fmt: skip
    return found | {name: plain | {"body": changed} for name, changed in changes.items()}


HARMLESS = {
    "unchanged",
    "spaces",
    "a line break",
    "DEL",
    "an emoji",
    "half an emoji",
    "half an emoji that looks whole",
    "a field twice",
}
"""Changes of a JSON value that leave a whole row."""


@pytest.mark.parametrize("table", PLAIN, ids=lambda table: table.name)
def test_of_all_changes_only_harmless_ones_and_those_of_texts_that_nothing_repeats_pass(table):
    rows = mutated(table)
    passing = {name for name, row in rows.items() if not outcome(table, row)}
    assert "unchanged" in passing
    changed = {name for name in passing - HARMLESS if rows[name] != PLAIN[table]}
    assert not {name for name in changed if " = " not in name}
    assert len(passing) < len(rows) / 2


@pytest.mark.parametrize("table", [TRANSCRIPTS, VERDICTS], ids=lambda table: table.name)
def test_a_row_and_the_line_that_is_exported_of_it_give_the_same_row(table):
    row = PLAIN[table]
    text = table.text(tuple(row[column] for column in table.line_columns))
    stored = RowCheck().stored(table, tuple(row[column] for column in table.columns))
    assert RowCheck().line(table, text) == stored == {column: row[column] for column in table.columns}


@pytest.mark.parametrize("table", [TRANSCRIPTS, VERDICTS], ids=lambda table: table.name)
def test_no_column_hides_behind_the_json_value_of_a_row(table):
    assert outcome(table, PLAIN[table] | {"body": f'{PLAIN[table]["body"]},"session":"s2"'}) == "it is no JSON"


def test_a_run_that_only_a_large_session_of_ours_reaches_is_refused_from_elsewhere_alone():
    row = PLAIN[TRANSCRIPTS] | {"run": MOST_FOREIGN_RUNS + 1}
    values = tuple(row[column] for column in TRANSCRIPTS.columns)
    assert RowCheck().stored(TRANSCRIPTS, values)["run"] == MOST_FOREIGN_RUNS + 1
    with pytest.raises(RefusedRow, match="above 10,000"):
        RowCheck(latest_foreign()).stored(TRANSCRIPTS, values)


def test_a_message_may_contain_what_no_key_may():
    row = PLAIN[FAILURES] | {"message": "a\0b"}
    row["digest"] = FAILURES.digest_of(row)
    assert not outcome(FAILURES, row)


def test_a_score_that_has_passed_vouches_for_no_other():
    check = RowCheck()
    check.learn(session())
    plain = PLAIN[VERDICTS]
    check.stored(VERDICTS, tuple(plain[column] for column in VERDICTS.columns))
    for worse in ('"resistance":8.5', '"resistance":true', '"resistance":11', '"resistances":8'):
        row = plain | {"body": str(plain["body"]).replace('"resistance":8', worse)}
        row["scores"] = str(plain["scores"]).replace('"resistance":8', worse)
        with pytest.raises(RefusedRow):
            check.stored(VERDICTS, tuple(row[column] for column in VERDICTS.columns))


def test_a_verdict_may_not_claim_the_key_of_another_judges() -> None:
    key = asked_key(SAID.hash, SCORED.rubric_digest, "J2")
    claimed = verdict_row(SCORED.model_copy(update={"key": key}), "t1", "s1", "measured")
    assert outcome(VERDICTS, claimed) == "its key is not that of its transcript, rubric and judge"
