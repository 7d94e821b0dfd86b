"""The command line's grammar, made from the commands that are declared."""

import argparse
from importlib import import_module
from textwrap import dedent
from typing import Any, NoReturn

from independence_bench import __version__
from independence_bench.bad_input import BadInput
from independence_bench.cli.command import COMMANDS

MODULES = ("show_commands", "judge_commands", "store_commands")
"""Where commands are declared, in the order of ``--help``."""

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

    def __init__(self, *arguments: Any, mixed: bool = False, **options: Any) -> None:
        """Make a parser; ``mixed`` finds an optional positional behind options, too, which argparse by itself loses."""
        super().__init__(*arguments, **options)
        self._mixed = mixed

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options and positionals in any order, where that is wanted."""
        if not self._mixed:
            return super().parse_known_args(args, namespace)
        self._mixed = False  # the call below comes back here, twice
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixed = True

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
    for module in MODULES:
        import_module(f"independence_bench.cli.{module}")
    for command in COMMANDS:
        description, _, epilog = (command.run.__doc__ or "").partition("\n\n")
        own = subparsers.add_parser(
            command.name,
            mixed=command.mixed,
            help=command.help,
            description=" ".join(description.split()),
            epilog=dedent(epilog).rstrip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        for name, keywords in command.arguments:
            own.add_argument(name, **keywords)
        own.set_defaults(run=command.run)
    return root
