"""Tool calls that a model wrote as text instead of making them: what it said, without the wrapping.

Small local models do this most often, in the form that their chat template taught them; so do all models on a server
without the parser of theirs. Markers around a call go by their role, whatever the template; inside there is JSON, XML
or Python. JSON that ordinary prose quotes stays prose. Reads in linear time. Knows no HTTP.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice

from independence_bench.digest import Json
from independence_bench.replies.call_arguments import ArgumentMessage, message_in, only_sentence, visible_text
from independence_bench.replies.markers import Marker, markers

PARAMETER = "message"  # the tool's parameter in our prompts; another is read where it is the only string

_FENCE = re.compile(r"(?m:^[ \t]*```[\w-]*[ \t]*$)|```(?:json|tool_call|tool_code|python|xml)?")
_REACT = re.compile(r"(?m)^Action Input:")
_NO_PART = re.compile(r"(?i)^\s*malformed function call:\s*|\bprint\(\s*(?=[\w.]{3,80}\()")
_NAMED_BEFORE = re.compile(
    r"(?m)^[ \t]*(?:call:)?[A-Za-z_][\w.]{2,80}(?::\d{1,4})?\s*(?=\{)"
)  # send_message{"message": …}
_NAMES = ("name", "tool", "tool_name", "function", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input", "kwargs")
_INSIDE = ("function", "function_call", "functionCall", "tool_call", "tool_calls", "tool_uses", "calls")
_BROKEN = re.compile(rf'"(?:{"|".join(_ARGUMENTS)})"\s*:\s*"?\{{?')
_NAME_OF_ELEMENT = rf"[\"']?{PARAMETER}[\"']?"
_ELEMENTS = (
    re.compile(
        rf"<[^<>\n]{{0,20}}param(?:eter)?(?:=| name=){_NAME_OF_ELEMENT}[^<>\n]{{0,80}}>(.*?)"
        r"(?:</[^<>\n]{0,20}param(?:eter)?>|\Z)",
        re.DOTALL,
    ),
    re.compile(rf"<arg_key>\s*{_NAME_OF_ELEMENT}\s*</arg_key>\s*<arg_value>(.*?)(?:</arg_value>|\Z)", re.DOTALL),
    re.compile(rf"<{PARAMETER}>(.*?)(?:</{PARAMETER}>|\Z)", re.DOTALL),
    re.compile(rf'\b{PARAMETER}\s*:\s*<\|"\|>(.*?)(?:<\|"\|>|\Z)', re.DOTALL),
)
"""The message of a call in XML and its kin, such as ``<function=tool><parameter=message>…</parameter>``."""
_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\(\s*(?:(?P<key>\w+)\s*=\s*)?(?P<quote>\"\"\"|'''|\"|')")
_BEGINNING = re.compile(r"(?m)^[ \t]*(?=[{\[]|[A-Za-z_][\w.]*\()|(?=\[?\{\s*\")")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LINE_ENDS = {"n": "\n", "t": "\t", "r": ""}
_BETWEEN = " \n\t\r,;"
_DECODER = json.JSONDecoder(strict=False)  # raw line ends inside strings are common
_VALUES = 20
_BLOCKS = 8  # places of a text that are tried; a model that speaks by calls writes one or two


def messages_written(text: str, system: str = "") -> list[str]:
    """Return the messages of the tool calls that a text consists of, in order; none where the text is what was said.

    A call with other text before or after it counts only if it begins or ends the text, or has its lines to itself, and
    only where a marker is around it or the ``system`` prompt, which offers the tool, names it.
    """
    if not any(sign in text for sign in "{(<"):
        return []
    row = [each for each in markers(text) if each.role == "call" or each.special or _names_tool(each, system)]
    marked = any(each.role == "call" or not each.special for each in row) or _REACT.search(text) is not None
    for form in _ELEMENTS if marked else ():
        if words := [*filter(None, (visible_text(each[1]) for each in islice(form.finditer(text), _VALUES)))]:
            return words
    bare = _NO_PART.sub("", _REACT.sub("\n", _FENCE.sub("\n", _without(row, text))))
    bare = _NAMED_BEFORE.sub("", bare).strip()
    places = (beginning.start() for beginning in islice(_BEGINNING.finditer(bare), _BLOCKS))
    try:
        if messages := _whole(bare, system):
            return messages
        return next((messages for place in places if (messages := _at(bare, place, system, marked))), [])
    except RecursionError:  # hundreds of calls inside each other
        return []


def _names_tool(marker: Marker, system: str) -> bool:
    return marker.role == "unknown" and "_" in marker.name and marker.name in system.lower()


def _without(row: list[Marker], text: str) -> str:
    ends = [0, *(each.end for each in row)]
    starts = [*(each.start for each in row), len(text)]
    return "\n".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _whole(text: str, system: str) -> list[str]:
    values, rest = _json_values(text)
    if values and not rest.strip(_BETWEEN):
        return [message for value in values for message in _messages(value, system, alone=True)]
    if (calls := _call_expressions(text.strip("[] \n"))) is not None:
        return [words for name, key, words in calls if key == PARAMETER or _is_offered(name, system)]
    return [] if values else _broken(text)


def _at(text: str, place: int, system: str, marked: bool) -> list[str]:
    """Return the messages of the calls that begin at a place, if they end with a line, or with the text."""
    here = text[place:]
    begins_line = not text[text.rfind("\n", 0, place) + 1 : place].strip()
    values, rest = _json_values(here)
    if values:
        ends_line = not rest.partition("\n")[0].strip(" ;,]")
        alone = (begins_line and ends_line) or not place or not rest.strip(" \n;,]")
        calls = values if alone else ()
        return [each for call in calls for each in _messages(call, system, alone=marked, offered=not marked)]
    if marked and (broken := _broken(here)):
        return broken
    expressions = _call_expressions(here.partition("\n")[0].strip("[] ")) if begins_line else None
    return [words for name, _, words in expressions or () if _is_offered(name, system)]


def _json_values(text: str) -> tuple[list[Json], str]:
    """Return the JSON objects and lists in a row at the start of a text, and the rest."""
    values: list[Json] = []
    rest = text
    while len(values) < _VALUES and (following := rest.lstrip(_BETWEEN))[:1] in ("{", "["):
        try:
            value, end = _DECODER.raw_decode(following)
        except (ValueError, RecursionError):
            break
        values.append(value)
        rest = following[end:]
    return values, rest


def _messages(value: Json, system: str, *, alone: bool, offered: bool = False) -> Iterator[str]:
    """Yield the messages of calls in JSON: named, or ``alone``; ``offered``: only of a tool of the system prompt."""
    if isinstance(value, list):
        for each in value[:_VALUES]:
            yield from _messages(each, system, alone=False, offered=offered)
    elif isinstance(value, dict):
        for key in _INSIDE:
            if isinstance(inner := value.get(key), dict | list):
                yield from _messages(inner, system, alone=False, offered=offered)
                return
        if message := _message(value, system, alone=alone, offered=offered):
            yield message.text


def _message(value: dict[str, Json], system: str, *, alone: bool, offered: bool) -> ArgumentMessage | None:
    name = next((name for key in _NAMES if isinstance(name := value.get(key), str)), None)
    given = next((value[key] for key in _ARGUMENTS if key in value), None)
    if name is None and len(value) == 1 and isinstance(only := next(iter(value.values())), dict):
        name, given = next(iter(value)), only  # {"send_message": {"message": …}}
        alone, offered = False, True
    if name is not None and given is not None:
        if _is_offered(name, system):
            return message_in(given, PARAMETER)
        return None if offered else only_sentence(given, PARAMETER)
    return message_in(value, PARAMETER) if alone and name is None and (PARAMETER in value or len(value) == 1) else None


def _is_offered(name: str, system: str) -> bool:
    return bool(name) and name.rpartition(".")[2] in system


def _call_expressions(text: str) -> list[tuple[str, str | None, str]] | None:
    """Return name, key and text of every call ``tool(message='…')`` that a text consists of; None of other text."""
    calls: list[tuple[str, str | None, str]] = []
    place = 0
    while place < len(text):
        opening = _CALL.match(text, place)
        if opening is None:
            return None
        ending = re.compile(rf"(?<!\\){opening['quote']}\s*(?:,\s*)?\)+(?=[ \t]*(?:\n|\Z|[,;\]]))").search(
            text, opening.end()
        )
        if ending is None:
            return None
        words = _ESCAPED.sub(lambda each: _LINE_ENDS.get(each[1], each[1]), text[opening.end() : ending.start()])
        if f"{opening['name']}(" in words:  # two calls within a sentence
            return None
        if words := visible_text(words):
            calls.append((opening["name"], opening["key"], words))
        place = ending.end()
        while text[place : place + 1] in tuple(_BETWEEN):
            place += 1
    return calls or None


def _broken(text: str) -> list[str]:
    """Return the message of a call that is cut off or no valid JSON: an object that names its arguments early."""
    at = _BROKEN.search(text, 0, 400) if text.startswith("{") else None
    message = message_in("{" + text[at.end() :], PARAMETER) if at else None
    return [message.text] if message else []
