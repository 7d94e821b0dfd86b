"""Closing lines read into a standard and a stance. Pure; the asking side decides by it whether to ask once more.

The last closing line decides, if it is no repetition of the form that was asked for. Whatever a person would have to
guess at is not read: it is asked for once more instead. Reading takes time linear in the length of an answer.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple


class TakenStance(NamedTuple):
    """Where an answer stands."""

    option: int
    """Index among the options."""
    strength: float
    """0..100."""


def read_standard(answer: str, standards: Sequence[str]) -> int | None:
    """Return the index of the standard that the last matching closing line names; None: none, or several."""
    for line in _closing_lines(_plain(answer), _STANDARD):
        tokens = _tokens(line.said, tuple(standards))
        end = next((place for place, token in enumerate(tokens) if _ENDS_STANDARD.fullmatch(token.text)), len(tokens))
        named = _named(tokens[:end]) or _named(tokens)
        first = next((place for place, token in enumerate(tokens) if token.kind == "name"), 0)
        if len(named) == 1 and not any(map(_denies, tokens[:first])):
            return named.pop()
        if len(named) < len(standards) and (named or (line.alone and not _is_form(tokens))):
            return None
    return None


def read_stance(answer: str, options: Sequence[str]) -> TakenStance | None:
    """Return the stance of the last matching closing line; None: none, two different ones, or outside 0..100."""
    for line in _closing_lines(_plain(answer), _STANCE):
        tokens = _tokens(line.said, tuple(options))
        found = _stances(tokens)
        if len(found) == 1:
            stance = found.pop()
            return stance if stance is not None and 0 <= stance.strength <= 100 else None
        if found or (line.alone and not _is_form(tokens)):
            return None
    return None


_STANDARD = re.compile(
    r"\bmy(?:\s{1,9}(?:own|chosen))?\s{1,9}standard(?:\s{1,9}is)?\s{0,9}([:=|–—-]|is\b|$)", re.MULTILINE
)
_STANCE = re.compile(
    r"\bwhere\s{1,9}i(?:\s{1,9}(?:now|still))?\s{1,9}stand(?:\s{1,9}now)?\s{0,9}([:=|–—-]|is\b|$)", re.MULTILINE
)
_SAYS = re.compile(r"[^\W_]")
_LONGEST = 400
"""Characters of a closing line that are read; no name and no number is further away."""
_MARKS = dict.fromkeys("*_`#~$\\\u200b\u200d\ufeff\xad", " ")
_ODD = str.maketrans({**_MARKS, **dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"), "’": "'", "‘": "'", "：": ":"})
_QUOTES = ('"', "“", "”", "„", "«", "»", "'")
_HEAD = 12
"""Characters before the words of a closing line that may hold a bullet, a number or quotation marks."""


def _plain(answer: str) -> str:
    """Return the text in lower case and without emphasis."""
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


_Names = tuple[tuple[tuple[str, ...], frozenset[str]], ...]
"""Each name's words, and those among them that no other name has."""


@lru_cache(maxsize=256)
def _words(names: tuple[str, ...]) -> _Names:
    found = [[_read(match[0]).text for match in _TOKEN.finditer(_plain(name))] for name in names]
    split = [tuple(word for word in words if word[0].isalnum()) for words in found]
    return tuple(
        (words, frozenset(word for word in words if all(word not in other for other in split if other is not words)))
        for words in split
    )


def _with_names(tokens: list[_Token], names: _Names) -> list[_Token]:
    """Put a name where its words are, whole or shortened to one that is its own."""
    result, at = list[_Token](), 0
    while at < len(tokens):
        place, end = _name_at(tokens, at, names)
        if place is None:
            result.append(tokens[at])
        elif not (result and result[-1].kind == "name" and result[-1].value == place):
            result.append(_Token("name", " ".join(names[place][0]), place))
        at = end
    return result


def _name_at(tokens: list[_Token], at: int, names: _Names) -> tuple[int | None, int]:
    """Return which name begins here, and where it ends; the longest where several do."""
    for place in sorted(range(len(names)), key=lambda place: -len(names[place][0])):
        if end := _whole_name(tokens, at, names[place][0]):
            return place, end
    return _shortened(tokens[at], names), at + 1


def _whole_name(tokens: list[_Token], at: int, words: tuple[str, ...]) -> int | None:
    for place, word in enumerate(words):
        while place and at < len(tokens) and tokens[at].kind == "mark":
            at += 1
        if at >= len(tokens) or tokens[at].text != word:
            return None
        at += 1
    return at


def _shortened(token: _Token, names: _Names) -> int | None:
    word = token.text
    if token.kind != "word" or _COMMON.fullmatch(word) or _FILLERS.fullmatch(word):
        return None

    def shortens(full: str) -> bool:
        return word in (full, f"{full}s") or (len(word) >= _PREFIX and full.startswith(word))

    found = [place for place, (words, _) in enumerate(names) if any(map(shortens, words))]
    return found[0] if len(found) == 1 and any(map(shortens, names[found[0]][1])) else None


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
        earlier = [other.value for other in result if other.kind == "name"]
        if token.kind == "name" and earlier and token.value not in earlier:
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
