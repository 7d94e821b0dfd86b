"""``--model=measured`` and ``--model=top:N``: names taken from the store, before there is a plan."""

from collections.abc import Callable
from dataclasses import replace

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.selection import select_models
from independence_bench.session.plan import catalogue_of
from independence_bench.session.settings import Settings
from independence_bench.store import Configuration, Store

MEASURED = "measured"
TOP = "top:"


def with_stored_models(settings: Settings, tell: Callable[[str], None]) -> Settings:
    """Return the settings with selections from the store replaced by names of models.
    ``tell`` gets a sentence about models left out since they were measured with other options than this command's.
    Raises BadInput: no store, or nothing fits or is left.
    """
    selections = [name for name in settings.models if name == MEASURED or name.startswith(TOP)]
    if not selections:
        return settings
    if not settings.store_file.exists():
        raise BadInput(f"--model: there is no store at {settings.store_file} to select from; measure something first")
    catalogue = Catalogue(settings.overlay)
    names: dict[str, None] = {}
    stored: list[Configuration] = []  # named by their ids, which define neither endpoint nor sampling
    with Store.open(settings.store_file, read_only=True) as store:
        for name in settings.models:
            if name not in selections:
                names[name] = None
                continue
            for facts in _selected(store, settings, name):
                names[facts.label if facts.label in catalogue.models else facts.model_id] = None
                if facts.label not in catalogue.models:
                    stored.append(facts)
    resolved = replace(settings, models=tuple(names))
    configurations = {model.configuration for model in select_models(catalogue_of(resolved), tuple(names), resolved)}
    left_out = dict.fromkeys(facts.label for facts in stored if facts.configuration not in configurations)
    if not left_out:
        return resolved
    trouble = f"{', '.join(left_out)}: measured with other options than this command's"
    fitting = {facts.model_id for facts in stored if facts.configuration in configurations}
    gone = {facts.model_id for facts in stored} - fitting
    kept = tuple(name for name in names if name in settings.models or name not in gone)
    if not kept:
        raise BadInput(f"--model: {trouble}; give the same options again, or name a model yourself")
    tell(f"--model: left out {trouble}, such as --endpoint; give the same options again to ask them")
    return replace(settings, models=kept)


def _selected(store: Store, settings: Settings, name: str) -> list[Configuration]:
    # Imported late: few sessions select from the store, and every worker would import all reports.
    from independence_bench.report.analysis.ranked import ranked_models

    session = store.newest_session(settings.edition)
    if session is None:
        raise BadInput(f"--model={name}: the store holds no session of edition {settings.edition}")
    # Not the leaderboard: its intervals take longer than all else.
    entries = [entry for entry in ranked_models(store, session).entries if entry.own]
    facts = {known.configuration: known for known in store.configurations()}
    if name.startswith(TOP):
        count = name.removeprefix(TOP)
        if not count.isdecimal() or int(count) < 1:
            raise BadInput(f"--model={name}: write a whole number of at least 1, for example --model=top:10")
        entries = [entry for entry in entries if entry.contends][: int(count)]
    known = [facts[entry.row.identity] for entry in entries if entry.row.measured and entry.row.identity in facts]
    if not known:
        raise BadInput(f"--model={name}: the store holds no such model for edition {settings.edition}")
    return known
