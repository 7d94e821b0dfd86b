"""Extensions: what other installed packages add to this one by entry points. The groups are declared in one table.

A registry is a mapping of what comes with this package, extended by a group. It reads the metadata of the installed
packages once per process, and only if it is asked for a name that is not ours, or for all names. It knows nothing of
what an extension does.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Generic, NamedTuple, TypeVar, cast

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import safe_text

Entry = TypeVar("Entry")
PREFIX = "independence_bench."  # begins the name of every group


class Group(NamedTuple):
    """One group of entry points."""

    is_a: str  # what an entry must be, as the end of a sentence that begins "must be"
    adds: str  # what its name means, and where that is used
    methods: tuple[str, ...] = ()  # what must be callable: attributes, or with an empty name the entry itself
    texts: tuple[str, ...] = ()  # attributes that must be text and not empty
    instantiated: bool = False  # a class is called without arguments, and the entry is what it returns
    shapes: bool = True  # it can shape what is asked and judged, not only what is reported
    registry: str = "extensions:CONFIGS"  # where the packaged ones are, as ``module:attribute`` in this package


GROUPS: dict[str, Group] = {
    "configs": Group(
        "a package whose folder is laid out like configs/",
        "editions, scenarios, rubrics, experiments, models, judges and prompts; the entry's name is free",
    ),
    "kinds": Group(
        "a `KindEntry`",
        "a kind of edition, chosen by its key in an edition's YAML",
        texts=("package", "key"),
        registry="kind_registry:KINDS",
    ),
    "analyses": Group(
        "an `Analysis`",
        "a section of LEADERBOARD.md, and a field of `further` in leaderboard.json",
        methods=("compute", "blocks"),
        texts=("heading",),
        shapes=False,
        registry="report.analysis.leaderboard:OTHER_ANALYSES",
    ),
    "export_formats": Group(
        "callable with the leaderboards' records, and yield path and content of every file",
        "`export --format=NAME`",
        methods=("",),
        shapes=False,
        registry="cli.export_formats:WRITERS",
    ),
    "judges": Group(
        "callable with material and rubric, and have `version`",
        "a judge that is no chat model: `--judge=callable/NAME`, or `callable: NAME` in judges.yaml",
        methods=("",),
        texts=("version",),
        instantiated=True,
        registry="extensions:JUDGES",
    ),
}


@dataclass(frozen=True, slots=True)
class Extension:
    """One entry point of an installed package."""

    group: str  # without the prefix
    name: str
    value: str  # what the entry point names, as ``module:attribute``
    distribution: str
    version: str  # of the distribution
    place: str  # the folder in which the distribution is installed

    def __str__(self) -> str:
        """Read as in a report: ``judges rhymes (extra 1.0)``."""
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
    """Return every entry point in a group of ours, known or not, by group and name; of the installed packages' metadata
    only what mentions us is parsed.
    """
    found: list[Extension] = []
    seen: set[str] = set()
    for distribution in distributions():
        text = distribution.read_text("entry_points.txt")
        if text is None or f"[{PREFIX}" not in text.replace(" ", ""):
            continue
        name = distribution.metadata["Name"] or "a package without a name"
        if name in seen:  # a second copy further down sys.path is not imported either
            continue
        seen.add(name)
        place = str(distribution.locate_file(""))
        found += (
            Extension(entry.group.removeprefix(PREFIX), entry.name, entry.value, name, distribution.version, place)
            for entry in distribution.entry_points
            if entry.group.startswith(PREFIX)
        )
    return tuple(sorted(found, key=lambda each: (each.group, each.name, each.distribution)))


@cache
def load_extension(extension: Extension) -> Any:
    """Return what an entry point names, checked against its group. Raises BadInput: it is missing or wrong."""
    if extension.group not in GROUPS:
        raise extension.fault(f"there is no such group; there are {', '.join(GROUPS)}")
    group = GROUPS[extension.group]
    try:
        if extension.group == "configs":
            return _folder(extension)
        entry = EntryPoint(extension.name, extension.value, PREFIX + extension.group).load()
        if group.instantiated and isinstance(entry, type):
            entry = entry()
    except Exception as error:
        fault = f"{extension.value} cannot be loaded ({type(error).__name__}: {error})"
        raise extension.fault(fault) from None
    for method in group.methods:
        if not callable(getattr(entry, method, None) if method else entry):
            raise extension.fault(f"it must be {group.is_a}" + (f", and lacks {method}()" if method else ""))
    for text in group.texts:
        if not isinstance(said := getattr(entry, text, None), str) or not said:
            raise extension.fault(f"it must be {group.is_a}, and its `{text}` is no text")
    return entry


def _folder(extension: Extension) -> Path:
    spec = find_spec(extension.value)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ModuleNotFoundError(f"{extension.value} is no package with a folder")
    return Path(places[0])


class Registry(Mapping[str, Entry], Generic[Entry]):
    """What comes with this package, by name, and what the packages of a group add to it."""

    def __init__(self, group: str, builtin: Mapping[str, Entry]) -> None:
        assert group in GROUPS
        self.group = group
        self.builtin = builtin

    @property
    def installed(self) -> dict[str, Extension]:
        """Every extension of the group by name, not loaded. Raises BadInput: a name is given twice, or ours."""
        names = [each.name for each in installed_extensions() if each.group == self.group]
        return {name: each for name in names if (each := self.added(name)) is not None}

    def added(self, name: str) -> Extension | None:
        """Return what a package adds under a name; None: nothing. Raises BadInput: it is given twice, or ours."""
        found = [each for each in installed_extensions() if (each.group, each.name) == (self.group, name)]
        if found and name in self.builtin:
            raise found[0].fault("the name is that of one that comes with independence-bench; give it another")
        if len(found) > 1:
            givers = " and ".join(f"{each.distribution} {each.version}" for each in found)
            raise found[0].fault(f"{givers} give it the same name")
        return next(iter(found), None)

    def origin(self, name: str) -> Extension | None:
        """Return the extension of a name; None if it is ours, or unknown. Raises BadInput: two have this name."""
        return None if name in self.builtin else self.added(name)

    def __getitem__(self, name: str) -> Entry:
        """Return an entry. Raises KeyError: there is none. Raises BadInput: it is broken."""
        if name in self.builtin:
            return self.builtin[name]
        if (found := self.origin(name)) is None:
            raise KeyError(name)
        return cast("Entry", load_extension(found))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.builtin or self.origin(name) is not None)

    def __iter__(self) -> Iterator[str]:
        yield from self.builtin
        yield from self.installed

    def __len__(self) -> int:
        return len(self.builtin) + len(self.installed)


CONFIGS: Registry[Path] = Registry("configs", {})  # folders that are laid over the packaged configs
JUDGES: Registry[Callable[..., object]] = Registry("judges", {})  # see ``judging.judge_call.CallableJudge``


def shaping_extensions() -> list[str]:
    """Return the extensions that can shape what is asked and judged: controller and workers must have the same."""
    return [str(each) for each in installed_extensions() if each.group in GROUPS and GROUPS[each.group].shapes]


def registry_of(group: str) -> Registry[Any]:
    """Return the registry of a group."""
    return cast("Registry[Any]", resolve_name(PREFIX + GROUPS[group].registry))


def trouble_with(extension: Extension) -> str | None:
    """Return why an extension cannot be used, in one sentence; None where it can."""
    try:
        if extension.group in GROUPS:
            registry_of(extension.group).added(extension.name)
        load_extension(extension)
    except BadInput as error:
        return str(error)
    return None
