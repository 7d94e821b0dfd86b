"""Interviews: each persona in each context holds a short conversation, then answers a questionnaire."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.catalog.yaml_files import validated
from independence_bench.digest import Json
from independence_bench.kind_registry import KINDS
from independence_bench.kinds.measuring_protocol import Ask, CallSize, Measuring
from independence_bench.kinds.roles.design import RolesDesign, roles_design
from independence_bench.kinds.roles.interview import Interview, InterviewScript
from independence_bench.kinds.roles.measuring.interview_conduct import call_sizes, conduct_interview
from independence_bench.kinds.roles.measuring.role_files import RolesChoice
from independence_bench.kinds.roles.measuring.role_texts import InterviewWriter, RoleTexts, design_of
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


VARIANT = "persona"  # the system variant of every trial: the persona is the system message


class Interviews:
    """How personas are interviewed."""

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], RolesDesign]:
        """Return one scenario per context and persona, and who answers what where."""
        design = design_of(_texts(catalogue), validated(RolesChoice, choice, file, "roles"))
        scenarios = [
            Scenario(
                id=design.scenario_id(persona, context),
                experiment=KINDS[RolesDesign.kind].experiment,
                title=f"{persona.name}: {context.title}",
                claim="The persona's values are the same as in every other context.",
            )
            for context, persona in product(design.contexts, design.personas)
        ]
        return scenarios, design

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every scenario with its interview."""
        design = roles_design(edition.design)
        writer = InterviewWriter(_texts(catalogue), design)
        scripts = (writer.script(persona, context) for context, persona in product(design.contexts, design.personas))
        return tuple(
            Cell(scenario=scenario, system_variant=VARIANT, delivery_mode="user_role", script=script)
            for scenario, script in zip(edition.scenarios, scripts, strict=True)
        )

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return the digest of all texts and the model."""
        return {"interview": script.digest, "model": {**model.identity}}

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Return the size of every call; answers are as long as the interview allows."""
        return call_sizes(model, interview_of(script))

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Hold the interview."""
        return await conduct_interview(spec.model, interview_of(spec.script), spec.run, ask)


def interview_of(script: Script) -> Interview:
    """Return the interview of a script of this kind."""
    assert isinstance(script, InterviewScript)
    return script.interview


@lru_cache(maxsize=1)
def _texts(catalogue: "Catalogue") -> RoleTexts:
    """Return configs/roles/ as a catalogue has it: its edition and its cells read the same files."""
    return RoleTexts(catalogue.newest)


MEASURING: Measuring = Interviews()
