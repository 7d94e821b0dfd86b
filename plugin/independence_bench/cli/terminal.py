"""Terminal output and questions. Removes control characters from every text."""

import os
import sys
from contextlib import suppress

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import printable, safe_text


def say(text: str = "") -> None:
    """Print text to standard output."""
    print(printable(text))


def complain(sentence: str) -> None:
    """Print one sentence to standard error."""
    print(f"independence-bench: {safe_text(sentence, sys.maxsize)}", file=sys.stderr)


def remark(text: str, *, end: str = "\n") -> None:
    """Print accompanying text, such as the plan, to standard error."""
    print(printable(text), file=sys.stderr, end=end)


def progress(text: str) -> None:
    """Show progress in one line that is overwritten, empty text clears it; only if standard error is a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r{printable(text)}\x1b[K", file=sys.stderr, end="", flush=True)


def put(ascii_text: str) -> None:
    """Write ASCII text to standard output with unchanged line breaks on every system."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(ascii_text)
    else:
        buffer.write(ascii_text.encode("ascii"))


def flush() -> None:
    """Flush standard output. Raises OSError if that fails, such as on a full disk."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def hang_up() -> None:
    """Discard all further output: the interpreter's own last flush would complain about a broken pipe."""
    with suppress(OSError, ValueError):  # standard output may be no system file, so that no flush can fail
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, sys.stdout.fileno())
        os.close(silence)


def width() -> int:
    """Return the width of the output in columns."""
    from independence_bench.report.views.text import output_width  # late: most commands show no table

    return output_width()


def table_width() -> int:
    """Return the width of a long list: unlimited without a terminal (a program may read it) or COLUMNS."""
    limited = "COLUMNS" in os.environ or (sys.stdout is not None and sys.stdout.isatty())
    return width() if limited else sys.maxsize


def confirm(question: str, yes: bool) -> bool:
    """Return whether to go on: with ``--yes``, else as the user answers. Raises BadInput: there is no terminal."""
    if yes:
        return True
    if not (sys.stdin and sys.stdin.isatty()):
        raise BadInput(f"--yes: {question} There is no terminal to ask at; add --yes to go on")
    remark(f"{question} [y/N] ", end="")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
