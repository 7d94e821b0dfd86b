"""Imports the predecessor's published cache: its answers, verdicts and names as our records, and a summary.

Everything is read before anything is written. Imported trials can be reported without network, key or option.
"""

from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.garbage import without_garbage_collection
from independence_bench.published_cache.folder_labels import configurations, directory_of
from independence_bench.published_cache.import_summary import Summary
from independence_bench.published_cache.oddities import Counting
from independence_bench.published_cache.recorded_files import cache_folder, configuration_folders, read_runs
from independence_bench.published_cache.recorded_trials import UNKNOWN_JUDGE, read_trials, with_recorded_texts
from independence_bench.published_cache.unknown_texts import ORIGIN, published_edition, published_session
from independence_bench.safe_text import safe_text
from independence_bench.store.database import Database
from independence_bench.store.sessions import Configuration, Session
from independence_bench.store.source_kinds import Source
from independence_bench.store.store import Store
from independence_bench.trial import TrialRecord


@dataclass(frozen=True, slots=True)
class PublishedImport:
    """The result of an import: rows for a store, and a summary of them."""

    records: list[TrialRecord]
    """For :meth:`Store.add_all`: one transaction."""
    session: Session
    """Begun after the records are stored, and ended at once."""
    configurations: tuple[Configuration, ...]
    summary: Summary

    def source(self, path: Path) -> Source:
        """Return everything in a store that is deleted on closing; ``path`` names it."""
        store = Store(Database.scratch(path))
        self.write(store)
        return Source(store, self.summary.text())

    def write(self, store: Store) -> None:
        """Store everything, records first, so no reader sees a session without them. Writing again changes nothing."""
        with without_garbage_collection():  # 13,000 files make a million objects
            store.add_all(self.records, self.session.id, origin=ORIGIN)
        store.begin_session(self.session, self.configurations)
        store.end_session(self.session.id, self.session.started_at)


def read_published_cache(folder: Path, catalogue: Catalogue | None = None) -> PublishedImport:
    """Read a whole cache; nothing is written.

    An unreadable file is skipped and named in the summary. Labels are those of models.yaml (``catalogue``, by default
    the packaged one) by folder name, else the bare id.

    Raises:
        BadInput: the path is not such a folder, cannot be opened, or has no readable conversation.
    """
    try:
        return _read(folder, catalogue or Catalogue())
    except OSError as error:
        trouble = f"cannot be read ({error.strerror}); check its permissions"
        raise BadInput.at(folder, "", trouble) from None


def _read(folder: Path, catalogue: Catalogue) -> PublishedImport:
    cache = cache_folder(folder)
    if cache is None:
        trouble = "is not a published cache" if folder.is_dir() else "there is no such folder"
        raise BadInput.at(folder, "", f"{trouble}; name the folder that contains <configuration>/run_<N>/")
    edition = published_edition()
    scenarios = {scenario.id: scenario for scenario in edition.scenarios}
    rows = {directory_of(row): row for row in catalogue.models.values()}
    known = configurations([place.name for place in configuration_folders(cache)], rows)
    counting = Counting(edition)
    records: list[TrialRecord] = []
    runs = 0
    with without_garbage_collection():
        for run in read_runs(cache):
            trials = list(read_trials(run, known[run.directory], scenarios))
            counting.count(run, known[run.directory].label, trials)
            records += [trial.record for trial in trials]
            runs = max(runs, run.run)
    if not counting.summary.imported:
        broken = next((f" ({path}: {safe_text(why)})" for path, why in counting.summary.broken.items()), "")
        raise BadInput.at(folder, "", f"has no readable conversation{broken}; nothing was imported")
    judge = max(sorted(counting.judges), key=counting.judges.__getitem__, default=UNKNOWN_JUDGE)
    summary = counting.finish(judge)
    summary.configurations = len(known)
    summary.unregistered = sorted(each.label for name, each in known.items() if name not in rows)
    models = sorted(known.values(), key=lambda each: (each.label, each.configuration))
    conditions = {(record.system_variant, record.delivery_mode) for record in records}
    session = published_session(with_recorded_texts(edition, records), conditions, judge, models, runs)
    return PublishedImport(records, session, tuple(known.values()), summary)
