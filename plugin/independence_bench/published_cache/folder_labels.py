"""Folder names of the published cache read as model configurations: label, id, provider and sampling. Reads no file.

``<model id, "/" as "--">[+<provider, "/" as "-">]@<reasoning effort>-t<temperature>``; nothing else in the cache says
how a model was sampled.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from independence_bench.catalog.rows import ModelRow
from independence_bench.digest import digest
from independence_bench.published_cache.unknown_texts import ORIGIN
from independence_bench.safe_text import safe_text
from independence_bench.store.sessions import Configuration

_DIRECTORY = re.compile(
    r"(?P<id>[^+@]+)(?:\+(?P<provider>[^@]+))?@(?P<effort>[a-z]+)-t(?P<temperature>[0-9]+(?:\.[0-9]+)?)"
)


def configurations(directories: Iterable[str], known: Mapping[str, ModelRow]) -> dict[str, Configuration]:
    """Return each folder's configuration.

    A registered folder takes its row's label and facts; any other is labelled with its bare model id, or with its whole
    name if another folder has that label.
    """
    names = sorted(set(directories))
    taken = Counter(known[name].label if name in known else bare_id(name) for name in names)
    return {
        name: _of_row(name, known[name]) if name in known else _unregistered(name, taken[bare_id(name)] > 1)
        for name in names
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
    match = _DIRECTORY.fullmatch(directory)
    bare = bare_id(directory)
    return Configuration(
        configuration=_identity(directory),
        label=safe_text(directory.replace("--", "/") if taken else bare),
        model_id=safe_text(bare),
        provider=safe_text(match["provider"]) if match and match["provider"] else None,
        temperature=float(match["temperature"]) if match else None,
        reasoning_effort=match["effort"] if match else None,
    )
