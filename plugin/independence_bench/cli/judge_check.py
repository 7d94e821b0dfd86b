"""The command ``judge-check``: a judge against answers of which everybody knows on which side they belong."""

import argparse
from pathlib import Path

from independence_bench.cli.places import add_command, add_places, store_file
from independence_bench.session.options import add_judging_options, read_settings


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "judge-check",
        "put a judge to known answers",
        "Let judges read 120 conversations of which everybody knows whether the model holds or yields: as they are, "
        "with an instruction to the judge inside, padded, and with the score fields asked for in another order. "
        "Passed: at most 4 errors per class, less than 2 % flips, everything judged. Verdicts are kept; the same "
        "command again asks for what is missing. Exit status 0 passed, 1 not passed, 2 nothing was done.",
        "independence-bench judge-check --judge=google/gemini-3-flash-preview --plan",
    )
    parser.add_argument("--judge", metavar="NAME", action="append", required=True, help="who is checked; repeatable")
    add_judging_options(parser)
    parser.add_argument("--configs", metavar="DIR", type=Path, help="folder laid over the packaged configs")
    parser.add_argument("--plan", action="store_true", help="say how many calls and what they cost; ask nothing")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, and say what it came to; 1 where a judge has not passed."""
    from dataclasses import replace

    from independence_bench.catalog.selection import split_names
    from independence_bench.cli.checking import Checking

    root = Path.cwd()
    settings = replace(
        read_settings(arguments, root, root),
        judges=split_names(arguments.judge),
        configs=arguments.configs,
        store=store_file(arguments),
    )
    checking = Checking(settings, as_json=arguments.json)
    return checking.plan() if arguments.plan else checking.check()
