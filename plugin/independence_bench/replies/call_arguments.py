"""The message in a tool call's arguments, however they came: object, JSON text, broken JSON. Knows no HTTP."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice

from independence_bench.digest import Json

DECODER = json.JSONDecoder(strict=False)  # raw line ends inside strings are common
_ENDS = (".", "!", "?", "…")
_WIDE_ENDS = "。！？"
_CLOSING = "\"')]*_”’»"
_LONGEST_LITERAL = 100_000  # characters of arguments in Python's notation
_VALUES = 100  # read at most so many values in a row
_BARE_QUOTE = re.compile(r'\\.|"', re.DOTALL)
_BAD_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)', re.DOTALL)
_CUT_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?\Z")


FUNCTIONS = ("function", "functionCall", "function_call", "toolCall", "tool_call", "toolUse", "custom")
"""Fields of a call that hold its name and arguments, where it has them not itself."""
NAMES = ("name", "toolName", "tool_name", "tool", "function", "action", "recipient_name")
ARGUMENTS = ("arguments", "parameters", "input", "args", "tool_input", "action_input", "kwargs")


def name_and_arguments(call: Mapping[str, Json]) -> tuple[str | None, Json]:
    """Return the name and the arguments of a call, None for what it has not, by the names of all dialects."""
    call = next((inner for field in FUNCTIONS if isinstance(inner := call.get(field), dict)), call)
    name = next((name for field in NAMES if isinstance(name := call.get(field), str)), None)
    return name, next((call[field] for field in ARGUMENTS if call.get(field) is not None), None)


@dataclass(frozen=True, slots=True)
class ArgumentMessage:
    """The message of a call."""

    text: str
    salvaged: bool  # true where the arguments were broken


def visible_text(text: str) -> str:
    """Return text stripped, or the empty string where it holds nothing that can be seen (zero-width characters)."""
    text = text.strip()
    seen = text[:1].isalnum() or any(each.isprintable() and not each.isspace() and each != "\ufffd" for each in text)
    return text if seen else ""


def message_in(arguments: Json, parameter: str) -> ArgumentMessage | None:
    """Return the message under ``parameter``, or under the only other key, or None; broken arguments are searched."""
    if not isinstance(arguments, str):
        return _argument_message(arguments, parameter, salvaged=False)
    text = arguments.strip()
    if text.startswith("{'") and len(text) < _LONGEST_LITERAL:
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return message_in(ast.literal_eval(text), parameter)
    try:
        value: Json = DECODER.decode(text)
    except (ValueError, RecursionError):
        bare = [] if text[:1] in ("{", "[", '"') else [text]
        # Several objects in a row are calls that a gateway has joined.
        whole: list[Json] = [*islice(_values(text), _VALUES)]
        broken: Iterator[Json] = chain([whole] if whole else [], _broken_string(text, parameter), bare)
        return next(
            (message for value in broken if (message := _argument_message(value, parameter, salvaged=True))), None
        )
    if isinstance(value, str) and value.lstrip().startswith("{"):  # encoded twice
        inner = message_in(value, parameter)
        return inner and ArgumentMessage(inner.text, salvaged=True)
    return _argument_message(value, parameter, salvaged=not isinstance(value, dict))


def only_sentence(arguments: Json, parameter: str) -> ArgumentMessage | None:
    """Return the message in a call of a tool that was not offered, or None. A path or a command was not said to
    anybody: it must be the only string, and under ``parameter`` or at least a sentence; broken arguments do not count.
    """
    if isinstance(arguments, str):
        try:
            arguments = DECODER.decode(arguments.strip())
        except (ValueError, RecursionError):
            return None
    given = arguments.items() if isinstance(arguments, dict) else ()
    texts = [(name, visible_text(value)) for name, value in given if isinstance(value, str)]
    if len(texts) != 1:
        return None
    [(name, text)] = texts
    if not text or (name != parameter and not _is_sentence(text)):
        return None
    return ArgumentMessage(text, salvaged=name != parameter)


def _is_sentence(text: str) -> bool:
    if any(end in text for end in _WIDE_ENDS):
        return True
    ends = (word.rstrip(_CLOSING) for word in text.split()[2:])
    return any(word.endswith(_ENDS) and any(map(str.isalpha, word)) for word in ends)


def replayable(arguments: str | None) -> bool:
    """Return whether arguments may be sent back unchanged: a strictly valid JSON object."""
    if arguments is None:
        return False
    try:
        return isinstance(json.loads(arguments, parse_constant=_refuse), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _argument_message(value: Json, parameter: str, salvaged: bool) -> ArgumentMessage | None:
    text = _message(value, parameter)
    return ArgumentMessage(text, salvaged) if text else None


def _message(value: Json, parameter: str) -> str:
    if isinstance(value, str):
        return visible_text(value)
    if isinstance(value, list):
        return "\n\n".join(dict.fromkeys(filter(None, (_message(each, parameter) for each in value if each != []))))
    if not isinstance(value, dict):
        return ""
    named = value.get(parameter)
    if isinstance(named, dict):  # with its type, as in a schema
        named = named.get("value") or named.get("text")
    if isinstance(named, list):  # paragraphs
        named = "\n\n".join(item for item in named if isinstance(item, str))
    if isinstance(named, str):
        return _unwrapped(visible_text(named), parameter)
    inner = [each for each in value.values() if isinstance(each, dict | list)]
    if inner:  # a call in the place of its arguments, or something around them
        name, arguments = name_and_arguments(value)
        inner = [arguments] if name is not None and isinstance(arguments, dict) else inner
        return next(filter(None, (_message(each, parameter) for each in inner if parameter in each)), "")
    texts = [item for item in value.values() if isinstance(item, str)]
    return _unwrapped(visible_text(texts[0]), parameter) if len(texts) == 1 else ""


def _unwrapped(text: str, parameter: str) -> str:
    """Return the message of a text that is itself an object with a message."""
    if text.startswith("{") and text.endswith("}"):
        with suppress(ValueError, RecursionError):
            value = DECODER.decode(text)
            if isinstance(value, dict) and isinstance(inner := value.get(parameter), str):
                return visible_text(inner)
    return text


def _values(text: str) -> Iterator[Json]:
    position = 0
    while position < len(text):
        try:
            value, position = DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield value
        while position < len(text) and text[position].isspace():
            position += 1


def _broken_string(text: str, parameter: str) -> Iterator[str]:
    key = re.search(rf'"{re.escape(parameter)}"\s*:\s*(?=")', text)
    if key is None:
        return
    try:
        value, end = DECODER.raw_decode(text, key.end())
        if isinstance(value, str) and re.match(r'\s*(?:\Z|\}|,\s*(?:\Z|"[^"]*(?:\Z|"\s*(?:\Z|:))))', text[end:]):
            yield value
            return
    except ValueError:
        pass
    yield _lenient(text[key.end() + 1 :])


def _lenient(rest: str) -> str:
    end = rest.rstrip().removesuffix("}").rstrip()
    rest = end[:-1] if end.endswith('"') and not end.endswith('\\"') else rest
    rest = _CUT_ESCAPE.sub(r"\1", rest)
    rest = _BARE_QUOTE.sub(lambda match: match[0] if len(match[0]) > 1 else r"\"", rest)
    rest = _BAD_ESCAPE.sub(lambda match: match[0] if match[1] else r"\\", rest)
    text: str = json.loads(f'"{rest}"', strict=False)
    return text
