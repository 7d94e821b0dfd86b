"""A small edition of roles and a store in memory, filled with interviews by tests of its report."""

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from answered_world import AnsweredWorld

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.roles.design import VALUES, Persona, QuestionnaireShape, RoleContext, RolesDesign
from independence_bench.kinds.roles.interview import Sampling
from independence_bench.kinds.roles.reporting.role_kind import KIND
from independence_bench.kinds.roles.reporting.role_results import RoleReport
from independence_bench.option_labels import labels
from independence_bench.spec import Scenario
from independence_bench.store import Store
from independence_bench.trial import Exchange, Failure, FailureKind, Reply, Transcript, Usage

Score = Callable[[int, str, int], int]
"""Persona's place, context, item → the score that is answered."""


def shape(name: str, kind: str, per_value: int, lowest: int, highest: int, unused: int = 0) -> QuestionnaireShape:
    items = {
        value: tuple(range(1 + place * per_value, 1 + (place + 1) * per_value)) for place, value in enumerate(VALUES)
    }
    return QuestionnaireShape.model_validate(
        {
            "name": name,
            "kind": kind,
            "n_items": per_value * len(VALUES) + unused,
            "lowest": lowest,
            "highest": highest,
            "items": items,
        }
    )


PORTRAIT = shape("people", "portrait", 2, 1, 6)
SURVEY = shape("guide", "survey", 2, -1, 7, unused=1)


@cache
def design(personas: int = 6, *, survey: bool = True, retest: bool = True) -> RolesDesign:
    contexts = [
        RoleContext(id="none", title="No conversation", instrument="people"),
        RoleContext(id="chess", title="A game of chess", instrument="people"),
    ]
    if survey:
        contexts.append(RoleContext(id="survey", title="The survey", instrument="guide"))
    if retest:
        contexts.append(RoleContext(id="again", title="Asked again", instrument="people", retest_of="none"))
    return RolesDesign(
        population="few",
        personas=tuple(Persona(id=f"p{place}", name=f"Person {place}", gender="N") for place in range(personas)),
        contexts=tuple(contexts),
        questionnaires=(PORTRAIT, SURVEY) if survey else (PORTRAIT,),
        talk=Sampling(temperature=0.7, max_tokens=100),
        answer=Sampling(temperature=0, max_tokens=32),
    )


def edition(roles: RolesDesign) -> Edition:
    return Edition(
        id="roles-few",
        title="Few roles",
        system_variants=("persona",),
        delivery_modes=("user_role",),
        scenarios=tuple(
            Scenario(
                id=roles.scenario_id(persona, context), experiment="roles", title="", claim="", turns=(), rubric=None
            )
            for context in roles.contexts
            for persona in roles.personas
        ),
        components={},
        roles=roles,
    )


def rating(item: int, options: tuple[int, ...], answer: str, after: int | None = None) -> Exchange:
    said = Reply(answer=answer, usage=Usage(prompt_tokens=10, completion_tokens=1, cost_usd=0.001))
    return Exchange(after=after, asked=f"item {item}?", reply=said, item=item, options=options)


def interview(shape: QuestionnaireShape, score: Callable[[int], int], talk: bool = True) -> list[Exchange]:
    """A conversation of two messages and every item answered at once; options in an order that tells them apart."""
    said = [
        Exchange(after=None, asked="1. e4", reply=Reply(answer="1... c5")),
        Exchange(after=0, asked="1... c5", reply=Reply(answer="2. Nf3"), by_interlocutor=True),
    ]
    exchanges = said if talk else []
    after = len(exchanges) - 1 if exchanges else None
    for item in range(1, shape.n_items + 1):
        width = shape.highest - shape.lowest + 1
        options = tuple(shape.lowest + (place + item) % width for place in range(width))
        answer = f"({labels(width)[options.index(score(item))]})"
        exchanges.append(rating(item, options, answer, after))
    return exchanges


def transcript_of(exchanges: list[Exchange]) -> Transcript:
    return Transcript(
        delivery_mode="user_role", system="You are.", start="", greeting=None, opening=(), exchanges=tuple(exchanges)
    )


class RoleWorld(AnsweredWorld):
    """A store in memory and a session of a small edition."""

    def __init__(
        self, roles: RolesDesign | None = None, store: Store | None = None, labels: tuple[str, ...] = (), runs: int = 1
    ) -> None:
        self.roles = roles or design()
        super().__init__(edition(self.roles), labels, runs, store=store)

    def play(
        self,
        label: str,
        score: Score,
        run: int = 1,
        *,
        without: tuple[str, ...] = (),
        said: Mapping[str, list[Exchange]] | None = None,
        **facts: str | bool | None,
    ) -> None:
        """Interview every persona in every context; ``said`` replaces a scenario's exchanges."""
        self.know(label, **facts)
        records = []
        for context in self.roles.contexts:
            asked = self.roles.questionnaire(context.instrument)
            for place, persona in enumerate(self.roles.personas):
                scenario = self.roles.scenario_id(persona, context)
                if scenario not in without:
                    exchanges = interview(asked, lambda item, p=place, c=context.id: score(p, c, item))  # type: ignore[misc]
                    spoken = (said or {}).get(scenario, exchanges)
                    records.append(self.record(label, scenario, run, transcript_of(spoken)))
        self.store.add_all(records, self.session.id)

    def failure(self, label: str, scenario: str, message: str, kind: FailureKind = "endpoint", run: int = 1) -> None:
        failed = Failure(kind=kind, message=message, usage=Usage(cost_usd=0.125), at=float(next(self.seconds)))
        self.store.add_all([self.record(label, scenario, run, None, (failed,))], self.session.id)

    def report(self) -> RoleReport:
        return KIND.report(self.store, self.session)


def keeper(seed: int = 0, noise: float = 0.0) -> Score:
    """Answers from a persona's latent values on a scale of 1 to 6, in every context alike but for noise."""
    latent = np.random.default_rng(seed).uniform(1.2, 5.8, (50, 30))

    @cache
    def jitters(persona: int, context: str) -> list[float]:
        return np.random.default_rng([persona, *context.encode()]).normal(size=30).tolist()

    def score(persona: int, context: str, item: int) -> int:
        value = (item - 1) // 2
        jitter = jitters(persona, context)[item] * noise + (item % 2) * 0.3
        return int(np.clip(round(latent[persona, value] + jitter), 1, 6))

    return score


def at_random(seed: int = 0) -> Score:
    @cache
    def scores(persona: int, context: str) -> list[int]:
        return np.random.default_rng([seed, persona, *context.encode()]).integers(1, 7, size=30).tolist()

    return lambda persona, context, item: scores(persona, context)[item]
