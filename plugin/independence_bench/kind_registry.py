"""Which kinds of edition there are, and where their wings are. A leaf: it knows neither a kind nor a protocol.

Each consumer declares the facet of a kind that it needs, as a protocol with a function that returns it by the kind's
name. A kind is imported on first use, and only the needed wing: ``measuring`` measures, ``reporting`` reports.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, cast

from independence_bench.bad_input import BadInput
from independence_bench.extensions import GROUPS, Extension, extensions_of, load_extension
from independence_bench.frozen import Frozen
from independence_bench.safe_text import safe_text

INDEX = "index"  # the kind of an edition that names none of the others


class KindEntry(NamedTuple):
    """Where a kind is declared."""

    package: str
    """Holds ``measuring`` (``MEASURING``) and ``reporting`` (``REPORTING``).

    Also ``design`` (``DESIGN``) where its editions carry one, and ``embedded`` (``EMBEDDED``) where embedded models
    answer what only this kind asks.
    """
    key: str  # the key of an edition's YAML that chooses this kind, and says what it asks
    experiment: str = ""  # the experiment of all its trials; empty: each scenario's file names one
    experimental: str = ""  # what readers of its numbers are told until a pilot has been run; empty: nothing
    free_answers: bool = True  # their relevance shows whether they answer; other kinds have checks of their own
    fixed_length: bool = True  # whole conversations of a scenario have equally many answers


_OURS = {
    INDEX: KindEntry("independence_bench.kinds.index", "scenarios"),
    "roles": KindEntry("independence_bench.kinds.roles", "roles", "roles", free_answers=False, fixed_length=False),
    "dossiers": KindEntry(
        "independence_bench.kinds.dossiers",
        "dossiers",
        "reasons",
        "Edition v3 is experimental: its pilot has not been run, so do not cite its numbers or decide anything by "
        "them.",
        free_answers=False,
        fixed_length=False,
    ),
}


class KindRegistry(Mapping[str, KindEntry]):
    """The kinds that come with this package, by name, and those that installed packages add."""

    def __init__(self, builtin: dict[str, KindEntry]) -> None:
        self.builtin = builtin

    def added_by(self, kind: str) -> Extension | None:
        """Return the extension that adds a kind; None: no package does. Raises BadInput: its name is one of ours."""
        extension = extensions_of("kinds").get(kind)
        if extension is not None and kind in self.builtin:
            raise extension.fault("the name is that of one that comes with independence-bench; give it another")
        return extension

    def __getitem__(self, kind: str) -> KindEntry:
        """Return where a kind is declared. Raises KeyError: there is none. Raises BadInput: it is broken."""
        if kind in self.builtin:
            return self.builtin[kind]
        if (extension := self.added_by(kind)) is None:
            raise KeyError(kind)
        entry = load_extension(extension)
        if not isinstance(entry, KindEntry):
            raise extension.fault(f"it must be {GROUPS['kinds'][0]}")
        return entry

    def __contains__(self, kind: object) -> bool:
        return isinstance(kind, str) and (kind in self.builtin or self.added_by(kind) is not None)

    def __iter__(self) -> Iterator[str]:
        yield from self.builtin
        yield from filter(self.added_by, extensions_of("kinds"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


KINDS = KindRegistry(_OURS)  # every kind under its name


class Design(Frozen):
    """What an edition of a kind asks, by name and number: stored with every session, so reports need no configs."""

    kind: ClassVar[str]


def kind_entry(kind: str) -> KindEntry:
    """Return where the kind of a stored edition is declared. Raises BadInput: there is no such kind."""
    if trouble := unknown_kind(kind):
        raise BadInput(f"{trouble}: choose another edition with --edition")
    return KINDS[kind]


def unknown_kind(kind: str) -> str | None:
    """Return why the kind of a stored edition cannot be reported; None where this version knows the kind."""
    if kind in KINDS:
        return None
    trouble = f"this version of independence-bench and the installed packages have no editions of the kind {kind!r}"
    return safe_text(f"{trouble}; its trials stay in the store")


@cache
def wing(kind: str, name: Literal["measuring", "reporting", "embedded", "design"]) -> object:
    """Return one wing of a kind. Its users declare, as protocols, what it can do."""
    return cast(object, getattr(import_module(f"{kind_entry(kind).package}.{name}"), name.upper()))


def design_type(kind: str) -> type[Design]:
    """Return the model of what an edition of this kind asks, as sessions store it."""
    return cast(type[Design], wing(kind, "design"))


@cache
def embedded_folder(kind: str) -> Path | None:
    """Return the sources by which embedded models answer what only this kind asks; None for kinds of installed
    packages: the embedded models' builds, and so their keys, would depend on them.
    """
    if kind not in KINDS.builtin:
        return None
    spec = find_spec(f"{KINDS[kind].package}.embedded")
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None
