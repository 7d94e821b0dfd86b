"""What of a plan stands in the store already, what is left to do, and what came out of each trial."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.engine import Task
from independence_bench.judging import verdict_key
from independence_bench.scoring import aggregated
from independence_bench.session.plan import Plan
from independence_bench.spec import Model, Score, TrialSpec
from independence_bench.store import Store
from independence_bench.trial import Failure, Transcript, TrialRecord


@dataclass(frozen=True, slots=True)
class Judged:
    """One judge's verdict as a case needs it."""

    judge: str
    """The judge's label."""
    scores: Mapping[str, Score]
    reasoning: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What the store holds of one trial."""

    transcript_hash: str | None = None
    judged: Mapping[str, Judged] | None = None
    """By the judge's configuration."""


NOTHING = Standing()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of one trial: the panel's verdicts, or why it is not measured."""

    judged: tuple[Judged, ...] = ()
    failure: Failure | None = None
    cost_usd: float | None = 0.0
    """What this session spent on it."""
    seconds: float = 0.0
    """Time of its calls in this session, waits for a slot not counted."""

    @property
    def scores(self) -> dict[str, float]:
        """What the panel's scores come to; booleans count 0 or 1."""
        return aggregated([one.scores for one in self.judged]) or {}

    @property
    def reasoning(self) -> str:
        """The judges' reasons."""
        if len(self.judged) == 1:
            return self.judged[0].reasoning
        return " | ".join(f"{one.judge}: {one.reasoning}" for one in self.judged)


def read_standing(store: Store, plan: Plan, keys: Iterable[str]) -> dict[str, Standing]:
    """Return what the store holds of these trials; one query per table."""
    stored = store.transcripts(keys)
    wanted: dict[str, list[tuple[str, str]]] = {}
    for key, transcript_hash in stored.items():
        spec = plan.by_key[key]
        for judge in plan.judges_of(spec):
            assert spec.scenario.rubric is not None
            verdict = verdict_key(transcript_hash, spec.scenario.rubric, judge)
            wanted.setdefault(verdict, []).append((key, judge.configuration))
    found: dict[str, dict[str, Judged]] = {key: {} for key in stored}
    labels = {judge.configuration: judge.label for judge in plan.panel}
    for verdict, row in store.verdicts(wanted).items():
        for key, configuration in wanted[verdict]:
            found[key][configuration] = Judged(labels[configuration], row.scores, row.reasoning)
    return {key: Standing(stored[key], judged) for key, judged in found.items()}


def is_measured(plan: Plan, spec: TrialSpec, standing: Standing) -> bool:
    """Return whether a transcript and a verdict of every judge of the panel stand in the store."""
    if standing.transcript_hash is None:
        return False
    judged = standing.judged or {}
    return all(judge.configuration in judged for judge in plan.judges_of(spec))


def models_asked(plan: Plan, standing: Mapping[str, Standing], keys: Iterable[str]) -> dict[str, Model]:
    """Return every model and judge that these trials still ask, by configuration."""
    asked: dict[str, Model] = {}
    for key in keys:
        spec = plan.by_key[key]
        stands = standing.get(key, NOTHING)
        if stands.transcript_hash is None:
            asked[spec.model.configuration] = spec.model
        for judge in plan.judges_of(spec):
            if judge.configuration not in (stands.judged or {}):
                asked[judge.configuration] = judge
    return asked


def tasks_left(
    plan: Plan, standing: Mapping[str, Standing], keys: Sequence[str], transcript_of: Callable[[str], Transcript]
) -> list[Task]:
    """Return what is left to do of these trials; a stored transcript is judged and never generated again."""
    tasks = []
    for key in keys:
        spec = plan.by_key[key]
        stands = standing.get(key, NOTHING)
        if is_measured(plan, spec, stands):
            continue
        judged = stands.judged or {}
        transcript = transcript_of(key) if stands.transcript_hash is not None else None
        judges = tuple(judge for judge in plan.judges_of(spec) if judge.configuration not in judged)
        tasks.append(Task(spec=spec, key=key, judges=judges, transcript=transcript))
    return tasks


def outcome_of(plan: Plan, spec: TrialSpec, standing: Standing, records: Sequence[TrialRecord] = ()) -> Outcome:
    """Put together what stood in the store and what this session's attempts brought, oldest first."""
    judged = dict(standing.judged or {})
    cost: float | None = 0.0
    seconds = 0.0
    for record in records:
        for verdict in record.verdicts:
            judged[verdict.judge_configuration] = Judged(verdict.judge, verdict.scores, verdict.reasoning)
        paid = [verdict for verdict in record.verdicts if verdict.key not in record.shared]
        usages = [verdict.usage for verdict in paid] + [failure.usage for failure in record.failures]
        seconds += sum(verdict.seconds for verdict in record.verdicts)
        if record.transcript is not None and record.generated:
            usages.append(record.transcript.usage)
            seconds += sum(exchange.reply.seconds for exchange in record.transcript.exchanges)
        for usage in usages:
            cost = None if cost is None or usage.cost_usd is None else cost + usage.cost_usd
    present = tuple(judged[judge.configuration] for judge in plan.judges_of(spec) if judge.configuration in judged)
    failures = records[-1].failures if records else ()
    return Outcome(judged=present, failure=failures[0] if failures else None, cost_usd=cost, seconds=seconds)
