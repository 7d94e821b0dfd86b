"""The command ``show``: what a model was asked, what it said, and what the judges found."""

import argparse

from independence_bench.cli.places import add_command, add_places, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "show",
        "print a transcript with its verdicts",
        "Print what a model said in a scenario, with the verdicts on it; without a scenario, list its trials.",
        "independence-bench show offline/mirror social-proof --run=2",
        mixed=True,
    )
    parser.add_argument("model", metavar="MODEL", help="label, id or glob over labels")
    parser.add_argument("scenario", metavar="SCENARIO", nargs="?", help="id of a scenario")
    parser.add_argument(
        "--run", metavar="N", type=int, dest="run_number", help="which run (default: the first that there is)"
    )
    parser.add_argument("--thoughts", action="store_true", help="print what the model thought before it spoke, too")
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from independence_bench.cli.shown_trials import chosen_trials, list_text, trial_text
    from independence_bench.cli.terminal import say, table_width, width
    from independence_bench.store import Store

    with Store.open(store_file(arguments), read_only=True) as store:
        trials = chosen_trials(store, arguments.model, arguments.scenario, arguments.run_number)
        if arguments.scenario is None:
            say(list_text(store, trials, table_width()))
        else:
            say("\n\n".join(trial_text(store, trial, width(), arguments.thoughts) for trial in trials))
    return 0
