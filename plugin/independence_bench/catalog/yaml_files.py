"""YAML files into frozen models: safe loading, duplicate keys refused, every fault reported with file, line and key."""

import difflib
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from independence_bench.bad_input import BadInput

_Row = TypeVar("_Row", bound=BaseModel)

# libyaml reads the packaged files in 20 ms where the pure Python loader takes 400.
_FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_FastLoader):  # type: ignore[misc]  # the C loader's class is looked up at run time
    """safe_load that refuses duplicate keys in a mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str) or key in seen:
                trouble = "is given twice; keep one" if isinstance(key, str) else "is not text; put it in quotes"
                problem = f"the key {key!r} {trouble}"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def read_mapping(file: Path) -> dict[str, Any]:
    """Return the mapping at the top of a YAML file, values still unvalidated.

    Raises:
        BadInput: the file is missing, unreadable, malformed (with its line), holds a duplicate key or no mapping.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(f"{file}: there is no such file; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: it cannot be read as UTF-8 text ({error}); correct the file") from None
    try:
        content = yaml.load(text, Loader=_StrictLoader)  # noqa: S506  # a SafeLoader underneath
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        raise BadInput(f"{file}: {line}{error.problem or 'malformed YAML'}; correct the YAML there") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{file}: malformed YAML ({' '.join(str(error).split())}); correct the file") from None
    if not isinstance(content, dict):
        raise BadInput(f"{file}: it must hold a mapping of keys to values; see the packaged file of that name")
    return content


def validated(row_type: type[_Row], content: object, file: Path, where: str = "") -> _Row:
    """Return ``content`` as a frozen model.

    Raises:
        BadInput: with the file, the dotted key, what is wrong and what is allowed.
    """
    try:
        return row_type.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join([where, *map(str, first["loc"])] if where else list(map(str, first["loc"])))
        raise BadInput.at(file, place, _remedy(row_type, dict(first))) from None


def _remedy(row_type: type[BaseModel], fault: dict[str, Any]) -> str:
    if fault["type"] == "extra_forbidden":
        name = str(fault["loc"][-1])
        near = difflib.get_close_matches(name, row_type.model_fields, n=1)
        return f"unknown key; {f'did you mean {near[0]!r}?' if near else 'remove it'}"
    if fault["type"] == "missing":
        return "this key is missing; add it"
    message = str(fault["msg"]).removeprefix("Value error, ")
    if isinstance(fault.get("input"), bool) and "'off'" in message:
        return f'{message}; YAML reads a bare off or no as false, write it in quotes: "off"'
    return f"{message[0].lower()}{message[1:]} (it holds {fault.get('input')!r:.60})" if "input" in fault else message
