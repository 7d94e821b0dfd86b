"""Every toy is asked for twice, both times at once: branches of one trial."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from independence_bench.catalog.editions import Edition
from independence_bench.chat.delivery import turn_request
from independence_bench.digest import Json
from independence_bench.kinds.measuring_protocol import Ask, CallSize
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange
from toy_kind import RUBRIC
from toy_kind.design import ToyDesign

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


class ToyScript(Script):
    """Its turns stand beside one another."""

    kind: ClassVar[str] = "toy"

    def chain_in(self, run: int) -> int:
        """No branch waits for another one."""
        return 1


class Toys:
    """How toys are asked for."""

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], ToyDesign]:
        """Return a scenario per toy."""
        design = ToyDesign.model_validate({"toys": choice})
        return [
            Scenario(id=f"toy-{number}", experiment="toys", title="", claim="", turns=(), rubric=RUBRIC)
            for number in range(1, design.toys + 1)
        ], design

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return one cell per toy."""
        return tuple(
            Cell(
                scenario=scenario,
                system_variant="neutral",
                delivery_mode="user_role",
                script=ToyScript(
                    delivery_mode="user_role",
                    system="",
                    turns=(f"Describe {scenario.id}.", f"What is {scenario.id} good for?"),
                ),
            )
            for scenario in edition.scenarios
        )

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return all that is said, and to whom."""
        return {"toys": [*script.turns], "model": {**model.identity}}

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield a size per branch."""
        for turn in script.turns:
            yield CallSize(len(turn) / 4, len(turn), answer, model.max_tokens)

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask all branches at once."""
        requests = [turn_request(spec.model, spec.script, (), turn, spec.run) for turn in spec.script.turns]
        replies = await asyncio.gather(*(ask(request, 0.0) for request in requests))
        return tuple(
            Exchange(after=None, asked=turn, reply=reply)
            for turn, reply in zip(spec.script.turns, replies, strict=True)
        )


MEASURING = Toys()
