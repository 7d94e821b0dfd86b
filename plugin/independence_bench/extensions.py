"""Extensions: what other installed packages add to this one by entry points. The groups are declared in one table.

The metadata of the installed packages are read once per process, and only where a name is asked for that is not ours,
or all names are. Knows nothing of what an extension does.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import safe_text

PREFIX = "independence_bench."  # begins the name of every group

GROUPS: dict[str, tuple[str, str]] = {
    "configs": (
        "a package whose folder is laid out like configs/",
        "editions, scenarios, rubrics, experiments, models, judges and prompts; the entry's name is free",
    ),
    "kinds": ("a `KindEntry`", "a kind of edition, chosen by its key in an edition's YAML"),
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


def extensions_of(group: str) -> dict[str, Extension]:
    """Return the entry points of a group by name. Raises BadInput: two packages give the same name."""
    named: dict[str, Extension] = {}
    for each in installed_extensions():
        if each.group == group and (other := named.setdefault(each.name, each)) is not each:
            givers = " and ".join(f"{one.distribution} {one.version}" for one in (other, each))
            raise other.fault(f"{givers} give it the same name")
    return named


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
