"""The command ``judge``: what is stored, judged by somebody else; nothing is generated."""

import argparse
from pathlib import Path

from independence_bench.cli.places import add_command, add_places, reports_folder, store_file
from independence_bench.session.options import add_judging_options, read_settings


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "judge",
        "judge what is stored, generating nothing",
        "Let judges read the transcripts of the store that they have not judged yet, imported ones too, and write the "
        "reports with these judges as the panel. No model is asked for anything but a verdict.",
        "independence-bench judge --judge=openai/gpt-5-nano offline/mirror 'openai/*'",
    )
    parser.add_argument("models", metavar="MODEL", nargs="*", help="label, id or glob over labels (default: all)")
    parser.add_argument(
        "--judge", metavar="NAME", action="append", required=True, help="who judges; repeatable for a panel"
    )
    parser.add_argument("--edition", metavar="ID", help="edition to judge (default: the newest session's)")
    add_judging_options(parser)
    parser.add_argument("--configs", metavar="DIR", type=Path, help="folder laid over the packaged configs")
    add_places(parser, reports=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Judge, and say what it came to; 1 where something could not be judged."""
    from dataclasses import replace

    from independence_bench.catalog.selection import split_names
    from independence_bench.cli.judging import Judging
    from independence_bench.store import Store
    from independence_bench.store.lock import shared

    root = Path.cwd()
    settings = replace(
        read_settings(arguments, root, root),
        judges=split_names(arguments.judge),
        configs=arguments.configs,
        store=store_file(arguments),
        reports=reports_folder(arguments),
    )
    with Store.open(settings.store_file, read_only=True):
        pass  # a missing store is refused before a lock stands beside it
    with shared(settings.store_file, "a judge"), Store.open(settings.store_file) as store:
        return Judging(settings, store).judge(split_names(arguments.models), arguments.edition)
