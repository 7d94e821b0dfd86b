"""YAML files into frozen models: safe loading, duplicate keys refused, every fault reported with file, line and key."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from independence_bench.bad_input import BadInput
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.whole_file import read_whole

_Row = TypeVar("_Row", bound=BaseModel)

# libyaml reads the packaged files in 20 ms where the pure Python loader takes 400.
_FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_TEXT = yaml.resolver.BaseResolver.DEFAULT_SCALAR_TAG
_LARGEST = 1 << 22  # bytes of a file
_HARMLESS = 500  # so many signs that may open a level cannot exhaust the stack
_DEEPEST = 100


class _StrictLoader(_FastLoader):  # type: ignore[misc]  # the C loader's class is looked up at run time
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            is_text = isinstance(key_node, yaml.ScalarNode) and key_node.tag == _TEXT
            if not is_text or key_node.value in seen:
                trouble = "is given twice; keep one" if is_text else "is not text; put it in quotes"
                problem = f"the key {self.construct_object(key_node, deep=True)!r} {trouble}"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key_node.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def read_text(file: Path, asked_by: str) -> str:
    """Return the text of a user's file, whatever its line endings. Raises BadInput, by ``asked_by``: unreadable."""
    try:
        return read_whole(file, _LARGEST).decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        raise BadInput(f"{asked_by}: there is no such file; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"{asked_by}: it cannot be read as UTF-8 text ({why}); correct the file") from None


def read_mapping(file: Path) -> dict[str, Any]:
    """Return the mapping at the top of a YAML file, values still unvalidated.
    Raises BadInput: the file is missing, unreadable, malformed (with its line), holds a duplicate key or no mapping.
    """
    text = read_text(file, str(file))
    try:
        _refuse_deep(file, text)
        content = yaml.load(text, Loader=_StrictLoader)  # noqa: S506  # a SafeLoader underneath
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in (error.problem or ""):  # libyaml's own limit, since 0.2.6
            raise _too_deep(file) from None
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        raise BadInput(f"{file}: {line}{error.problem or 'malformed YAML'}; correct the YAML there") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{file}: malformed YAML ({' '.join(str(error).split())}); correct the file") from None
    except RecursionError:
        raise _too_deep(file) from None
    except ValueError as error:  # a tag that its text does not fit: !!int x
        raise BadInput(f"{file}: malformed YAML ({error}); correct the file") from None
    if not isinstance(content, dict):
        raise BadInput(f"{file}: it must hold a mapping of keys to values; see the packaged file of that name")
    return content


def _refuse_deep(file: Path, text: str) -> None:
    """Refuse what is nested so deeply that libyaml, which recurses in C, would end the process."""
    if sum(map(text.count, ("[", "{", "- ", "-\t", "? ", "?\t"))) <= _HARMLESS:
        return
    depth = 0
    for event in yaml.parse(text, Loader=_StrictLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise _too_deep(file)


def _too_deep(file: Path) -> BadInput:
    return BadInput(f"{file}: it is nested too deeply for a file of ours; correct the file")


def fault(file: Path, place: Sequence[str | int], trouble: str) -> BadInput:
    """Return the error that names file, line and dotted key; the line only where the file has it."""
    key = ".".join(map(str, place))
    line = _line(file, place)
    return BadInput.at(file, key, f"{trouble} (line {line})" if line else trouble)


def _line(file: Path, place: Sequence[str | int]) -> int | None:
    try:
        node = yaml.compose(file.read_text("utf-8"), Loader=_StrictLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return None
    line: int | None = None
    for part in place:
        if isinstance(node, yaml.MappingNode):
            pair = next(((key, value) for key, value in node.value if key.value == str(part)), None)
        elif isinstance(node, yaml.SequenceNode) and str(part).isdigit() and int(part) < len(node.value):
            pair = (node.value[int(part)],) * 2
        else:
            pair = None
        if pair is None:
            break
        line, node = pair[0].start_mark.line + 1, pair[1]
    return line


def validated(row_type: type[_Row], content: object, file: Path, *where: str | int) -> _Row:
    """Return ``content``, which is at this place of the file, as a frozen model.
    Raises BadInput: with the file, the line, the dotted key, what is wrong and what is allowed.
    """
    try:
        return row_type.model_validate(content)
    except ValidationError as error:
        first, *others = error.errors(include_url=False)
        if first["type"] == "missing":  # an unknown key beside it is most often the same one, misspelt
            beside = (each for each in others if each["loc"][:-1] == first["loc"][:-1])
            first = next((each for each in beside if each["type"] == "extra_forbidden"), first)
        place = [*where, *_keys(first, content)]
        trouble = _remedy(row_type, first)
        head, colon, rest = trouble.partition(": ")
        if not first["loc"] and colon and isinstance(content, dict) and head.split(".")[0] in content:
            place, trouble = [*place, *head.split(".")], rest  # a rule over several keys names its own
        raise fault(file, place, trouble) from None


def _keys(error: Mapping[str, Any], content: object) -> Iterator[str | int]:
    """Yield the keys of the file in an error's place, without the names of types that pydantic puts between them."""
    for part in error["loc"]:
        if isinstance(content, Mapping) and part in content:
            content = content[part]
        elif isinstance(content, Sequence) and not isinstance(content, str) and isinstance(part, int):
            content = content[part] if part < len(content) else None
        elif not (isinstance(content, Mapping) and part is error["loc"][-1] and re.fullmatch("[a-z_]+", str(part))):
            continue  # a missing key, or one with a default, is in no file and stands last in a mapping
        yield part


def _remedy(row_type: type[BaseModel], error: Mapping[str, Any]) -> str:
    if error["type"] == "extra_forbidden":
        name = str(error["loc"][-1])
        schema = row_type.model_json_schema()
        shapes = (schema, *schema.get("$defs", {}).values())
        near = difflib.get_close_matches(name, [key for shape in shapes for key in shape.get("properties", ())], n=1)
        return f"unknown key; {f'did you mean {near[0]!r}?' if near else 'remove it'}"
    if error["type"] == "missing":
        return "this key is missing; add it"
    said = packaged_yaml(__package__, "type_faults.yaml").get(error["type"])
    message = said or str(error["msg"]).removeprefix("Value error, ")
    message = message.replace("Input should be", "it must be")
    if isinstance(error.get("input"), bool) and "'off'" in message:
        return f'{message}; YAML reads a bare off or no as false, write it in quotes: "off"'
    message = f"{message[0].lower()}{message[1:]}"
    scalar = isinstance(given := error.get("input"), str | int | float)
    return f"{message} (it holds {given!r:.60})" if scalar else message


def merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping with changes to it, as JSON Merge Patch does (RFC 7396): null removes a key."""
    result = {key: value for key, value in base.items() if key not in changes}
    for key, value in changes.items():
        if isinstance(value, dict):
            below = base.get(key)
            result[key] = merged(below if isinstance(below, dict) else {}, value)
        elif value is not None:
            result[key] = value
    return result
