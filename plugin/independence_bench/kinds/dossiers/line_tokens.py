"""The tokens of a closing line: words, numbers, ranges, marks, and the names that it may have. Pure.

Reading takes time linear in the length of a line.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

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


_NUMBER = re.compile(r"[0-9]{1,20}(?:[.,][0-9]{1,20}){0,3}(?![^\W_])").pattern
_WORD = re.compile(r"[^\W_]{1,400}(?:'[^\W_]{1,9})?")
_TOKEN = re.compile(
    rf"(?P<low>{_NUMBER})(?:\s{{0,9}}[-–—]\s{{0,9}}|\s{{1,9}}(?:to|or|and)\s{{1,9}})(?P<high>{_NUMBER})"
    rf"|{_NUMBER}|{_WORD.pattern}|[^\w\s]"
)
"""What a token is, where it is no name."""
_SCALES = re.compile(
    r"(?<=[0-9])\s{0,9}(?:/\s{0,9}100\b|(?:out\s{1,9})?of\s{1,9}(?:a\s{1,9})?(?:100|hundred)\b|%|per\s?cent\b|points?\b)"
    r"|\bon\s{1,9}(?:a|the)\s{1,9}scale\s{1,9}(?:of|from)\s{1,9}0\s{0,9}(?:to|-|–|—)\s{0,9}100\b"
    r"|\(\s{0,9}0\s{0,9}(?:to|-|–|—)\s{0,9}100\s{0,9}\)"
)
_MINUS = re.compile(r"(?:(?<=[\s,:;(=|])|^)-(?=[0-9])")  # a hyphen that belongs to the number behind it
_ARROW = re.compile(r"[-=–—]>")
_BULLET = re.compile(rf"\A\s{{0,9}}{_NUMBER}\s{{0,9}}(?:\.(?![0-9])|\))(?=.*[0-9])", re.DOTALL)  # as in “1) this, 70”
_FORMER = re.compile(
    rf"(?<![^\W_])(?:from\s{{1,9}}{_NUMBER}\s{{1,9}}to\s{{1,9}}|{_NUMBER}\s{{0,9}}→\s{{0,9}})(?={_NUMBER})"
)
"""What a strength was before a change: “from 80 to 60”, “80 → 60”."""
_COMMON = re.compile(
    r"a|an|the|of|and|or|in|on|at|to|for|by|with|from|as|is|it|its|be|my|our|this|that|one|two|what|who|which"
    r"|how|than|more|most|less|least|no|not|i"
)
"""Words that distinguish no name."""
FILLERS = re.compile(
    r"with|at|a|an|the|of|strength|about|around|roughly|approximately|approx|ca|circa|some|still|now|only|just"
    r"|but|and|is|to|firmness|firmly|confidence|conviction|certainty|level|score|rating|strongly|moderately"
    r"|slightly|weakly|mildly|very|quite|fairly|clearly|my|say|maybe|perhaps|though|for|i|am|option|in|favour"
    r"|favor|support|toward|towards|on|stand|stay|stays|remain|remains|again|leaning|lean|held"
)
"""Words between an option and its strength that leave no doubt."""
_LESSER = (["rather", "than"], ["instead", "of"], ["and", "not"], ["no", "longer"], ["over"], ["not"])
_PREFIX = 3  # letters that a shortened word has at least
_END = r"(?:'s)?(?![^\W_]|'[^\W_])"  # of a word of a name


def tokens_of(said: str, names: tuple[str, ...]) -> list[Token]:
    """Return a closing line's tokens, the names among them; scales are left out, a name set against another too."""
    signed = _MINUS.sub("−", _ARROW.sub("→", said.replace("− ", "- ")))
    now = _FORMER.sub("", _BULLET.sub("", _SCALES.sub(" ", signed)))
    known = _known(names)
    tokens = [_read(match, known) for match in known.pattern.finditer(now)]
    if len(said) >= LONGEST:
        tokens = tokens[:-1]  # it may have been cut
    return _without_lesser(tokens)


def _read(match: re.Match[str], names: "_Names") -> Token:
    text = match[0].removesuffix("'s")
    if match["high"]:
        return Token("range", f"{match['low']}-{match['high']}")
    if text[0] in "0123456789" and not text.strip("0123456789.,"):  # a sign such as ¼ is no digit
        whole, _, rest = text.replace(",", ".").partition(".")
        thousands = "." in rest or ("," in text and len(rest) > 2)
        return Token("number", text, 1e9 if thousands or len(whole) > 3 else float(text.replace(",", ".")))
    place = names.shortened.get(text) if match.lastgroup is None else int(match.lastgroup.removeprefix("name"))
    if place is not None:
        name = names.whole[place]
        return Token("name", name, place, whole=match.lastgroup is not None or text == name)
    return Token("word" if text[0].isalnum() else "mark", text)


class _Names(NamedTuple):
    """The names that a closing line may have."""

    whole: list[str]
    pattern: re.Pattern[str]  # of all tokens; a whole name is the group ``name`` with its place
    shortened: dict[str, int]  # one word, whole or cut short → the only name that it can mean


@lru_cache(maxsize=256)
def _known(names: tuple[str, ...]) -> _Names:
    split = [[word.removesuffix("'s") for word in _WORD.findall(normalise_text(name))] for name in names]
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
    longest_first = sorted(filter(split.__getitem__, range(len(split))), key=lambda place: -len(split[place]))
    spelled = (r"\W{0,9}".join(f"{re.escape(word)}{_END}" for word in split[place]) for place in longest_first)
    named = "".join(f"(?P<name{place}>{text})|" for place, text in zip(longest_first, spelled, strict=True))
    return _Names([" ".join(words) for words in split], re.compile(f"{named}{_TOKEN.pattern}"), shortened)


def _shorter(word: str) -> set[str]:
    """Return what a word of a name may be written as; words that distinguish nothing are none of it."""
    forms = {word, f"{word}s", *(word[:letters] for letters in range(_PREFIX, len(word)))}
    return {form for form in forms if not (_COMMON.fullmatch(form) or FILLERS.fullmatch(form))}


def _without_lesser(tokens: list[Token]) -> list[Token]:
    """Leave out a name that the one before it is preferred to: “this over that”; and one that repeats it at once."""
    result = list[Token]()
    for before, token in pairwise([Token("mark", ""), *tokens]):
        if token.kind == before.kind == "name" and token.value == before.value:
            continue
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
