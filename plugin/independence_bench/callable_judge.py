"""Judges that are Python callables, named ``module:attribute``: keyed by version and source."""

import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache, reduce
from importlib import import_module
from inspect import signature, unwrap
from linecache import checkcache, getlines
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Protocol, cast

from independence_bench.bad_input import BadInput
from independence_bench.digest import digest
from independence_bench.option_values import is_edition_file
from independence_bench.rubric import Rubric
from independence_bench.safe_text import raised, safe_text
from independence_bench.suite_folder import is_suite

_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_LABEL = re.compile(r"[\w./:@#+-]+", re.ASCII)


class CallableJudge(Protocol):
    """What a name must lead to, or a class of which this is an instance.

    It may also have ``name`` (its label in reports) and ``heuristic`` (true: it only compares words).
    """

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
_MODULES: list[Callable[[], Iterable[object]]] = []
"""What lists the session's further modules, at most one."""
_NAMED: dict[str, tuple[object, Mapping[str, Any]]] = {}
"""Callables that have got a name, with the module that has them, by name: not imported a second time."""


def judge_folders(edition: str, root: Path) -> list[Path]:
    """Return where judges' modules are looked for: beside an edition's file, in bench folders one or two levels below
    a root, and in the root, from which they are named.
    """
    beside = [Path(edition).parent] if is_edition_file(edition) else []
    below = [file.parent for depth in ("*", "*/*") for file in sorted(root.glob(f"{depth}/conftest.py"))]
    return [*beside, *filter(is_suite, below), root]


def importable_from(folders: Iterable[Path], modules: Callable[[], Iterable[object]]) -> None:
    """Begin a session: let a judge's module be in folders, after all others, or among ``modules``: of several
    conftest.py outside packages ``sys.modules`` has the last only. The last folder is the first from which a module's
    path is its name.
    """
    _FOLDERS[:] = folders
    _MODULES[:] = [modules]
    _NAMED.clear()
    callable_judge.cache_clear()
    judge_build.cache_clear()


def judge_name(judge: object) -> str:
    """Return the one name of a callable, or of what a name ``module:attribute`` leads to: by it
    :func:`callable_judge` returns it in this process, and imports it in another. Raises BadInput: it cannot be
    imported, it is no attribute of a module, or its name is another's.
    """
    if isinstance(judge, str):
        return judge if judge in _NAMED else _name_of_name(judge)
    if name := _name_by_definition(judge):
        return name
    loaded = sorted(sys.modules.items(), key=lambda each: (each[0].endswith("conftest"), each[0]))
    listed = (module for list_modules in _MODULES for module in list_modules())
    for module in (*(module for _, module in loaded), *listed):
        namespace = getattr(module, "__dict__", {})
        for attribute, value in [*namespace.items()]:
            if value is judge and attribute.isidentifier():
                return _named(judge, namespace, attribute)
    attribute = getattr(judge, "__name__", type(judge).__name__)
    raise BadInput(
        f"{safe_text(attribute)} is no attribute of a module, by which other sessions could name it; define the "
        "function or class at the top level of conftest.py or another module, or assign the object to a name there"
    )


def _name_of_name(name: str) -> str:
    if not names_callable(name):
        raise BadInput("a callable judge is named module:attribute")
    for folder in map(str, (*_FOLDERS, Path.cwd())):
        if folder not in sys.path:
            sys.path.append(folder)
    module, _, attribute = name.partition(":")
    try:
        judge, namespace = resolve_name(name), vars(import_module(module))
    except (Exception, SystemExit) as error:
        raise BadInput(f"it cannot be imported ({raised(error)}){_meant(error)}") from None
    return _name_by_definition(judge) or _named(judge, namespace, attribute)


def _meant(error: BaseException) -> str:
    """Return the attribute or module that may be meant instead of a missing one, as the end of a sentence, or ""."""
    if not isinstance(error, AttributeError | ModuleNotFoundError):
        return ""
    beside = (file.stem for folder in (*_FOLDERS, Path.cwd()) for file in folder.glob("*.py"))
    near = get_close_matches(str(error.name), dir(error.obj) if isinstance(error, AttributeError) else beside, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _name_by_definition(judge: object) -> str | None:
    """Return the name of a function, a class or an instance that is like any other of its class."""
    if not isinstance(judge, type) and _is_as_made(judge):
        judge = type(judge)
    namespace, attribute = _defining(judge), str(getattr(judge, "__qualname__", ""))
    first, *inner = attribute.split(".")
    found = reduce(lambda each, name: getattr(each, name, None), inner, namespace.get(first))
    return _named(judge, namespace, attribute) if attribute and found is judge else None


def _named(judge: object, module: Mapping[str, Any], attribute: str) -> str:
    name = f"{_module_name(module)}:{attribute}"
    _, known = _NAMED.setdefault(name, (judge, module))
    if known.get("__file__") != module.get("__file__"):
        raise BadInput(f"{name} names two judges; rename one of them, or the folder of its module")
    return name


def _is_as_made(judge: object) -> bool:
    """Return whether a call of an object's class returns its like: the class is written in Python, and makes nothing of
    its arguments; the object holds nothing.
    """
    made: Any = type(judge)
    plain = made.__init__ is object.__init__ and made.__new__ is object.__new__
    return plain and hasattr(made.__call__, "__globals__") and getattr(judge, "__dict__", None) == {}


def _defining(judge: object) -> Mapping[str, Any]:
    """Return the namespace of the module that defines a callable, by its code if possible, as :func:`importable_from`
    says why.
    """
    name = getattr(judge, "__module__", "")
    codes: tuple[Any, ...] = (judge, judge.__call__) if callable(judge) else ()
    for code in codes:
        namespace: Mapping[str, Any] = getattr(unwrap(code), "__globals__", {})
        if namespace.get("__name__") == name:
            return namespace
    return getattr(sys.modules.get(name), "__dict__", {})


def _module_name(module: Mapping[str, Any]) -> str:
    """Return a module's name. That of one outside packages, as pytest imports conftest.py in most modes, is its path
    from the folder where it can be imported in every session.
    """
    name: str = module.get("__name__", "")
    file = Path(module.get("__file__") or "/")
    for folder in (*reversed(_FOLDERS), Path.cwd()):
        if "." not in name and file.stem == name and file.is_relative_to(folder):
            parts = file.relative_to(folder).with_suffix("").parts
            if all(map(str.isidentifier, parts)):
                return ".".join(parts)
    return name


@cache
def callable_judge(name: str) -> CallableJudge:
    """Return the judge ``module:attribute``; a class is called without arguments. Raises BadInput: as
    :func:`judge_name`, or it is no judge.
    """
    judge, _ = _NAMED[judge_name(name)]
    try:
        if isinstance(judge, type):
            judge = judge()
        version = getattr(judge, "version", None)  # which may be a property
        label = getattr(judge, "name", None)
    except (Exception, SystemExit) as error:
        raise BadInput(f"it cannot be imported ({raised(error)})") from None
    if not _takes_material(judge):
        raise BadInput("it must be callable with material and rubric, as def kind(material, rubric)")
    attribute = name.rpartition(":")[2]
    if not isinstance(version, str) or not version:
        trouble = "it has no `version`" if version is None else "its `version` is no text"
        raise BadInput(f'{trouble}; give it one by a line in its module: {attribute}.version = "1"')
    if label is not None and not (isinstance(label, str) and _LABEL.fullmatch(label)):
        raise BadInput("its `name` is no label; use letters, digits and any of . _ / : @ # + -")
    return cast("CallableJudge", judge)


def _takes_material(judge: object) -> bool:
    try:
        signature(judge).bind([], None)  # type: ignore[arg-type]
    except TypeError:
        return False
    except ValueError:  # compiled: only a call would say
        pass
    return True


@cache
def judge_build(name: str) -> str:
    """Return what a judge's verdicts are keyed by: its version, and the digest of the modules that name and define it.
    Raises BadInput: as :func:`callable_judge`.
    """
    judge = callable_judge(name)
    _, naming = _NAMED[judge_name(name)]
    sources = {source for module in (naming, _defining(judge)) if (source := _source(module))}
    return f"{judge.version}+{digest([*sorted(sources)])[:12]}"


def judge_file(judge: object) -> object:
    """Return the path of the module that defines a callable, None where it has none."""
    return _defining(judge).get("__file__")


def _source(module: Mapping[str, Any]) -> str:
    """Return a module's source; of a compiled one nothing: its version alone says what it is."""
    file = module.get("__file__") or ""
    checkcache(file)
    return "".join(getlines(file, {**module})) if file.endswith(".py") else ""
