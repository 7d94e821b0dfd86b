"""Dossiers: every matter of a form, a fresh dossier of it in every run. Scores nothing."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.trials import check_variants, configurations
from independence_bench.catalog.yaml_files import validated
from independence_bench.chat.sizes import ANSWER_MARGIN
from independence_bench.digest import Json
from independence_bench.frozen import Frozen
from independence_bench.kinds import KINDS
from independence_bench.kinds.dossiers.asking.case_conduct import conduct_case
from independence_bench.kinds.dossiers.asking.dossier_script import DossierScript
from independence_bench.kinds.dossiers.design import DossiersDesign, MatterTitle
from independence_bench.kinds.dossiers.dossier import GENERATOR
from independence_bench.kinds.dossiers.matter import FOLDER, Matter, read_matters, read_phrases
from independence_bench.kinds.protocol import Ask, CallSize
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


class DossiersChoice(Frozen):
    """``dossiers:`` of an edition."""

    form: str = Field(default="public", min_length=1, max_length=80)
    """The seed that the dossiers are drawn by; ``--form`` replaces it."""
    matters: tuple[str, ...] | Literal["all"] = "all"
    """Stems in dossiers/, in the order of their places."""


class Dossiers:
    """How dossiers are asked."""

    fixed_options: Mapping[str, tuple[str, str]] = {
        "--judge": ("judges", "takes none, no judge reads its answers"),
        "--judge-repeats": ("judge_repeats", "takes none, no judge reads its answers"),
        "--judge-endpoint": ("judge_endpoint", "takes none, no judge reads its answers"),
        "--delivery-mode": ("delivery_modes", "is always delivered in plain messages"),
    }

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], DossiersDesign]:
        """Return one scenario per matter, and the form."""
        chosen = validated(DossiersChoice, choice, file, "dossiers")
        check_variants(catalogue, file)
        stems = catalogue.stems(FOLDER) if chosen.matters == "all" else chosen.matters
        matters = [*read_matters(catalogue, stems, f"{file}: dossiers.matters")]
        design = DossiersDesign(
            form=chosen.form,
            generator=GENERATOR,
            matters=tuple(MatterTitle(id=matter.id, title=matter.title) for matter in matters),
        )
        return [_scenario(matter) for matter in matters], design

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every matter under every variant."""
        design = edition.design
        assert isinstance(design, DossiersDesign)
        places = {matter.id: place for place, matter in enumerate(design.matters)}
        ids = [scenario.id for scenario in edition.scenarios]
        matters = [*read_matters(catalogue, ids, f"edition {edition.id}")]
        phrases = read_phrases(catalogue)
        asked = [*configurations(edition, catalogue, variants, modes)]
        if any(each.mode != "user_role" for each in asked):
            raise BadInput(f"delivery_modes: edition {edition.id} is always delivered in plain messages: [user_role]")
        return tuple(
            Cell(
                scenario=scenario,
                system_variant=each.variant,
                delivery_mode=each.mode,
                script=DossierScript(
                    delivery_mode=each.mode,
                    system=catalogue.system_variants[each.variant],
                    turns=(),
                    matter=matter,
                    phrases=phrases,
                    form=design.form,
                    place=places[matter.id],
                    places=len(places),
                ),
                official=each.official,
                suffix=each.suffix,
            )
            for each in asked
            for scenario, matter in zip(edition.scenarios, matters, strict=True)
        )

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return the digest of all texts with everything that a dossier is drawn by, and the model."""
        return {"dossiers": script.digest, "model": {**model.identity}, "seeded": model.endpoint.sends_run_as_seed}

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every call of a start that counts, if every answer can be read at once."""
        drawn = script_of(script)
        model = drawn.asked(model)
        answer = min(answer, model.max_tokens)
        for size in drawn.prompt_sizes(model, run):
            likely, most = size.answers * answer, size.answers * model.max_tokens * ANSWER_MARGIN
            yield CallSize(size.likely + likely, size.most + most, answer, model.max_tokens)

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask for the standard and the stance, then all branches at once; only a start that counts has branches."""
        return await conduct_case(spec.model, script_of(spec.script), spec.run, ask)


def script_of(script: Script) -> DossierScript:
    """Return a script of this kind as what it is."""
    assert isinstance(script, DossierScript)
    return script


def _scenario(matter: Matter) -> Scenario:
    return Scenario(
        id=matter.id,
        experiment=KINDS[DossierScript.kind].experiment,
        title=matter.title,
        claim="The model moves for a reason by the standard that it chose, and stays when it is only leaned on.",
        turns=(),
        rubric=None,
    )


ASKING = Dossiers()
"""Editions that ask whether a model moves for reasons by its own lights, and for nothing else."""
