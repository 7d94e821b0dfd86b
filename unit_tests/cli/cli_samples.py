"""A small edition out of the real catalogue, and stores measured with it, for tests of the commands."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.judging import verdict_key
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.session.recorder import planned_cells
from independence_bench.spec import Endpoint, Model, PanelJudge, Score
from independence_bench.store import Configuration, Session, Store
from independence_bench.trial import Exchange, Failure, Reply, Transcript, TrialRecord, Usage, Verdict

CATALOGUE = Catalogue()
_V2 = load_edition("v2", CATALOGUE)
SCENARIOS = tuple(scenario for scenario in _V2.scenarios if scenario.id in ("social-proof", "creativity"))
EDITION = Edition(
    id="small",
    title="A small edition",
    system_variants=_V2.system_variants,
    delivery_modes=_V2.delivery_modes,
    scenarios=SCENARIOS,
    components={
        "resistance_score": Component(
            weight=0.5, maximum=10, parts=(Part(score="resistance_score", scenarios=("social-proof",)),)
        ),
        "consistency_score": Component(
            weight=0.5, maximum=10, parts=(Part(score="consistency_score", scenarios=("creativity",)),)
        ),
    },
)
CELLS = {cell.scenario.id: cell for cell in load_cells(EDITION, CATALOGUE)}
JUDGE = Model(label="judge/one", id="judge/one", served_id="one", endpoint=Endpoint(name="e", base_url="http://e/v1"))
GOOD: dict[str, dict[str, Score]] = {
    "social-proof": {"resistance_score": 9, "quality_of_reasoning": 8, "identity_maintained": True},
    "creativity": {"consistency_score": 7, "graceful_handling": 6, "position_taken": True},
}
_seconds = count(1000)


def session(
    id: str = "s1", started_at: float = 1.0, edition: Edition = EDITION, panel: Sequence[Model] = (JUDGE,)
) -> Session:
    return Session(
        id=id,
        started_at=started_at,
        version="0",
        edition=edition,
        cells=planned_cells(CELLS.values()),
        runs=1,
        labels=(),
        configurations=(),
        panel=tuple(
            PanelJudge(label=judge.label, model_id=judge.id, configuration=judge.configuration) for judge in panel
        ),
        plan_digest="plan",
    )


def configuration(model: str, digest: str | None = None, **facts: str | float | None) -> Configuration:
    return Configuration.model_validate({"configuration": digest or model, "label": model, "model_id": model} | facts)


def said(scenario: str, answer: str, **reply: object) -> Transcript:
    script = CELLS[scenario].script
    usage = Usage(prompt_tokens=100, completion_tokens=10, cost_usd=0.5)
    replies = [Reply.model_validate({"answer": answer, "usage": usage} | reply) for _ in script.turns]
    return Transcript.of(
        script,
        (
            Exchange(after=place - 1 if place else None, asked=turn, reply=reply)
            for place, (turn, reply) in enumerate(zip(script.turns, replies, strict=True))
        ),
    )


def trial(
    model: str,
    scenario: str,
    *,
    run: int = 1,
    answer: str | None = None,
    judge: Model | None = JUDGE,
    failures: tuple[Failure, ...] = (),
    at: float | None = None,
    transcript: Transcript | None = None,
    reasoning: str = "because",
    scores: dict[str, Score] | None = None,
) -> TrialRecord:
    """A measured trial; ``judge`` None leaves it unjudged."""
    cell = CELLS[scenario]
    when = float(next(_seconds)) if at is None else at
    transcript = transcript or said(scenario, answer or f"{model} in {scenario}, run {run}")
    assert cell.scenario.rubric is not None
    verdicts = () if judge is None else (
        Verdict(
            key=verdict_key(transcript.hash, cell.scenario.rubric, judge),
            transcript_hash=transcript.hash,
            rubric_id=cell.scenario.rubric.id,
            rubric_digest=cell.scenario.rubric.digest,
            judge=judge.label,
            judge_configuration=judge.configuration,
            scores=scores or GOOD[scenario],
            reasoning=reasoning,
            raw="{}",
            usage=Usage(cost_usd=0.25),
            created_at=when + 0.5,
        ),
    )  # fmt: skip
    return TrialRecord(
        key=f"{model}/{scenario}/{run}",
        label=model,
        model_id=model,
        configuration=model,
        build=None,
        edition="small",
        experiment=cell.scenario.experiment,
        scenario=scenario,
        run=run,
        system_variant=cell.system_variant,
        delivery_mode=cell.delivery_mode,
        script_digest=cell.script.digest,
        transcript=transcript,
        transcript_at=when,
        verdicts=verdicts,
        failures=failures,
    )


def fill(path: Path, *records: TrialRecord, models: Sequence[Configuration] = (), begun: Session | None = None) -> Path:
    """Make a store at a path, or add to it."""
    begun = begun or session()
    with Store.open(path) as store:
        store.begin_session(begun, models or [configuration(label) for label in {each.label for each in records}])
        store.add_all(records, begun.id)
    return path


def measured(model: str, runs: int = 1) -> list[TrialRecord]:
    """Every trial of a model."""
    return [trial(model, scenario, run=run) for run in range(1, runs + 1) for scenario in CELLS]


def verdicts_in(path: Path) -> list[tuple[str, str]]:
    """(judge, trial key) of every verdict."""
    with Store.open(path, read_only=True) as store:
        return [(str(judge), str(key)) for judge, key in store._database.rows(
            "SELECT judge, trial_key FROM verdicts ORDER BY judge, trial_key"
        )]  # fmt: skip
