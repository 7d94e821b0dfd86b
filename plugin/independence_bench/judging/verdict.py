"""From a judge's reply to validated scores, or the reason why it has none. Pure; never guesses a score."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, StrictStr, ValidationError, create_model

from independence_bench.safe_text import safe_text
from independence_bench.spec import Rubric, Score

_REFUSAL = re.compile(
    r"\b(i\s+(can(?:no|')t|won't|will not|am (?:not able|unable) to|must (?:decline|refuse))|"
    r"i'm (?:unable|not able) to|"
    r"(?:i'm )?sorry,? (?:but )?i can(?:no|')t|decline to (?:judge|evaluate|score|rate))",
    re.IGNORECASE,
)


LONGEST_REPLY = 1 << 16
"""Characters; a longer one is no verdict, and searching it for one would hold up every other trial."""
_MOST_READ = 16 * LONGEST_REPLY
_LEAST_READ = 256
"""Characters read in vain, all false starts together, and those that every false start counts for at least: from each
brace on, the rest of a reply may be read again."""
_MOST_OBJECTS = 100
_WHOLE = re.compile(r"(?<=[0-9])\.0{1,6}(?![0-9])")


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
    """Return the one valid verdict in a judge's reply.

    The reply may be the JSON object alone, or hold it in a code fence or inside other text. Two valid objects that
    differ are refused: we do not guess which of them the judge meant. An object that is in the judged ``conversation``
    is a quotation and not a verdict: a model may write one in the hope that the judge's own is cut off.

    Raises:
        Unparseable: no JSON object, a missing field, a wrong type, a score out of range, or two verdicts.
    """
    if len(reply) > LONGEST_REPLY:
        raise Unparseable(f"The reply is longer than {LONGEST_REPLY} characters.")
    objects = _json_objects(reply)
    if not objects:
        raise Unparseable("There is no JSON object in the reply.")
    texts = [text for text in conversation if "{" in text]
    valid: list[Parsed] = []
    trouble = "The only verdict in the reply stands in the conversation; give your own."
    for candidate, source in objects:
        if any(map(partial(_quotes, source), texts)):
            continue
        try:
            parsed = _validated(candidate, rubric)
        except Unparseable as error:
            trouble = str(error)
        else:
            if parsed not in valid:
                valid.append(parsed)
    if len(valid) > 1:
        raise Unparseable("The reply holds several verdicts that differ; give exactly one.")
    if not valid:
        raise Unparseable(trouble)
    return valid[0]


def _quotes(source: str, text: str) -> bool:
    """Return whether a text holds an object, even with other quotation marks, zero-width signs or 10.0 for 10."""
    words = _words(source)
    return words in _words(text) if words else "".join(source.split()) in "".join(text.split())


def _words(text: str) -> str:
    return "".join(filter(str.isalnum, _WHOLE.sub("", text)))


def _json_objects(reply: str) -> list[tuple[dict[str, Any], str]]:
    """Every outermost JSON object in the text, with the text it was read from, in order."""
    decoder = json.JSONDecoder(strict=False)  # judges put raw line breaks into their reasoning
    found: list[tuple[dict[str, Any], str]] = []
    position, read = reply.find("{"), 0
    while position >= 0:
        try:
            value, end = decoder.raw_decode(reply, position)
        except (ValueError, RecursionError) as error:
            end = position + 1
            failed_at = error.pos if isinstance(error, json.JSONDecodeError) else len(reply)
            read += max(_LEAST_READ, failed_at - position)
        else:
            found.append((value, reply[position:end]))
        position = reply.find("{", end)
        if position >= 0 and (read > _MOST_READ or len(found) >= _MOST_OBJECTS):
            raise Unparseable("There is no JSON object that can be found among so many braces in the reply.")
    return found


def _validated(candidate: dict[str, Any], rubric: Rubric) -> Parsed:
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
