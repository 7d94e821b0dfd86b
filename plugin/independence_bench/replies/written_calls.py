"""Tool calls that a model wrote as text instead of making them: what it said, without the wrapping.

Small local models do this most often, in the form that their chat template taught them; so do all models on a server
without the parser of theirs. Markers around a call go by their role, whatever the template; inside there is JSON, XML
or Python. JSON that ordinary prose quotes stays prose. Reads in linear time. Knows no HTTP.
"""

import re
from collections.abc import Iterator
from itertools import islice

from independence_bench.digest import Json
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.replies.call_arguments import (
    ARGUMENTS,
    DECODER,
    FUNCTIONS,
    ArgumentMessage,
    message_in,
    name_and_arguments,
    only_sentence,
    visible_text,
)
from independence_bench.replies.markers import Marker, markers

PARAMETER = "message"  # the tool's parameter in our prompts; another is read where it is the only string

_FENCE = re.compile(r"(?m:^[ \t]*```[\w-]*[ \t]*$)|```(?:json|tool_call|tool_code|python|xml)?")
_REACT = re.compile(r"(?m)^Action Input:")
_CALLED = re.compile(r"(?m)^Action Input:|\bcall:[\w.:]{3,80}\{")
_NO_PART = re.compile(r"(?i)^\s*malformed function call:\s*|\bprint\(\s*(?=[\w.]{3,80}\()")
_NAMED_BEFORE = re.compile(
    r"(?m)^[ \t]*(?:call:|to=)?[A-Za-z_][\w.]{2,80}(?::\d{1,4})?\s{0,9}\(?\s{0,9}(?=\{)"
)  # send_message{"message": …}
_TOOL_BEFORE = re.compile(r"(?:function=|name=\"|<tool_call>)\s{0,9}([\w.-]+)")
_NEAR = 300
_TAGS = ("name", "tool_name", "arguments", "parameters", "args", "input", "code")  # around the parts of a call
_LISTS = ("tool_calls", "tool_uses", "calls")
_BROKEN = re.compile(rf'"(?:{"|".join(ARGUMENTS)})"\s*:\s*"?\{{?')
_ELEMENTS = [re.compile(sign, re.DOTALL) for sign in packaged_yaml(__package__, "signs.yaml")["elements"]]
"""The message of a call in XML and its kin, such as ``<function=tool><parameter=message>…</parameter>``."""
_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\(\s*(?:(?P<key>\w+)\s*=\s*)?(?P<quote>\"\"\"|'''|\"|')")
_BEGINNING = re.compile(r"(?m)^[ \t]*(?=[{\[]|[A-Za-z_][\w.]*\()|(?=\[?\{\s*\")")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LINE_ENDS = {"n": "\n", "t": "\t", "r": ""}
_BETWEEN = " \n\t\r,;"
_VALUES = 20
_BLOCKS = 8  # places of a text that are tried; a model that speaks by calls writes one or two


def messages_written(text: str, system: str = "") -> list[str]:
    """Return the messages of the tool calls that a text consists of, in order; none where the text is what was said.

    A call with other text before or after it counts only if it begins or ends the text, or has its lines to itself, and
    only where a marker is around it or the ``system`` prompt, which offers the tool, names it.
    """
    if not any(sign in text for sign in "{(<"):
        return []
    row = [*markers(text)]
    calling = [each for each in row if each.role == "call" or _names_tool(each, system)]
    marked = bool(calling) or _CALLED.search(text) is not None
    places = {each.start for each in calling}
    row = [each for each in row if each.start in places or each.special or each.name in _TAGS]
    messages: list[tuple[int, str]] = []  # with their places
    for form in _ELEMENTS if marked else ():
        for element in islice(form.finditer(text), _VALUES):
            tool = [*_TOOL_BEFORE.finditer(text, max(0, element.start() - _NEAR), element.start())]
            if not system or not tool or _is_offered(tool[-1][1], system):
                messages.append((element.start(), visible_text(element[1])))
            text = text[: element.start()] + " " * len(element[0]) + text[element.end() :]
    try:
        pieces = [*_pieces(row, text)]
        for place, piece in pieces if calling else ():
            messages += ((place, message) for message in _whole(_bare(piece), system))
        return [message for _, message in sorted(messages) if message] or _in_prose(pieces, system, marked)
    except RecursionError:  # hundreds of calls inside each other
        return []


def _in_prose(pieces: list[tuple[int, str]], system: str, marked: bool) -> list[str]:
    """Return the messages of calls among other words."""
    bare = _bare("\n".join(piece for _, piece in pieces))
    messages, end = _whole(bare, system), 0
    for beginning in islice(_BEGINNING.finditer(bare), 0 if messages else _BLOCKS):
        if beginning.start() >= end:
            here, length = _at(bare, beginning.start(), system, marked)
            messages += here
            end = beginning.start() + length if here else end
    return messages


def _bare(text: str) -> str:
    return _NAMED_BEFORE.sub("", _NO_PART.sub("", _REACT.sub("\n", _FENCE.sub("\n", text)))).strip()


def _names_tool(marker: Marker, system: str) -> bool:
    return marker.role == "unknown" and "_" in marker.name and marker.name in system.lower()


def _pieces(row: list[Marker], text: str) -> Iterator[tuple[int, str]]:
    """Yield what stands between markers, with its place."""
    ends = [0, *(each.end for each in row)]
    for end, start in zip(ends, [*(each.start for each in row), len(text)], strict=True):
        if text[end:start].strip():
            yield end, text[end:start]


def _whole(text: str, system: str) -> list[str]:
    values, rest = _json_values(text)
    if values and not rest.strip(f"{_BETWEEN})"):
        return [message for value in values for message in _messages(value, system, alone=True)]
    if (calls := _call_expressions(text.strip("[] \n"))) is not None:
        return [words for name, key, words in calls if key == PARAMETER or _is_offered(name, system)]
    return [] if values else _broken(text)


def _at(text: str, place: int, system: str, marked: bool) -> tuple[list[str], int]:
    """Return the messages of the calls that begin at a place, if they end with a line, or with the text; and their
    length.
    """
    here = text[place:]
    begins_line = not text[text.rfind("\n", 0, place) + 1 : place].strip()
    values, rest = _json_values(here)
    if values:
        ends_line = not rest.partition("\n")[0].strip(" ;,]")
        alone = (begins_line and ends_line) or not place or not rest.strip(" \n;,]")
        calls = values if alone else ()
        messages = [each for call in calls for each in _messages(call, system, alone=marked, offered=not marked)]
        return messages, len(here) - len(rest)
    if marked and (broken := _broken(here)):
        return broken, len(here)
    line = here.partition("\n")[0]
    expressions = _call_expressions(line.strip("[] ")) if begins_line else None
    return [words for name, _, words in expressions or () if _is_offered(name, system)], len(line)


def _json_values(text: str) -> tuple[list[Json], str]:
    """Return the JSON objects and lists in a row at the start of a text, and the rest."""
    values: list[Json] = []
    rest = text
    while len(values) < _VALUES and (following := rest.lstrip(_BETWEEN))[:1] in ("{", "["):
        try:
            value, end = DECODER.raw_decode(following)
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
        for key in (*FUNCTIONS, *_LISTS):
            if isinstance(inner := value.get(key), dict | list):
                yield from _messages(inner, system, alone=False, offered=offered)
                return
        if message := _message(value, system, alone=alone, offered=offered):
            yield message.text


def _message(value: dict[str, Json], system: str, *, alone: bool, offered: bool) -> ArgumentMessage | None:
    name, given = name_and_arguments(value)
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
        more = r"(?:,\s*(?:\w+\s*=[^\n]{0,300})?)?\)+(?=[ \t]*(?:\n|\Z|[,;\]]))"
        ending = re.compile(rf"(?<!\\){opening['quote']}\s*{more}").search(text, opening.end())
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
