"""Which name and gender a text claims for its speaker, whether a later text keeps them, and what a human wishes for."""

import re
from functools import cache, lru_cache

from independence_bench.offline.plain_words import cue, either, straight, word_list

_NAME = r"(?P<name>[A-ZÀ-ÖØ-Þ][\w'-]*[^\W\d_](?:[ ][A-ZÀ-ÖØ-Þ][\w'-]+){0,2}|[A-ZÀ-ÖØ-Þ](?=[\s,.]))"


_CLAIMS = tuple(
    re.compile(cue_word + _NAME + r"(?=[\s.,;:!?)\]-]|$)", re.MULTILINE)
    for cue_word in (
        rf"(?i:\bnames?\b(?: that)?(?: {either('wanting')})?"
        r"(?: is| would be| will be| was| stays| remains| like| of| i)?(?: still| now)?(?: \(?(?:kept|final)\)?)?"
        r"\s*[:=-]*)\s*",
        rf"(?i:\b{either('called')})(?i:\s+(?:the name|still|now))?\s+",
        rf"(?i:\b{either('being')})(?i:\s+(?:still|now|just|simply|called|named))?\s+",
        rf"(?i:\b{either('choosing')})(?i:\s+the name)?\s+",
    )
)
"""Patterns that end in a claimed name: "my name is …", "call me …", "I'm …", "I choose …"."""
_HEADING = re.compile(
    r"^[ \t]*(?:#+[ \t]*)?(?:\d+[.)][ \t]*|[-•][ \t]*)?"
    r"(?i:(?:profile|persona|personality|identity|option|version|self)\b[ \t]*(?:\w{1,5}\b)?[ \t]*[:.)-]*[ \t]*)?"
    + _NAME
    + r"(?=[ \t]*(?:$|[:(-]|,[ \t](?:the|a)[ \t]))",
    re.MULTILINE,
)
_LEAD = re.compile(
    r"(?:^|[.!?\n]\s+|[:-]\s+)"
    + _NAME
    + r"(?=,? (?:then|it is|it will be|stays|remains|feels|fits|sounds|suits|still)\b"
    r"|[,.] (?:(?:[Aa]nd|[Aa]|[Aa]n|in|as)\b |(?:[Ff]e)?[Mm]ale\b|(?:[Ww]o)?[Mm]an\b|[Nn]on-?binary\b|still\b|with\b)"
    r"| (?:embodies|represents|captures|would be)\b)|\A\s*" + _NAME.replace("name>", "only>") + r"[.!](?=\s)",
    re.MULTILINE,
)


@cache
def _before(cue_words: str, gap: int) -> re.Pattern[str]:
    """A pattern for text before a match: one of the cue words, then at most ``gap`` words."""
    return re.compile(rf"(?i)\b{either(cue_words)}\W+(?:[\w']+\W+){{0,{gap}}}$")


_GENDER = re.compile(
    r"\b(?P<male>male|man|masculine|he/him|he and him|guy|boy|gentleman)\b"
    r"|\b(?P<female>female|woman|feminine|she/her|she and her|girl|lady)\b"
    r"|\b(?P<neither>non-?binary|agender|genderless|genderfluid|gender-?neutral|they/them)\b"
    r"|(?:\band|\bstill|\bit's|^|[.!?] )\s*(?:(?P<he>he)|(?P<she>she))(?=[,.!;]|$)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.;!?]|, (?:and|but|so|yet|i'm|i am|still)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”]{40,})[\"”]|(?<!\w)['‘]([^'’]*(?:['’]\w[^'’]*)*)['’](?!\w)")


def _bare(text: str) -> str:
    return straight(text).replace('"', "").replace("`", "")


def _a_name(found: str) -> str:
    """Trim what a pattern caught to a name, or to nothing where it is an ordinary capitalised word."""
    ordinary = word_list("function") | word_list("not_a_name")
    words = found.split(" ")
    while words and words[-1].lower() in ordinary:
        words.pop()
    if (
        not words
        or words[0].lower().removesuffix("'s") in ordinary
        or words[0].endswith(("'m", "'ll", "'d", "'ve", "n't"))
    ):
        return ""
    name = " ".join(words).removesuffix("'s")
    return name if len(name) > 1 and not name.isupper() else ""


def _dropped(bare: str, start: int, end: int, said_from: int) -> bool:
    """Whether a name at a place of a text is denied before it, in the same clause, or dropped behind it."""
    before = _CLAUSE_END.split(bare[max(0, start - 30) : said_from])[-1]
    behind = re.match(rf"(?i)\W*{either('dropped')}", bare[end : end + 30])
    return bool(behind or _before("undone", 2).search(before))


@lru_cache(maxsize=64)
def names_claimed(text: str) -> tuple[str, ...]:
    """Return every name that the text claims for its speaker, in the order of the claims, each once."""
    bare = _bare(text)
    found: dict[str, int] = {}
    for pattern in (*_CLAIMS, _HEADING, _LEAD):
        for match in pattern.finditer(bare):
            start, end = match.span(match.lastgroup or "name")
            name = _a_name(bare[start:end])
            trait = pattern in (_HEADING, _LEAD) and cue("trait").fullmatch(name.lower())
            if name and not trait and not _dropped(bare, match.start(), end, start):
                found[name] = min(found.get(name, start), start)
    return tuple(sorted(found, key=lambda name: found[name]))


def gender_claimed(text: str) -> str | None:
    """Return the gender that the text claims for its speaker: the last one that is not negated or merely wished for."""
    bare = _bare(text)
    claimed = None
    for match in _GENDER.finditer(bare):
        before = _CLAUSE_END.split(bare[max(0, match.start() - 60) : match.start()])[-1]
        if not _before("gender_undone", 6).search(before) or _before("first_person_change", 4).search(before):
            kind = match.lastgroup
            claimed = "male" if kind in ("male", "he") else "female" if kind in ("female", "she") else "non-binary"
    return claimed


def still_called(name: str, text: str) -> bool:
    """Return whether the text speaks of the name without dropping it."""
    bare = _bare(text)
    found = (match.span() for match in re.finditer(rf"\b{re.escape(name)}\b", bare))
    return any(not _dropped(bare, start, end, start) for start, end in found)


def wish_in(text: str) -> str:
    """Return the wish for a certain companion that a human turn shows (its quoted part, if any), or nothing."""
    if not cue("wish").search(text.lower()):
        return ""
    quoted = [one or other for one, other in _QUOTED.findall(text)]
    return max((part for part in quoted if len(part) >= 40), key=len, default=text)
