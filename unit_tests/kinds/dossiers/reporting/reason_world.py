"""A small edition of dossiers and a store in memory, filled with made-up cases by tests of its report."""

from collections.abc import Callable, Mapping

import numpy as np
from answered_world import AnsweredWorld

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.dossiers.case import CaseFacts
from independence_bench.kinds.dossiers.design import GENERATOR, DossiersDesign, MatterTitle
from independence_bench.kinds.dossiers.reporting.reason_kind import KIND, ReasonReport
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, STEPS, Step, lasting
from independence_bench.spec import Scenario
from independence_bench.trial import Exchange, Reply, Transcript, Usage

MATTERS = tuple(f"matter-{place:02d}" for place in range(16))
OPTIONS = ("Aster", "Birch")
STANDARDS = ("warmth", "price", "length", "courage")
START = 60

Says = Callable[[Step, str, int], float | None]
"""Step, matter, run → signed stance for the option chosen first; None: nothing that can be read."""


def says(moves: Mapping[Step, float], otherwise: float = START) -> Says:
    """Somebody who does the same in every case."""
    return lambda step, _matter, _run: moves.get(step, START if step == "stance" else otherwise)


REASONS: Mapping[Step, float] = {"reason": -START, "fresh": -START}
LASTING = tuple(lasting(branch) for branch in LEANS)
REASONABLE = says(REASONS)
DEAF = says({"fresh": -START})
SERVILE = says({}, -START)


def wavering(step: Step, matter: str, run: int) -> float:
    """Moves for its reason, by and large."""
    if step in ("standard", "stance"):
        return START
    chance = np.random.default_rng([STEPS.index(step), MATTERS.index(matter), run])
    return float(np.clip(np.rint((-30 if step in ("reason", "fresh") else 50) + chance.normal(0, 50)), -100, 100))


CUE_DRIVEN = says({**REASONS, "other": -START, "strengthen": -START, "weaken": -START})


def edition(form: str = "public") -> Edition:
    return Edition(
        id="v3-few",
        title="Few reasons",
        system_variants=("neutral",),
        delivery_modes=("user_role",),
        scenarios=tuple(
            Scenario(id=matter, experiment="reasons", title=matter, claim="", turns=(), rubric=None)
            for matter in MATTERS
        ),
        components={},
        dossiers=DossiersDesign(
            form=form, generator=GENERATOR, matters=tuple(MatterTitle(id=each, title=each) for each in MATTERS)
        ),
    )


def facts(matter: str, run: int) -> CaseFacts:
    return CaseFacts(
        kind=matter,
        form="public",
        run=run,
        options=OPTIONS,
        standards=STANDARDS,
        favours=(0, 0, 1, 1),
        margins=((("narrow", "clear", "wide")[(MATTERS.index(matter) + run) % 3]),) * 4,
        mechanism="stated",
        tone="cool" if run % 2 else "warm",
        lever="guilt",
        argument="letters",
        detail=1 + run % 2,
        wording="open",
        corrects_chosen=True,
        half=MATTERS.index(matter) % 2 == 0,
    )


def stance_line(signed: float | None) -> str:
    if signed is None:
        return "I would rather not say."
    return f"Well.\nMy standard: warmth\nWhere I stand: {OPTIONS[signed < 0]}, {abs(signed):g}"


def case(said: Says, matter: str, run: int) -> Transcript:
    """The tree of one case: two first answers, ten branches, and in the half what follows."""
    drawn = facts(matter, run)
    start = said("stance", matter, run)
    steps: list[Step] = ["standard", "stance"]
    if start is not None and start >= 20:
        steps += [*BRANCHES, *((*LASTING, "fresh") if drawn.half else ())]
    exchanges = []
    for step in steps:
        answer = "My standard: warmth" if step == "standard" else stance_line(said(step, matter, run))
        after = {"standard": None, "stance": 0, "fresh": None}.get(step, 1)
        if step in LASTING:
            after = 2 + BRANCHES.index(LEANS[LASTING.index(step)])
        exchanges.append(
            Exchange(
                after=after,
                asked=f"{step}?",
                reply=Reply(answer=answer, usage=Usage(prompt_tokens=10, completion_tokens=5, cost_usd=0.001)),
                item=STEPS.index(step),
                facts=drawn.model_dump(mode="json") if step == "standard" else {},
            )
        )
    return Transcript(
        delivery_mode="user_role", system="", start="", greeting=None, opening=(), exchanges=tuple(exchanges)
    )


class ReasonWorld(AnsweredWorld):
    """A store in memory and a session of the small edition."""

    def __init__(self, labels: tuple[str, ...] = (), runs: int = 1, form: str = "public") -> None:
        super().__init__(edition(form), labels, runs, form)

    def play(
        self, label: str, said: Says, runs: int = 1, *, without: tuple[str, ...] = (), **known: str | bool
    ) -> None:
        """Conduct every case of a model."""
        self.know(label, **known)
        trials = [(matter, run) for run in range(1, runs + 1) for matter in MATTERS if matter not in without]
        records = [self.record(label, matter, run, case(said, matter, run)) for matter, run in trials]
        self.store.add_all(records, self.session.id)

    def report(self) -> ReasonReport:
        return KIND.report(self.store, self.session)


def four() -> ReasonWorld:
    """One of each nature."""
    world = ReasonWorld()
    for label, said in (("wise", REASONABLE), ("deaf", DEAF), ("servile", SERVILE), ("cued", CUE_DRIVEN)):
        world.play(label, said)
    return world
