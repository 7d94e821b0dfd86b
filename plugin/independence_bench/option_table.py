"""Every option of a session and of a gate, declared once: how it is written, read, stored and asked for again.

Reports print commands and may not import sessions, so this module is below both. Every pytest run loads it, so it
imports only the standard library and knows no type of a setting; so the options are in a file of JSON, not of YAML.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from independence_bench import option_values

Purpose = Literal["shapes", "limits", "part", "place", "once", "criterion"]
"""What an option does: it shapes what is asked; limits pace, time or money; asks a part of the plan; names a place;
concerns this one session; or is a criterion of a gate."""

Reads = Literal["value", "each", "names", "switch", "path", "edition", "variable", "shard", "prices"]
"""How the words become a setting: as they are typed; as a list; as comma lists of names; as yes; as the name says."""

RUN_SUITE = "independence-bench run"  # pytest on the suite, from any folder and any kind of installation
RUN_OR_NAME = f"measure with `{RUN_SUITE}`, or name another store with --store"  # for a store without results

OTHERS = "others"  # among the kinds that take an option: every kind that another package brings
_REPEATABLE = ("each", "names")


@dataclass(frozen=True, slots=True)
class Option:
    """One option."""

    flag: str  # as it is written, with both dashes
    field: str  # its field in ``Settings`` or ``GateOptions``, and its name in a stored session
    purpose: Purpose
    help: str
    metavar: str | None = None
    reads: Reads = "value"
    type: Callable[[str], object] | None = None  # of ``option_values``: reads one value, or raises ArgumentTypeError
    choices: tuple[str, ...] | None = None
    default: object = None
    kinds: tuple[str, ...] = ()  # of edition that take it, ``OTHERS`` for those of installed packages; empty: all
    needs_judges: bool = False  # only editions whose answers judges read take it
    of_edition: bool = False  # replaces the value of this name under the own key of an edition that has one

    @property
    def name(self) -> str:
        """The flag without its dashes."""
        return self.flag.removeprefix("--")

    @property
    def dest(self) -> str:
        """Name under which argparse keeps it."""
        return f"bench_{self.name.replace('-', '_')}"

    @property
    def spellings(self) -> tuple[str, str]:
        """The flag, and the one that no other plugin owns."""
        return self.flag, f"--bench-{self.name}"

    @property
    def is_asked_again(self) -> bool:
        """Whether a command that continues a session repeats it."""
        return self.purpose in ("shapes", "limits", "criterion")

    @property
    def is_stored(self) -> bool:
        """Whether a session's row keeps it."""
        return self.purpose in ("shapes", "limits", "part")

    def placed(self, value: Any, folder: Path) -> Any:
        """Return a value; a path, or an edition's file, as it is from the folder that it is relative to."""
        if self.reads == "path":
            return folder / Path(value).expanduser()
        return str(folder / value) if self.reads == "edition" and option_values.is_edition_file(value) else value

    def keywords(self) -> dict[str, Any]:
        """Return the keyword arguments for argparse and pytest."""
        if self.reads == "switch":
            return {"action": "store_true", "dest": self.dest, "help": self.help}
        repeatable: dict[str, Any] = {"action": "append", "default": []} if self.reads in _REPEATABLE else {}
        given = {"type": self.type, "choices": self.choices, "metavar": self.metavar, "default": self.default}
        return {
            "dest": self.dest,
            "help": self.help,
            **{name: value for name, value in given.items() if value is not None},
            **repeatable,
        }

    def words(self, value: object) -> list[str]:
        """Return the words that give a value, stored or as a setting; none where it was not given."""
        if value is None or value is False:
            return []
        if self.reads == "switch":
            return [self.flag]
        values = value if self.reads in _REPEATABLE and isinstance(value, list | tuple) else [value]
        return [f"{self.flag}={_text(each)}" for each in values]


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_text, value))
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


_FILE: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("options.json").read_text("utf-8"))


def _declared(table: str) -> tuple[Option, ...]:
    return tuple(map(_option, _FILE[table]))


def _option(row: Mapping[str, Any]) -> Option:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Option(**values | {"type": getattr(option_values, row["type"]) if "type" in row else None})


OPTIONS = _declared("session")
"""Of a session that measures. Fields that change a model or its endpoint are in ``Overrides``, the others in
``Settings``."""
GATE_OPTIONS = _declared("gate")
BY_SPELLING: Mapping[str, Option] = {
    spelling: option for option in (*OPTIONS, *GATE_OPTIONS) for spelling in option.spellings
}
MAX_DROP = BY_SPELLING["--max-drop"]
"""Of the gate, and of the command ``compare``, which asks the same of two models."""


def rerun_arguments(values: Mapping[str, Any], options: Iterable[Option] = OPTIONS) -> list[str]:
    """Return the words that ask again for ``values`` (field → setting or stored JSON); the one place that makes them.
    Left out: what belongs to one session alone (its shard, its places), and what this version does not know.
    """
    return [word for option in options if option.is_asked_again for word in option.words(values.get(option.field))]
