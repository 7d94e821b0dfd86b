"""The command ``leaderboard``: the table in the terminal."""

import argparse

from independence_bench.cli.places import add_command, add_places, add_require_judge_check, add_showing, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "leaderboard",
        "print the leaderboard",
        "Print the leaderboard of the newest session's edition, texts and judges over all that the store holds.",
        "independence-bench leaderboard --detailed",
    )
    add_places(parser)
    parser.add_argument("--detailed", action="store_true", help="then every model's runs, components and scenarios")
    add_showing(parser)
    add_require_judge_check(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from independence_bench.cli.showing import shown_numbers
    from independence_bench.cli.terminal import say, width
    from independence_bench.store import Store

    with Store.open(store_file(arguments), read_only=True) as store:
        _, shown = shown_numbers(store, arguments)
        say(shown.text(width()))
        if arguments.detailed:
            say(shown.details(width()))
    return 0
