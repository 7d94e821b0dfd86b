"""Tool calls that a model wrote as text instead of making them: what it said, without the wrapping.

Small local models do this most often, in the form that their chat template taught them. ``FORMS`` lists the markers of
the forms in use; JSON that ordinary prose quotes stays prose. Reads in linear time. Knows no HTTP and no tool.
"""

import json
import re
from itertools import islice

from independence_bench.digest import Json
from independence_bench.replies.call_arguments import ArgumentMessage, message_in, only_sentence, visible_text

PARAMETER = "message"  # the tool's parameter in our prompts; another is read where it is the only string

FORMS = {
    "Hermes, Qwen": r"</?tool_calls?>",
    "Llama 3": r"<\|python_tag\|>",
    "Mistral": r"\[/?TOOL_CALLS\]|\[ARGS\]",
    "IBM, Phi": r"<\|/?tool_calls?\|>",
    "Functionary, Qwen Coder": r"</?function(?:=[\w.-]+)?>|</?parameter(?:=\w+)?>",
    "DeepSeek": r"<｜tool[▁_ ](?:calls?|sep|outputs?)[▁_ \w]*｜>",
    "older OpenAI": r"</?function_calls?>",
    "ReAct": r"(?m:^Action Input:)",
}
"""Markers that stand around a call, by whose template writes them."""
_ENDS = r"<\|(?:eom_id|eot_id|im_end|end)\|>|</s>"
_FENCE = r"(?m:^[ \t]*```[\w-]*[ \t]*$)|```(?:json|tool_call|tool_code|python|xml)?"
_MARKER = re.compile("|".join(FORMS.values()))
_WRAPPING = re.compile("|".join((*FORMS.values(), _ENDS, _FENCE)))
_NAMED_BEFORE = re.compile(r"(?m)^[ \t]*[A-Za-z_]\w{2,63}[ \t]*(?=\{\")")  # send_message{"message": …}
_NAMES = ("name", "tool", "tool_name", "function", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input", "kwargs")
_INSIDE = ("function", "function_call", "tool_call", "tool_calls", "tool_uses", "calls")
_BROKEN = re.compile(rf'"(?:{"|".join(_ARGUMENTS)})"\s*:\s*"?\{{?')
_ELEMENTS = [
    re.compile(rf"<parameter{named}>(.*?)(?:</parameter>|\Z)", re.DOTALL)
    for named in (f"={PARAMETER}", f' name="{PARAMETER}"')
]
"""The message of a call in XML: ``<function=tool><parameter=message>…</parameter>`` and its kin."""
_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.]*)\(\s*(?:(?P<key>\w+)\s*=\s*)?(?P<quote>\"\"\"|'''|\"|')")
_BEGINNING = re.compile(r"(?m)^[ \t]*(?=[{\[]|[A-Za-z_][\w.]*\()|(?=\[?\{\s*\")")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LINE_ENDS = {"n": "\n", "t": "\t", "r": ""}
_BETWEEN = " \n\t\r,;"
_DECODER = json.JSONDecoder(strict=False)  # raw line ends inside strings are common
_VALUES = 20
_BLOCKS = 8  # places of a text that are tried; a model that speaks by calls writes one or two


def message_written(text: str, system: str = "") -> str | None:
    """Return the message of a tool call that a text consists of, or None where the text is what was said.

    A call with other text before or after it counts only if it begins or ends the text, or has its lines to itself, and
    only where a marker is around it or the ``system`` prompt, which offers the tool, names it. Of several calls the
    first with a message counts, as of real ones.
    """
    if not any(sign in text for sign in "{(<"):
        return None
    marked = _MARKER.search(text) is not None
    bare = _NAMED_BEFORE.sub("", _WRAPPING.sub("\n", text)).strip()
    element = next(filter(None, (form.search(text) for form in _ELEMENTS)), None)
    if element and (words := visible_text(element[1])):
        return words
    places = (beginning.start() for beginning in islice(_BEGINNING.finditer(bare), _BLOCKS))
    try:
        if (message := _whole(bare, system)) is not None:
            return message
        return next((message for place in places if (message := _at(bare, place, system, marked)) is not None), None)
    except RecursionError:  # hundreds of calls inside each other
        return None


def _whole(text: str, system: str) -> str | None:
    values, rest = _json_values(text)
    if values and not rest.strip(_BETWEEN):
        return next((message for value in values if (message := _message(value, system, alone=True))), None)
    if (calls := _call_expressions(text.strip("[] \n"))) is not None:
        return next((words for name, key, words in calls if key == PARAMETER or _is_offered(name, system)), None)
    return None if values else _broken(text)


def _at(text: str, place: int, system: str, marked: bool) -> str | None:
    """Return the message of the call that begins at a place, if it ends with its line, or with the text."""
    here = text[place:]
    begins_line = not text[text.rfind("\n", 0, place) + 1 : place].strip()
    values, rest = _json_values(here, most=1)
    if values:
        ends_line = not rest.partition("\n")[0].strip(" ;,]")
        alone = (begins_line and ends_line) or not place or not rest.strip(" \n;,]")
        return _message(values[0], system, alone=marked, offered=not marked) if alone else None
    if marked and (broken := _broken(here)):
        return broken
    calls = _call_expressions(here.partition("\n")[0].strip("[] ")) if begins_line else None
    return next((words for name, _, words in calls or () if _is_offered(name, system)), None)


def _json_values(text: str, most: int = _VALUES) -> tuple[list[Json], str]:
    """Return the JSON objects and lists in a row at the start of a text, and the rest."""
    values: list[Json] = []
    rest = text
    while len(values) < most and (following := rest.lstrip(_BETWEEN))[:1] in ("{", "["):
        try:
            value, end = _DECODER.raw_decode(following)
        except (ValueError, RecursionError):
            break
        values.append(value)
        rest = following[end:]
    return values, rest


def _message(value: Json, system: str, *, alone: bool, offered: bool = False) -> str | None:
    """Return the message of a call in JSON: named, or ``alone``; ``offered``: only of a tool of the system prompt."""
    if isinstance(value, list):
        items = value[:_VALUES]
        return next(
            (message for each in items if (message := _message(each, system, alone=False, offered=offered))), None
        )
    if not isinstance(value, dict):
        return None
    for key in _INSIDE:
        if isinstance(inner := value.get(key), dict | list):
            return _message(inner, system, alone=False, offered=offered)
    name = next((name for key in _NAMES if isinstance(name := value.get(key), str)), None)
    given = next((value[key] for key in _ARGUMENTS if key in value), None)
    if name is not None and given is not None:
        if _is_offered(name, system):
            return _text(message_in(given, PARAMETER))
        return None if offered else _text(only_sentence(given, PARAMETER))
    if alone and name is None and (PARAMETER in value or len(value) == 1):
        return _text(message_in(value, PARAMETER))
    return None


def _text(message: ArgumentMessage | None) -> str | None:
    return message.text if message else None


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
        ending = re.compile(rf"(?<!\\){opening['quote']}\s*(?:,\s*)?\)(?=[ \t]*(?:\n|\Z|[,;\]]))").search(
            text, opening.end()
        )
        if ending is None:
            return None
        words = _ESCAPED.sub(lambda each: _LINE_ENDS.get(each[1], each[1]), text[opening.end() : ending.start()])
        if visible_text(words):
            calls.append((opening["name"], opening["key"], visible_text(words)))
        place = ending.end()
        while text[place : place + 1] in tuple(_BETWEEN):
            place += 1
    return calls or None


def _broken(text: str) -> str | None:
    """Return the message of a call that is cut off or no valid JSON: an object that names its arguments early."""
    at = _BROKEN.search(text, 0, 400) if text.startswith("{") else None
    return _text(message_in("{" + text[at.end() :], PARAMETER)) if at else None
