"""The command ``export``: a store as JSON Lines."""

import argparse
from contextlib import closing
from pathlib import Path

from independence_bench.cli.places import add_command, add_places, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "export",
        "write the store as JSON Lines",
        "Write all that the store holds as JSON Lines, which `import` and `merge` read; reports/README.md describes "
        "them. A session may go on meanwhile.",
        "independence-bench export --model='openai/*' openai.jsonl",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="where to write (default: standard output)")
    parser.add_argument(
        "--model",
        metavar="NAME",
        action="append",
        default=[],
        help="only this model: label, id or glob over labels; repeatable, comma lists",
    )
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write it."""
    from independence_bench.catalog.selection import split_names
    from independence_bench.cli.stored_models import named_models
    from independence_bench.cli.terminal import put
    from independence_bench.cli.whole_file import whole_file
    from independence_bench.store import Store

    names = split_names(arguments.model)
    with Store.open(store_file(arguments), read_only=True) as store:
        chosen = [stored.facts.configuration for stored in named_models(store, names)] if names else None
        with closing(store.export_lines(chosen)) as lines:
            if arguments.file is None:
                for line in lines:
                    put(line)
            else:
                with whole_file(arguments.file) as file:
                    file.writelines(line.encode("ascii") for line in lines)
    return 0
