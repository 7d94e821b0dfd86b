"""Files of the predecessor's published cache: their paths and contents, their requests and the call that counts.

Layout: ``<configuration>/run_<N>/<experiment>/<system variant>/<delivery mode>/<answer>.json``, and the names that a
model chose in ``<configuration>/run_<N>/name_extraction.json``. Knows no trial and no store.
"""

import json
import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from independence_bench.spec import DeliveryMode, Preamble, ScriptedTurn
from independence_bench.store.table_rows import MOST_FOREIGN_RUNS
from independence_bench.whole_file import read_whole

NAMES_FILE = "name_extraction.json"
MOST_TOKENS = 10**12  # largest plausible token count; much larger ones do not fit into an SQLite column

_RUN = re.compile(r"run_([1-9][0-9]{0,5})")


class Read(BaseModel):
    """A part of a file; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _money(value: object) -> object:
    return value if isinstance(value, int | float) and math.isfinite(value) and value >= 0 else None


def _moment(metadata: object) -> float:
    written = metadata.get("timestamp", "") if isinstance(metadata, dict) else None
    if not isinstance(written, str):
        raise ValueError("the metadata are no mapping with a time as text")  # noqa: TRY004 -- refused by pydantic
    try:
        return datetime.fromisoformat(written).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _something(text: str) -> str:
    """Refuse an empty text. Not ``min_length``: it cannot count lone surrogates."""
    if not text:
        raise ValueError("it is empty")
    return text


class CostFile(Read):
    """What one call used, including its retries."""

    prompt_tokens: int = Field(default=0, ge=0, le=MOST_TOKENS)
    completion_tokens: int = Field(default=0, ge=0, le=MOST_TOKENS)
    cost_usd: Annotated[float | None, BeforeValidator(_money)] = None  # US dollars; None: unknown, not zero
    elapsed_seconds: Annotated[float, BeforeValidator(lambda value: _money(value) or 0.0)] = 0.0
    judge_model: str | None = None  # only in the cost of a verdict


class CallFile(Read):
    """The function of one tool call."""

    name: str | None = None
    arguments: str = ""  # JSON text; some are cut off


def _function(call: object) -> object:
    return call["function"] if isinstance(call, dict) and "function" in call else None


Calls = tuple[Annotated[CallFile, BeforeValidator(_function)], ...]


class MessageFile(Read):
    """One message of a recorded request."""

    role: str
    content: Annotated[str, BeforeValidator(lambda value: "" if value is None else value)] = ""
    tool_calls: Calls | None = None


class AnswerFile(Read):
    """One recorded answer. The last answer of a conversation, or the first of a questionnaire, has its verdict."""

    at: Annotated[float, BeforeValidator(_moment)] = Field(default=0.0, validation_alias="metadata")
    """When it was written, Unix time; 0 if it does not say. Everything else in the metadata comes from the path."""
    response: Annotated[str, AfterValidator(_something)]
    finish_reason: str | None = None
    gen_cost: CostFile | None = None
    request_messages: tuple[MessageFile, ...] = Field(min_length=2)
    response_tool_calls: Calls | None = None  # none if the model answered in plain content
    reasoning_content: str | None = None
    content_thinking: str | None = None  # content in addition to a tool call
    judge_scores: dict[str, object] | None = None
    judge_raw_response: str | None = None
    judge_cost: CostFile | None = None


class ChosenName(Read):
    """A name that the model chose, with the answers in which it chose it."""

    name: str
    sources: tuple[str, ...] = ()


class NamesFile(Read):
    """The names of one run, as the predecessor extracted them from its answers."""

    names: tuple[ChosenName, ...] = ()


Condition = tuple[str, str]  # system variant and delivery mode, as the folders are called


@dataclass(slots=True)
class RunFiles:
    """All files of one run of one configuration."""

    directory: str
    run: int
    answers: dict[Condition, dict[str, AnswerFile]] = field(default_factory=dict)  # by file name
    names: NamesFile | None = None
    broken: dict[str, str] = field(default_factory=dict)  # path within the cache → why it cannot be read


def cache_folder(folder: Path) -> Path | None:
    """Return the folder with the configurations: this one or its ``cache``; None if neither has any."""
    places = (place for place in (folder, folder / "cache") if place.is_dir())
    return next((place for place in places if any(map(_runs, _folders(place)))), None)


def configuration_folders(cache: Path) -> list[Path]:
    """Return the folders of a cache with at least one run, by name."""
    return [place for place in _folders(cache) if _runs(place)]


def read_runs(cache: Path) -> Iterator[RunFiles]:
    """Yield every run, by configuration and number. An unreadable file is skipped and listed in ``broken``."""
    for configuration in configuration_folders(cache):
        for number, place in _runs(configuration):
            yield _read_run(RunFiles(configuration.name, number), cache, place)


def _read_run(read: RunFiles, cache: Path, place: Path) -> RunFiles:
    if read.run > MOST_FOREIGN_RUNS:
        read.broken[place.relative_to(cache).as_posix()] = f"its number is above {MOST_FOREIGN_RUNS:,}"
        return read
    variants = (variant for experiment in _folders(place) for variant in _folders(experiment))
    for condition in (mode for variant in variants for mode in _folders(variant)):
        answers = read.answers.setdefault((condition.parent.name, condition.name), {})
        for file in sorted(file for file in condition.iterdir() if file.suffix == ".json"):
            answer = _read(AnswerFile, file, cache, read.broken)
            if answer is not None:
                answers[file.stem] = answer
    if (place / NAMES_FILE).is_file():
        read.names = _read(NamesFile, place / NAMES_FILE, cache, read.broken)
    return read


def _runs(configuration: Path) -> list[tuple[int, Path]]:
    matches = ((_RUN.fullmatch(place.name), place) for place in _folders(configuration))
    return sorted((int(match[1]), place) for match, place in matches if match)


def _folders(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:  # no system call per entry to distinguish folders
        return sorted(folder / entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir())


Kind = TypeVar("Kind", bound=Read)


def _read(kind: type[Kind], file: Path, cache: Path, broken: dict[str, str]) -> Kind | None:
    try:
        return kind.model_validate(json.loads(read_whole(file)))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        reason = f"{'.'.join(map(str, fault['loc'])) or 'its content'}: {fault['msg']}"
    except (ValueError, RecursionError):
        reason = "no valid JSON"
    except OSError as error:
        reason = error.strerror or "cannot be opened"
    broken[file.relative_to(cache).as_posix()] = reason
    return None


MESSAGE = "message"  # the only parameter of the tool through which the models spoke


class Unfit(ValueError):
    """The messages of a request do not match its scenario."""


class RecordedRequest(Preamble):
    """One parsed request."""

    turns: tuple[MessageFile, ...]  # the human's and the model's by turns; the first and the last are the human's

    @classmethod
    def of(cls, messages: tuple[MessageFile, ...], mode: DeliveryMode, *, opened: bool) -> "RecordedRequest":
        """Parse a request; ``opened``: the model's first turn is scripted. Raises :class:`Unfit` if human and model do
        not take turns.
        """
        system = "\n\n".join(message.content for message in messages if message.role == "system")
        turns = tuple(message for message in messages if message.role != "system")
        start, greeting = "", None
        opening: tuple[ScriptedTurn, ...] = ()
        if mode == "tool_role" and len(turns) > 1 and (turns[0].role, turns[1].role) == ("user", "assistant"):
            start, greeting = turns[0].content, message_text(turns[1])
            turns = turns[2:]
        if [turn.role == "assistant" for turn in turns] != [place % 2 == 1 for place in range(len(turns) | 1)]:
            raise Unfit("its request is no row of turns that the human begins and ends")
        if opened:
            if len(turns) == 1:
                raise Unfit("its request has no scripted turn of the model")
            opening = (
                ScriptedTurn(speaker="human", text=turns[0].content),
                ScriptedTurn(speaker="model", text=message_text(turns[1])),
            )
            turns = turns[2:]
        return cls(delivery_mode=mode, system=system, start=start, greeting=greeting, opening=opening, turns=turns)


def message_text(message: MessageFile) -> str:
    """Return what the model said in a message of a request: its tool call's message, else its content."""
    return call_text(message.tool_calls[0]) if message.tool_calls else message.content


def call_text(call: CallFile) -> str:
    """Return the message in a call, even under another key; broken arguments are returned as they are."""
    read = arguments_of(call.arguments)
    if read is None:
        return call.arguments
    texts = [text for text in (read.get(MESSAGE), *read.values()) if isinstance(text, str)]
    return texts[0] if texts else ""


@lru_cache(maxsize=64)  # each later request of a conversation quotes its earlier calls again
def arguments_of(arguments: str) -> dict[str, object] | None:
    """Return the arguments of a call, None if they are not a JSON object, mostly because they are cut off."""
    try:
        read = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def counting_call(file: AnswerFile) -> CallFile | None:
    """Return the call with the answer, else the first call; None if the answer came as plain content."""
    calls = file.response_tool_calls or ()
    carrying = (call for call in calls if call_text(call).strip() == file.response.strip())
    return next(carrying, calls[0] if calls else None)
