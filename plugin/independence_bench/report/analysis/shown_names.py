"""What readers call a model: a name and badges, made of the catalogue's facts and the label. Pure.

The one place for it. A label that says no more than the id, provider, effort and temperature is replaced by the name
that the id implies; a label that its owner has chosen stays as it is.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.marks import MARKS
from independence_bench.report.analysis.model_facts import Marks
from independence_bench.report.analysis.model_ids import HOSTS, base_model, family, served_by
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.spec import EMBEDDED, is_embedded

BadgeKind = Literal["provider", "host", "tier", "effort", "temperature", "build", "label"]


class Badge(NamedTuple):
    """One fact that tells configurations of a model apart."""

    kind: BadgeKind
    text: str


class ShownName(NamedTuple):
    """A model configuration as readers see it; the label is the exact name."""

    name: str
    badges: tuple[Badge, ...] = ()
    marks: tuple[tuple[str, str, str], ...] = ()
    """The sign and the words of each of its marks on a board, with its meaning and its reason."""

    def marked(self, marks: Marks) -> "ShownName":
        """Return the name with marks."""
        known = [(MARKS[name], reason) for name, reason in marks.items()]
        return self._replace(marks=tuple((mark.sign, mark.word, f"{mark.means} ({reason})") for mark, reason in known))

    def __str__(self) -> str:
        """Return both in one line, for titles of charts."""
        return " · ".join([self.name, *(badge.text for badge in self.badges)])


_WORDS: dict[str, dict[str, str]] = packaged_yaml(__package__, "name_words.yaml")
_NO_VENDORS = frozenset((*HOSTS, "openrouter", EMBEDDED))  # first parts of ids that name a place and no maker

_GLUED = frozenset(("gpt", "glm"))  # brands that write their version behind a hyphen
_SIZE = re.compile(r"[ae]?\d+(?:\.\d+)?[bmt]")
_DATE = re.compile(r"0\d|\d{3,8}")  # a number in an id that belongs to a date, not to a version
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # what an id looks like; anything else is shown as it is
_SUFFIX = re.compile(r"(?:[:+][^@#]*)?(?:@(?P<facts>[^#]*))?(?:#.*)?$")


def shown_names(rows: Sequence[LeaderboardRow]) -> dict[str, ShownName]:
    """Return the name of each model configuration by identity, with the badges that tell it from the others.

    Effort is told where a model is asked to think, temperature where it is not the usual one here; of models that would
    still read alike every fact is told, and as the last resort the label.
    """
    models = {row.identity: row for row in rows}
    temperatures = Counter(row.temperature for row in models.values())
    usual = temperatures.most_common(1)[0][0] if temperatures else None
    found = {identity: ShownName(_name(row), _badges(row, usual)) for identity, row in models.items()}
    found |= {each: found[each]._replace(badges=_badges(models[each], usual, every=True)) for each in _alike(found)}
    return found | {each: found[each]._replace(badges=(Badge("label", models[each].label),)) for each in _alike(found)}


def _alike(found: Mapping[str, ShownName]) -> list[str]:
    shared = Counter(found.values())
    return [identity for identity, name in found.items() if shared[name] > 1]


def vendor_of(model_id: str, vendor: str | None) -> str | None:
    """Return who made a model: what the catalogue says, else what its id implies; None where neither names a maker."""
    if vendor and vendor.casefold() not in _NO_VENDORS:
        return vendor
    implied = family(model_id)
    if implied is None or implied in _NO_VENDORS:
        return None
    return _WORDS["vendors"].get(implied) or _titled(implied)


def _name(row: LeaderboardRow) -> str:
    base = base_model(row.model_id).rpartition("/")[2]
    stem = _SUFFIX.sub("", row.label.rpartition("/")[2] if "/" in row.label else row.label)
    # A quantised build is called after its model; anything else that the id does not say is the owner's own name.
    return _titled(base) if _ID.fullmatch(base) and _plain(stem) == _plain(base) else row.label


def _badges(row: LeaderboardRow, usual: float | None, *, every: bool = False) -> tuple[Badge, ...]:
    if _name(row) == row.label and not every:
        return ()
    found: list[Badge] = []
    place, _, tier = served_by(row.model_id, row.provider).partition(":")
    if place != "any":
        found.append(Badge("provider" if row.provider else "host", place.partition("/")[0]))
    if tier:
        found.append(Badge("tier", tier))
    effort = row.reasoning_effort
    if effort not in (None, "off", "none") or (every and effort):
        found.append(Badge("effort", f"{effort} effort" if effort not in ("off", "none") else f"effort {effort}"))
    if row.temperature is not None and (every or row.temperature != usual):
        found.append(Badge("temperature", f"T {row.temperature:g}"))
    if row.build and (every or not is_embedded(row.model_id)):
        found.append(Badge("build", row.build[:12]))
    return tuple(found)


def _plain(text: str) -> str:
    return re.sub(r"[-_.\s]+", "-", text.casefold())


def _titled(text: str) -> str:
    """Return an id as words: ``claude-opus-4-6`` is ``Claude Opus 4.6``, ``gpt-5.1-codex`` is ``GPT-5.1 Codex``."""
    words: list[str] = []
    parts = re.split(r"[-_]", text)
    for place, part in enumerate(parts):
        before = parts[place - 1] if place else ""
        if before in _GLUED and part[:1].isdigit():
            words[-1] += f"-{part}"
        elif part.isdigit() and before.isdigit():
            words[-1] += f"-{part}" if _DATE.fullmatch(part) or _DATE.fullmatch(before) else f".{part}"
        elif part:
            words.append(_word(part))
    return " ".join(words)


def _word(part: str) -> str:
    return _WORDS["words"].get(part) or (part.upper() if _SIZE.fullmatch(part) else part[0].upper() + part[1:])
