"""The command ``report``: the report files, written anew from the store alone."""

import argparse

from independence_bench.cli.places import (
    add_command,
    add_places,
    add_require_judge_check,
    add_showing,
    reports_folder,
    store_file,
)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "report",
        "write LEADERBOARD.md and leaderboard.json anew",
        "Write LEADERBOARD.md and leaderboard.json anew, from the store alone: the newest session's edition, texts and "
        "judges. Nothing is asked.",
        "independence-bench report --store=all.sqlite --reports=public",
    )
    add_places(parser, reports=True)
    add_showing(parser)
    add_require_judge_check(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write them, and say where they are."""
    from independence_bench.cli.showing import shown_board
    from independence_bench.cli.terminal import say
    from independence_bench.report import write_reports
    from independence_bench.store import Store

    with Store.open(store_file(arguments), read_only=True) as store:
        session, board = shown_board(store, arguments)
        for file in write_reports(reports_folder(arguments), store, session, board=board):
            say(str(file))
    return 0
