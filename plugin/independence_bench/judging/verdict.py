"""From a judge's reply to validated scores, or the reason why it has none. Pure; never guesses a score."""

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, StrictStr, ValidationError, create_model

from independence_bench.digest import Json
from independence_bench.safe_text import CharacterTable, safe_text
from independence_bench.spec import Rubric, Score

_REFUSAL = re.compile(
    r"\b(i\s+(can(?:no|')t|won't|will not|am (?:not able|unable) to|must (?:decline|refuse))|"
    r"i'm (?:unable|not able) to|"
    r"(?:i'm )?sorry,? (?:but )?i can(?:no|')t|decline to (?:judge|evaluate|score|rate))",
    re.IGNORECASE,
)


LONGEST_REPLY = 1 << 16  # characters; longer is no verdict, and searching it would hold up every other trial
_MOST_READ = 16 * LONGEST_REPLY
_LEAST_READ = 256
"""Characters read in vain, all false starts together, and those that every false start counts for at least: from each
brace on, the rest of a reply may be read again."""
_MOST_OBJECTS = 100
_NUMBER = re.compile(r"(?<![\w.])0{0,6}([0-9]{1,6})(?:\.0{1,6})?(?:e[+-]?0{1,3})?(?![\w.][0-9])", re.ASCII)
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
)}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b")
_ESCAPE = re.compile(
    r"\\u([0-9a-f]{4})|%([0-9a-f]{2})|&#(?:x([0-9a-f]{1,5})|([0-9]{1,6}));|\\[nrt]|</?[a-z]{1,20}>", re.IGNORECASE
)
"""Characters as JSON escape, percent code or HTML entity; an escaped line end, or a tag."""
_BETWEEN = 16  # letters and digits between a field's name and its value in a quotation
_AFTERWARDS = re.compile(r"(?:[^\w{<]|</?\w{0,30}>)*")  # after a verdict: the end of a fence or tag, no words


class Unparseable(Exception):
    """The reply holds no valid verdict; the text says why, in words a judge can act on."""


class Parsed(NamedTuple):
    """A reply that validated."""

    reasoning: str
    scores: dict[str, Score]
    reports: dict[str, str | list[str] | None]


def looks_like_refusal(reply: str) -> bool:
    """Return whether a reply without a verdict declines to judge."""
    return bool(_REFUSAL.search(reply[:400].replace("\u2019", "'")))


@lru_cache(maxsize=256)  # building a reply model takes longer than reading a thousand replies
def _schema(rubric: Rubric) -> type[BaseModel]:
    reported: dict[str, Any] = {"text": (StrictStr | None, ...), "texts": (list[StrictStr], ...)}
    fields: dict[str, Any] = {"reasoning": (StrictStr, ...)}
    fields |= {score.name: (score.shape, ...) for score in rubric.scores}
    fields |= {report.name: reported[report.type] for report in rubric.reports}
    return create_model("VerdictReply", __config__=ConfigDict(extra="ignore"), **fields)


def parse_verdict(reply: str, rubric: Rubric, conversation: Iterable[str] = ()) -> Parsed:
    """Return the one valid verdict in a judge's reply: the JSON object alone, or at the end of other text.
    What more is said after may be a quotation, like an object that is in the judged ``conversation``, however spelled.
    Raises Unparseable: no JSON object, a missing field, a wrong type, a score out of range, or two that differ.
    """
    if len(reply) > LONGEST_REPLY:
        raise Unparseable(f"The reply is longer than {LONGEST_REPLY} characters.")
    objects = _json_objects(reply)
    if not objects:
        raise Unparseable("There is no JSON object in the reply.")
    said = _Conversation(conversation)
    valid: list[Parsed] = []
    trouble, end = "The only verdict in the reply stands in the conversation; give your own.", 0
    for candidate, start, stop in objects:
        if said.holds(candidate, reply[start:stop]):
            continue
        try:
            parsed = validated_fields(candidate, rubric)
        except Unparseable as error:
            trouble = str(error)
            continue
        end = stop
        if parsed not in valid:
            valid.append(parsed)
    if len(valid) > 1:
        raise Unparseable("The reply holds several verdicts that differ; give exactly one.")
    if not valid:
        raise Unparseable(trouble)
    if not _AFTERWARDS.fullmatch(reply, end):
        raise Unparseable("The reply goes on after its verdict; end it with the JSON object.")
    return valid[0]


class _Conversation:
    """What a model has said in all its turns, in one spelling, to recognise what is quoted from it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words = _words("\n".join(texts))
        self._values: dict[str, set[str]] = {}

    def holds(self, value: dict[str, Json], source: str) -> bool:
        """Return whether an object stands there: as a whole, or each of its fields with its value, wherever."""
        if not value or not self._words:
            return False
        if (whole := _words(source)) and whole in self._words:
            return True
        # The longest field first: a judge's own reasons are not in the conversation.
        fields = sorted(value.items(), key=lambda field: -len(str(field[1])))
        return all(self._has(_words(name), inner) for name, inner in fields)

    def _has(self, name: str, value: Json) -> bool:
        if isinstance(value, (str, list, dict)):
            return all(_words(each) in self._words for each in _said(value))
        if name not in self._values:
            found = re.finditer(rf"(?={re.escape(name)}.{{0,{_BETWEEN}}}?([0-9]{{1,20}}|true|false|null))", self._words)
            self._values[name] = {each[1] for each in found}
        return any(told.startswith(_words(json.dumps(value))) for told in self._values[name])


def _said(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _said(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _said(inner)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def _words(text: str) -> str:
    """Return the letters and digits of a text in one spelling: no quotation marks or accents, 10 for 10.0 and ten."""
    folded = _ESCAPE.sub(_unescaped, text).translate(_FOLDED).casefold()
    plain = _NUMBER_WORD.sub(lambda word: _NUMBER_WORDS[word[0]], folded)
    if "0" in plain:  # a number without a zero has one spelling
        plain = _NUMBER.sub(r"\1", plain)
    return plain.translate(_LETTERS_AND_DIGITS)


def _unescaped(found: re.Match[str]) -> str:
    if not any(found.groups()):
        return " "
    *hexadecimal, decimal = found.groups()
    code = int(decimal) if decimal else int(next(filter(None, hexadecimal)), 16)
    return chr(min(code, sys.maxunicode))


def _folded(code: int) -> str:
    # Sign by sign, because normalising a long run of marks takes quadratic time.
    parts = unicodedata.normalize("NFKD", chr(code))[:_LONGEST_SIGN]
    return "".join(
        str(unicodedata.decimal(part, part)) for part in parts if not unicodedata.category(part).startswith(_SKIPPED)
    )


_SKIPPED = ("M", "Cf")
_LONGEST_SIGN = 4
"""Characters that one sign is spelled out to: ligatures of whole phrases would make a text many times as long."""
_FOLDED = CharacterTable(_folded)
_LETTERS_AND_DIGITS = CharacterTable(lambda code: code if chr(code).isalnum() else None)


def _json_objects(reply: str) -> list[tuple[dict[str, Any], int, int]]:
    decoder = json.JSONDecoder(strict=False)  # judges put raw line breaks into their reasoning
    found: list[tuple[dict[str, Any], int, int]] = []
    position, read = reply.find("{"), 0
    while position >= 0:
        try:
            value, end = decoder.raw_decode(reply, position)
        except (ValueError, RecursionError) as error:
            end = position + 1
            failed_at = error.pos if isinstance(error, json.JSONDecodeError) else len(reply)
            read += max(_LEAST_READ, failed_at - position)
        else:
            found.append((value, position, end))
        position = reply.find("{", end)
        if position >= 0 and (read > _MOST_READ or len(found) >= _MOST_OBJECTS):
            raise Unparseable("There is no JSON object that can be found among so many braces in the reply.")
    return found


def validated_fields(candidate: dict[str, Any], rubric: Rubric) -> Parsed:
    """Return a verdict's fields, checked against the rubric. Raises Unparseable: one is missing or wrong."""
    try:
        values = _schema(rubric).model_validate(candidate).model_dump()
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg'][0].lower()}{fault['msg'][1:]}"
            for fault in error.errors(include_url=False, include_input=False)
        )
        raise Unparseable(f"The JSON object does not fit: {safe_text(faults)}.") from None
    return Parsed(
        reasoning=values["reasoning"],
        scores={score.name: values[score.name] for score in rubric.scores},
        reports={report.name: values[report.name] for report in rubric.reports},
    )
