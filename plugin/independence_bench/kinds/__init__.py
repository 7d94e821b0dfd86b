"""The kinds of edition: what is asked and what is computed from the answers, one package per kind.

All other code reaches what differs between kinds through this registry, by the kind's name. The registry imports a
kind on first use, and only the needed wing: ``asking`` measures, ``telling`` reports.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from independence_bench.frozen import Frozen

if TYPE_CHECKING:
    from independence_bench.kinds.protocol import Asking, Telling

INDEX = "index"
"""The kind of an edition that names none of the others."""


class KindEntry(NamedTuple):
    """Where a kind is declared."""

    package: str
    """Holds ``asking`` (``ASKING``), ``telling`` (``TELLING``) and, where its editions carry one, ``design``."""
    key: str
    """The key of an edition's YAML that chooses this kind, and says what it asks."""


KINDS: dict[str, KindEntry] = {
    INDEX: KindEntry("independence_bench.kinds.index", "scenarios"),
    "roles": KindEntry("independence_bench.kinds.roles", "roles"),
}
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
