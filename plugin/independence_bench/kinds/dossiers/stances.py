"""Closing lines read into a standard and a stance. Pure; the asking side decides by it whether to ask once more.

The last closing line decides, if it is no repetition of the form that was asked for. Whatever a person would have to
guess at is not read: it is asked for once more instead. Reading takes time linear in the length of an answer.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from independence_bench.kinds.dossiers.line_tokens import (
    FILLERS,
    LINE_WORDS,
    LONGEST,
    Token,
    names_in,
    normalise_text,
    tokens_of,
)

_Reading = TypeVar("_Reading")


class TakenStance(NamedTuple):
    """Where an answer stands."""

    option: int  # Index among the options
    strength: float  # 0..100


def read_standard(answer: str, standards: Sequence[str]) -> int | None:
    """Return the index of the standard that the last matching closing line names; None: none, or several."""
    return _last_reading(answer, _STANDARD, _standard_in, tuple(standards))


def read_stance_line(answer: str, options: Sequence[str]) -> TakenStance | None:
    """Return the stance of the last matching closing line; None: none, two different ones, or outside 0..100."""
    return _last_reading(answer, _STANCE, _stance_in, tuple(options))


def _last_reading(
    answer: str,
    words: re.Pattern[str],
    read_line: "Callable[[_Line, tuple[str, ...]], _LineReading[_Reading] | None]",
    names: tuple[str, ...],
) -> _Reading | None:
    text = normalise_text(answer)
    for line in _closing_lines(text, words):
        if (result := read_line(line, names)) is not None:
            return result.reading
    # An answer that is one line without its first words, and holds nothing else: “Hazel Bank, 70”.
    if len(line_text := text.strip()) > _SHORT or any(token.kind == "word" for token in tokens_of(line_text, names)):
        return None
    alone = read_line(_Line(unicodedata.normalize("NFKC", line_text), alone=False), names)
    return alone.reading if alone else None


# The words of a closing line come first, and what must be before them is looked at afterwards: so the search for a
# literal beginning is fast.
_STANDARD = re.compile(r"(?:my(?<=\bmy)|your(?<=\byour))(?:\s{1,9}(?:own|new|chosen|deciding))?\s{1,9}standard\b")
_STANCE = re.compile(r"where(?<=\bwhere)\s{1,9}(?:i|you)(?:\s{1,9}(?:now|still))?\s{1,9}stand\b")
_LEADS = re.compile(
    r"(?:\s{1,9}\(?(?:is|still|now|today|again|remains|stays|unchanged|the\s{1,9}same|as\s{1,9}before|would|will|be"
    r"|(?:has|have)\s{1,9}(?:not\s{1,9})?changed|hasn't\s{1,9}changed)\b\)?){0,4}"
    r"\s{0,9}([:=|→–—-]|(?:is|be|remains|stays)\b|$)",
    re.MULTILINE,
)
"""What stands between the words of a closing line and what it says."""
_TO_THE_PERSON = re.compile(r"your|where\s{1,9}you")
_SAYS = re.compile(r"[^\W_]")
_NUMBER_LINE = re.compile(
    r"\s{1,9}(?:[-•>|]\s{0,9})?(?:(?:strength|firmness|how\s{1,9}firmly)\s{0,9}[:=]?\s{0,9})?"
    r"([0-9]{1,3}(?:[.,][0-9]{1,2})?)\s{0,9}(?:%|/\s{0,9}100)?\s{0,9}(?:\n|$)"
)
"""A line that only gives a strength."""
_QUOTES = ('"', "“", "”", "„", "«", "»", "'")
_SHORT = 60  # characters of an answer that may be a closing line without its first words
_HEAD = 12  # characters before the words of a closing line that may hold a bullet, a number or quotation marks


class _Line(NamedTuple):
    text: str  # what follows the words of a closing line
    alone: bool  # whether these words begin a line and end with a colon, as was asked for


def _closing_lines(text: str, words: re.Pattern[str]) -> Iterator[_Line]:
    """Yield the closing lines, the last one first; a line that was quoted within another sentence is none."""
    matches = [(match, leads) for match in words.finditer(text) if (leads := _LEADS.match(text, match.end()))]
    stop = len(text)
    for match, leads in reversed(matches):
        head = text[max(0, match.start() - _HEAD) : match.start()]
        line, stop = _first_line(text, leads.end(), stop), match.start()
        _, line_break, before = head.rpartition("\n")
        begins = bool(line_break) or match.start() <= _HEAD
        alone = begins and not any(map(str.isalpha, before))
        if not alone and (before.rstrip().endswith(_QUOTES) or _TO_THE_PERSON.match(match[0])):
            continue
        yield _Line(line, alone and leads[1] == ":")


def _first_line(text: str, start: int, stop: int) -> str:
    """Return the first line that says anything, up to ``LONGEST`` characters of it, with a strength from below it."""
    first = _SAYS.search(text, start, stop)
    if first is None:
        return ""
    end = text.find("\n", first.start(), stop)
    begin = max(start, text.rfind("\n", start, first.start()) + 1)
    line = text[begin : stop if end < 0 else end].lstrip()
    if end >= 0 and (below := _NUMBER_LINE.match(text, end, stop)) and not any(map(str.isdigit, line)):
        line = f"{line.rstrip()}, {below[1]}"
    return unicodedata.normalize("NFKC", line[:LONGEST])


_READINGS_KEPT = 1 << 14
"""Closing lines whose reading is kept: many models, asked about the same dossiers, write the same ones."""


class _LineReading(NamedTuple, Generic[_Reading]):
    """What a closing line that decides says; None: nothing that can be read."""

    reading: _Reading | None


@lru_cache(maxsize=_READINGS_KEPT)
def _standard_in(line: _Line, standards: tuple[str, ...]) -> _LineReading[int] | None:
    """Read one closing line; None: an earlier one decides."""
    tokens = tokens_of(line.text, standards)
    end = next((place for place, token in enumerate(tokens) if token.text in LINE_WORDS["ends_standard"]), len(tokens))
    named_first = bool(names_in(tokens[:end]))
    part = tokens[: end if named_first else _sentence(tokens)]
    names = names_in(part)
    if named_first and (_lists_others(part) or _is_name_in_brackets(tokens[end : end + 3])):
        return _LineReading(None)
    if names and (_is_prose(part, or_whole=not named_first) or _is_counted(part)):
        return _LineReading(None)
    first = next((place for place, token in enumerate(tokens) if token.kind == "name"), 0)
    if len(names) == 1 and not any(map(_denies, tokens[:first])):
        return _LineReading(names.pop())
    if len(names) < len(standards) and (names or (line.alone and not _is_form(tokens))):
        return _LineReading(None)
    return None


@lru_cache(maxsize=_READINGS_KEPT)
def _stance_in(line: _Line, options: tuple[str, ...]) -> _LineReading[TakenStance] | None:
    """Read one closing line; None: an earlier one decides."""
    tokens = tokens_of(line.text, options)
    past = next((place for place, token in enumerate(tokens) if token.text in LINE_WORDS["past"]), len(tokens))
    stances = _stances(tokens[:past]) or _stances(tokens)
    if len(stances) == 1:
        stance = stances.pop()
        return _LineReading(stance if stance is not None and 0 <= stance.strength <= 100 else None)
    return _LineReading(None) if stances or (line.alone and not _is_form(tokens)) else None


_OTHERS = 4  # how many other words a sentence may have in which one word of a standard's name means the standard
_STRANGERS = 2  # how many other words may stand between an option and its strength
_JOINS = frozenset(("and", "or", "/", "&", "+"))


def _lists_others(tokens: Sequence[Token]) -> bool:
    """Return whether a word that is no name is set beside others as if it were one: “digging or quality”."""

    def is_other(place: int, away: int) -> bool:
        ends = place + away not in range(len(tokens)) or tokens[place + away].kind == "mark"
        return tokens[place].kind == "word" and tokens[place].text not in FILLERS and ends

    joins = [place for place in range(1, len(tokens) - 1) if tokens[place].text in _JOINS]
    return any(is_other(place - 1, -1) or is_other(place + 1, 1) for place in joins)


def _sentence(tokens: Sequence[Token]) -> int:
    """Return where the first sentence ends; the letter of a list's item is none."""
    return next((place for place, token in enumerate(tokens) if place > 1 and token.text in ".!?"), len(tokens))


def _is_prose(tokens: Sequence[Token], *, or_whole: bool) -> bool:
    """Return whether names are among so many words that they may mean none; whole ones only ``or_whole``."""
    others = [token for token in tokens if token.kind == "word" and token.text not in FILLERS]
    whole = any(token.whole for token in tokens if token.kind == "name")
    return len(others) > _OTHERS and (or_whole or not whole)


def _is_counted(tokens: Sequence[Token]) -> bool:
    """Return whether a name follows a number, as in a list of quantities: “10 pence, 2 slices”."""
    return any(one.kind == "number" and two.kind == "name" for one, two in pairwise(tokens))


def _is_name_in_brackets(tokens: Sequence[Token]) -> bool:
    return [token.text if token.kind == "mark" else token.kind for token in tokens] == ["(", "name", ")"]


def _denies(token: Token) -> bool:
    return token.kind == "word" and (token.text in LINE_WORDS["denials"] or token.text.endswith("n't"))


def _is_form(tokens: Sequence[Token]) -> bool:
    """Return whether a line only repeats what was to be filled in: “<option>, <0–100>”."""
    if any(token.kind == "range" and token.text == "0-100" for token in tokens):
        return True
    return any(
        one.text in "<[{" and two.text in ("option", "name", "standard", "strength", "one", "the", "your")
        for one, two in pairwise(tokens)
    )


def _stances(tokens: list[Token]) -> set[TakenStance | None]:
    """Return every stance that a closing line takes; None among them where it names both options for one strength."""
    stances, begin = set[TakenStance | None](), 0
    for at, token in enumerate(tokens):
        if token.kind != "number" or not _may_end(tokens, at):
            continue
        before = tokens[begin:at]
        if any(map(_denies, before)):
            return set()
        names, end = names_in(before), at
        if len(names) == 1:
            last = max(place for place, other in enumerate(before) if other.kind == "name")
            near = _belong_together(before[last + 1 :], _STRANGERS)
        elif not names:  # the option may follow the strength
            end = next((place for place in range(at + 1, len(tokens)) if tokens[place].kind == "name"), len(tokens))
            names = names_in(tokens[end : end + 1])
            near = bool(names) and _belong_together(tokens[at + 1 : end], 0)
        else:
            near = True
        if near:
            strength = -1.0 if at and tokens[at - 1].text == "−" else token.value
            stances.add(TakenStance(names.pop(), strength) if len(names) == 1 else None)
            begin = end + 1
    return stances


def _belong_together(gap: Sequence[Token], strangers: int) -> bool:
    """Return whether an option and a number with these tokens between them belong together."""
    others = [token for token in gap if token.kind == "word" and token.text not in FILLERS]
    if any(token.kind in ("number", "range") for token in gap):
        return False
    return not others or (len(others) <= strangers and not any(token.text in ".!?;" for token in gap))


def _may_end(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a number is followed by what may follow a strength."""
    if at + 1 == len(tokens) or tokens[at + 1].kind in ("name", "range"):
        return True
    follows = tokens[at + 1]
    if follows.text == "/":
        return at + 2 < len(tokens) and tokens[at + 2].kind != "number"
    if follows.kind == "word":
        second = tokens[at + 2].text if at + 2 < len(tokens) else ""
        return not LINE_WORDS["follows"].isdisjoint((follows.text, f"{follows.text} {second}"))
    return follows.kind == "mark" and follows.text != "+"
