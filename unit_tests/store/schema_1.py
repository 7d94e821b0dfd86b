"""A store as version 0.1.0 laid it out: its own words, kept here whatever becomes of ours."""

import sqlite3
from pathlib import Path

from store_samples import record, session, transcript, verdict

from independence_bench.store.adding import Adding
from independence_bench.wire_json import value_to_json

_DDL = """
CREATE TABLE configurations (
    configuration TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    seen_at REAL NOT NULL,
    facts TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE transcripts (
    key TEXT PRIMARY KEY,
    configuration TEXT NOT NULL,
    edition TEXT NOT NULL,
    experiment TEXT NOT NULL,
    scenario TEXT NOT NULL,
    run INTEGER NOT NULL,
    system_variant TEXT NOT NULL,
    delivery_mode TEXT NOT NULL,
    script_digest TEXT NOT NULL,
    transcript_hash TEXT NOT NULL,
    origin TEXT NOT NULL,
    session TEXT NOT NULL,
    created_at REAL NOT NULL,
    delivery_kept INTEGER NOT NULL,
    cost_usd REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    empty_attempts INTEGER NOT NULL,
    cut_off INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX transcripts_by_script ON transcripts (script_digest, configuration);
CREATE INDEX transcripts_by_configuration ON transcripts (configuration);
CREATE INDEX transcripts_by_hash ON transcripts (transcript_hash);
CREATE TABLE verdicts (
    key TEXT PRIMARY KEY,
    transcript_hash TEXT NOT NULL,
    rubric_id TEXT NOT NULL,
    rubric_digest TEXT NOT NULL,
    judge TEXT NOT NULL,
    judge_configuration TEXT NOT NULL,
    trial_key TEXT NOT NULL,
    origin TEXT NOT NULL,
    session TEXT NOT NULL,
    created_at REAL NOT NULL,
    cost_usd REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    repaired INTEGER NOT NULL,
    scores TEXT NOT NULL,
    reports TEXT NOT NULL,
    reasoning TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX verdicts_by_transcript ON verdicts (transcript_hash);
CREATE INDEX verdicts_by_judge ON verdicts (judge_configuration);
CREATE TABLE failures (
    digest TEXT PRIMARY KEY,
    trial_key TEXT NOT NULL,
    configuration TEXT NOT NULL,
    edition TEXT NOT NULL,
    experiment TEXT NOT NULL,
    scenario TEXT NOT NULL,
    run INTEGER NOT NULL,
    system_variant TEXT NOT NULL,
    delivery_mode TEXT NOT NULL,
    script_digest TEXT NOT NULL,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    judge TEXT,
    at REAL NOT NULL,
    cost_usd REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    attempts INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX failures_by_script ON failures (script_digest, configuration);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_at REAL NOT NULL,
    ended_at REAL,
    edition TEXT NOT NULL,
    plan_digest TEXT NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
PRAGMA application_id = 0x49424E31;
PRAGMA user_version = 1;
"""


def make_schema_1(path: Path) -> None:
    """A session, a transcript and a verdict in a file of schema 1."""
    said, begun = transcript(), session()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(_DDL)
    Adding(connection, record("t1", said, (verdict(said),)), begun.id).add()
    connection.execute(
        "INSERT INTO sessions VALUES (?, ?, NULL, ?, ?, ?)",
        (begun.id, begun.started_at, begun.edition.id, begun.plan_digest, value_to_json(begun)),
    )
    connection.close()
