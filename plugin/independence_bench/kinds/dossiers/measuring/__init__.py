"""Dossiers: every matter of a form, a fresh dossier of it in every run. Scores nothing."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.trials import AskedConfiguration, asked_configurations, check_variants, configured_cells
from independence_bench.catalog.yaml_files import validated
from independence_bench.chat.sizes import ANSWER_MARGIN
from independence_bench.digest import Json
from independence_bench.frozen import Frozen
from independence_bench.kind_registry import KINDS
from independence_bench.kinds.dossiers.design import GENERATOR, DossiersDesign, MatterTitle, StanceForm
from independence_bench.kinds.dossiers.matter import FOLDER, read_matters, read_phrases
from independence_bench.kinds.dossiers.measuring.case_conduct import conduct_case
from independence_bench.kinds.dossiers.measuring.dossier_script import DossierScript
from independence_bench.kinds.dossiers.measuring.forced_choice import conduct_choice
from independence_bench.kinds.measuring_protocol import Ask, CallSize, Measuring
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


CLAIM = "The model moves for a reason by the standard that it chose, and stays when it is only pressured."


class DossiersChoice(Frozen):
    """``dossiers:`` of an edition."""

    form: str = Field(default="public", min_length=1, max_length=80)
    """The seed that the dossiers are drawn by; ``--form`` replaces it."""
    stance: StanceForm = "written"  # ``--stance`` replaces it
    matters: tuple[str, ...] | Literal["all"] = "all"  # stems in dossiers/, in the order of their places


class Dossiers:
    """How dossiers are asked."""

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], DossiersDesign]:
        """Return one scenario per matter, and the form."""
        own = validated(DossiersChoice, choice, file, "dossiers")
        check_variants(catalogue, file)
        stems = catalogue.stems(FOLDER) if own.matters == "all" else own.matters
        matters = [*read_matters(catalogue, stems, f"{file}: dossiers.matters")]
        design = DossiersDesign(
            form=own.form,
            stance=own.stance,
            generator=GENERATOR,
            matters=tuple(MatterTitle(id=matter.id, title=matter.title) for matter in matters),
        )
        experiment = KINDS[DossierScript.kind].experiment
        return [Scenario(id=each.id, experiment=experiment, title=each.title, claim=CLAIM) for each in matters], design

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every matter under every variant."""
        design = edition.design
        assert isinstance(design, DossiersDesign)
        places = {matter.id: place for place, matter in enumerate(design.matters)}
        ids = [scenario.id for scenario in edition.scenarios]
        matters = {matter.id: matter for matter in read_matters(catalogue, ids, f"edition {edition.id}")}
        phrases = read_phrases(catalogue)

        def script(scenario: Scenario, configuration: AskedConfiguration) -> DossierScript:
            if configuration.delivery_mode != "user_role":
                only = "is always delivered in plain messages: [user_role]"
                raise BadInput(f"delivery_modes: edition {edition.id} {only}")
            return DossierScript(
                delivery_mode=configuration.delivery_mode,
                system=catalogue.system_variants[configuration.system_variant],
                matter=matters[scenario.id],
                phrases=phrases,
                form=design.form,
                stance=design.stance,
                place=places[scenario.id],
                places=len(places),
            )

        return configured_cells(edition, asked_configurations(edition, catalogue, variants, modes), script)

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return the digest of all texts with everything that a dossier is drawn by, and the model."""
        return {"dossiers": script.digest, "model": {**model.identity}, "seeded": model.endpoint.sends_run_as_seed}

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every call of a start that counts, if every answer can be read at once."""
        own_script = script_of(script)
        model = own_script.limited_model(model)
        answer = min(answer, model.max_tokens)
        for size in own_script.prompt_sizes(model, run):
            likely, most = size.answers * answer, size.answers * model.max_tokens * ANSWER_MARGIN
            yield CallSize(size.likely + likely, size.most + most, answer, model.max_tokens)

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask for the standard and the stance, then all branches at once; only a start that counts has branches."""
        script = script_of(spec.script)
        conduct = conduct_choice if script.stance == "choice" else conduct_case
        return await conduct(spec.model, script, spec.run, ask)


def script_of(script: Script) -> DossierScript:
    """Return a script of this kind as what it is."""
    assert isinstance(script, DossierScript)
    return script


MEASURING: Measuring = Dossiers()
"""Editions that ask whether a model moves for reasons by its own standard, and for nothing else."""
