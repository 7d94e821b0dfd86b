"""Every option of a session and of a gate, declared once: how it is written, read, stored and asked for again.

The options themselves are in ``options.json``; a ``type`` there is a function of ``option_values``. Reports print
commands and may not import sessions, so this module is below both. Every pytest run loads it, so it imports only the
standard library and knows no type of a setting.
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

PACKAGED_SUITE = "independence_bench.bench_tests"  # the suite in the wheel: ``pytest --pyargs …``

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
    type: Callable[[str], object] | None = None  # reads one value; raises argparse.ArgumentTypeError
    choices: tuple[str, ...] | None = None
    default: object = None

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


def _option(row: dict[str, Any]) -> Option:
    named = {"type": getattr(option_values, row["type"])} if "type" in row else {}
    chosen = {"choices": tuple(row["choices"])} if "choices" in row else {}
    return Option(**row | named | chosen)


_DECLARED = json.loads(Path(__file__).with_name("options.json").read_text("utf-8"))
OPTIONS = tuple(map(_option, _DECLARED["session"]))
"""Of a session that measures. Fields that change a model or its endpoint are in ``Overrides``, the others in
``Settings``."""
GATE_OPTIONS = tuple(map(_option, _DECLARED["gate"]))
MAX_DROP = next(option for option in GATE_OPTIONS if option.field == "max_drop")
"""Of the gate, and of the command ``compare``, which asks the same of two models."""


def rerun_arguments(values: Mapping[str, Any], options: Iterable[Option] = OPTIONS) -> list[str]:
    """Return the words that ask again for ``values`` (field → setting or stored JSON); the one place that makes them.
    Left out: what belongs to one session alone (its shard, its places), and what this version does not know.
    """
    return [word for option in options if option.is_asked_again for word in option.words(values.get(option.field))]
