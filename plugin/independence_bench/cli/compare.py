"""The command ``compare``: two models, two builds, or one model in two stores."""

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.cli.places import add_command, add_places, add_showing, store_file

if TYPE_CHECKING:
    from independence_bench.report.comparison import Side


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "compare",
        "tell two models apart, or say what it would take",
        "Compare two models paired by scenario: the difference of their Index with its interval, the difference that "
        "could have been found, the scenarios responsible, and what both said in the worst of them; of an edition of "
        "roles, their rank order paired by persona. The newest session of A's store decides edition, texts and judges.",
        "independence-bench compare candidate --other=released.jsonl --answers=3",
        mixed=True,
    )
    parser.add_argument("first", metavar="A", help="label, id or glob over labels; label#build where builds share it")
    parser.add_argument("second", metavar="B", nargs="?", help="the other model (default with --other: A's label)")
    add_places(parser)
    parser.add_argument(
        "--other", metavar="PATH", type=Path, help="where B is read from: a store, an export, the published cache"
    )
    add_showing(parser)
    parser.add_argument(
        "--confidence", metavar="C", type=_confidence, default=0.95, help="of the intervals, 0 to 1 (default: 0.95)"
    )
    parser.add_argument(
        "--answers",
        metavar="N",
        type=_number,
        default=1,
        help="print both sides' words in the N scenarios most responsible (default: 1)",
    )
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="default: text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from independence_bench.cli.newest import set_digest
    from independence_bench.cli.terminal import say, width
    from independence_bench.kinds import telling

    with ExitStack() as stack:
        first, second = _sides(arguments, stack)
        session = first.result.session
        kind = telling(session.edition.kind)
        found = kind.compared(session, first, second, arguments.confidence, arguments.answers, set_digest)
        if arguments.format == "text":
            say(found.text(width()))
        else:
            say(found.markdown() if arguments.format == "markdown" else found.json().rstrip("\n"))
    return 0


def _sides(arguments: argparse.Namespace, stack: ExitStack) -> "tuple[Side, Side]":
    """Return both sides under the session that A's store shows, under different labels."""
    from independence_bench.cli.compared_sides import StoreSide
    from independence_bench.cli.reports import shown_session
    from independence_bench.cli.source_readers import READERS
    from independence_bench.kinds import telling
    from independence_bench.store import Store
    from independence_bench.store.source_kinds import open_source

    if arguments.second is None and arguments.other is None:
        raise BadInput("B: is missing; name a second model, or another store with --other")
    path = store_file(arguments)
    # Store.open tells of a missing store how to make one.
    store = stack.enter_context(open_source(path, READERS).store if path.exists() else Store.open(path, read_only=True))
    session = shown_session(store, arguments)
    if not telling(session.edition.kind).can_compare(session.edition):
        raise BadInput(f"edition {session.edition.id}: has no Index to compare; choose another with --edition")
    here = StoreSide.of(store, str(path), session)
    first = here.side(arguments.first)
    if arguments.other is None:
        second = here.side(arguments.second)
        if first.row.identity == second.row.identity:
            raise BadInput(f"{arguments.second}: is the same model as A; name another, or another store with --other")
        return first, second
    there = StoreSide.of(
        stack.enter_context(open_source(arguments.other, READERS).store), str(arguments.other), session
    )
    second = there.side(first.label if arguments.second is None else arguments.second)
    if first.label == second.label:
        first, second = (replace(side, label=f"{side.label} in {side.source}") for side in (first, second))
    return first, second


def _confidence(text: str) -> float:
    try:
        confidence = float(text)
    except ValueError:
        confidence = 0.0
    if not 0 < confidence < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number between 0 and 1, such as 0.95")
    return confidence


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 0 on")
    return int(text)
