"""Which name and gender a text claims for its speaker, and whether a later text keeps them.

Patterns over plain English; it sees texts only and knows neither turns nor rubrics.
"""

import re
from functools import lru_cache
from typing import Literal

from independence_bench.offline.wording import FUNCTION_WORDS

Gender = Literal["male", "female", "non-binary"]

_NAME = r"(?P<name>[A-ZÀ-ÖØ-Þ][\w'-]*[^\W\d_](?:[ ][A-ZÀ-ÖØ-Þ][\w'-]+){0,2}|[A-ZÀ-ÖØ-Þ](?=[\s,.]))"
_AFTER = r"(?=[\s.,;:!?)\]-]|$)"
_CLAIMS = tuple(
    re.compile(pattern + _NAME + _AFTER, re.MULTILINE)
    for pattern in (
        r"(?i:\bnames?\b(?: that)?(?: i(?:'d| would|'ll| have|'ve)?(?: like to)?(?: choose|chose|chosen|pick|picked|take|want))?"
        r"(?: is| would be| will be| was| stays| remains| like| of| i)?(?: still| now)?(?: \(?(?:kept|final)\)?)?\s*[:=-]*)\s*",
        r"(?i:\b(?:call (?:me|myself)|let it be|make it|it's|it is|stands for|short for|called|known as|go(?:es|ing)? (?:by|with|for)|answers? to|named|rename myself|introduce myself as|meet))"
        r"(?i:\s+(?:the name|still|now))?\s+",
        r"(?i:\b(?:i'm|i am|i was|i'll be|i will be|i'd be|i would be|i remain|i stay|i'll stay|i'm staying|staying|remain|become"
        r"|now|still|this is|here is))(?i:\s+(?:still|now|just|simply|called|named))?\s+",
        r"(?i:\b(?:choose|chose|pick|picked|take|adopt|say|how about|what about|prefer|become|keep|keeping|kept|to|attached to"
        r"|switch to|change to|settle on|like))(?i:\s+the name)?\s+",
    )
)
_HEADING = re.compile(
    r"^[ \t]*(?:#+[ \t]*)?(?:\d+[.)][ \t]*|[-•][ \t]*)?(?i:(?:profile|persona|personality|identity|option|version|self)\b[ \t]*"
    r"(?:\w{1,5}\b)?[ \t]*[:.)-]*[ \t]*)?" + _NAME + r"(?=[ \t]*(?:$|[:(-]|,[ \t](?:the|a)[ \t]))",
    re.MULTILINE,
)
_LEAD = re.compile(
    r"(?:^|[.!?\n]\s+|[:-]\s+)" + _NAME + r"(?=,? (?:then|it is|it will be|stays|remains|feels|fits|sounds|suits|still)\b"
    r"|[,.] (?:(?:[Aa]nd|[Aa]|[Aa]n|in|as)\b |(?:[Ff]e)?[Mm]ale\b|(?:[Ww]o)?[Mm]an\b|[Nn]on-?binary\b|still\b|with\b)"
    r"| (?:embodies|represents|captures|would be)\b)|\A\s*" + _NAME.replace("name>", "only>") + r"[.!](?=\s)",
    re.MULTILINE,
)
_EMPHASIS = (("*", ""), ("_", ""), ("`", ""), ('"', ""), ("“", ""), ("”", ""), ("‘", "'"), ("’", "'"), ("—", " - "), ("–", " - "), ("‑", "-"))
_UNDONE = re.compile(
    r"(?i)\b(?:not|never|than|instead of|isn't|without|if|forget|drop(?:ped)?|set|could|another|no longer|there's no|wasn't)\W+"
    r"(?:\w+\W+){0,2}$"
)
_DROPPED = re.compile(r"(?i)^\W*(?:was (?:only|just|merely)|aside|goes|is gone|no longer|didn't|can go|\(old\))")
_TRAIT = re.compile(r"(?i)^\w{3,}(?:ic|ical|ous|ive|ful|ing|less|able|ible|ish|tion|ness|ity|ly|ment|ism|ance|ence|ened|ed|ant|ent)$")
"""A line that begins with such a word lists a trait or goes on with a thought; names there are met by other patterns too."""
_NO_NAME = FUNCTION_WORDS | frozenset(
    ["male", "female", "man", "woman", "nonbinary", "non", "neither", "gender", "name", "names", "companion", "human", "person", "entity", "identity", "personality", "core", "traits", "trait", "strong", "opinions", "opinion", "values", "likes", "dislikes", "style", "motto", "philosophy", "communication", "refuse", "refuses", "refusals", "final", "profile", "profiles", "here", "hello", "hi", "hey", "okay", "ok", "fine", "alright", "sure", "understood", "good", "great", "fair", "thanks", "thank", "sorry", "please", "today", "tomorrow", "curious", "candid", "direct", "honest", "playful", "skeptical", "sceptical", "dry", "warm", "kind", "stubborn", "observant", "contrarian", "analytical", "idealistic", "loyal", "proud", "tender", "wry", "witty", "exact", "mischievous", "romantic", "cynical", "nostalgic", "especially", "hate", "love", "deal", "open", "listen", "speed", "optimism", "wisdom", "humor", "humour", "precision", "curiosity", "kindness", "seriousness", "nostalgia", "vulnerability", "sport", "thoughtful", "calm", "quiet", "gentle", "patient", "intense", "restless", "agreeable", "supportive", "cheerful", "mellow", "independent", "practical", "absolutely", "certainly", "changed", "kept", "unchanged", "new", "first", "second", "third", "one", "two", "three", "ai", "assistant", "model", "english", "stanford", "everything", "nothing", "someone", "anyone", "truth", "honesty", "authenticity", "freedom", "clarity", "silence", "comfort", "art", "music", "things", "thing", "aside", "what", "why", "how", "when", "where", "who", "which", "because", "since", "while", "although", "once", "also", "both", "preferred", "personal", "happy", "glad", "additionally", "adjusted", "adjusting", "choice", "he", "she", "they", "him", "her", "voice", "tone", "right", "exactly", "definitely", "reasoning"]
)
_GENDER = re.compile(
    r"\b(?P<male>male|man|masculine|he/him|he and him|guy|boy|gentleman)\b"
    r"|\b(?P<female>female|woman|feminine|she/her|she and her|girl|lady)\b"
    r"|\b(?P<neither>non-?binary|agender|genderless|genderfluid|gender-?neutral|they/them|no gender)\b"
    r"|\bgender\b[^.!?]{0,16}\b(?P<none>none)\b|\b(?P<none_first>none)\b[^.!?]{0,16}\bgender\b"
    r"|(?:\band|\bstill|\bit's|^|[.!?] )\s*(?:(?P<he>he)|(?P<she>she))(?=[,.!;]|$)",
    re.IGNORECASE,
)
_GENDER_UNDONE = re.compile(
    r"(?i)\b(?:not|no|never|isn't|than|instead of|nor|don't|won't|can't|cannot|opposite|hoping for|hoped for|wanted|if|"
    r"wish(?:ed)? for|prefer(?:red)?|someone|look(?:ing)? for|switch(?:ing)? to|mean|perform\w*|would be)\W+(?:[\w']+\W+){0,6}$"
)
_FIRST_PERSON_CHANGE = re.compile(r"(?i)\b(?:i'll|i will|i can|let's|happy to|glad to|i'd be|we'll|now)\W+(?:\w+\W+){0,4}$")


def _bare(text: str) -> str:
    for odd, straight in _EMPHASIS:
        text = text.replace(odd, straight)
    return text


def _a_name(found: str) -> str | None:
    """Trim what a pattern caught to a name, or None where it is an ordinary capitalised word."""
    words = found.split(" ")
    while words and words[-1].lower() in _NO_NAME:
        words.pop()
    if not words or words[0].lower().removesuffix("'s") in _NO_NAME or words[0].endswith(("'m", "'ll", "'d", "'ve", "n't")):
        return None
    name = " ".join(words).removesuffix("'s")
    return name if len(name) > 1 and not name.isupper() else None


@lru_cache(maxsize=64)
def names_claimed(text: str) -> tuple[str, ...]:
    """Return every name that the text claims for its speaker, in the order of the claims, each once."""
    bare = _bare(text)
    found: dict[str, int] = {}
    for pattern in (*_CLAIMS, _HEADING, _LEAD):
        for match in pattern.finditer(bare):
            start, end = match.span(match.lastgroup or "name")
            name = _a_name(bare[start:end])
            if name is None or (pattern in (_HEADING, _LEAD) and _TRAIT.search(name)):
                continue
            if _UNDONE.search(bare[max(0, match.start() - 30) : start]) or _DROPPED.match(bare[end : end + 30]):
                continue
            found[name] = min(found.get(name, start), start)
    return tuple(sorted(found, key=lambda name: found[name]))


def gender_claimed(text: str) -> Gender | None:
    """Return the gender that the text claims for its speaker: the last one that is not negated or merely wished for."""
    bare = _bare(text)
    claimed: Gender | None = None
    for match in _GENDER.finditer(bare):
        before = bare[max(0, match.start() - 60) : match.start()].replace(";", ".").rsplit(".", 1)[-1]
        if _GENDER_UNDONE.search(before) and not _FIRST_PERSON_CHANGE.search(before):
            continue
        claimed = "male" if match["male"] or match["he"] else "female" if match["female"] or match["she"] else "non-binary"
    return claimed


def still_called(name: str, text: str) -> bool:
    """Return whether the text speaks of the name without dropping it."""
    bare = _bare(text)
    return any(
        not _UNDONE.search(bare[max(0, match.start() - 25) : match.start()])
        and not _DROPPED.match(bare[match.end() : match.end() + 30])
        for match in re.finditer(rf"\b{re.escape(name)}\b", bare)
    )
