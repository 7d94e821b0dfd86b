"""The tokens of a closing line: words, numbers, ranges, marks, and the names that it may have. Pure.

Reading takes time linear in the length of a line.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from independence_bench.packaged_yaml import packaged_yaml

LONGEST = 400  # characters of a closing line that are read; no name and no number is further away
_MARKS = dict.fromkeys("*_`#~$\\\u200b\u200d\ufeff\xad", " ")
_ODD = str.maketrans({**_MARKS, **dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"), "’": "'", "‘": "'", "：": ":"})


@lru_cache(maxsize=1)
def normalise_text(answer: str) -> str:
    """Return the text in lower case and without emphasis; kept for the second of the two readers of an answer."""
    return answer.translate(_ODD).casefold()


class Token(NamedTuple):
    """A piece of a closing line."""

    kind: Literal["word", "number", "range", "name", "mark"]
    text: str
    value: float = 0.0  # a number, or the index of a name
    whole: bool = True  # whether a name stands as it is, and not as one of its words or cut short


_TOKEN = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,20}){0,3}(?![^\W_])|[^\W_]{1,400}(?:'[^\W_]{1,9})?|[^\w\s]")
_SCALES = re.compile(
    r"(?<=[0-9])\s{0,9}(?:/\s{0,9}100\b|(?:out\s{1,9})?of\s{1,9}(?:a\s{1,9})?(?:100|hundred)\b|%|per\s?cent\b|points?\b)"
    r"|\bon\s{1,9}(?:a|the)\s{1,9}scale\s{1,9}(?:of|from)\s{1,9}0\s{0,9}(?:to|-|–|—)\s{0,9}100\b"
    r"|\(\s{0,9}0\s{0,9}(?:to|-|–|—)\s{0,9}100\s{0,9}\)"
)
_MINUS = re.compile(r"(?:(?<=[\s,:;(=|])|^)-(?=[0-9])")  # a hyphen that belongs to the number behind it
_ARROW = re.compile(r"[-=–—]>")
_BETWEEN = frozenset(("-", "–", "—", "to", "or", "and"))
LINE_WORDS = {name: frozenset(words) for name, words in packaged_yaml(__package__, "line_words.yaml").items()}
FILLERS: frozenset[str] = LINE_WORDS["fillers"]
"""Words between an option and its strength that leave no doubt."""
_LESSER = (["rather", "than"], ["instead", "of"], ["and", "not"], ["no", "longer"], ["over"], ["not"])
_PREFIX = 3  # letters that a shortened word has at least


def tokens_of(line: str, names: tuple[str, ...]) -> list[Token]:
    """Return a closing line's tokens, the names among them; scales are left out, a name set against another too."""
    text = _MINUS.sub("−", _ARROW.sub("→", line.replace("− ", "- ")))
    tokens = [_token(match[0]) for match in _TOKEN.finditer(_SCALES.sub(" ", text))]
    if len(line) >= LONGEST:
        tokens = tokens[:-1]  # it may have been cut
    return _without_lesser(_with_ranges(_with_names(_without_bullet(tokens), _words(names))))


def _token(text: str) -> Token:
    if text[0] in "0123456789" and not text.strip("0123456789.,"):  # a sign such as ¼ is no digit
        whole, _, rest = text.replace(",", ".").partition(".")
        thousands = "." in rest or ("," in text and len(rest) > 2)
        return Token("number", text, 1e9 if thousands or len(whole) > 3 else float(text.replace(",", ".")))
    if text[0].isalnum():
        return Token("word", text.removesuffix("'s"))
    return Token("mark", text)


class _Names(NamedTuple):
    """The names that a closing line may have."""

    words: tuple[tuple[str, ...], ...]
    longest_first: list[int]
    short_forms: dict[str, int]  # one word, whole or cut short → the only name that it can mean


@lru_cache(maxsize=256)
def _words(names: tuple[str, ...]) -> _Names:
    pieces = [[_token(match[0]).text for match in _TOKEN.finditer(normalise_text(name))] for name in names]
    split = tuple(tuple(word for word in words if word[0].isalnum()) for words in pieces)
    meanings: dict[str, set[int]] = {}
    for place, words in enumerate(split):
        for short in set[str]().union(*map(_shorter, words)):
            meanings.setdefault(short, set()).add(place)
    common = {word for words in split for word in words if sum(word in other for other in split) > 1}
    short_forms = {
        short: place
        for short, (place, *others) in meanings.items()
        if not others and any(short in _shorter(word) for word in split[place] if word not in common)
    }
    return _Names(
        split, sorted(filter(split.__getitem__, range(len(split))), key=lambda place: -len(split[place])), short_forms
    )


def _shorter(word: str) -> set[str]:
    """Return what a word of a name may be written as; words that distinguish nothing are none of it."""
    forms = {word, f"{word}s", *(word[:letters] for letters in range(_PREFIX, len(word)))}
    return forms - LINE_WORDS["common"] - FILLERS


def _with_names(tokens: list[Token], names: _Names) -> list[Token]:
    """Put a name where its words are, whole or shortened to one that is its own."""
    result, at = list[Token](), 0
    while at < len(tokens):
        place, end = _name_at(tokens, at, names)
        if place is None:
            result.append(tokens[at])
        elif not (result and result[-1].kind == "name" and result[-1].value == place):
            name, text = " ".join(names.words[place]), " ".join(token.text for token in tokens[at:end])
            result.append(Token("name", name, place, whole=end > at + 1 or name == text))
        at = end
    return result


def _name_at(tokens: list[Token], at: int, names: _Names) -> tuple[int | None, int]:
    """Return which name begins here, and where it ends; the longest where several do."""
    for place in names.longest_first:
        if end := _whole_name(tokens, at, names.words[place]):
            return place, end
    return (names.short_forms.get(tokens[at].text) if tokens[at].kind == "word" else None), at + 1


def _whole_name(tokens: list[Token], at: int, words: tuple[str, ...]) -> int | None:
    for place, word in enumerate(words):
        while place and at < len(tokens) and tokens[at].kind == "mark":
            at += 1
        if at >= len(tokens) or tokens[at].text != word:
            return None
        at += 1
    return at


def _without_bullet(tokens: list[Token]) -> list[Token]:
    """Leave out the number of a list's item: “1) this, 70”."""
    has_number = len(tokens) > 1 and tokens[0].kind == "number" and tokens[1].text in (".", ")")
    return tokens[2:] if has_number and any(token.kind == "number" for token in tokens[2:]) else tokens


def _with_ranges(tokens: list[Token]) -> list[Token]:
    """Put two numbers that bound a range into one token, which is no strength; of a change, keep what it led to."""
    result, at = list[Token](), 0
    while at < len(tokens):
        token, (between, other) = tokens[at], (*tokens[at + 1 : at + 3], None, None)[:2]
        if between and other and token.kind == other.kind == "number":
            is_change = bool(result) and result[-1].text == "from" and between.text == "to"
            if is_change or between.text == "→":
                del result[len(result) - is_change :]
                at += 2
                continue
            if between.text in _BETWEEN:
                token = Token("range", f"{token.text}-{other.text}")
                at += 2
        result.append(token)
        at += 1
    return result


def _without_lesser(tokens: list[Token]) -> list[Token]:
    """Leave out a name that the one before it is preferred to: “this over that”."""
    result = list[Token]()
    for token in tokens:
        earlier = names_in(result) if token.kind == "name" else set()
        back = len(result)
        while back and result[back - 1].text in ("the", "a", "an", ","):
            back -= 1
        words = [other.text for other in result[:back]]
        marker = next((each for each in _LESSER if words[-len(each) :] == each), None)
        if marker and earlier and token.value not in earlier:
            del result[back - len(marker) :]
        else:
            result.append(token)
    return result


def names_in(tokens: Sequence[Token]) -> set[int]:
    """Return the indexes of the names among these tokens."""
    return {int(token.value) for token in tokens if token.kind == "name"}
