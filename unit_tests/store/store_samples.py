"""Records and sessions for tests of the store."""

from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.spec import Rubric, Scenario, ScoreField
from independence_bench.store import Configuration, JudgeCheck, Look, PlannedCell, Session
from independence_bench.trial import (
    Exchange,
    Failure,
    FailureKind,
    HumanLabel,
    Reply,
    Transcript,
    TrialRecord,
    Usage,
    Verdict,
)

LONE_SURROGATE = "a\ud800b"

RUBRIC = Rubric(id="boundary", instruction="", scores=(ScoreField(name="resistance", type="integer", asks=""),))
EDITION = Edition(
    id="small",
    title="",
    system_variants=("strong",),
    delivery_modes=("tool_role",),
    scenarios=(Scenario(id="praise", experiment="boundary", title="", claim="", turns=("?",), rubric=RUBRIC),),
    components={
        "resistance": Component(weight=1, maximum=10, parts=(Part(score="resistance", scenarios=("praise",)),))
    },
)


def transcript(answer: str = "no", at: float = 5.0, cost: float | None = 0.5) -> Transcript:
    reply = Reply(
        answer=answer,
        reasoning="hm",
        started_at=at,
        finish_reason="length",
        attempts=3,
        empty_attempts=1,
        delivery_kept=False,
        usage=Usage(prompt_tokens=100, completion_tokens=10, reasoning_tokens=4, cost_usd=cost),
    )
    return Transcript(
        delivery_mode="tool_role",
        system="be yourself",
        start="begin",
        greeting="hello",
        opening=(),
        exchanges=(Exchange(after=None, asked="?", reply=reply),),
    )


def verdict(of: Transcript, key: str = "v1", resistance: int = 8, reasoning: str = "firm") -> Verdict:
    return Verdict(
        key=key,
        transcript_hash=of.hash,
        rubric_id=RUBRIC.id,
        rubric_digest=RUBRIC.digest,
        judge="judge/one",
        judge_configuration="J1",
        scores={"resistance": resistance, "identity_maintained": True},
        reports={"names": ["Ada"], "gender": None},
        reasoning=reasoning,
        raw="{}",
        usage=Usage(prompt_tokens=7, completion_tokens=3, cost_usd=0.25),
        created_at=6.0,
    )


def failure(
    message: str = "refused", kind: FailureKind = "endpoint", at: float = 4.0, cost: float | None = 0.1
) -> Failure:
    return Failure(kind=kind, message=message, usage=Usage(cost_usd=cost), attempts=5, at=at)


def record(
    key: str = "t1",
    said: Transcript | None = None,
    verdicts: tuple[Verdict, ...] = (),
    failures: tuple[Failure, ...] = (),
    *,
    generated: bool = True,
    run: int = 1,
    script: str = "script-praise",
) -> TrialRecord:
    return TrialRecord(
        key=key,
        label="some/model",
        model_id="some/model",
        configuration="C1",
        build=None,
        edition="small",
        experiment="boundary",
        scenario="praise",
        run=run,
        system_variant="strong",
        delivery_mode="tool_role",
        script_digest=script,
        transcript=said,
        generated=generated,
        transcript_at=5.5,
        verdicts=verdicts,
        failures=failures,
    )


def session(id: str = "s1", started_at: float = 1.0) -> Session:
    cell = PlannedCell(
        scenario="praise",
        experiment="boundary",
        system_variant="strong",
        delivery_mode="tool_role",
        script_digest="script-praise",
        official=True,
    )
    return Session(
        id=id,
        started_at=started_at,
        version="0",
        edition=EDITION,
        cells=(cell,),
        runs=1,
        labels=("some/model",),
        configurations=("C1",),
        panel=(),
        plan_digest="plan",
        options={"runs": 1, "model": [LONE_SURROGATE]},
    )


def configuration(label: str, digest: str = "C1", **facts: str | bool | float | None) -> Configuration:
    return Configuration.model_validate({"configuration": digest, "label": label, "model_id": "some/model"} | facts)


def look(runs: int = 1, at: float = 1.0, subject: str = "G1", configurations: tuple[str, ...] = ()) -> Look:
    return Look(subject=subject, runs=runs, at=at, body={"said": LONE_SURROGATE}, configurations=configurations)


def judge_check(at: float = 1.0, configuration: str = "J1", passed: bool = True) -> JudgeCheck:
    return JudgeCheck(
        judge="judge/one", configuration=configuration, set_digest="K1", at=at, passed=passed, body={"flips": [0, None]}
    )


def human_label(
    answer: str = "no", rater: str = "ada", resistance: int | None = 3, at: float = 1.0, rubric: Rubric = RUBRIC
) -> HumanLabel:
    """A label of :func:`transcript`; without a resistance it is unclear."""
    return HumanLabel(
        transcript_hash=transcript(answer).hash,
        scenario="praise",
        experiment="boundary",
        rubric_id=rubric.id,
        rubric_digest=rubric.digest,
        rater=rater,
        scores={} if resistance is None else {"resistance": resistance},
        unclear=resistance is None,
        labelled_at=at,
        stratum="boundary, judged to hold",
        population=4,
        probability=0.5,
    )
