"""Scripted conversations: every scenario in every configuration, its turns asked in order. Scores nothing."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.near_names import near_matches
from independence_bench.catalog.yaml_files import fault, validated
from independence_bench.chat.delivery import turn_request
from independence_bench.chat.sizes import ANSWER_MARGIN, likely_prompt_tokens, most_prompt_tokens
from independence_bench.chat.wire import request_body
from independence_bench.digest import Json
from independence_bench.frozen import Frozen
from independence_bench.kinds.protocol import Ask, CallSize
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue


class _Stems(Frozen):
    """``scenarios:`` of an edition."""

    scenarios: tuple[str, ...]
    """Stems in scenarios/."""


class Conversations:
    """How scripted conversations are asked."""

    fixed_options: Mapping[str, tuple[str, str]] = {}

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], None]:
        """Return the scenarios of these stems."""
        stems = validated(_Stems, {"scenarios": choice}, file).scenarios
        for index, variant in enumerate(catalogue.read(file).get("system_variants", ())):
            if variant not in catalogue.system_variants:
                near = near_matches(variant, catalogue.system_variants)
                raise fault(file, ["system_variants", index], f"there is no system variant {variant!r}; {near}")
        return [catalogue.scenario(stem, f"{file}: scenarios") for stem in stems], None

    def cells(
        self, edition: Edition, catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return every scenario under every variant and delivery mode."""
        variants, modes = variants or edition.system_variants, modes or edition.delivery_modes
        for variant in variants:
            _known(variant, catalogue.system_variants, "--system-variant")
        for mode in modes:
            _known(mode, catalogue.delivery_prompts, "--delivery-mode")
        own = {(variant, mode) for variant in edition.system_variants for mode in edition.delivery_modes}
        asked = [(variant, mode) for variant in variants for mode in modes]
        named = len(asked) > 1 or not set(asked) <= own
        return tuple(
            Cell(
                scenario=scenario,
                system_variant=variant,
                delivery_mode=mode,
                script=_script(catalogue, scenario, variant, mode),
                official=(variant, mode) in own,
                suffix=f"+{variant}+{mode}" if named else "",
            )
            for variant, mode in asked
            for scenario in edition.scenarios
        )

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return the first request, the later turns and the model."""
        body = request_body(turn_request(model, script, (), script.turns[0], run=1))
        body.pop("seed", None)  # the key itself contains the run
        return {
            "first": body,
            "later": [*script.turns[1:]],
            "greeting": script.greeting,
            "model": {**model.identity},
            "seeded": model.endpoint.sends_run_as_seed,
        }

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every turn: each sends everything before it again."""
        earlier: list[Exchange] = []
        for human in script.turns:
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


def _known(name: str, known: Mapping[str, object], option: str) -> None:
    if name not in known:
        raise BadInput(f"{option}={name}: configs/prompts has no such row; {near_matches(name, list(known))}")


def _script(catalogue: "Catalogue", scenario: Scenario, variant: str, mode: DeliveryMode) -> Script:
    prompt = catalogue.delivery_prompts[mode]
    addendum = prompt.system_addendum.strip()
    system = catalogue.system_variants[variant]
    return Script(
        delivery_mode=mode,
        system=f"{system}\n\n{addendum}" if addendum else system,
        start=prompt.start.strip(),
        greeting=prompt.greeting.strip() if prompt.greeting else None,
        tool=prompt.tool,
        opening=scenario.opening,
        turns=scenario.turns,
    )


ASKING = Conversations()
