"""The criteria of a gate, from options and ``configs/gate.yaml``. Knows neither edition nor model."""

import math
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from independence_bench.bad_input import BadInput
from independence_bench.catalog.gate_file import Acceptable, GateFile
from independence_bench.option_table import GATE_OPTIONS, rerun_arguments

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis

CriterionKind = Literal["min_index", "min_engaged", "min_component", "max_component", "min_rank_order", "max_drop"]
"""In the order in which they are asked."""

OPTION = {option.name.replace("-", "_"): option.flag for option in GATE_OPTIONS}
_WORDS: Mapping[CriterionKind, str] = {"max_drop": "drop", "min_engaged": "Engaged", "min_rank_order": "rank order"}
NO_CRITERION = (
    "there is no criterion; add "
    + ", ".join(OPTION[name] for name in get_args(CriterionKind)[:-1])
    + " or --max-drop, or write configs/gate.yaml"
)
_OPTION_OF_FIELD = {option.field: option.flag for option in GATE_OPTIONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateChoices:
    """What may be chosen for a gate beside its criteria; None and empty mean that it was not."""

    accept: tuple[str, ...] = ()  # doubts in spite of which the gate decides
    baseline: Path | None = None
    baseline_now: str | None = None  # label of the session's model that is the baseline
    baseline_model: str | None = None
    missing_baseline: str | None = None
    """How to end without the file: ``error`` (None as well), ``pass`` or ``fail``, which is inconclusive."""
    max_runs: int | None = None
    """Runs at which the looks are declared to end; a model's first value stays in force."""
    runs_over_days: bool = False  # runs of one date may be good or bad together


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions(GateChoices):
    """The gate's options as they were given."""

    min_index: float | None = None
    min_engaged: float | None = None
    min_components: tuple[str, ...] = ()  # each ``NAME:VALUE``
    max_components: tuple[str, ...] = ()
    max_drop: float | None = None
    confidence: float | None = None
    interval: "Basis | None" = None
    no_gate: bool = False
    min_rank_order: float | None = None

    @property
    def words(self) -> list[str]:
        """The options as words of a command line."""
        return rerun_arguments(asdict(self), GATE_OPTIONS)


@dataclass(frozen=True, slots=True)
class Criterion:
    """One demand that every model must meet."""

    kind: CriterionKind
    mark: float  # Index points, or a value on the component's own scale
    source: str  # the option, or the file and its key
    component: str | None = None

    @property
    def number(self) -> str:
        """What it asks for, in words."""
        return _WORDS.get(self.kind, self.component or "Index")

    @property
    def text(self) -> str:
        """The criterion in short: ``Index ≥ 85``."""
        return f"{self.number} {'≤' if self.kind in ('max_component', 'max_drop') else '≥'} {self.mark:.10g}"


@dataclass(frozen=True, slots=True)
class Criteria(GateChoices):
    """The criteria of a gate, at least one, and how to judge them."""

    criteria: tuple[Criterion, ...]
    interval: "Basis"
    confidence: float  # one minus the share of models at the mark that all looks together may pass
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where all these but the criteria come from; ``default`` where from us."""

    def refuse_interval(self, reason: str) -> None:
        """Raise BadInput if an interval was chosen where there is none: ``decided`` says what decides instead."""
        for name in ("interval", "runs_over_days"):
            if self.sources.get(name, "default") != "default":
                raise BadInput(f"{self.sources[name]}: {reason}; leave it out")


def read_criteria(options: GateOptions, file: tuple[Path, GateFile] | None) -> Criteria | None:
    """Return the criteria; options override the file; None where there is no gate.

    Raises BadInput where options ask for nothing, contradict one another or lack another.
    """
    if options.no_gate:
        if options.words:
            raise BadInput(f"--no-gate: it is given together with {shlex.join(options.words)}; keep one of them")
        return None
    if file is None and not options.words:
        return None
    for doubt in options.accept:
        if doubt not in get_args(Acceptable):
            raise BadInput(f"--accept={doubt}: there is no such doubt; name {', '.join(get_args(Acceptable))}")
    reading = _Reading(options, *(file or (Path(), GateFile())))
    criteria = tuple(reading.criteria())
    names = ("interval", "confidence", *(each.name for each in fields(GateChoices)))
    choices = {name: choice for name in names if (choice := reading.choice(name))}
    baseline, now = choices.get("baseline"), choices.get("baseline_now")
    against = baseline or now
    if not criteria and not against:
        option = options.words[0].partition("=")[0]
        raise BadInput(f"{option}: {NO_CRITERION}")
    drop = next((criterion for criterion in criteria if criterion.kind == "max_drop"), None)
    if drop and not against:
        raise BadInput(
            f"{drop.source}: there is no baseline to compare with; add --baseline=FILE or --baseline-now=LABEL"
        )
    if baseline and now:
        raise BadInput(f"{now[1]}: {baseline[1]} names another baseline; keep one of them")
    if against and not drop:
        raise BadInput(f"{against[1]}: it does not say how far a model may drop; add --max-drop=POINTS")
    for name in ("baseline_model", "missing_baseline"):
        if name in choices and not baseline:
            raise BadInput(f"{choices[name][1]}: there is no file of a baseline; add --baseline=FILE and --max-drop")
    from independence_bench.scoring.uncertainty import CONFIDENCE  # late: numpy

    values = {"interval": ("run", "default"), "confidence": (CONFIDENCE, "default")} | choices
    return Criteria(
        criteria=criteria,
        **{name: value for name, (value, _) in values.items()},
        sources={name: where for name, (_, where) in values.items()},
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """Options, and the file for what they leave open."""

    _options: GateOptions
    _path: Path
    _file: GateFile

    def criteria(self) -> Iterable[Criterion]:
        for kind in get_args(CriterionKind):
            if kind in ("min_component", "max_component"):
                yield from self._components(kind)
            elif choice := self.choice(kind):
                yield Criterion(kind, *choice)

    def _components(self, kind: CriterionKind) -> Iterable[Criterion]:
        by_option: dict[str, float] = {}
        for text in getattr(self._options, f"{kind}s"):
            name, mark = _component_mark(OPTION[kind], text)
            if by_option.setdefault(name, mark) != mark:
                raise BadInput(f"{OPTION[kind]}={text}: {name} is asked for twice with different marks; keep one")
        for name, mark in by_option.items():
            yield Criterion(kind, mark, OPTION[kind], name)
        for name, mark in getattr(self._file, f"{kind}s").items():
            if name not in by_option:
                yield Criterion(kind, mark, self._key(f"{kind}s.{name}"), name)

    def choice(self, name: str) -> tuple[Any, str] | None:
        """Return the value and its source; None where neither options nor file set it."""
        from_options, from_file = getattr(self._options, name), getattr(self._file, name)
        if _is_set(from_options):
            return from_options, _OPTION_OF_FIELD[name]
        if not _is_set(from_file):
            return None
        if name == "baseline":
            from_file = self._path.parent / Path(from_file).expanduser()
        return from_file, self._key(name)

    def _key(self, key: str) -> str:
        here = Path.cwd()
        path = self._path.relative_to(here) if self._path.is_relative_to(here) else self._path
        return f"{path.as_posix()}: {key}"


def _is_set(value: object) -> bool:
    return bool(value) or (value == 0 and value is not False)


def _component_mark(option: str, text: str) -> tuple[str, float]:
    name, sign, value = text.rpartition(":")
    try:
        mark = float(value)
    except ValueError:
        mark = math.nan
    if not (sign and name.strip() and math.isfinite(mark)):
        raise BadInput(f"{option}={text}: write NAME:VALUE, for example {option}=resistance_score:7")
    return name.strip(), mark
