"""The report files: what is written where, each of them whole or not at all. Builds and formats nothing."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.report.board import Leaderboard
from independence_bench.report.leaderboard import build_leaderboard
from independence_bench.report.markdown import leaderboard_markdown
from independence_bench.report.session_report import SessionReport
from independence_bench.report.shown import Shown
from independence_bench.store import Session, Store

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def write_reports(
    folder: Path,
    store: Store,
    session: Session,
    session_report: SessionReport | None = None,
    *,
    board: Leaderboard | None = None,
) -> list[Path]:
    """Write LEADERBOARD.md and leaderboard.json, and session.json with its copy in history/ where a session just ended.

    ``board`` spares building it again. Returns the files written. Raises BadInput where the folder cannot be written.
    """
    board = board or build_leaderboard(store, session)
    texts = {
        folder / "LEADERBOARD.md": leaderboard_markdown(board),
        folder / "leaderboard.json": json_text(board, "models"),
    }
    if session_report is not None:
        text = json_text(session_report, "cases")
        texts[folder / "session.json"] = text
        texts[folder / "history" / f"{_file_name(session_report.session)}.json"] = text
    try:
        for path, text in texts.items():
            write_whole(path, text)
    except OSError as error:
        trouble = f"cannot be written ({error.strerror}); name another folder with --reports"
        raise BadInput.at(folder, "", trouble) from None
    return list(texts)


def write_whole(path: Path, text: str) -> None:
    """Replace a file in one step: a reader sees the old text or the new one, also after a crash. Makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def json_text(value: Shown, rows: str) -> str:
    """Return a report as ASCII JSON with one line per field, and one per item of its long list ``rows``."""
    data = value.model_dump(mode="python", by_alias=True, exclude={rows})
    lines = [f"{_json(name)}: {_json(item)}" for name, item in data.items()]
    # Item by item: 13,000 cases as dictionaries at once are 40 MB.
    items: Sequence[Shown] = getattr(value, rows)
    inner = ",\n".join(f" {_json(item.model_dump(mode='python', by_alias=True))}" for item in items)
    lines.append(f"{_json(rows)}: [\n{inner}\n]" if items else f"{_json(rows)}: []")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    # ASCII: a lone surrogate stays an escape. Without indent: the C encoder writes 13,000 cases eight times as fast.
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def _file_name(session_id: str) -> str:
    """Return a session id that is safe as a file name; a merged store may bring any text."""
    if not _FILE_NAME.fullmatch(session_id):
        raise ValueError(f"session id {session_id!r} cannot name a file")
    return session_id


def refuse_unwritable(folder: Path) -> None:
    """Check that reports can be written, before any money is spent; makes the folder.

    Raises:
        BadInput: the folder cannot be made, or no file can be written in it.
    """
    probe = folder / f".{os.getpid()}.probe.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        trouble = f"cannot be written ({error.strerror}); name another folder with --reports"
        raise BadInput.at(folder, "", trouble) from None
