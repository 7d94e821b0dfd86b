"""``--model=measured`` and ``--model=top:N``: names taken from the store, before there is a plan."""

from dataclasses import replace

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.session.plan import resolve_models
from independence_bench.session.settings import Settings
from independence_bench.store import Configuration, Store, StoredConfiguration

MEASURED = "measured"
TOP = "top:"


def takes_from_store(names: tuple[str, ...]) -> bool:
    """Return whether any of the names is a selection from the store."""
    return any(name == MEASURED or name.startswith(TOP) for name in names)


def with_stored_models(settings: Settings) -> Settings:
    """Return the settings with selections from the store replaced by the names of models.

    Raises:
        BadInput: there is no store, nothing fits, or a model was measured with other options than this command's.
    """
    if not settings.store_file.exists():
        raise BadInput(f"--model: there is no store at {settings.store_file} to select from; measure something first")
    catalogue = Catalogue(settings.overlay)
    names: dict[str, None] = {}
    stored: dict[str, Configuration] = {}
    with Store.open(settings.store_file, read_only=True) as store:
        for name in settings.models:
            if name != MEASURED and not name.startswith(TOP):
                names[name] = None
                continue
            for found in _selected(store, settings, name):
                facts = found.facts
                names[facts.label if facts.label in catalogue.models else facts.model_id] = None
                if facts.label not in catalogue.models:
                    # A model id does not define endpoint and sampling: this command must give them.
                    stored[facts.model_id] = facts
    resolved = replace(settings, models=tuple(names))
    configurations = {model.configuration for model in resolve_models(resolved)}
    for facts in stored.values():
        if facts.configuration not in configurations:
            raise BadInput(
                f"--model: {facts.label} was measured with other options than this command's; "
                "give the same options again, or name it yourself"
            )
    return resolved


def _selected(store: Store, settings: Settings, name: str) -> list[StoredConfiguration]:
    # Imported late: few sessions select from the store, and every worker would import all reports.
    from independence_bench.report.analysis.ranked import ranked_models

    session = store.newest_session(settings.edition)
    if session is None:
        raise BadInput(f"--model={name}: the store holds no session of edition {settings.edition}")
    # Not the leaderboard: its intervals import numpy and scipy, which would delay the start.
    standings = ranked_models(store, session)
    by_label = {found.facts.label: found for found in store.configurations()}
    rows = [entry.row for entry in standings.entries if entry.own]
    if name.startswith(TOP):
        count = name.removeprefix(TOP)
        if not count.isdecimal() or int(count) < 1:
            raise BadInput(f"--model={name}: write a whole number of at least 1, for example --model=top:10")
        rows = [row for row in rows if row.rank is not None and row.rank <= int(count)]
    rows = [row for row in rows if row.measured]
    found = [by_label[row.label] for row in rows if row.label in by_label]
    if not found:
        raise BadInput(f"--model={name}: the store holds no such model for edition {settings.edition}")
    return found
