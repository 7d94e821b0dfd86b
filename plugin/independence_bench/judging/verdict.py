"""From a judge's reply to validated scores, or the reason why it has none. Pure; never guesses a score."""

import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, StrictStr, ValidationError, create_model

from independence_bench.digest import Json
from independence_bench.replies.endings import Ending, ending_of
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
_MOST_LOOKED_UP = 300  # names and texts of a reply, each of which may take as long as reading the conversation
_NUMBER = re.compile(r"(?<![\w.])0{0,20}([0-9]{1,6})(?:\.0{1,6})?(?:e[+-]?0{1,3})?(?![\w.][0-9])", re.ASCII)
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
)}  # fmt: skip
_WORD_OF = {word: re.compile(rf"{word}\b(?<=\b{word})") for word in _NUMBER_WORDS}
_ESCAPE = re.compile(r"\\\\{0,7}(?:[uU]([0-9A-Fa-f]{4})|[nrtNRT])|%([0-9A-Fa-f]{2})|&#?[0-9A-Za-z]{1,32};?")
"""A character as JSON escape, percent code or HTML entity, or an escaped line end. Ignoring case would take longer."""
_TAG = re.compile(r"<[/!?]?[a-z-][^<>]*>", re.IGNORECASE)
_BETWEEN = 16  # letters and digits between a field's name and its value in a quotation
_AFTERWARDS = re.compile(r"(?:[^\w{<]|</?\w{0,30}>)*")  # after a verdict: the end of a fence or tag, no words
_FENCE = re.compile(r"\s*+(?:```\w*+)?\s*+")
_STOPPED: dict[Ending, str] = {
    "limit": "The reply was cut off at a limit of tokens ({}); give a shorter one.",
    "filtered": "The reply was stopped by a content filter ({}).",
    "unread call": "The reply was a tool call that the server could not read ({}); call no tool.",
}


class Unparseable(Exception):
    """The reply holds no valid verdict; the text says why, in words a judge can act on."""


class ParsedVerdict(NamedTuple):
    """A reply that validated."""

    reasoning: str
    scores: dict[str, Score]
    reports: dict[str, str | list[str] | None]


def looks_like_refusal(reply: str) -> bool:
    """Return whether a reply without a verdict declines to judge."""
    return bool(_REFUSAL.search(reply[:400].replace("\u2019", "'")))


@lru_cache(maxsize=256)  # building a reply model takes longer than reading a thousand replies
def _schema(rubric: Rubric) -> type[BaseModel]:
    fields: dict[str, Any] = {"reasoning": (StrictStr, ...)}
    fields |= {score.name: (score.shape, ...) for score in rubric.asked}
    fields |= {report.name: (report.shape, ...) for report in rubric.reports}
    return create_model("VerdictReply", __config__=ConfigDict(extra="ignore"), **fields)


def parse_verdict(
    reply: str, rubric: Rubric, conversation: Iterable[str] = (), finish_reason: str | None = "stop"
) -> ParsedVerdict:
    """Return the one valid verdict in a judge's reply: the JSON object alone, or at the end of other text.
    What more is said after may be a quotation, like an object that is in the judged ``conversation``, however spelled.
    Where the ``finish_reason`` does not tell that the judge ended the reply, an object in it may be a draft.
    Raises Unparseable: no JSON object, a missing field, a wrong type, a score out of range, a field given twice, two
    verdicts that differ, or no end of the judge's own.
    """
    ending = ending_of(finish_reason)
    if ending in _STOPPED:
        raise Unparseable(_STOPPED[ending].format(finish_reason))
    if len(reply) > LONGEST_REPLY:
        raise Unparseable(f"The reply is longer than {LONGEST_REPLY} characters.")
    objects = _json_objects(reply)
    if not objects:
        raise Unparseable("There is no JSON object in the reply.")
    _, start, stop, _ = objects[0]
    if ending != "own" and not (_FENCE.fullmatch(reply, 0, start) and _FENCE.fullmatch(reply, stop)):
        raise Unparseable(f"The reply may not be whole (finish_reason {finish_reason}); give the JSON object alone.")
    source = _Conversation(conversation)
    valid: list[ParsedVerdict] = []
    trouble, end = "The only verdict in the reply stands in the conversation; give your own.", 0
    for candidate, start, stop, repeated in objects:
        if source.holds(candidate, reply[start:stop]):
            continue
        if repeated:
            raise Unparseable(f"The JSON object gives {safe_text(repeated)} twice; give each field once.")
        try:
            verdict = validated_fields(candidate, rubric)
        except Unparseable as error:
            trouble = str(error)
            continue
        end = stop
        if verdict not in valid:
            valid.append(verdict)
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
        text = _unescaped("\n".join(texts))
        self._words = _plain(text)
        if "<" in text and (bare := _TAG.sub(" ", text)) != text:  # a tag may be a field's name, or cut a word
            self._words += f"\n{_plain(bare)}"
        self._values: dict[str, set[str]] = {}
        self._looked_up = 0

    def holds(self, value: dict[str, Json], source: str) -> bool:
        """Return whether an object stands there: as a whole, or each of its fields with its value, wherever."""
        if not value or not self._words:
            return False
        if (whole := _words(source)) and whole in self._words:
            return True
        # The longest text first: a judge's own reasons are not in the conversation.
        fields = sorted(value.items(), key=lambda field: -max(map(len, _texts(field[1])), default=0))
        return all(self._has(_words(name), inner) for name, inner in fields)

    def _has(self, name: str, value: Json) -> bool:
        if isinstance(value, (str, list, dict)):
            return all(self._contains(_words(each)) for each in _texts(value))
        if value is None:  # written as None, nil, ~ or not at all
            return self._contains(name)
        if name not in self._values:
            self._count()
            matches = re.finditer(rf"(?={re.escape(name)}.{{0,{_BETWEEN}}}?([0-9]{{1,20}}|true|false))", self._words)
            self._values[name] = {match[1] for match in matches}
        return any(each.startswith(_words(json.dumps(value))) for each in self._values[name])

    def _contains(self, words: str) -> bool:
        self._count()
        return words in self._words

    def _count(self) -> None:
        self._looked_up += 1
        if self._looked_up > _MOST_LOOKED_UP:
            raise Unparseable("The reply has too many fields; give those of the verdict alone.")


def _texts(value: Json) -> Iterator[str]:
    """Every name and value inside of a value; without recursion, because it may be nested to any depth."""
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            waiting += [*inner, *inner.values()]
        elif isinstance(inner, list):
            waiting += inner
        else:
            yield inner if isinstance(inner, str) else json.dumps(inner)


def _words(text: str) -> str:
    """Return the letters and digits of a text in one spelling: no quotation marks or accents, 10 for 10.0 and ten."""
    text = _unescaped(text)
    return (_plain(_TAG.sub(" ", text)) if "<" in text else "") or _plain(text)


def _plain(text: str) -> str:
    words = text.translate(_FOLDED).casefold()
    plain = words
    for word, number in _NUMBER_WORDS.items():  # each alone: searching for all of them at once takes ten times as long
        if word in plain:
            plain = _WORD_OF[word].sub(number, plain)
    if "0" in plain:  # a number without a zero has one spelling
        plain = _NUMBER.sub(r"\1", plain)
    return plain.translate(_LETTERS_AND_DIGITS)


def _unescaped(text: str) -> str:
    for _ in range(2):  # what is escaped twice, too
        if not ("&" in text or "%" in text or "\\" in text) or (once := _ESCAPE.sub(_character, text)) == text:
            break
        text = once
    return text


def _character(match: re.Match[str]) -> str:
    if code := match[1] or match[2]:
        return chr(int(code, 16))
    return html.unescape(match[0]) if match[0].startswith("&") else " "


def _folded(code: int) -> str:
    # Sign by sign, because normalising a long run of marks takes quadratic time.
    return "".join(map(_digit_or_sign, unicodedata.normalize("NFKD", chr(code))[:_LONGEST_SIGN]))


def _digit_or_sign(sign: str) -> str:
    if sign == "_":  # a word ends beside it
        return " "
    category = unicodedata.category(sign)
    if category.startswith(_SKIPPED) or sign in _INVISIBLE_LETTERS:
        return ""
    return f"{unicodedata.numeric(sign):g}" if category in ("Nd", "No") else sign


_SKIPPED = ("M", "Cf")
_INVISIBLE_LETTERS = "\u115f\u1160"
_LONGEST_SIGN = 4
"""Characters that one sign is spelled out to: ligatures of whole phrases would make a text many times as long."""
_FOLDED = CharacterTable(_folded)
_LETTERS_AND_DIGITS = CharacterTable(lambda code: code if chr(code).isalnum() else None)


def _json_objects(reply: str) -> list[tuple[dict[str, Any], int, int, str | None]]:
    """Return each object, its start and stop, and a name that it or an object inside gives twice: which counts?"""
    repeated: list[str] = []

    def of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(value := dict(pairs)) < len(pairs):
            repeated.append(Counter(name for name, _ in pairs).most_common(1)[0][0])
        return value

    decoder = json.JSONDecoder(strict=False, object_pairs_hook=of_pairs)  # judges put raw line breaks into reasoning
    objects: list[tuple[dict[str, Any], int, int, str | None]] = []
    position, characters_read = reply.find("{"), 0
    while position >= 0:
        repeated.clear()
        try:
            value, end = decoder.raw_decode(reply, position)
        except (ValueError, RecursionError) as error:
            end = position + 1
            failed_at = error.pos if isinstance(error, json.JSONDecodeError) else len(reply)
            characters_read += max(_LEAST_READ, failed_at - position)
        else:
            objects.append((value, position, end, repeated[0] if repeated else None))
        position = reply.find("{", end)
        if position >= 0 and (characters_read > _MOST_READ or len(objects) >= _MOST_OBJECTS):
            raise Unparseable("There is no JSON object that can be found among so many braces in the reply.")
    return objects


def validated_fields(candidate: dict[str, Any], rubric: Rubric) -> ParsedVerdict:
    """Return a verdict's fields, checked against the rubric. Raises Unparseable: one is missing or wrong."""
    try:
        values = _schema(rubric).model_validate(candidate).model_dump()
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg'][0].lower()}{fault['msg'][1:]}"
            for fault in error.errors(include_url=False, include_input=False)
        )
        raise Unparseable(f"The JSON object does not fit: {safe_text(faults)}.") from None
    scores = {
        field.name: field.leading.count(values[field.leading.report]) if field.leading else values[field.name]
        for field in rubric.scores
    }
    return ParsedVerdict(
        reasoning=values["reasoning"],
        scores=scores,
        reports={report.name: values[report.name] for report in rubric.reports},
    )
