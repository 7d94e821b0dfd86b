"""The commands ``import`` and ``merge``: sources into a store, all of them or none, under a lock, with a summary.

Decides nothing about rows.
"""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.cli.places import add_command, add_places, store_file

if TYPE_CHECKING:
    from independence_bench.store.merging import Merged


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the commands."""
    importing = add_command(
        subparsers,
        "import",
        "bring an export or a published cache into the store",
        "Bring all that a source holds into the store, in one transaction: an export, another store, or a folder laid "
        "out as the published cache. Imported texts form a group of their own in the reports.",
        "independence-bench import colleague.jsonl",
    )
    importing.add_argument(
        "source", metavar="PATH", type=Path, help="an export, a store, or the folder of a published cache"
    )
    merging = add_command(
        subparsers,
        "merge",
        "bring stores and exports together in one store",
        "Bring all that several stores and exports hold into one store, in one transaction. Of every measurement the "
        "oldest stands, in whatever order they are named; verdicts on a transcript that lost are dropped and counted.",
        "independence-bench merge shard1.sqlite shard2.sqlite shard3.jsonl --store=all.sqlite",
    )
    merging.add_argument("sources", metavar="FILE", nargs="+", type=Path, help="a store, or an export of one")
    for parser in (importing, merging):
        add_places(parser)
    importing.set_defaults(run=lambda given: bring_together(store_file(given), [given.source], "an import"))
    merging.set_defaults(run=lambda given: bring_together(store_file(given), given.sources, "a merge"))


def bring_together(target: Path, paths: Sequence[Path], doing: str) -> int:
    """Merge all sources into the target and summarise it; returns the exit status. The target itself is passed over.

    Raises:
        BadInput: a source is broken or of a newer schema, or the target is in use; then nothing is written.
    """
    from independence_bench.cli.source_readers import READERS
    from independence_bench.cli.terminal import say
    from independence_bench.store import Store
    from independence_bench.store.lock import exclusive
    from independence_bench.store.source_kinds import open_source

    others = [path for path in paths if not _same_file(path, target)]
    with ExitStack() as stack:
        lock = exclusive(target, doing)
        there = target.exists()
        if there:
            stack.enter_context(lock)
        sources = []
        for path in others:
            sources.append(open_source(path, READERS))
            stack.enter_context(sources[-1].store)
        if not there:  # a broken source shall not leave so much as a folder behind
            stack.enter_context(lock)
        with _made_only_if_well(target), Store.open(target) as store:
            merged = store.merge([source.store for source in sources])
    for source in sources:
        if source.remarks:
            say(source.remarks)
    say(summary(merged, target, len(others)))
    if len(others) < len(paths):
        say(f"{target} stood among the sources too and was passed over.")
    return 0


def summary(merged: "Merged", target: Path, sources: int) -> str:
    """Return what a merge came to."""
    from independence_bench.counted import counted, listed
    from independence_bench.option_table import OPTIONS

    new = {
        "transcript": merged.transcripts,
        "verdict": merged.verdicts,
        "failed attempt": merged.failures,
        "session": merged.sessions,
        "model configuration": merged.configurations,
        "gate look": merged.looks,
        "judge check": merged.judge_checks,
    }
    lines = [
        f"{target}: {listed(new)} new from {counted(sources, 'source')}; "
        f"{merged.known} transcripts and verdicts were there already, or in several sources."
    ]
    if merged.lost_transcripts:
        lines.append(
            f"{counted(merged.lost_transcripts, 'transcript')} came second to one measured earlier; with them "
            f"{counted(merged.dropped_verdicts, 'verdict')} dropped. Their cost is kept among the failed attempts."
        )
    if merged.lost_verdicts:
        lines.append(f"{counted(merged.lost_verdicts, 'verdict')} came second to one given earlier by the same judge.")
    if merged.keyless_sessions:
        flags = " and ".join(option.flag for option in OPTIONS if option.reads == "variable")
        lines.append(
            f"{counted(merged.keyless_sessions, 'session')} came in without {flags}: to measure as one "
            "of them did, `gate --until-decided` needs pytest's arguments after `--`."
        )
    return "\n".join(lines)


def _same_file(path: Path, target: Path) -> bool:
    return path.exists() and target.exists() and path.samefile(target)


@contextmanager
def _made_only_if_well(path: Path) -> Iterator[None]:
    """Leave no new store behind where the block fails."""
    existed = path.exists()
    try:
        yield
    except BaseException:
        if not existed:
            for made in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
                made.unlink(missing_ok=True)
        raise
