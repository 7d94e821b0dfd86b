"""The report files: what is written where, each of them whole or not at all. Builds and formats nothing."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.drafts import dead_drafts, draft_of
from independence_bench.report.analysis.session_report import SessionReport
from independence_bench.report.presented import Presented
from independence_bench.report.views.json_text import json_text
from independence_bench.whole_file import whole_file

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def write_reports(folder: Path, shown: Presented, session_report: SessionReport | None = None) -> list[Path]:
    """Write the files of a report, and session.json with its copy in history/ where the session just ended.

    Returns the files written, without those beside them. Raises BadInput where the folder cannot be written.
    """
    texts = {folder / name: text for name, text in shown.files().items()}
    if session_report is not None:
        texts |= _of_session(folder, session_report)
    beside = {folder / name: text for name, text in shown.beside().items()}
    changed = {path: text for path, text in beside.items() if not _holds(path, text)}
    written = _write(folder, texts)
    _write(folder, changed, durable=False)  # one that a power cut leaves empty differs, and is written again
    if shown.replaces:
        place, names = shown.replaces
        for path in sorted((folder / place).glob("*")):
            if path not in texts | beside and names.fullmatch(path.name):
                path.unlink(missing_ok=True)
    return written


def _holds(path: Path, text: str) -> bool:
    """Return whether a file holds this text already: a session changes few of a hundred pages."""
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def write_session_report(folder: Path, session_report: SessionReport) -> list[Path]:
    """Write session.json and its copy in history/ alone. Raises BadInput where the folder cannot be written."""
    return _write(folder, _of_session(folder, session_report))


def _of_session(folder: Path, session_report: SessionReport) -> dict[Path, str]:
    text, name = json_text(session_report, "cases"), session_report.session
    if not _FILE_NAME.fullmatch(name):  # a merged store may bring any text
        raise ValueError(f"session id {name!r} cannot name a file")
    return {folder / "session.json": text, folder / "history" / f"{name}.json": text}


def _write(folder: Path, texts: Mapping[Path, str], durable: bool = True) -> list[Path]:
    with refusing_unwritable(folder):
        for path, text in texts.items():
            write_whole(path, text, durable)
    return list(texts)


def refusing_unwritable(folder: Path) -> AbstractContextManager[None]:
    """Raise BadInput, which says what to do, where something in the folder cannot be written."""
    return BadInput.instead_of(OSError, folder, "cannot be written ({}); name another folder with --reports")


def write_whole(path: Path, text: str, durable: bool = True) -> None:
    """Replace a file in one step: a reader sees the old text or the new one, also after a crash, and where it is
    ``durable`` after a power cut. Makes its folder.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, durable) as file:
        file.write(text.encode())


def refuse_unwritable(folder: Path) -> None:
    """Make the folder, before any money is spent, and remove the drafts of killed processes. Raises BadInput where no
    file can be written in it.
    """
    probe = draft_of(folder / "probe")
    with refusing_unwritable(folder):
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
        for draft in (*dead_drafts(folder), *dead_drafts(folder / "models")):
            if draft.is_file():
                draft.unlink(missing_ok=True)
