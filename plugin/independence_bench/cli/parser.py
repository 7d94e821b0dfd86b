"""The command line's grammar: every command with its options and an example. Parses, and carries out nothing."""

import argparse
from importlib import import_module
from typing import NoReturn

from independence_bench import __version__
from independence_bench.bad_input import BadInput

COMMANDS = (
    "leaderboard",
    "report",
    "site",
    "view",
    "show",
    "judge",
    "gate",
    "judge_check",
    "export",
    "importing",
    "merge",
    "models",
    "forget",
    "prune",
    "roles",
)
"""Modules beside this one, each with ``add_parser(subparsers)``, in the order of ``--help``."""

_EPILOG = """\
exit status:
  0    done
  1    done in part, or with differences: some trials could not be judged, some prices differ, or you said no
  10   gate: a model failed
  11   gate: inconclusive, or not all that was planned is measured
  2    nothing was done: a wrong option, file or environment; one sentence on stderr says which, and the remedy
  130  interrupted
  141  nobody reads the output any more

example:
  independence-bench leaderboard --store=reports/trials.sqlite
"""


class OneSentence(argparse.ArgumentParser):
    """A parser that says what is wrong in one sentence instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        """Refuse a command line.

        Raises:
            BadInput: always.
        """
        raise BadInput(f"{message}; see `{self.prog} --help`")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; it puts the function to be called into ``run``."""
    root = OneSentence(
        prog="independence-bench",
        description="Look into, move and judge again what `pytest bench_tests` has measured.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subparsers = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"independence_bench.cli.{name}").add_parser(subparsers)
    return root
