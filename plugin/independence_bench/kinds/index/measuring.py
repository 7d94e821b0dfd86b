"""Scripted conversations: every scenario in every configuration, its turns asked in order. Scores nothing."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.catalog.scenario_files import read_scenario
from independence_bench.catalog.scenario_functions import read_functions
from independence_bench.catalog.trials import AskedConfiguration, asked_configurations, check_variants, configured_cells
from independence_bench.catalog.yaml_files import validated
from independence_bench.chat.delivery import rendered, turn_request
from independence_bench.chat.sizes import ANSWER_MARGIN, likely_prompt_tokens, most_prompt_tokens
from independence_bench.chat.wire import option_fields, said_fields
from independence_bench.digest import Encoded, Json, canonical_json, encoded_object
from independence_bench.frozen import Frozen
from independence_bench.kinds.measuring_protocol import Ask, CallSize, Measuring
from independence_bench.spec import (
    Cell,
    DeliveryMode,
    FunctionScript,
    Model,
    Scenario,
    Script,
    ToolHistory,
    TrialSpec,
)
from independence_bench.trial import Exchange

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


_UNKNOWN_TURN = "-" * 400
"""As long as a turn is taken to be that only the function of a Python scenario will say: 100 tokens, likely."""


@lru_cache(maxsize=1 << 12)  # every model of a plan is asked the same
def _said(script: Script, history: ToolHistory) -> tuple[dict[str, Encoded], dict[str, Encoded]]:
    """Return what a script adds to the content of a key, and what to the first request in it."""
    first, *later = script.turns or ("",)
    told: dict[str, Json] = {"later": [*later], "greeting": script.greeting}
    if isinstance(script, FunctionScript):
        told |= {"function": script.function.model_dump(mode="json"), "panel": [*script.panel]}
    return _encoded(told), _encoded(said_fields(*rendered(script, (), first, history)))


@lru_cache(maxsize=1 << 12)
def _asked(model: Model) -> tuple[dict[str, Encoded], dict[str, Encoded]]:
    """Return what a model adds to them. The key itself contains the run."""
    told: dict[str, Json] = {"model": {**model.identity}, "seeded": model.endpoint.sends_run_as_seed}
    return _encoded(told), _encoded(option_fields(model))


def _encoded(fields: Mapping[str, Json]) -> dict[str, Encoded]:
    return {name: Encoded(canonical_json(value)) for name, value in fields.items()}


class _Stems(Frozen):
    """``scenarios:`` of an edition."""

    scenarios: tuple[str, ...]
    """Stems in scenarios/; a name that ends in .py is a file of Python scenarios, beside the edition's file."""


class Conversations:
    """How scripted conversations are asked."""

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], None]:
        """Return the scenarios of these stems."""
        stems = validated(_Stems, {"scenarios": choice}, file).scenarios
        check_variants(catalogue, file)
        found: list[Scenario] = []
        for stem in stems:
            if stem.endswith(".py"):
                found += read_functions(file.parent / stem, f"{file}: scenarios", catalogue)
            else:
                scenario = catalogue.stem_file("scenarios", stem, f"{file}: scenarios")
                found.append(read_scenario(scenario, catalogue))
        return found, None

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every scenario under every variant and delivery mode."""

        def script(scenario: Scenario, asked: AskedConfiguration) -> Script:
            """Return all that is known to be said in a scenario under a system variant and a delivery mode."""
            prompt = catalogue.delivery_prompts[asked.delivery_mode]
            system = catalogue.system_variants[asked.system_variant]
            addendum = prompt.system_addendum.strip()
            found = Script(
                delivery_mode=asked.delivery_mode,
                system=f"{system}\n\n{addendum}" if addendum else system,
                start=prompt.start.strip(),
                greeting=prompt.greeting.strip() if prompt.greeting else None,
                tool=prompt.tool,
                opening=scenario.opening,
                turns=scenario.turns,
            )
            if scenario.function is None:
                return found
            return FunctionScript(**dict(found), function=scenario.function.model_copy(update={"file": ""}))

        return configured_cells(edition, asked_configurations(edition, catalogue, variants, modes), script)

    def content(self, model: Model, script: Script) -> Mapping[str, Json | Encoded]:
        """Return the first request, the later turns and the model; in place of turns, the function that says them."""
        said, first = _said(script, model.endpoint.tool_history)
        asked, options = _asked(model)
        return {**said, **asked, "first": encoded_object({**options, **first})}

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every turn: each sends everything before it again."""
        earlier: list[Exchange] = []
        for human in script.turns or [_UNKNOWN_TURN] * script.calls:
            request = turn_request(model, script, earlier, human, run)
            before = len(earlier)
            yield CallSize(
                likely_prompt_tokens(request) + before * answer,
                most_prompt_tokens(request) + before * model.max_tokens * ANSWER_MARGIN,
                answer,
                model.max_tokens,
            )
            earlier.append(Exchange.unanswered(before, human))

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask turn by turn."""
        exchanges: list[Exchange] = []
        for human in spec.script.turns:
            request = turn_request(spec.model, spec.script, exchanges, human, spec.run)
            reply = await ask(request, sum(exchange.reply.seconds for exchange in exchanges))
            exchanges.append(Exchange(after=len(exchanges) - 1 if exchanges else None, asked=human, reply=reply))
        return tuple(exchanges)


MEASURING: Measuring = Conversations()
