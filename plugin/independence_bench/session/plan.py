"""The plan: every trial that a session asks for, under its key.

Pure data: the same options give the same plan in every process.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Cell, Edition
from independence_bench.catalog.selection import select_models, select_panel
from independence_bench.catalog.trials import plan_digest, trial_spec, trial_specs
from independence_bench.chat.trial_keys import trial_key
from independence_bench.kinds import asking
from independence_bench.session.settings import Settings
from independence_bench.spec import Model, TrialSpec


@dataclass(frozen=True)
class Plan:
    """All trials of a session's options; never narrowed by -k, -m or --lf."""

    edition: Edition
    cells: tuple[Cell, ...]
    """The cells that are asked."""
    all_cells: tuple[Cell, ...]
    """The edition's own cells, asked or not, and cells asked outside its set: the reports cover all of these."""
    models: tuple[Model, ...]
    panel: tuple[Model, ...]
    runs: int
    specs: tuple[TrialSpec, ...]

    @cached_property
    def by_experiment(self) -> dict[str, list[TrialSpec]]:
        """Specs of each experiment, in order."""
        found: dict[str, list[TrialSpec]] = {}
        for spec in self.specs:
            found.setdefault(spec.scenario.experiment, []).append(spec)
        return found

    @cached_property
    def by_key(self) -> dict[str, TrialSpec]:
        """Specs under their keys; computed when first needed: a collection alone needs none.

        Raises:
            BadInput: two trials have the same key: two labels name the same model, or two scenarios ask the same.
        """
        keyed: dict[str, TrialSpec] = {}
        for spec in self.specs:
            key = trial_key(spec)
            if twin := keyed.get(key):
                asked = [f"{one.scenario.id}{one.suffix}" for one in (twin, spec)]
                labels = [twin.model.label, spec.model.label]
                what, names = ("scenarios", asked) if twin.model is spec.model else ("--model", labels)
                raise BadInput(f"{what}: {' and '.join(names)} would be asked exactly the same; keep one of them")
            keyed[key] = spec
        return keyed

    @cached_property
    def by_case_id(self) -> dict[str, TrialSpec]:
        """Specs under their case ids."""
        return {spec.case_id: spec for spec in self.specs}

    @cached_property
    def keys(self) -> dict[int, str]:
        """Key of each spec, by the spec's ``id()``: specs live as long as the plan."""
        return {id(spec): key for key, spec in self.by_key.items()}

    @cached_property
    def digest(self) -> str:
        """Digest of all keys, of the panel and of how it judges: equal digests are equal plans."""
        return plan_digest(self.edition, self.by_key, [judge.configuration for judge in self.panel])

    def late(self, cell: Cell, model: Model, run: int) -> TrialSpec:
        """Return the trial of a case that defines it only while it runs.

        The only entry for trials that are not planned. From here on this process treats it like a planned trial: it has
        a key, judges and a task. What other processes compute from the plan, such as its digest, does not change.
        """
        spec = trial_spec(self.edition, cell, model, run)
        key = trial_key(spec)
        if key in self.by_key:  # the same trial is planned
            return self.by_key[key]
        _ = self.digest, self.keys  # computed from the planned trials
        self.by_key[key] = spec
        self.keys[id(spec)] = key
        return spec

    def judges_of(self, spec: TrialSpec) -> tuple[Model, ...]:
        """The judges of this trial: the panel, or none if the scenario has no rubric."""
        return self.panel if spec.scenario.rubric else ()


def build_plan(settings: Settings) -> Plan:
    """Resolve a session's options into its plan.

    Raises:
        BadInput: options or configs that cannot be carried out; raised before any call is made.
    """
    catalogue = catalogue_of(settings)
    edition = catalogue.edition(settings.edition)
    _refuse_what_an_edition_fixes(settings, edition)
    cells = catalogue.cells(edition, settings.system_variants, settings.delivery_modes)
    models = select_models(catalogue, settings.models, settings, edition.kind)
    needs_judge = any(cell.scenario.rubric for cell in cells)
    panel = select_panel(catalogue, settings.judges, models, settings) if needs_judge else ()
    specs = tuple(trial_specs(edition, cells, models, settings.runs))
    ids: dict[str, str] = {}
    for model in models:
        shown = next(spec.case_id for spec in specs if spec.model is model)
        if shown in ids:
            raise BadInput(
                f"--model: {ids[shown]} and {model.label} differ only in characters that case ids cannot show"
            )
        ids[shown] = model.label
    all_cells = (*catalogue.cells(edition), *(cell for cell in cells if not cell.official))
    return Plan(edition, cells, all_cells, models, panel, settings.runs, specs)


def _refuse_what_an_edition_fixes(settings: Settings, edition: Edition) -> None:
    """Refuse options that an edition would silently ignore."""
    for option, (field, reason) in asking(edition.kind).fixed_options.items():
        if getattr(settings, field) not in (None, ()):
            raise BadInput(f"{option}: edition {edition.id} {reason}; leave it out")


def resolve_models(settings: Settings) -> tuple[Model, ...]:
    """Return the models that the options name, with every override applied.

    Raises:
        BadInput: an unknown name, or an override that a model cannot take.
    """
    return select_models(catalogue_of(settings), settings.models, settings)


def catalogue_of(settings: Settings) -> Catalogue:
    """Return the configs that a session reads; an edition file adds its folder."""
    own = Path(settings.edition).parent if settings.edition.endswith((".yaml", ".yml")) else None
    return Catalogue(settings.overlay, own)
