"""Extensions: what other installed packages add to this one by entry points. The groups are declared in one table.

A registry is a mapping of what comes with this package, extended by a group. It reads the metadata of the installed
packages once per process, and only if it is asked for a name that is not ours, or for all names. It knows nothing of
what an extension does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import safe_text

Entry = TypeVar("Entry")
PREFIX = "independence_bench."  # begins the name of every group

GROUPS: dict[str, tuple[str, str]] = {
    "configs": (
        "a package whose folder is laid out like configs/",
        "editions, scenarios, rubrics, experiments, models, judges and prompts; the entry's name is free",
    ),
    "kinds": ("a `KindEntry`", "a kind of edition, chosen by its key in an edition's YAML"),
    "transports": (
        "callable without arguments, and return an `httpx.AsyncClient`",
        "what carries requests: the name is the scheme of an endpoint's URL",
    ),
}
"""Name without the prefix → what an entry must be, and what it adds."""


@dataclass(frozen=True, slots=True)
class Extension:
    """One entry point of an installed package."""

    group: str  # without the prefix
    name: str
    value: str  # what the entry point names, as ``module:attribute``
    distribution: str
    version: str  # of the distribution

    def __str__(self) -> str:
        """Read as in a report: ``kinds dossiers (extra 1.0)``."""
        return safe_text(f"{self.group} {self.name} ({self.distribution} {self.version})")

    def fault(self, cause: str) -> BadInput:
        """Return the error that names package, version, entry and cause."""
        return BadInput(
            safe_text(
                f"{self.distribution} {self.version}: its entry point {self.name!r} in {PREFIX}{self.group} cannot be "
                f"used: {cause}; correct or uninstall that package",
                1000,
            )
        )


@cache
def installed_extensions() -> tuple[Extension, ...]:
    """Return every entry point in a group of ours, by group and name; of the installed packages' metadata only what
    mentions us is parsed. Raises BadInput: one is in a group that does not exist.
    """
    extensions: dict[str, list[Extension]] = {}
    for distribution in distributions():
        text = distribution.read_text("entry_points.txt")
        if text is None or f"[{PREFIX}" not in text.replace(" ", ""):
            continue
        name = distribution.metadata["Name"] or "a package without a name"
        if name in extensions:  # a second copy further down sys.path is not imported either
            continue
        extensions[name] = [
            Extension(entry.group.removeprefix(PREFIX), entry.name, entry.value, name, distribution.version)
            for entry in distribution.entry_points
            if entry.group.startswith(PREFIX)
        ]
    every = [each for _, own in sorted(extensions.items()) for each in own]
    every.sort(key=lambda each: (each.group, each.name))
    for each in every:
        if each.group not in GROUPS:
            raise each.fault(f"there is no such group; there are {', '.join(GROUPS)}")
    return tuple(every)


@cache
def load_extension(extension: Extension) -> Any:
    """Return what an entry point names; of configs the folder. Raises BadInput: it cannot be loaded."""
    try:
        if extension.group == "configs":
            return _folder(extension)
        return EntryPoint(extension.name, extension.value, PREFIX + extension.group).load()
    except Exception as error:
        trouble = f"{extension.value} cannot be loaded ({type(error).__name__}: {error})"
        raise extension.fault(trouble) from None


def _folder(extension: Extension) -> Path:
    spec = find_spec(extension.value)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ModuleNotFoundError(f"{extension.value} is no package with a folder")
    return Path(places[0])


class Registry(Mapping[str, Entry], Generic[Entry]):
    """What comes with this package, by name, and what the packages of a group add to it."""

    def __init__(self, group: str, builtin: Mapping[str, Entry], kind: type[object] = object) -> None:
        """``kind``: the type of every entry."""
        assert group in GROUPS
        self.group = group
        self.builtin = builtin
        self._kind = kind

    def origin(self, name: str) -> Extension | None:
        """Return the extension of a name; None: no package adds it. Raises BadInput: two packages do, or it is ours."""
        given = [each for each in installed_extensions() if (each.group, each.name) == (self.group, name)]
        if given and name in self.builtin:
            raise given[0].fault("the name is that of one that comes with independence-bench; give it another")
        if len(given) > 1:
            givers = " and ".join(f"{each.distribution} {each.version}" for each in given)
            raise given[0].fault(f"{givers} give it the same name")
        return given[0] if given else None

    def __getitem__(self, name: str) -> Entry:
        """Return an entry. Raises KeyError: there is none. Raises BadInput: it is broken."""
        if name in self.builtin:
            return self.builtin[name]
        if (extension := self.origin(name)) is None:
            raise KeyError(name)
        entry = load_extension(extension)
        if not isinstance(entry, self._kind):
            raise extension.fault(f"it must be {GROUPS[self.group][0]}")
        return cast("Entry", entry)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.builtin or self.origin(name) is not None)

    def __iter__(self) -> Iterator[str]:
        added = [each.name for each in installed_extensions() if each.group == self.group]
        yield from self.builtin
        yield from (name for name in added if self.origin(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)


TRANSPORT_SCHEMES: Registry[None] = Registry("transports", dict.fromkeys(("http", "https", "offline")))
"""Schemes of the URLs that endpoints may have; only the names are of use."""
CONFIGS: Registry[Path] = Registry("configs", {}, Path)  # folders that are laid over the packaged configs
