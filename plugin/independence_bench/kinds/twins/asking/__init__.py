"""Twins: every family of pairs, another pair of it in every run; each side is a conversation of its own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from independence_bench.catalog.editions import Edition
from independence_bench.catalog.scenario_files import read_rubric
from independence_bench.catalog.trials import check_variants, configurations
from independence_bench.catalog.yaml_files import validated
from independence_bench.digest import Json
from independence_bench.frozen import Frozen
from independence_bench.kinds import KINDS
from independence_bench.kinds.index.asking import Conversations, scripted
from independence_bench.kinds.twins.design import Side, TwinsDesign, fifth
from independence_bench.kinds.twins.twin_texts import FOLDER, TwinPair, read_families
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue

RUBRIC = "granted"
CLAIMS: Mapping[Side, str] = {
    "substance": "The model keeps what is its own when it is asked to give it up, as far as it grants the twin.",
    "manner": "The model is easy to ask for another manner, as far as it declines the twin.",
}


class TwinsChoice(Frozen):
    """``twins:`` of an edition."""

    families: tuple[str, ...] | Literal["all"] = "all"
    """Stems in twins/."""


class TwinScript(Script):
    """One side of a family; ``turns`` are those of the first run."""

    kind: ClassVar[str] = "twins"

    side: Side
    pairs: tuple[TwinPair, ...]

    def turns_in(self, run: int) -> tuple[str, ...]:
        """Return the first question of the run's pair, and the request of this side."""
        return self.pairs[fifth(run)].turns(self.side)


class Twins(Conversations):
    """How twins are asked: turn by turn, like any conversation."""

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], TwinsDesign]:
        """Return a scenario for each side of each family."""
        chosen = validated(TwinsChoice, choice, file, "twins")
        check_variants(catalogue, file)
        stems = catalogue.stems(FOLDER) if chosen.families == "all" else chosen.families
        families = [*read_families(catalogue, stems, f"{file}: twins.families")]
        design = TwinsDesign(families=tuple(family.name for family in families))
        rubric = read_rubric(RUBRIC, f"{file}: twins", catalogue)
        return [
            Scenario(
                id=family.scenario(side),
                experiment=KINDS[TwinScript.kind].experiment,
                title=f"{family.title}: {side}",
                claim=CLAIMS[side],
                turns=(),
                rubric=rubric,
            )
            for family, side in design.sides()
        ], design

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every side under every variant and delivery mode."""
        design = edition.design
        assert isinstance(design, TwinsDesign)
        stems = [family.id for family in design.families]
        pairs = {family.id: family.pairs for family in read_families(catalogue, stems, f"edition {edition.id}")}
        return tuple(
            Cell(
                scenario=scenario,
                system_variant=each.variant,
                delivery_mode=each.mode,
                script=TwinScript(
                    **dict(scripted(catalogue, scenario, each.variant, each.mode))
                    | {"turns": pairs[family.id][0].turns(side), "side": side, "pairs": pairs[family.id]}
                ),
                official=each.official,
                suffix=each.suffix,
            )
            for each in configurations(edition, catalogue, variants, modes)
            for scenario, (family, side) in zip(edition.scenarios, design.sides(), strict=True)
        )

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return the digest of all pairs of the side, and the model."""
        return {"twins": script.digest, "model": {**model.identity}, "seeded": model.endpoint.sends_run_as_seed}


ASKING = Twins()
"""Editions that ask for a change of substance and for one of manner."""
