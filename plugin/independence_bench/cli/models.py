"""The command ``models``: the catalogue, and what has become of its prices."""

import argparse
from pathlib import Path

from independence_bench.cli.places import add_command


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "models",
        "print the catalogue of models",
        "Print the models that --model knows by name. With --refresh, ask the endpoints' /models for today's prices "
        "and print what differs; nothing is written, and the exit status is 1 where something differs.",
        "independence-bench models --refresh",
    )
    parser.add_argument("--refresh", action="store_true", help="compare prices with what the endpoints say today")
    parser.add_argument("--configs", metavar="DIR", type=Path, help="folder laid over the packaged configs")
    parser.add_argument("--store", metavar="FILE", type=Path, help=argparse.SUPPRESS)  # every command takes it
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from independence_bench.catalog import Catalogue
    from independence_bench.cli.model_table import models_text
    from independence_bench.cli.price_check import compare_prices
    from independence_bench.cli.terminal import say, table_width
    from independence_bench.session.settings import Settings, read_environment

    root = Path.cwd()
    catalogue = Catalogue(Settings(root=root, configs=arguments.configs).overlay)
    if not arguments.refresh:
        say(models_text(list(catalogue.models.values()), table_width()))
        return 0
    comparison = compare_prices(list(catalogue.models.values()), catalogue.endpoints, read_environment(root))
    say(comparison.text(table_width()))
    return 0 if comparison.agrees else 1
