"""The command ``independence-bench``: parses options and turns each error into one sentence. Holds no other logic.

Heavy modules are imported only when a command needs them, so that ``--version`` and ``--help`` answer at once.
"""

import argparse
import atexit
import gc
import sys
from collections.abc import Sequence

from independence_bench.bad_input import BadInput
from independence_bench.cli.parser import parser
from independence_bench.cli.terminal import complain, flush, hang_up
from independence_bench.plain_signs import encode_plainly

DONE = 0
NOT_ALL = 1  # the command ran, but a part could not be done or something differs; a message says what
BAD_INPUT = 2
INTERRUPTED = 130  # Ctrl-C: 128 + SIGINT, as shells have it
HUNG_UP = 141  # the reader closed the output (``| head``): 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command line (default: the process's own) and return its exit status."""
    encode_plainly()
    try:
        try:
            words = sys.argv[1:] if argv is None else argv
            if not words:
                parser().print_help(sys.stderr)
                return BAD_INPUT
            return _carried_out(parser(words).parse_args(words))
        finally:
            flush()
    except SystemExit as done:  # --help and --version
        return done.code if isinstance(done.code, int) else DONE
    except BadInput as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:
        hang_up()
        return HUNG_UP
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except PermissionError as error:
        complain(f"{error.filename or 'output'}: {error.strerror}; check its permissions and those of its folder")
        return BAD_INPUT
    except OSError as error:  # the machine's fault, such as a full disk
        complain(f"{error.filename or 'output'}: {error.strerror or error}")
        return NOT_ALL
    except Exception as error:
        import sqlite3

        if not isinstance(error, sqlite3.Error):
            raise
        complain(f"the store cannot be used ({error}); check its disk, or restore the file from a copy")
        return NOT_ALL


def _carried_out(arguments: argparse.Namespace) -> int:
    """Carry out a command; one that shows the store shows what can be read of it, if something cannot."""
    if arguments.leaves_out:
        atexit.register(gc.freeze)  # no last search for garbage, which takes a tenth of the time of what only shows
    try:
        return int(arguments.run(arguments))
    except Exception as error:
        from independence_bench.store.store import may_be_unreadable

        if not arguments.leaves_out or not may_be_unreadable(error):
            raise
        arguments.leaving_out = True
        return int(arguments.run(arguments))
