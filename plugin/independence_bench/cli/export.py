"""The command ``export``: a store as JSON Lines."""

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.cli.places import add_command, add_places, store_file

if TYPE_CHECKING:
    from independence_bench.store import Store


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
    parser.add_argument(
        "--salvage", action="store_true", help="of a damaged store, write whatever can still be read; changes nothing"
    )
    add_places(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write it."""
    from independence_bench.catalog.selection import split_names
    from independence_bench.cli.stored_models import named_models
    from independence_bench.cli.terminal import put
    from independence_bench.cli.whole_file import whole_file

    names = split_names(arguments.model)
    with _store(store_file(arguments), salvage=arguments.salvage) as store:
        chosen = [stored.facts.configuration for stored in named_models(store, names)] if names else None
        with closing(store.export_lines(chosen)) as lines:
            if arguments.file is None:
                for line in lines:
                    put(line)
            else:
                with whole_file(arguments.file) as file:
                    file.writelines(line.encode("ascii") for line in lines)
    return 0


def _store(path: Path, *, salvage: bool) -> "Store":
    from independence_bench.cli.terminal import complain
    from independence_bench.store import Store

    if not salvage:
        return Store.open(path, read_only=True)
    from independence_bench.store.recovery import recover

    found = recover(path)
    broken = f", {found.broken} found broken and left out" if found.broken else ""
    complain(f"{path}: {found.rows} rows could be read{broken}")
    return Store(found.database)
