"""What goes to the terminal and what comes from it. Control characters never get through, whoever wrote them."""

import os
import shutil
import sys
from typing import TextIO

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import printable, safe_text

WIDTH = 100
"""Columns where there is no terminal to ask."""

_ALL = sys.maxsize


def say(text: str = "") -> None:
    """Print text to standard output."""
    _print(printable(text), sys.stdout)


def complain(sentence: str) -> None:
    """Print one sentence to standard error."""
    _print(f"independence-bench: {safe_text(sentence, _ALL)}", sys.stderr)


def remark(text: str, *, end: str = "\n") -> None:
    """Print what accompanies the output, such as progress, to standard error."""
    _print(printable(text), sys.stderr, end)


def progress(text: str) -> None:
    """Show how far it is, in one line that is written over again; only where somebody watches standard error."""
    if sys.stderr is not None and sys.stderr.isatty():
        _print(f"\r{printable(text)}\x1b[K", sys.stderr, "")
        sys.stderr.flush()


def clear_progress() -> None:
    """Take the line of :func:`progress` away."""
    progress("")


def put(ascii_text: str) -> None:
    """Write text of plain ASCII to standard output, with its line breaks as they are on every system."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(ascii_text)
    else:
        buffer.write(ascii_text.encode("ascii"))


def flush() -> None:
    """Write out what is still in buffers. Raises OSError where that fails, such as on a full disk."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def hang_up() -> None:
    """Let nothing more be written: the interpreter's own last flush would complain about a broken pipe."""
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, sys.stdout.fileno())
        os.close(silence)
    except (OSError, ValueError):  # standard output is no file of the system's: nothing will complain
        return


def width() -> int:
    """Return the columns to write in."""
    return max(60, shutil.get_terminal_size((WIDTH, 24)).columns)


def table_width() -> int:
    """Return the columns for a long list: nothing is cut where no terminal limits it, for whatever reads it."""
    return width() if sys.stdout is not None and sys.stdout.isatty() else sys.maxsize


def confirm(question: str, yes: bool) -> bool:
    """Return whether it shall be done: ``--yes`` says so, else whoever sits at the terminal.

    Raises:
        BadInput: there is nobody to ask.
    """
    if yes:
        return True
    if not (sys.stdin and sys.stdin.isatty()):
        raise BadInput(f"--yes: {question} Nobody is there to say so; add --yes if it shall be done")
    remark(f"{question} [y/N] ", end="")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _print(text: str, stream: TextIO, end: str = "\n") -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream, end=end)
