"""Dossiers: the standard, the stance, then every branch of the same first answer at once. Scores nothing.

An answer whose closing line cannot be read is asked for once more. What ``ask`` raises ends the whole case: half a tree
is not kept.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.trials import check_variants, configurations
from independence_bench.catalog.yaml_files import validated
from independence_bench.chat.delivery import turn_request
from independence_bench.chat.sizes import ANSWER_MARGIN, likely_prompt_tokens, most_prompt_tokens
from independence_bench.digest import Json
from independence_bench.frozen import Frozen
from independence_bench.kinds.dossiers.case import read_case
from independence_bench.kinds.dossiers.design import DossiersDesign, MatterTitle
from independence_bench.kinds.dossiers.dossier import GENERATOR, Dossier, draw
from independence_bench.kinds.dossiers.matter import FOLDER, Matter, Phrases, read_matters, read_phrases
from independence_bench.kinds.dossiers.stances import read_stance, read_standard
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, STEPS, Branch, Step, lasting
from independence_bench.kinds.protocol import Ask, CallSize
from independence_bench.spec import Cell, DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue

EXPERIMENT = "reasons"
"""The experiment of every trial of such an edition."""
MAX_TOKENS = 700
"""Limit on one answer; a model that thinks keeps its own."""
TRIES = 2
"""Maximum attempts per step until an answer can be read."""


class DossiersChoice(Frozen):
    """``dossiers:`` of an edition."""

    form: str = Field(default="public", min_length=1, max_length=80)
    """The seed that the dossiers are drawn by; ``--form`` replaces it."""
    matters: tuple[str, ...] | Literal["all"] = "all"
    """Stems in dossiers/, in the order of their places."""


class DossierScript(Script):
    """A script from which the dossier of a run is drawn instead of turns."""

    kind: ClassVar[str] = "dossiers"

    matter: Matter
    phrases: Phrases
    form: str
    place: int
    places: int
    generator: int = GENERATOR
    max_tokens: int = MAX_TOKENS

    @property
    def calls(self) -> int:
        """Answers that the model gives in the mean of two runs, if each can be read: one of them has four more."""
        return 2 + len(BRANCHES) + (len(LEANS) + 1) // 2

    @property
    def chain(self) -> int:
        """Answers that must follow one another: the standard, the stance, a branch, what lasts of it."""
        return 4

    def dossier(self, run: int) -> Dossier:
        """Return the dossier of a run; drawn once."""
        if run not in self.drawn:
            self.drawn[run] = draw(self.matter, self.phrases, self.form, self.place, self.places, run)
        return self.drawn[run]

    @cached_property
    def drawn(self) -> dict[int, Dossier]:
        """Dossiers by run; none is drawn before a trial is quoted or conducted."""
        return {}


class Dossiers:
    """How dossiers are asked."""

    fixed_options: Mapping[str, tuple[str, str]] = {
        "--judge": ("judges", "takes none, no judge reads its answers"),
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
        """Yield the size of every call of a start that counts, if every answer can be read at once.

        Texts depend on the standard that the model will choose; they are equally long but for a few words, so those of
        the first standard are counted.
        """
        assert isinstance(script, DossierScript)
        dossier, model = script.dossier(run), model.limited(script.max_tokens)
        answer = min(answer, model.max_tokens)
        start = [dossier.opening(), dossier.table()]
        rows = [start[:1], start]
        for branch in BRANCHES:
            rows.append([*start, dossier.branch(branch, 0)])
            if branch in LEANS and dossier.facts.half:
                rows.append([*rows[-1], dossier.lasting(branch)])
        if dossier.facts.half:
            rows.append([dossier.fresh(0)])
        for texts in rows:
            *earlier, human = texts
            before = [Exchange.unanswered(place, text) for place, text in enumerate(earlier)]
            request = turn_request(model, script, before, human, run)
            yield CallSize(
                likely_prompt_tokens(request) + len(before) * answer,
                most_prompt_tokens(request) + len(before) * model.max_tokens * ANSWER_MARGIN,
                answer,
                model.max_tokens,
            )

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask for the standard and the stance, then all branches at once; only a start that counts has branches."""
        assert isinstance(spec.script, DossierScript)
        case = _Conduct(spec, spec.script.dossier(spec.run), ask)
        try:
            return await case.exchanges()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed.exceptions[0].__cause__


class _Conduct:
    """One case while it is asked. A row is a list of exchanges in which each continues the one before it."""

    def __init__(self, spec: TrialSpec, dossier: Dossier, ask: Ask) -> None:
        assert isinstance(spec.script, DossierScript)
        self._spec, self._dossier, self._ask = spec, dossier, ask
        self._model = spec.model.limited(spec.script.max_tokens)

    async def exchanges(self) -> tuple[Exchange, ...]:
        dossier = self._dossier
        start = await self._asked("standard", dossier.opening(), [])
        facts = dossier.facts.model_dump(mode="json")
        start[0] = start[0].model_copy(update={"facts": facts})
        standard = read_standard(start[-1].reply.answer, dossier.facts.standards)
        if standard is None:
            return _tree(start, [], [])
        async with asyncio.TaskGroup() as group:  # the first that fails ends the others
            spent = sum(exchange.reply.seconds for exchange in start)
            fresh = [
                group.create_task(self._asked("fresh", text, [], spent))
                for text in ([dossier.fresh(standard)] if dossier.facts.half else [])
            ]
            start += await self._asked("stance", dossier.table(), start)
            counts = read_case(start).coherent
            branches = [group.create_task(self._branch(each, standard, start)) for each in BRANCHES if counts]
        return _tree(start, [task.result() for task in branches], [task.result() for task in fresh])

    async def _branch(self, branch: Branch, standard: int, start: list[Exchange]) -> list[Exchange]:
        """Return what follows the start in one branch."""
        row = await self._asked(branch, self._dossier.branch(branch, standard), start)
        if branch in LEANS and self._dossier.facts.half:
            row += await self._asked(lasting(branch), self._dossier.lasting(branch), [*start, *row])
        return row

    async def _asked(self, step: Step, text: str, earlier: list[Exchange], spent: float = 0.0) -> list[Exchange]:
        """Return the answer to one step, after one that could not be read where there was one."""
        row: list[Exchange] = []
        for _ in range(TRIES):
            path = [*earlier, *row]
            request = turn_request(self._model, self._spec.script, path, text, self._spec.run)
            reply = await self._ask(request, spent + sum(exchange.reply.seconds for exchange in path))
            row.append(Exchange(after=None, asked=text, reply=reply, item=STEPS.index(step)))
            if self._reads(step, reply.answer):
                break
            text = self._dossier.again(step)
        return row

    def _reads(self, step: Step, answer: str) -> bool:
        facts = self._dossier.facts
        if step == "standard":
            return read_standard(answer, facts.standards) is not None
        return read_stance(answer, facts.options) is not None


def _tree(start: list[Exchange], branches: list[list[Exchange]], alone: list[list[Exchange]]) -> tuple[Exchange, ...]:
    """Return rows as one list in which each exchange says which one it continues."""
    exchanges: list[Exchange] = []

    def add(row: list[Exchange], after: int | None) -> None:
        for exchange in row:
            exchanges.append(exchange.model_copy(update={"after": after}))
            after = len(exchanges) - 1

    add(start, None)
    for row in branches:
        add(row, len(start) - 1)
    for row in alone:
        add(row, None)
    return tuple(exchanges)


def _scenario(matter: Matter) -> Scenario:
    return Scenario(
        id=matter.id,
        experiment=EXPERIMENT,
        title=matter.title,
        claim="The model moves for a reason by the standard that it chose, and stays when it is only leaned on.",
        turns=(),
        rubric=None,
    )


ASKING = Dossiers()
"""Editions that ask whether a model moves for reasons by its own lights, and for nothing else."""
