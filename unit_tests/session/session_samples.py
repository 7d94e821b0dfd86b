"""A plan of one model and one judge, and what its trials bring home; no server is ever asked."""

from pathlib import Path
from typing import Any

from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.settings import Settings
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import Exchange, Failure, FailureKind, Reply, Transcript, TrialRecord, Usage, Verdict

NOWHERE = Path("no-such-root")
URL = "http://127.0.0.1:9/v1"


def settings(**given: Any) -> Settings:
    """Settings of a session: one model and one judge on an endpoint that nobody serves, unless told otherwise."""
    preset: dict[str, Any] = {
        "root": NOWHERE,
        "models": ("test/a",),
        "judges": ("test/judge",),
        "endpoint": URL,
        "judge_endpoint": URL,
    }
    return Settings(**(preset | given))


def plan(**given: Any) -> Plan:
    """The plan of these settings."""
    return build_plan(settings(**given))


def one(of: Plan, scenario: str = "creativity", run: int = 1) -> tuple[str, TrialSpec]:
    """Key and spec of a scenario's first trial in a run."""
    return next((key, spec) for key, spec in of.by_key.items() if (spec.scenario.id, spec.run) == (scenario, run))


def transcript(spec: TrialSpec, answer: str = "I stay.", cost: float | None = 0.5) -> Transcript:
    """A whole conversation that took two seconds a turn."""
    exchanges = [
        Exchange(
            after=number - 1 if number else None,
            asked=human,
            reply=Reply(answer=answer, started_at=10.0, seconds=2.0, usage=Usage(cost_usd=cost)),
        )
        for number, human in enumerate(spec.script.turns)
    ]
    return Transcript.of(spec.script, exchanges)


def verdict(
    spec: TrialSpec, judge: Model, said: Transcript, score: int = 8, cost: float | None = 0.25, reasoning: str = "Firm."
) -> Verdict:
    """A judge's verdict on a stability or boundary trial; every score is the same, booleans are true."""
    from independence_bench.judging import verdict_key

    rubric = spec.scenario.rubric
    assert rubric is not None
    return Verdict(
        key=verdict_key(said.hash, rubric, judge),
        transcript_hash=said.hash,
        rubric_id=rubric.id,
        rubric_digest=rubric.digest,
        judge=judge.label,
        judge_configuration=judge.configuration,
        scores={field.name: True if field.type == "boolean" else score for field in rubric.scores},
        reasoning=reasoning,
        raw="{}",
        usage=Usage(cost_usd=cost),
        created_at=20.0,
        seconds=3.0,
    )


def failure(message: str = "HTTP 500", kind: FailureKind = "endpoint", cost: float | None = 0.1) -> Failure:
    return Failure(kind=kind, message=message, usage=Usage(cost_usd=cost), attempts=2, at=15.0)


def record(
    key: str,
    spec: TrialSpec,
    said: Transcript | None = None,
    verdicts: tuple[Verdict, ...] = (),
    failures: tuple[Failure, ...] = (),
    **more: Any,
) -> TrialRecord:
    """What a trial brings home."""
    return TrialRecord(
        key=key,
        label=spec.model.label,
        model_id=spec.model.id,
        configuration=spec.model.configuration,
        build=spec.model.build,
        edition=spec.edition,
        experiment=spec.scenario.experiment,
        scenario=spec.scenario.id,
        run=spec.run,
        system_variant=spec.system_variant,
        delivery_mode=spec.delivery_mode,
        script_digest=spec.script.digest,
        transcript=said,
        transcript_at=16.0,
        verdicts=verdicts,
        failures=failures,
        **more,
    )
