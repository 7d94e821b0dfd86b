"""Judges that are Python callables, named ``module:attribute``: keyed by version and source."""

import re
import sys
from collections.abc import Awaitable, Mapping
from functools import cache
from importlib import import_module
from inspect import getmodule, getsource
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Protocol, cast

from independence_bench.bad_input import BadInput
from independence_bench.digest import digest
from independence_bench.rubric import Rubric
from independence_bench.safe_text import safe_text, text_of

_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


class CallableJudge(Protocol):
    """What a name must lead to, or a class of which this is an instance."""

    version: str  # in every verdict's key, with the digest of the source: raise it when anything else changes verdicts

    def __call__(
        self, material: list[dict[str, Any]], rubric: Rubric
    ) -> Mapping[str, object] | Awaitable[Mapping[str, object]]:
        """Return the verdict on a conversation; or a coroutine function.

        It runs in its own thread, a coroutine in a separate loop there. ``material`` is a copy of what a chat
        judge reads between the marker lines: the turns in order, each with ``speaker``
        (``human`` or ``model``), ``text``, and ``scripted`` where we put it into the model's mouth. The verdict has
        ``reasoning``, and every score and reported field of the rubric, under their names.
        """


def names_callable(name: str) -> bool:
    """Return whether a judge's name has the form ``module:attribute``."""
    return _NAME.fullmatch(name) is not None


_FOLDERS: list[Path] = []


def importable_from(folder: Path) -> None:
    """Let a judge's module be in a folder, after all others; a session that names none keeps its path."""
    _FOLDERS.append(folder)


@cache
def callable_judge(name: str) -> CallableJudge:
    """Return the judge ``module:attribute``; a class is called without arguments. Its module may be in the current
    folder. Raises BadInput: it cannot be imported, or is no judge.
    """
    if not names_callable(name):
        raise BadInput(f"--judge={name}: a callable judge is named module:attribute")
    for folder in map(str, (*_FOLDERS, Path.cwd())):
        if folder not in sys.path:
            sys.path.append(folder)
    try:
        judge = resolve_name(name)
        if isinstance(judge, type):
            judge = judge()
        version = getattr(judge, "version", None)  # which may be a property
    except (Exception, SystemExit) as error:
        trouble = safe_text(f"{type(error).__name__}: {text_of(error)}", 500)
        raise BadInput(f"--judge={name}: it cannot be imported ({trouble})") from None
    if not callable(judge):
        raise BadInput(f"--judge={name}: it must be callable with material and rubric")
    if not isinstance(version, str) or not version:
        raise BadInput(f"--judge={name}: its `version` is no text; give it one, such as '1'")
    return cast("CallableJudge", judge)


@cache
def judge_build(name: str) -> str:
    """Return what a judge's verdicts are keyed by: its version, and the digest of the modules that name and define it.
    Raises BadInput: as :func:`callable_judge`.
    """
    judge = callable_judge(name)
    defining = getmodule(judge) or getmodule(type(judge))
    sources = {source for module in (import_module(name.partition(":")[0]), defining) if (source := _source(module))}
    return f"{judge.version}+{digest([*sorted(sources)])[:12]}"


def _source(module: object) -> str | None:
    try:
        return getsource(module)  # type: ignore[arg-type]
    except (OSError, TypeError):  # compiled: its version alone says what it is
        return None
