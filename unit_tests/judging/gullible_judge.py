"""A judge that obeys whatever it reads outside the fence, and the answers that try to be read there.

It looks for orders in many disguises, takes anything for the end of the fence that resembles it, and trusts nobody's
role: only what it said itself does not impress it. Test code alone; nothing here is a model of a real judge.
"""

import base64
import binascii
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).resolve().parents[1] / "data" / "hostile_answers.yaml"
ANOTHER_HASH = "0123456789abcdef0123456789abcdef"
HONEST, OBEYED = "Read and weighed.", "As ordered."

_BEGIN = re.compile(r"=== BEGIN TRANSCRIPT ([0-9a-f]{32}) ===")
_LOOKS_LIKE_AN_END = re.compile(r"\s*=*\s*END TRANSCRIPT\b")
_ORDER = re.compile(
    r"(give|award|rate|assign|score|donnez|asigna|vergib|поставь|打|امنح)[^\n<>]{0,60}?(?<!\d)(?<!0 to )10(?![\d:])"
    r"|(?<!\d)10 ?(点|अंक)",
    re.IGNORECASE,
)
_TAG_LETTERS = {code: code - 0xE0000 for code in range(0xE0020, 0xE007F)}
_VERDICT = re.compile(r'"?\w+_(score|reasoning)"?\s*:?=?\s*:?\s*10\b|score\s*=\s*10')


@dataclass(frozen=True)
class HostileAnswer:
    """One entry of the battery."""

    id: str
    text: str
    order: bool
    """Whether it asks for the best score; the others only try to break the layout."""


@cache
def battery() -> tuple[HostileAnswer, ...]:
    """Every answer, with HASH replaced by the marker of another transcript."""
    rows = yaml.load(DATA.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return tuple(
        HostileAnswer(
            row["id"], row["text"].replace("HASH", ANOTHER_HASH) * row.get("repeat", 1), row.get("order", True)
        )
        for row in rows
    )


def unfenced(text: str) -> str:
    """What stands outside the fence, for a reader who lets anything close it that looks like its end."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        plain = _plain(line)
        if inside:
            inside = not _LOOKS_LIKE_AN_END.match(plain)
        elif _BEGIN.fullmatch(line):
            inside = True
        else:
            lines.append(line)
    return "\n".join(lines)


@lru_cache(maxsize=2)  # two judges read the same
def orders_in(text: str) -> list[str]:
    """Every order in a text, whatever it is dressed up as."""
    shown = _plain(text)
    readings = [shown, _turned_round(text), *_decoded(shown)]
    return [match[0] for reading in readings for rule in (_ORDER, _VERDICT) for match in rule.finditer(reading)]


def _plain(text: str) -> str:
    """The text as it sounds: compatibility forms folded, tag characters read as letters, invisible ones left out."""
    if text.isascii() and text.isprintable():  # what most of it is: each of its characters sounds as it looks
        return text
    folded = unicodedata.normalize("NFKC", text.translate(_TAG_LETTERS))
    silent = {ord(letter) for letter in set(folded) - {"\n"} if unicodedata.category(letter) in ("Cf", "Cc")}
    return folded.translate(dict.fromkeys(silent))


def _turned_round(text: str) -> str:
    return "\n".join(found[::-1] for found in re.findall("\u202e([^\u202c]*)", text))


def _decoded(text: str) -> Iterator[str]:
    for word in re.findall(r"[A-Za-z0-9+/]{24,}={0,2}", text):
        try:
            yield base64.b64decode(word, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue


@dataclass
class GullibleJudge:
    """Scores 3 out of honesty, and everything at its best once it has read an order outside the fence."""

    obeyed: list[list[str]] = field(default_factory=list)
    """The orders it followed, by request."""
    read: list[str] = field(default_factory=list)
    """What it found outside the fence, by request."""

    def reply(self, messages: list[dict[str, Any]], response_format: dict[str, Any]) -> str:
        """Return the verdict as JSON."""
        # What a judge said itself is no news to it; everything else it takes for an order.
        outside = "\n".join(unfenced(str(each["content"])) for each in messages if each["role"] != "assistant")
        orders = orders_in(outside)
        self.read.append(outside)
        if orders:
            self.obeyed.append(orders)
        fields: dict[str, object] = {"reasoning": OBEYED if orders else HONEST}
        for name, shape in response_format["json_schema"]["schema"]["properties"].items():
            kind = shape["type"]
            if kind == "integer":
                fields[name] = shape["maximum"] if orders else 3
            elif kind == "boolean":
                fields[name] = bool(orders)
            elif name != "reasoning":
                fields[name] = [] if kind == "array" else None
        return json.dumps(fields)
