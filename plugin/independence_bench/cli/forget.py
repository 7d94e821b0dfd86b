"""The command ``forget``: a model's measurements out of the store."""

import argparse

from independence_bench.cli.places import add_command, add_places, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "forget",
        "take a model, or the verdicts on it, out of the store",
        "Take all that is known of a model out of the store for good, so that it is measured anew; or only the "
        "verdicts on it, so that it is judged anew. Asks first.",
        "independence-bench forget openai/gpt-5-nano --verdicts-only",
    )
    parser.add_argument("model", metavar="MODEL", help="label, id or glob over labels")
    parser.add_argument("--verdicts-only", action="store_true", help="keep the transcripts: they are judged anew")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask, and do it."""
    from independence_bench.cli.removing import take_out
    from independence_bench.cli.stored_models import named_models
    from independence_bench.store import Store
    from independence_bench.store.removing import Removal, of_models, of_verdicts

    def chosen(store: Store) -> tuple[Removal, str]:
        stored = named_models(store, [arguments.model])
        configurations = [each.facts.configuration for each in stored]
        labels = ", ".join(dict.fromkeys(each.facts.label for each in stored))
        if arguments.verdicts_only:
            return of_verdicts(configurations), f"of {labels}, also those that other models' equal words share"
        return of_models(configurations), f"of {labels}"

    return take_out(store_file(arguments), "forget", chosen, arguments.yes)
