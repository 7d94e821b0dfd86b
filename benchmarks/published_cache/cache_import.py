"""Reads the predecessor's published cache: its answers, verdicts and names as our records, and a summary.

Everything is read before anything is written. Imported trials can be reported without network, key or option. Model
configurations are read from folder names: ``<model id, "/" as "--">[+<provider, "/" as "-">]@<reasoning
effort>-t<temperature>``; nothing else in the cache says how a model was sampled.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.rows import ModelRow
from independence_bench.digest import digest
from independence_bench.garbage import without_garbage_collection
from independence_bench.safe_text import safe_text
from independence_bench.store.sessions import Configuration, Session
from independence_bench.store.store import Store
from independence_bench.trial import TrialRecord
from published_cache.import_summary import Summary
from published_cache.recorded_files import cache_folder, configuration_folders, read_runs
from published_cache.recorded_trials import read_trials, with_recorded_texts
from published_cache.unknown_texts import ORIGIN, published_edition, published_session


@dataclass(frozen=True, slots=True)
class PublishedImport:
    """The result of an import: rows for a store, and a summary of them."""

    records: list[TrialRecord]  # for :meth:`Store.add_all`: one transaction
    session: Session  # begun after the records are stored, and ended at once
    configurations: tuple[Configuration, ...]
    summary: Summary

    def write(self, store: Store) -> None:
        """Store everything, records first, so no reader sees a session without them. Writing again changes nothing."""
        with without_garbage_collection():  # 13,000 files make a million objects
            store.add_all(self.records, self.session.id, origin=ORIGIN)
        store.begin_session(self.session, self.configurations)
        store.end_session(self.session.id, self.session.started_at)


def read_published_cache(folder: Path, catalogue: Catalogue | None = None) -> PublishedImport:
    """Read a whole cache; nothing is written, and an unreadable file is skipped and named in the summary.
    Labels are those of models.yaml by folder name, else the bare id. Raises BadInput: no such folder, or nothing in it.
    """
    with BadInput.instead_of(OSError, folder, "cannot be read ({}); check its permissions"):
        return _read(folder, catalogue or Catalogue())


def _read(folder: Path, catalogue: Catalogue) -> PublishedImport:
    cache = cache_folder(folder)
    if cache is None:
        trouble = "is not a published cache" if folder.is_dir() else "there is no such folder"
        raise BadInput.at(folder, "", f"{trouble}; name the folder that contains <configuration>/run_<N>/")
    edition = published_edition()
    scenarios = {scenario.id: scenario for scenario in edition.scenarios}
    rows = {directory_of(row): row for row in catalogue.models.values()}
    known = folder_configurations([place.name for place in configuration_folders(cache)], rows)
    summary = Summary()
    records: list[TrialRecord] = []
    with without_garbage_collection():
        for run in read_runs(cache):
            trials = list(read_trials(run, known[run.directory], scenarios))
            summary.count(run, trials)
            records += trials
    if not summary.imported:
        broken = next((f" ({path}: {safe_text(why)})" for path, why in summary.broken.items()), "")
        raise BadInput.at(folder, "", f"has no readable conversation{broken}; nothing was imported")
    summary.configurations = len(known)
    summary.unregistered = sorted(each.label for name, each in known.items() if name not in rows)
    session = published_session(with_recorded_texts(edition, records), records, summary.judge, known.values())
    return PublishedImport(records, session, tuple(known.values()), summary)


_DIRECTORY = re.compile(
    r"(?P<id>[^+@]+)(?:\+(?P<provider>[^@]+))?@(?P<reasoning_effort>[a-z]+)-t(?P<temperature>[0-9]+(?:\.[0-9]+)?)"
)


def folder_configurations(directories: Sequence[str], known: Mapping[str, ModelRow]) -> dict[str, Configuration]:
    """Return each folder's configuration: of its registered row, else labelled with its bare model id, or with its
    whole name if another folder has that label.
    """
    taken = Counter(known[name].label if name in known else bare_id(name) for name in directories)
    return {
        name: _of_row(name, known[name]) if name in known else _unregistered(name, taken[bare_id(name)] > 1)
        for name in directories
    }


def directory_of(row: ModelRow) -> str:
    """Return the folder name that the predecessor gives to a model configuration."""
    provider = f"+{row.provider.replace('/', '-')}" if row.provider else ""
    temperature = "" if row.temperature is None else float(row.temperature)
    return f"{row.id.replace('/', '--')}{provider}@{row.reasoning_effort}-t{temperature}"


def bare_id(directory: str) -> str:
    """Return the model id in a folder name, or the whole name if it has another form."""
    match = _DIRECTORY.fullmatch(directory)
    return (match["id"] if match else directory).replace("--", "/")


def _identity(directory: str) -> str:
    return digest({"origin": ORIGIN, "directory": directory})


def _of_row(directory: str, row: ModelRow) -> Configuration:
    facts = row.model_dump(include=set(Configuration.model_fields))
    if row.temperature_supported is False:
        facts["temperature"] = None
    return Configuration(configuration=_identity(directory), model_id=row.id, **facts)


def _unregistered(directory: str, taken: bool) -> Configuration:
    name = safe_text(directory)
    match = _DIRECTORY.fullmatch(name)
    sampling = {field: match[field] for field in ("provider", "reasoning_effort", "temperature")} if match else {}
    return Configuration(
        configuration=_identity(directory),
        label=name.replace("--", "/") if taken else bare_id(name),
        model_id=bare_id(name),
        **sampling,
    )
