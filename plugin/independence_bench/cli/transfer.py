"""Exports a store as JSON Lines or for other tools, and merges sources, all or none, for ``import`` and ``merge``."""

import argparse
import gzip
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.catalog.selection import split_names
from independence_bench.cli.export_formats import writer
from independence_bench.cli.places import store_file
from independence_bench.cli.removal import ROWS
from independence_bench.cli.terminal import complain, put, say
from independence_bench.counted import counted, listed
from independence_bench.option_table import OPTIONS
from independence_bench.safe_text import safe_text
from independence_bench.store import Store
from independence_bench.store.damage import log_of
from independence_bench.store.exporting import is_export
from independence_bench.store.lock import locked
from independence_bench.store.merging import MergeCounts
from independence_bench.store.model_names import named_models
from independence_bench.store.recovery import recover
from independence_bench.store.row_check import refuse_all
from independence_bench.store.source_kinds import open_source
from independence_bench.utc import utc
from independence_bench.whole_file import whole_file


def export_store(arguments: argparse.Namespace) -> int:
    """Write the store as JSON Lines."""
    names, path = split_names(arguments.model), store_file(arguments)
    with _salvaged(path) if arguments.salvage else Store.open(path, read_only=True) as store:
        configurations = [model.configuration for model in named_models(store, names)] if names else None
        with closing(store.export_lines(configurations)) as lines:
            if arguments.file is None:
                for line in lines:
                    put(line)
            else:
                if arguments.file.is_file() and arguments.file.stat().st_size and not is_export(arguments.file):
                    trouble = "is there already and is no export, so it is not replaced; name another file"
                    raise BadInput.at(arguments.file, "", trouble)
                unwritable = BadInput.instead_of(OSError, arguments.file, "cannot be written ({}); name another file")
                with unwritable, whole_file(arguments.file) as file:
                    file.writelines(line.encode("ascii") for line in lines)
    return 0


def export_folder(arguments: argparse.Namespace) -> int:
    """Write the results of a store in a format for other tools, into a new folder."""
    from independence_bench.cli.newest import known_answer_digest, remark_unknown_kinds
    from independence_bench.report.analysis.tidy import BoardRecords
    from independence_bench.report.site.edition_views import views_of
    from independence_bench.report.site.supplied import Sources

    names, path, folder = split_names(arguments.model), store_file(arguments), arguments.file
    if folder is None or arguments.salvage:
        remedy = "--salvage is for jsonl" if arguments.salvage else "name a new folder to write to"
        raise BadInput(f"--format={arguments.format}: {remedy}")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise BadInput.at(folder, "", "is there already; name a new folder")
    with Store.open(path, read_only=True) as store:
        remark_unknown_kinds(store)
        configurations = {model.configuration for model in named_models(store, names)} if names else None
        sources = []
        for view in views_of(store, Sources(set_digest=known_answer_digest)):
            entries = [each for each in view.entries if configurations is None or each.row.identity in configurations]
            sources.append(BoardRecords(store, view.session, entries, view.board))
        written = False
        for name, content in writer(arguments.format)(sources):
            written = True
            with BadInput.instead_of(OSError, folder, "cannot be written ({}); name another folder"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
    if not written:
        holds = "an Index and its components only" if arguments.format == "eee" else "nothing that this store has"
        raise BadInput(f"--format={arguments.format}: nothing is written: the format holds {holds}; try --format=csv")
    return 0


def _salvaged(path: Path) -> Store:
    salvage = recover(path)
    note = f", {salvage.broken} found broken and left out" if salvage.broken else ""
    complain(f"{path}: {salvage.rows} rows could be read{note}")
    return Store(salvage.database)


def bring_together(arguments: argparse.Namespace, paths: Sequence[Path], doing: str) -> int:
    """Merge all sources but the target itself into it, print a summary and return the exit status. Raises BadInput, and
    writes nothing: a source is broken or newer, a row bad without ``--skip-bad``, or the target in use.
    """
    target, skip_bad = store_file(arguments), arguments.skip_bad
    others = [path for path in paths if not (target.exists() and path.exists() and path.samefile(target))]
    with ExitStack() as stack:
        sources = []
        for path in others:
            sources.append(open_source(path, skip_bad=skip_bad))
            stack.enter_context(sources[-1].store)
        stack.enter_context(locked(target, doing))  # only now: a broken source leaves not even a folder behind
        with _made_only_if_well(target), Store.open(target) as store:
            refused = [source.refused for source in sources if source.refused is not None and source.refused.count]
            stores, bad_rows = [source.store for source in sources], refused.append if skip_bad else refuse_all
            merged = store.merge(stores, bad_rows, arguments.adopt_looks)
    say(summary(merged, target, len(others)))
    for each in refused:
        say(f"{each.path}: {each.summary}; the first is {each.first}")
    if len(others) < len(paths):
        say(f"{target} was also among the sources and was skipped.")
    return 0


@contextmanager
def published_scores() -> Iterator[Path]:
    """Yield the packaged export of the predecessor's published verdicts, unpacked."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "published-scores.jsonl"
        file.write_bytes(gzip.decompress((packaged_configs() / "published_scores" / "scores.jsonl.gz").read_bytes()))
        yield file


def summary(merged: MergeCounts, target: Path, sources: int) -> str:
    """Return the summary of a merge."""
    new = {name: merged.new[table] for table, name in ROWS.items()}
    lines = [
        f"{target}: {listed(new)} new from {counted(sources, 'source')}; "
        f"{merged.known} transcripts and verdicts were already there, or in several sources."
    ]
    if merged.lost_transcripts:
        lines.append(
            f"{counted(merged.lost_transcripts, 'transcript')} gave way to an earlier measurement, and "
            f"{counted(merged.dropped_verdicts, 'verdict')} with that. Their cost is kept with the failed attempts."
        )
    if merged.lost_verdicts:
        lines.append(f"{counted(merged.lost_verdicts, 'verdict')} gave way to an earlier one of the same judge.")
    if merged.left_out:
        lines.append(
            f"Left out, because this store has its own and keeps them: {listed(merged.left_out)}; the first is "
            f"{merged.first_left_out}."
        )
    if looks := merged.uncounted_looks.values():
        names = [f"{safe_text(str(look.body.get('label')), 60)} at {look.runs} runs, {utc(look.at)}" for look in looks]
        lines.append(
            f"{counted(len(names), 'look')} of gates elsewhere are kept, and no gate of this store counts them: "
            f"{'; '.join(sorted(names))}. If they are your own, merge again with --adopt-looks."
        )
    if merged.keyless_sessions:
        flags = " and ".join(option.flag for option in OPTIONS if option.reads == "variable")
        lines.append(
            f"{counted(merged.keyless_sessions, 'session')} came in without {flags}: to measure as one "
            "of them did, `gate --until-decided` needs pytest's arguments after `--`."
        )
    return "\n".join(lines)


@contextmanager
def _made_only_if_well(path: Path) -> Iterator[None]:
    existed = path.exists()
    try:
        yield
    except BaseException:
        if not existed:
            for file in (path, log_of(path), path.with_name(f"{path.name}-shm")):
                file.unlink(missing_ok=True)
        raise
