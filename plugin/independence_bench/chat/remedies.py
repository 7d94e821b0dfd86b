"""What an error says, and the remedy that exists: by the signs in remedies.yaml. Changes nothing."""

import re
from collections.abc import Mapping
from functools import cache
from typing import cast

from independence_bench.digest import Json
from independence_bench.packaged_yaml import packaged_yaml

STREAM = re.compile(rb"\s*(data|event|id|retry)?:")
_NUMBER = re.compile(r"(?<![\w.<-])\d[\d,]{0,11}(?![\w-])")
_OPTION = re.compile(r"--(max-tokens|temperature|reasoning-effort)(=\w+)?(?![\w-])")
_LEAST = 64  # tokens that an answer needs


@cache
def _rows(table: str) -> list[tuple[re.Pattern[str], str]]:
    declared = packaged_yaml(__package__, "remedies.yaml")
    near = rf"\b{{0}}\b.{{{{0,80}}}}{declared['refused']}|{declared['refused']}[^.]{{{{0,60}}}}\b{{0}}\b"
    signs = [row.get("sign") or near.format(row["field"]) for row in declared[table]]
    remedies = [row.get("remedy", "") for row in declared[table]]
    return [(re.compile(sign, re.IGNORECASE | re.DOTALL), remedy) for sign, remedy in zip(signs, remedies, strict=True)]


def remedy_for(table: str, message: str) -> str:
    """Return the remedy of the table's first sign that is in a message; empty if none is."""
    return next((remedy for sign, remedy in _rows(table) if sign.search(message)), "")


def says(table: str, message: str) -> bool:
    """Return whether a message has one of a table's signs."""
    return any(sign.search(message) for sign, _ in _rows(table))


def status_of(code: object, default: int = 0) -> int:
    """Return the HTTP status that a word in the ``code`` or ``type`` of an error means."""
    status: int = packaged_yaml(__package__, "remedies.yaml")["codes"].get(str(code), default)
    return status


def of_judge(remedy: str) -> str:
    """Return a remedy in the words of judges.yaml: options are those of the tested models."""
    remedy = remedy.partition(", or add --edition")[0].partition(", or =")[0]
    return _OPTION.sub(
        lambda option: f"{option[1].replace('-', '_')}{(option[2] or '').replace('=', ': ')} in judges.yaml", remedy
    )


def remedy_for_length(message: str, code: int | str | None, sent: Mapping[str, Json]) -> str:
    """Return what helps a request that was refused for its length, the limit that fits included; empty of others."""
    numbers = [number for number in dict.fromkeys(map(_int, _NUMBER.findall(message))) if number >= _LEAST]
    asked = cast(int, sent.get("max_tokens") or sent.get("max_completion_tokens") or 0)
    if not (remedy := remedy_for("context", f"{message} {code}")):
        remedy = remedy_for("answer", message)
        fits = remedy and numbers and min(numbers) < (asked or max(numbers))
        return f"add --max-tokens={min(numbers)}" if fits else remedy
    limit, prompt = _number_at("limit", message), _number_at("prompt", message)
    others = [number for number in numbers if number != limit]
    messages = cast(list[Mapping[str, Json]], sent.get("messages") or [])
    answers = [each for each in messages if each.get("role") == "assistant"]["tools" in sent :]  # the greeting is ours
    characters = len(str([messages, sent.get("tools")]))
    if len(others) > 2 and 2 * max(others) == sum(others):  # the whole, then its parts, of which the answer is the last
        prompt = max(others) - others[-1]
    elif not prompt or prompt == limit:  # one number: of the prompt, or of the answer too
        sizes = [size for number in others for size in (number, number - asked) if size > 0]
        prompt = min(sizes, key=lambda size: abs(size - characters / 4), default=0)
    if not limit or not prompt:
        return remedy
    room = limit - prompt
    if room < _LEAST and answers:  # earlier answers were as long as they might be
        shorter = int((limit - prompt * (1 - len(str(answers)) / characters)) / (len(answers) + 1))
        room = shorter if shorter < asked else room
    if room < _LEAST:
        return f"the context of {limit} tokens is too small for this conversation: raise it (llama-server --ctx-size)"
    return remedy.replace("lower --max-tokens", f"add --max-tokens={room - room % 10 ** (len(str(room)) - 2)}")


def _number_at(table: str, message: str) -> int:
    matches = (sign.search(message) for sign, _ in _rows(table))
    return next((_int(match["tokens"]) for match in matches if match), 0)


def _int(digits: str) -> int:
    return int(digits[:12].replace(",", ""))
