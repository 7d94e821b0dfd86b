"""The parser of the command line, to which each command adds its own."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from independence_bench.bad_input import BadInput
from independence_bench.version import __version__

MODULES = ("suite_commands", "show_commands", "analysis_commands", "judge_commands", "store_commands")
"""Where commands are declared, in the order of ``--help``."""

_EPILOG = """\
exit status:
  0    done
  1    partly done, or differences found: some trials could not be judged, some prices differ, or you said no
  10   gate: a model failed
  11   gate: inconclusive, or part of the plan is not measured
  2    nothing was done: an option, file or variable is wrong; one sentence on stderr names it and the remedy
  130  interrupted
  141  the reader closed the output

example:
  independence-bench leaderboard --store=reports/trials.sqlite
"""


class TerseArgumentParser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence instead of printing its usage."""

    def __init__(self, *, mixed: bool = False, verbatim: bool = False, **options: Any) -> None:
        """Make a parser; ``mixed`` also finds an optional positional after options, which argparse alone does not;
        ``verbatim`` parses nothing and hands all words on.
        """
        super().__init__(**options, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
        self._mixed = mixed
        self._verbatim = verbatim

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options and positionals, in any order if ``mixed``."""
        if self._verbatim:
            return argparse.Namespace(words=args, **self._defaults), []
        if not self._mixed:
            return super().parse_known_args(args, namespace)
        self._mixed = False  # the call below comes back here, twice
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixed = True

    def error(self, message: str) -> NoReturn:
        """Refuse a command line. Raises BadInput: always."""
        raise BadInput(f"{message}; see `{self.prog} --help`")


_ROOT = TerseArgumentParser(
    prog="independence-bench",
    description="Run the benchmark; inspect, move and judge again its results.",
    epilog=_EPILOG,
)
_ROOT.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
COMMANDS = _ROOT.add_subparsers(title="commands", metavar="COMMAND", required=True)


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of a command line; ``run`` is the function to call, again with ``leaving_out`` if it may.
    Modules are imported until one declares the command.
    """
    for module in MODULES:
        import_module(f"independence_bench.cli.{module}")
        if words and words[0] in COMMANDS.choices:
            break
    return _ROOT
