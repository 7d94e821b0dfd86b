"""What is attacked: a store's whole life without pytest, folders to give commands in, and what they hold afterwards."""

import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from cli_samples import JUDGE, configuration, fill, measured, session
from forge import Told

from independence_bench.bad_input import BadInput
from independence_bench.report.files import write_whole
from independence_bench.store import Store
from independence_bench.store.lock import holder_of, locked, request_stop
from independence_bench.store.sessions import Look
from independence_bench.trial import HumanLabel

CHECKOUT = Path(__file__).resolve().parents[2]
STORE = Path("reports/trials.sqlite")
RECORDS = measured("some/model", 2)
OTHERS = measured("other/model", 2)
SESSION = ("pytest", "bench_tests", "-k", "creativity or praise", "--model=offline/contrarian,offline/mirror")
COMMANDS: dict[str, tuple[str, ...]] = {
    "session": SESSION,
    "report": ("independence-bench", "report"),
    "site": ("independence-bench", "site"),
    "export": ("independence-bench", "export", "out.jsonl"),
    "merge": ("independence-bench", "merge", "other.sqlite"),
    "import": ("independence-bench", "import", "other.jsonl"),
    "judge": ("independence-bench", "judge", "--judge=offline/lexical", "offline/mirror"),
    "gate": ("independence-bench", "gate", "--min-index=0"),
    "forget": ("independence-bench", "forget", "--unused", "--yes"),
}
ENDS = (0, 1, 11)
"""What an undisturbed command may end with: a gate of a few trials is inconclusive."""
LOOK = Look(subject="G", runs=2, at=5.0, body={}, configurations=("some/model",))


def live(words: Sequence[str]) -> int:
    """Measure, look, label, report, merge and forget, and say what is stored as soon as it is."""
    try:
        with locked(STORE, "a session"), Store.open(STORE) as store:
            begun = session("s1", 1.0)
            store.begin_session(begun, [configuration("some/model")])
            for record in RECORDS:
                store.add_all([record], begun.id)
                print(f"stored {record.key}", flush=True)
            store.look(LOOK)
            store.add_label(_label())
            write_whole(Path("reports/board.json"), "\n".join(store.export_lines())[:5000])
            with Store.open(Path("other.sqlite"), read_only=True) as other:
                store.merge([other])
            store.end_session(begun.id, 2.0)
            store.refuse_lost()
    except (BadInput, OSError) as error:
        print(f"{type(error).__name__}: {error}")
        return 2
    return 0


def ask_to_stop(words: Sequence[str]) -> int:
    """Do as ``independence-bench stop``, without its waiting for the end of a session that stands still."""
    if holder_of(STORE) is not None:
        request_stop(STORE)
    return 0


def _label() -> HumanLabel:
    transcript, (verdict,) = RECORDS[0].transcript, RECORDS[0].verdicts
    assert transcript is not None
    return HumanLabel(
        transcript_hash=transcript.hash, scenario=RECORDS[0].scenario, experiment=RECORDS[0].experiment,
        rubric_id=verdict.rubric_id, rubric_digest=verdict.rubric_digest, rater="anna", scores=verdict.scores,
        labelled_at=7.0, stratum="all", population=2, probability=0.5,
    )  # fmt: skip


def beside(folder: Path) -> Path:
    """Put another store beside the one of this folder, to be merged."""
    (folder / "reports").mkdir(parents=True)
    fill(folder / "other.sqlite", *OTHERS, begun=session("s0", 0.5, panel=(JUDGE,)))
    return folder


def rows(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of a store that must be sound, read from a copy, so that its log remains for who comes next."""
    if not store.exists() or not (store.stat().st_size or store.with_name(f"{store.name}-wal").exists()):
        return {}
    copy = store.parent.parent / "copy" / store.name
    copy.parent.mkdir(exist_ok=True)
    try:
        for ending in ("", "-wal"):
            if (file := store.with_name(store.name + ending)).exists():
                shutil.copy(file, copy.with_name(store.name + ending))
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in names}
    finally:
        shutil.rmtree(copy.parent)


def measured_in(store: Path) -> dict[str, Any]:
    """What a store has measured, by key, without its times, and how often the same was measured again."""
    if not (held := rows(store)):
        return {}
    transcripts = {row[0]: row[9] for row in held["transcripts"]}
    verdicts = {row[0]: row[-3:-1] for row in held["verdicts"]}
    doubled = Counter(row[12] for row in held["failures"])["duplicate"]
    looks = [row[:2] for row in held["looks"]]
    return {"transcripts": transcripts, "verdicts": verdicts, "labels": held["labels"], "looks": looks, "n": doubled}


def files(folder: Path) -> dict[str, str]:
    """Every report and exported file of a folder without its times; of a site, of an export and a history only names."""
    shown = {}
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        theirs = name.startswith(("bench_tests", "other.", "reports/history/"))
        if file.is_dir() or theirs or ".sqlite" in name or "__pycache__" in name:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        if file.suffix in (".md", ".json") and "site" not in file.parts and file.name != "session.json":
            shown[name] = re.sub(r'Updated .*|"updated": .*|\d{4}-\d\d-\d\d[T ][\d:.]+\S*', "", text)
        elif file.suffix == ".jsonl" and not name.endswith(".tmp"):
            shown[name] = str(Counter(json.loads(line)["line"] for line in text.splitlines() if '"line":"' in line))
        else:
            shown[name] = ""
    return shown


def state(folder: Path) -> tuple[Any, Any]:
    """What a folder's store has measured, and its files."""
    return measured_in(folder / STORE), files(folder)


def assert_ended_clearly(told: Told, what: object) -> None:
    """Hold a process to its promise: it ends, by itself, and says in one sentence why, where it failed."""
    assert told.status is not None, f"{what}: waits for ever\n{told.text}"
    assert told.status >= 0, f"{what}: died of signal {-told.status}\n{told.text}"
    for sign in ("Traceback (most", "INTERNALERROR", "Exception ignored", "Error in atexit", "unclosed"):
        assert sign not in told.text, f"{what}: {told.text}"
    assert told.status == 0 or told.text.strip(), f"{what}: ended with {told.status} and no word"


def fresh(prepared: Path, folder: Path) -> Path:
    """Copy a prepared folder to attack it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(prepared, folder)
    return folder
