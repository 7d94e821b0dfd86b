"""Scripted conversations, turn by turn: what every kind whose trials are such conversations has in common.

A kind derives its measuring from :class:`ScriptedConversations` and adds how its editions name their scenarios.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.trials import AskedConfiguration, asked_configurations, configured_cells
from independence_bench.chat.delivery import rendered, turn_request
from independence_bench.chat.sizes import ANSWER_MARGIN, likely_prompt_tokens, most_prompt_tokens
from independence_bench.chat.wire import conversation_fields, option_fields
from independence_bench.digest import EncodedJson, Json, canonical_json, encoded_object
from independence_bench.kinds.measuring_protocol import Ask, CallSize
from independence_bench.spec import (
    Cell,
    DeliveryMode,
    FunctionScript,
    LadderScript,
    Model,
    Scenario,
    Script,
    ToolHistory,
    TrialSpec,
)
from independence_bench.trial import Exchange

_UNKNOWN_TURN = "-" * 400
"""As long as a turn is taken to be that only the function of a Python scenario will say: 100 tokens, likely."""


@lru_cache(maxsize=1 << 12)  # every model of a plan is asked the same
def _script_content(script: Script, history: ToolHistory) -> tuple[dict[str, EncodedJson], dict[str, EncodedJson]]:
    """Return what a script adds to the content of a key, and what to the first request in it."""
    first, *later = script.turns or ("",)  # the first turn is the same in every run
    content: dict[str, Json] = {"later": [*later], "greeting": script.greeting}
    if isinstance(script, LadderScript):
        content["ladder"] = script.ladder.model_dump(mode="json")  # the key itself contains the run
    if isinstance(script, FunctionScript):
        content |= {"function": script.function.model_dump(mode="json"), "panel": [*script.panel]}
    return _encoded_fields(content), _encoded_fields(conversation_fields(*rendered(script, (), first, history)))


@lru_cache(maxsize=1 << 12)
def _model_content(model: Model) -> tuple[dict[str, EncodedJson], dict[str, EncodedJson]]:
    """Return what a model adds to them. The key itself contains the run."""
    content: dict[str, Json] = {"model": {**model.identity}, "seeded": model.endpoint.sends_run_as_seed}
    return _encoded_fields(content), _encoded_fields(option_fields(model))


def _encoded_fields(fields: Mapping[str, Json]) -> dict[str, EncodedJson]:
    return {name: EncodedJson(canonical_json(value)) for name, value in fields.items()}


class ScriptedConversations:
    """How scripted conversations are asked: every scenario in every configuration, its turns in order."""

    script_type: ClassVar[type[Script]] = Script  # names the kind that conducts it

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every scenario under every variant and delivery mode."""

        def script(scenario: Scenario, configuration: AskedConfiguration) -> Script:
            """Return all that is known to be said in a scenario under a system variant and a delivery mode."""
            prompt = catalogue.delivery_prompts[configuration.delivery_mode]
            system = catalogue.system_variants[configuration.system_variant]
            addendum = prompt.system_addendum.strip()
            text = self.script_type(
                delivery_mode=configuration.delivery_mode,
                system=f"{system}\n\n{addendum}" if addendum else system,
                start=prompt.start.strip(),
                greeting=prompt.greeting.strip() if prompt.greeting else None,
                tool=prompt.tool,
                opening=scenario.opening,
                turns=scenario.turns,
            )
            if scenario.ladder:
                return LadderScript(**dict(text), ladder=scenario.ladder)
            if scenario.function is None:
                return text
            return FunctionScript(**dict(text), function=scenario.function.model_copy(update={"file": ""}))

        return configured_cells(edition, asked_configurations(edition, catalogue, variants, modes), script)

    def content(self, model: Model, script: Script) -> Mapping[str, Json | EncodedJson]:
        """Return the first request, the later turns and the model; in place of turns, the function that says them."""
        texts, first = _script_content(script, model.endpoint.tool_history)
        identity, options = _model_content(model)
        return {**texts, **identity, "first": encoded_object({**options, **first})}

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every turn: each sends everything before it again."""
        earlier: list[Exchange] = []
        for human in script.turns_in(run) or [_UNKNOWN_TURN] * script.calls:
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
        for human in spec.script.turns_in(spec.run):
            request = turn_request(spec.model, spec.script, exchanges, human, spec.run)
            reply = await ask(request, sum(exchange.reply.seconds for exchange in exchanges))
            exchanges.append(Exchange(after=len(exchanges) - 1 if exchanges else None, asked=human, reply=reply))
        return tuple(exchanges)
