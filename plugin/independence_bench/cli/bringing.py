"""Sources into a store: all of them or none, under a lock, with a summary at the end. Decides nothing about rows."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from independence_bench.cli.sources import open_source
from independence_bench.cli.terminal import say
from independence_bench.counted import counted, listed
from independence_bench.store import Store
from independence_bench.store.lock import exclusive
from independence_bench.store.merging import Merged


def bring_together(target: Path, paths: Sequence[Path], doing: str) -> None:
    """Merge all sources into the target and say what it came to. The target itself among them is passed over.

    Raises:
        BadInput: a source is broken or of a newer schema, or the target is in use; then nothing is written.
    """
    others = [path for path in paths if not _same_file(path, target)]
    with ExitStack() as stack:
        lock = exclusive(target, doing)
        there = target.exists()
        if there:
            stack.enter_context(lock)
        sources = []
        for path in others:
            sources.append(open_source(path))
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


def summary(merged: Merged, target: Path, sources: int) -> str:
    """Return what a merge came to."""
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
