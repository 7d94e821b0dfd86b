"""The kinds of edition: what is asked and what is computed from the answers, one package per kind.

All other code reaches what differs between kinds through this registry, by the kind's name. The registry imports a
kind on first use, and only the needed wing: ``asking`` measures, ``telling`` reports.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from independence_bench.extensions import Registry
from independence_bench.frozen import Frozen

if TYPE_CHECKING:
    from independence_bench.kinds.protocol import Asking, Embedded, Telling

INDEX = "index"
"""The kind of an edition that names none of the others."""


class KindEntry(NamedTuple):
    """Where a kind is declared."""

    package: str
    """Holds ``asking`` (``ASKING``) and ``telling`` (``TELLING``).

    Also ``design`` (``DESIGN``) where its editions carry one, and ``embedded`` (``EMBEDDED``) where embedded models
    answer what only this kind asks.
    """
    key: str
    """The key of an edition's YAML that chooses this kind, and says what it asks."""
    experiment: str = ""
    """The experiment of all its trials; empty: each scenario's file names one."""
    experimental: str = ""
    """What readers of its numbers are told until a pilot has been run; empty: nothing."""


_OURS = {
    INDEX: KindEntry("independence_bench.kinds.index", "scenarios"),
    "roles": KindEntry("independence_bench.kinds.roles", "roles", "roles"),
    "dossiers": KindEntry(
        "independence_bench.kinds.dossiers",
        "dossiers",
        "reasons",
        "Edition v3 is experimental: its pilot has not been run, so do not cite its numbers or decide anything by "
        "them.",
    ),
    "twins": KindEntry(
        "independence_bench.kinds.twins",
        "twins",
        "twins",
        "Twins are experimental: no pilot has been run, so do not cite their numbers or decide anything by them. They "
        "stand beside edition v3 and have no weight in any Index.",
    ),
}
KINDS: Registry[KindEntry] = Registry("kinds", _OURS)
"""Every kind under its name."""


class Design(Frozen):
    """What an edition of a kind asks, by name and number: stored with every session, so reports need no configs."""

    kind: ClassVar[str]


@cache
def asking(kind: str) -> "Asking":
    """Return how a kind asks."""
    return cast("Asking", import_module(f"{KINDS[kind].package}.asking").ASKING)


@cache
def telling(kind: str) -> "Telling":
    """Return how a kind reports."""
    return cast("Telling", import_module(f"{KINDS[kind].package}.telling").TELLING)


@cache
def design_type(kind: str) -> type[Design]:
    """Return the model of what an edition of this kind asks, as sessions store it."""
    return cast(type[Design], import_module(f"{KINDS[kind].package}.design").DESIGN)


@cache
def embedded_folder(kind: str) -> Path | None:
    """Return where the sources lie by which embedded models answer what only this kind asks; None where none do.

    Kinds of installed packages have none: the embedded models' builds, and so their keys, would depend on them.
    """
    if kind not in KINDS.ours:
        return None
    found = find_spec(f"{KINDS[kind].package}.embedded")
    return Path(found.origin).parent if found is not None and found.origin is not None else None


@cache
def embedded(kind: str) -> "Embedded | None":
    """Return how embedded models answer what only this kind asks; None where they answer as ever."""
    if embedded_folder(kind) is None:
        return None
    return cast("Embedded", import_module(f"{KINDS[kind].package}.embedded").EMBEDDED)
