"""Closing lines read into a standard and a stance. Pure; the asking side decides by it whether to ask once more.

The last closing line decides, if it is no repetition of the form that was asked for. Whatever a person would have to
guess at is not read: it is asked for once more instead. Reading takes time linear in the length of an answer.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Generic, Literal, NamedTuple, TypeVar


class TakenStance(NamedTuple):
    """Where an answer stands."""

    option: int
    """Index among the options."""
    strength: float
    """0..100."""


def read_standard(answer: str, standards: Sequence[str]) -> int | None:
    """Return the index of the standard that the last matching closing line names; None: none, or several."""
    names = tuple(standards)
    for line in _closing_lines(_plain(answer), _STANDARD):
        if (reading := _standard_in(line, names)) is not None:
            return reading.found
    return None


def read_stance(answer: str, options: Sequence[str]) -> TakenStance | None:
    """Return the stance of the last matching closing line; None: none, two different ones, or outside 0..100."""
    names = tuple(options)
    for line in _closing_lines(_plain(answer), _STANCE):
        if (reading := _stance_in(line, names)) is not None:
            return reading.found
    return None


# The words of a closing line come first, and what must be before them is looked at afterwards: so the search for a
# literal beginning is fast.
_STANDARD = re.compile(
    r"my(?<=\bmy)(?:\s{1,9}(?:own|chosen))?\s{1,9}standard(?:\s{1,9}is)?\s{0,9}([:=|–—-]|is\b|$)", re.MULTILINE
)
_STANCE = re.compile(
    r"where(?<=\bwhere)\s{1,9}i(?:\s{1,9}(?:now|still))?\s{1,9}stand(?:\s{1,9}now)?\s{0,9}([:=|–—-]|is\b|$)",
    re.MULTILINE,
)
_SAYS = re.compile(r"[^\W_]")
_LONGEST = 400
"""Characters of a closing line that are read; no name and no number is further away."""
_MARKS = dict.fromkeys("*_`#~$\\\u200b\u200d\ufeff\xad", " ")
_ODD = str.maketrans({**_MARKS, **dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"), "’": "'", "‘": "'", "：": ":"})
_QUOTES = ('"', "“", "”", "„", "«", "»", "'")
_HEAD = 12
"""Characters before the words of a closing line that may hold a bullet, a number or quotation marks."""


@lru_cache(maxsize=1)
def _plain(answer: str) -> str:
    """Return the text in lower case and without emphasis; kept for the second of the two readers of an answer."""
    return answer.translate(_ODD).casefold()


class _Line(NamedTuple):
    said: str
    """What follows the words of a closing line."""
    alone: bool
    """Whether these words begin a line and end with a colon, as was asked for."""


def _closing_lines(text: str, words: re.Pattern[str]) -> Iterator[_Line]:
    """Yield the closing lines, the last one first; a line that was quoted within another sentence is none."""
    found = list(words.finditer(text))
    stop = len(text)
    for match in reversed(found):
        head = text[max(0, match.start() - _HEAD) : match.start()]
        said, stop = _first_line(text, match.end(), stop), match.start()
        _, line_break, before = head.rpartition("\n")
        begins = bool(line_break) or match.start() <= _HEAD
        alone = begins and not any(map(str.isalpha, before))
        if not alone and before.rstrip().endswith(_QUOTES):
            continue
        yield _Line(said, alone and match[1] == ":")


def _first_line(text: str, start: int, stop: int) -> str:
    """Return the first line that says anything, up to ``_LONGEST`` characters of it."""
    said = _SAYS.search(text, start, stop)
    if said is None:
        return ""
    end = text.find("\n", said.start(), stop)
    begin = max(start, text.rfind("\n", start, said.start()) + 1)
    line = text[begin : stop if end < 0 else end].lstrip()
    return unicodedata.normalize("NFKC", line[:_LONGEST])


_READ = 1 << 14
"""Closing lines whose reading is kept: many models, asked about the same dossiers, write the same ones."""


_Found = TypeVar("_Found")


class _LineRead(NamedTuple, Generic[_Found]):
    """What a closing line that decides says; None: nothing that can be read."""

    found: _Found | None


@lru_cache(maxsize=_READ)
def _standard_in(line: _Line, standards: tuple[str, ...]) -> _LineRead[int] | None:
    """Read one closing line; None: an earlier one decides."""
    tokens = _tokens(line.said, standards)
    end = next((place for place, token in enumerate(tokens) if _ENDS_STANDARD.fullmatch(token.text)), len(tokens))
    named = _named(tokens[:end]) or _named(tokens)
    first = next((place for place, token in enumerate(tokens) if token.kind == "name"), 0)
    if len(named) == 1 and not any(map(_denies, tokens[:first])):
        return _LineRead(named.pop())
    if len(named) < len(standards) and (named or (line.alone and not _is_form(tokens))):
        return _LineRead(None)
    return None


@lru_cache(maxsize=_READ)
def _stance_in(line: _Line, options: tuple[str, ...]) -> _LineRead[TakenStance] | None:
    """Read one closing line; None: an earlier one decides."""
    tokens = _tokens(line.said, options)
    found = _stances(tokens)
    if len(found) == 1:
        stance = found.pop()
        return _LineRead(stance if stance is not None and 0 <= stance.strength <= 100 else None)
    return _LineRead(None) if found or (line.alone and not _is_form(tokens)) else None


class _Token(NamedTuple):
    kind: Literal["word", "number", "range", "name", "mark"]
    text: str
    value: float = 0.0
    """A number, or the index of a name."""


_TOKEN = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,20}){0,3}(?![^\W_])|[^\W_]{1,400}(?:'[^\W_]{1,9})?|[^\w\s]")
_SCALES = re.compile(
    r"(?<=[0-9])\s{0,9}(?:/\s{0,9}100\b|(?:out\s{1,9})?of\s{1,9}(?:a\s{1,9})?(?:100|hundred)\b|%|per\s?cent\b|points?\b)"
    r"|\bon\s{1,9}(?:a|the)\s{1,9}scale\s{1,9}(?:of|from)\s{1,9}0\s{0,9}(?:to|-|–|—)\s{0,9}100\b"
    r"|\(\s{0,9}0\s{0,9}(?:to|-|–|—)\s{0,9}100\s{0,9}\)"
)
_MINUS = re.compile(r"(?:(?<=[\s,:;(=|])|^)-(?=[0-9])")
"""A hyphen that belongs to the number behind it."""
_BETWEEN = frozenset(("-", "–", "—", "to", "or", "and"))
_COMMON = re.compile(
    r"a|an|the|of|and|or|in|on|at|to|for|by|with|from|as|is|it|its|be|my|our|this|that|one|two|what|who|which"
    r"|how|than|more|most|less|least|no|not|i"
)
"""Words that distinguish no name."""
_FILLERS = re.compile(
    r"with|at|a|an|the|of|strength|about|around|roughly|approximately|approx|ca|circa|some|still|now|only|just"
    r"|but|and|is|to|firmness|firmly|confidence|conviction|certainty|level|score|rating|strongly|moderately"
    r"|slightly|weakly|mildly|very|quite|fairly|clearly|my|say|maybe|perhaps|though|for|i|am|option|in|favour"
    r"|favor|support|toward|towards|on|stand|stay|stays|remain|remains|again|leaning|lean|held"
)
"""Words between an option and its strength that leave no doubt."""
_STRANGERS = 2
"""How many other words may stand between an option and its strength."""
_FOLLOWS = re.compile(
    r"for|in|because|since|as|now|still|but|and|so|on|at|with|strong|firm|overall|toward|towards|if|given|while"
    r"|though|again|which|that"
)
"""Words that may follow a strength; a number before any other word counts something else."""
_DENIALS = re.compile(r"not|neither|nor|none|against|never|cannot|between|both|either")
_ENDS_STANDARD = re.compile(
    r"because|since|as|for|which|that|while|but|even|though|although|over|than|rather|instead|not|\.|;|\(|–|—|!"
    r"|\?"
)
_PREFIX = 3
"""Letters that a shortened word has at least."""


def _tokens(said: str, names: tuple[str, ...]) -> list[_Token]:
    """Return a closing line's tokens, the names among them; scales are left out, a name set against another too."""
    signed = _MINUS.sub("−", said.replace("− ", "- "))
    tokens = [_read(match[0]) for match in _TOKEN.finditer(_SCALES.sub(" ", signed))]
    if len(said) >= _LONGEST:
        tokens = tokens[:-1]  # it may have been cut
    return _without_lesser(_with_ranges(_with_names(tokens, _words(names))))


def _read(text: str) -> _Token:
    if text[0] in "0123456789" and not any(sign.isalpha() for sign in text):
        whole, _, rest = text.replace(",", ".").partition(".")
        thousands = "." in rest or ("," in text and len(rest) > 2)
        return _Token("number", text, 1e9 if thousands or len(whole) > 3 else float(text.replace(",", ".")))
    if text[0].isalnum():
        return _Token("word", text.removesuffix("'s"))
    return _Token("mark", text)


class _Names(NamedTuple):
    """The names that a closing line may have."""

    words: tuple[tuple[str, ...], ...]
    by_first: dict[str, list[int]]
    """First word → names that begin with it, the longest first."""
    shortened: dict[str, int]
    """One word, whole or cut short → the only name that it can mean."""


@lru_cache(maxsize=256)
def _words(names: tuple[str, ...]) -> _Names:
    found = [[_read(match[0]).text for match in _TOKEN.finditer(_plain(name))] for name in names]
    split = tuple(tuple(word for word in words if word[0].isalnum()) for words in found)
    by_first: dict[str, list[int]] = {}
    for place in sorted(range(len(split)), key=lambda place: -len(split[place])):
        if split[place]:
            by_first.setdefault(split[place][0], []).append(place)
    meant: dict[str, set[int]] = {}
    for place, words in enumerate(split):
        for short in set[str]().union(*map(_shorter, words)):
            meant.setdefault(short, set()).add(place)
    shared = {word for words in split for word in words if sum(word in other for other in split) > 1}
    shortened = {
        short: place
        for short, (place, *others) in meant.items()
        if not others and any(short in _shorter(word) for word in split[place] if word not in shared)
    }
    return _Names(split, by_first, shortened)


def _shorter(word: str) -> set[str]:
    """Return what a word of a name may be written as; words that distinguish nothing are none of it."""
    forms = {word, f"{word}s", *(word[:letters] for letters in range(_PREFIX, len(word)))}
    return {form for form in forms if not (_COMMON.fullmatch(form) or _FILLERS.fullmatch(form))}


def _with_names(tokens: list[_Token], names: _Names) -> list[_Token]:
    """Put a name where its words are, whole or shortened to one that is its own."""
    result, at = list[_Token](), 0
    while at < len(tokens):
        place, end = _name_at(tokens, at, names)
        if place is None:
            result.append(tokens[at])
        elif not (result and result[-1].kind == "name" and result[-1].value == place):
            result.append(_Token("name", " ".join(names.words[place]), place))
        at = end
    return result


def _name_at(tokens: list[_Token], at: int, names: _Names) -> tuple[int | None, int]:
    """Return which name begins here, and where it ends; the longest where several do."""
    for place in names.by_first.get(tokens[at].text, ()):
        if end := _whole_name(tokens, at, names.words[place]):
            return place, end
    return (names.shortened.get(tokens[at].text) if tokens[at].kind == "word" else None), at + 1


def _whole_name(tokens: list[_Token], at: int, words: tuple[str, ...]) -> int | None:
    for place, word in enumerate(words):
        while place and at < len(tokens) and tokens[at].kind == "mark":
            at += 1
        if at >= len(tokens) or tokens[at].text != word:
            return None
        at += 1
    return at


def _with_ranges(tokens: list[_Token]) -> list[_Token]:
    """Put two numbers that bound a range into one token, which is no strength; sign numbers below 0."""
    result, at = list[_Token](), 0
    while at < len(tokens):
        token = tokens[at]
        ahead = tokens[at + 1 : at + 3]
        if token.kind == "number" and len(ahead) == 2 and ahead[0].text in _BETWEEN and ahead[1].kind == "number":
            result.append(_Token("range", f"{token.text}-{ahead[1].text}"))
            at += 3
            continue
        result.append(token)
        at += 1
    return result


def _without_lesser(tokens: list[_Token]) -> list[_Token]:
    """Leave out a name that the one before it is preferred to: “this over that”."""
    result = list[_Token]()
    for token in tokens:
        earlier = [other.value for other in result if other.kind == "name"] if token.kind == "name" else []
        if earlier and token.value not in earlier:
            back = len(result)
            while back and result[back - 1].text in ("the", "a", "an", ","):
                back -= 1
            words = [other.text for other in result[:back]]
            for marker in (["rather", "than"], ["instead", "of"], ["and", "not"], ["over"], ["not"]):
                if words[-len(marker) :] == marker:
                    del result[back - len(marker) :]
                    break
            else:
                result.append(token)
            continue
        result.append(token)
    return result


def _named(tokens: Sequence[_Token]) -> set[int]:
    return {int(token.value) for token in tokens if token.kind == "name"}


def _denies(token: _Token) -> bool:
    return token.kind == "word" and (bool(_DENIALS.fullmatch(token.text)) or token.text.endswith("n't"))


def _is_form(tokens: Sequence[_Token]) -> bool:
    """Return whether a line only repeats what was to be filled in: “<option>, <0–100>”."""
    if any(token.kind == "range" and token.text == "0-100" for token in tokens):
        return True
    return any(
        one.text in "<[{" and two.text in ("option", "name", "standard", "strength", "one", "the", "your")
        for one, two in pairwise(tokens)
    )


def _stances(tokens: list[_Token]) -> set[TakenStance | None]:
    """Return every stance that a closing line takes; None among them where it names both options for one strength."""
    found, begin = set[TakenStance | None](), 0
    for at, token in enumerate(tokens):
        if token.kind != "number" or not _may_end(tokens, at):
            continue
        before = tokens[begin:at]
        if any(map(_denies, before)):
            return set()
        names = _named(before)
        if len(names) > 1:
            found.add(None)
        elif names:
            last = max(place for place, other in enumerate(before) if other.kind == "name")
            if not _joined(before[last + 1 :], _STRANGERS):
                continue
            found.add(TakenStance(names.pop(), -1.0 if _negative(tokens, at) else token.value))
        else:
            ahead = next((place for place in range(at + 1, len(tokens)) if tokens[place].kind == "name"), None)
            if ahead is None or not _joined(tokens[at + 1 : ahead], 0):
                continue
            found.add(TakenStance(int(tokens[ahead].value), -1.0 if _negative(tokens, at) else token.value))
            begin = ahead + 1
            continue
        begin = at + 1
    return found


def _joined(gap: Sequence[_Token], strangers: int) -> bool:
    """Return whether an option and a number with these tokens between them belong together."""
    others = [token for token in gap if token.kind == "word" and not _FILLERS.fullmatch(token.text)]
    if any(token.kind in ("number", "range") for token in gap):
        return False
    return not others or (len(others) <= strangers and not any(token.text in ".!?;" for token in gap))


def _may_end(tokens: Sequence[_Token], at: int) -> bool:
    """Return whether a number is followed by what may follow a strength."""
    if at + 1 == len(tokens) or tokens[at + 1].kind in ("name", "range"):
        return True
    follows = tokens[at + 1]
    if follows.text == "/":
        return at + 2 < len(tokens) and tokens[at + 2].kind != "number"
    if follows.kind == "word":
        return bool(_FOLLOWS.fullmatch(follows.text))
    return follows.kind == "mark" and follows.text != "+"


def _negative(tokens: Sequence[_Token], at: int) -> bool:
    return at > 0 and tokens[at - 1].text == "−"
