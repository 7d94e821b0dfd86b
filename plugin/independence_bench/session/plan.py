"""The plan: every trial that a session asks for, under its key. Equal options give equal plans in every process."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from independence_bench.aggregation import MEAN
from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.selection import select_models, select_panel
from independence_bench.catalog.trials import plan_digest
from independence_bench.chat.trial_keys import otherwise_judged, stored_under, trial_key
from independence_bench.counted import counted
from independence_bench.digest import digest
from independence_bench.grouping import group_values
from independence_bench.kind_registry import KINDS
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.option_table import OPTIONS, OTHERS, Option
from independence_bench.session.settings import Settings
from independence_bench.spec import Cell, FunctionScript, Model, TrialSpec

MOST_CASES = 2_000_000  # cases that are planned without ``--huge``


@dataclass(frozen=True)
class Plan:
    """All trials of a session's options; never narrowed by -k, -m or --lf."""

    edition: Edition
    cells: tuple[Cell, ...]  # the cells that are asked
    all_cells: tuple[Cell, ...]  # the edition's own, asked or not, and those asked outside its set: reports cover all
    models: tuple[Model, ...]
    panel: tuple[Model, ...]
    runs: int
    specs: tuple[TrialSpec, ...]
    retired: Mapping[str, str] = field(default_factory=dict)  # labels no longer served → since when
    extensions: tuple[str, ...] = ()  # of installed packages, in what is asked and judged, as reports name them

    @cached_property
    def by_experiment(self) -> dict[str, list[TrialSpec]]:
        """Specs of each experiment, in order; those of Python scenarios belong to their functions."""
        return group_values((spec.scenario.experiment, spec) for spec in self.specs if spec.scenario.function is None)

    @cached_property
    def by_key(self) -> dict[str, TrialSpec]:
        """Specs under their keys; computed when first needed: a collection alone needs none.
        Raises BadInput: two trials have the same key: two labels name the same model, or two scenarios ask the same.
        """
        keyed: dict[str, TrialSpec] = {}
        for spec in self.specs:
            key = trial_key(spec)
            if twin := keyed.get(key):
                asked = [f"{one.scenario.id}{one.cell.suffix}" for one in (twin, spec)]
                labels = [twin.model.label, spec.model.label]
                what, names = ("scenarios", asked) if twin.model is spec.model else ("--model", labels)
                raise BadInput(f"{what}: {' and '.join(names)} would be asked exactly the same; keep one of them")
            keyed[key] = spec
        return keyed

    @cached_property
    def by_case_id(self) -> dict[str, TrialSpec]:
        """Specs under their case ids."""
        return {spec.case_id: spec for spec in self.specs}

    def of_case(self, params: str) -> TrialSpec | None:
        """Return the trial of a pytest case by the text in its brackets: its case id, or among other ids."""
        if params in self.by_case_id:
            return self.by_case_id[params]
        parts = params.split("-")
        longest_first = ((start, start + size) for size in range(len(parts) - 1, 0, -1) for start in range(len(parts)))
        inside = ("-".join(parts[start:end]) for start, end in longest_first if end <= len(parts))
        return next((self.by_case_id[text] for text in inside if text in self.by_case_id), None)

    @cached_property
    def keys(self) -> dict[TrialSpec, str]:
        """Key of each spec."""
        return {spec: key for key, spec in self.by_key.items()}

    @cached_property
    def digest(self) -> str:
        """Digest of all keys, of the panel and of how it judges: equal digests are equal plans."""
        return plan_digest(self.edition, self.by_key, [judge.configuration for judge in self.panel])

    def late(self, cell: Cell, model: Model, run: int, judges: tuple[Model, ...] | None = None) -> TrialSpec:
        """Return the trial of a case whose fixtures ask something else, with its own judges if given: the only entry
        for such. From here on it is like a planned trial: it has a key, judges and a task; the plan's digest does not
        change. A planned conversation that is judged by others has a separate entry and key.
        """
        spec = TrialSpec(self.edition.id, cell, model, run)
        _ = self.digest, self.keys  # computed from the planned trials
        key = trial_key(spec)
        twin = self.by_key.get(key, spec)
        if judges is not None and judges != self.judges_of(twin):
            key = otherwise_judged(key, digest([judge.configuration for judge in judges]))
        if key in self.by_key:  # the same trial is planned, or another case has asked for it
            return self.by_key[key]
        late = replace(spec, judges=judges)
        self.by_key[key] = late
        self.keys[late] = key
        self.of_conversation.setdefault(stored_under(key), []).append(key)
        return late

    @cached_property
    def of_conversation(self) -> dict[str, list[str]]:
        """Keys of the late trials with one conversation, by the key under which it is stored."""
        return {}

    @property
    def asked(self) -> Iterator[Model]:
        """Every model and judge that may be asked, those of late trials too; some of them several times."""
        yield from (*self.models, *self.panel)
        for key in islice(self.by_key, len(self.specs), None):
            yield from (self.by_key[key].model, *self.judges_of(self.by_key[key]))

    def judges_of(self, spec: TrialSpec) -> tuple[Model, ...]:
        """The judges of this trial: the panel unless its case has others, or none if the scenario has no rubric."""
        if spec.scenario.rubric is None:
            return ()
        return self.panel if spec.judges is None else spec.judges


def build_plan(settings: Settings) -> Plan:
    """Resolve options into a plan, before any call. Raises BadInput: options or configs cannot be carried out."""
    catalogue = catalogue_of(settings)
    edition = load_edition(settings.edition, catalogue)
    _refuse_options(edition, settings)
    replaced = {option.field: getattr(settings, option.field) for option in OPTIONS if option.of_edition}
    if own := {name: value for name, value in replaced.items() if value is not None}:
        edition = load_edition(settings.edition, catalogue, own)
    cells = load_cells(edition, catalogue, settings.system_variants, settings.delivery_modes)
    models = select_models(catalogue, settings.models, settings, edition.kind)
    needs_judge = any(cell.scenario.rubric for cell in cells)
    panel = select_panel(catalogue, settings.judges, models, settings) if needs_judge else ()
    cells = _consulting(cells, panel, edition.aggregation)
    cases = len(models) * settings.runs * len(cells)
    if cases > MOST_CASES and not settings.huge:
        asked = f"{counted(len(models), 'model')}, {settings.runs:,} runs and {counted(len(cells), 'cell')}"
        raise BadInput(f"--runs: {asked} make {cases:,} cases; ask for fewer, or add --huge to plan so many")
    specs = tuple(trial_specs(edition, cells, models, settings.runs))
    ids: dict[str, str] = {}
    for model, first in zip(models, range(0, len(specs), settings.runs * len(cells)), strict=True):
        other = ids.setdefault(specs[first].case_id, model.label)
        if other != model.label:
            raise BadInput(f"--model: {other} and {model.label} differ only in characters that case ids cannot show")
    chosen = settings.system_variants or settings.delivery_modes
    all_cells = (
        *(_consulting(load_cells(edition, catalogue), panel, edition.aggregation) if chosen else cells),
        *(cell for cell in cells if not cell.official),
    )
    retired = {row.label: row.retired for row in catalogue.models.values() if row.retired}
    extensions = tuple(sorted(map(str, filter(None, {*catalogue.taken_part, KINDS.added_by(edition.kind)}))))
    return Plan(edition, cells, all_cells, models, panel, settings.runs, specs, retired, extensions)


def takes(edition: Edition, option: Option) -> bool:
    """Return whether an edition takes an option."""
    if option.needs_judges and not any(scenario.rubric for scenario in edition.scenarios):
        return False
    if option.of_edition:
        return getattr(edition.design, option.field, None) is not None
    kind = edition.kind if edition.kind in KINDS.builtin else OTHERS
    return not option.kinds or kind in option.kinds


def _refuse_options(edition: Edition, settings: Settings) -> None:
    """Raise BadInput if an option is given that the edition does not take."""
    for option in OPTIONS:
        if not takes(edition, option) and getattr(settings, option.field) not in (None, ()):
            raise BadInput(f"{option.flag}: edition {edition.id} takes none; leave it out")


def trial_specs(edition: Edition, cells: Sequence[Cell], models: Sequence[Model], runs: int) -> Iterator[TrialSpec]:
    """Yield one spec per model × run × cell."""
    for model in models:
        for run in range(1, runs + 1):
            for cell in cells:
                yield TrialSpec(edition.id, cell, model, run)


def _consulting(cells: Iterable[Cell], panel: Iterable[Model], aggregation: str) -> tuple[Cell, ...]:
    judges = (*(judge.configuration for judge in panel), *([] if aggregation == MEAN else [aggregation]))

    def consulting(cell: Cell) -> Cell:
        script = cell.script
        if not isinstance(script, FunctionScript) or not script.function.consults:
            return cell
        return replace(cell, script=FunctionScript(**dict(script) | {"panel": judges}))

    return tuple(map(consulting, cells))


def catalogue_of(settings: Settings) -> Catalogue:
    """Return the configs that a session reads; an edition file adds its folder."""
    return Catalogue(settings.overlay).beside(settings.edition)
