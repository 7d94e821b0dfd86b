"""What of a plan is stored already, what is left to do, and the outcome of each trial."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from independence_bench.aggregation import MEAN, aggregate
from independence_bench.chat.trial_keys import stored_under
from independence_bench.engine import Task
from independence_bench.judging import verdict_key
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.spec import HELD, Frozen, Model, Score, TrialSpec
from independence_bench.store import EmptyStore, Store
from independence_bench.trial import Checks, Failure, Transcript, TrialRecord, Usage


@dataclass(frozen=True, slots=True)
class PanelVerdict:
    """One judge's verdict as a case needs it."""

    judge: str  # the judge's label
    scores: Mapping[str, Score]
    reasoning: str


@dataclass(frozen=True, slots=True)
class StoredState:
    """What the store holds of one trial."""

    transcript_hash: str | None = None
    judged: Mapping[str, PanelVerdict] = field(default_factory=dict)
    """By the judge's configuration."""
    checks: Checks | None = None  # what the function of a Python scenario made of it


NOTHING = StoredState()


class Outcome(Frozen):
    """The outcome of one trial: the panel's verdicts, or why it is not measured."""

    judged: tuple[PanelVerdict, ...] = ()
    aggregation: str = MEAN  # how the panel's scores become one
    checks: Checks | None = None  # what the function of a Python scenario made of the conversation
    failure: Failure | None = None
    cost_usd: float | None = 0.0  # what this session spent on it
    seconds: float = 0.0  # time of its calls in this session, waits for a slot not counted

    @property
    def scores(self) -> dict[str, float]:
        """The panel's scores, and the function's; booleans count 0 or 1."""
        own = {HELD.name: float(self.checks.held)} if self.checks is not None else {}
        return {**(aggregate([one.scores for one in self.judged], self.aggregation) or {}), **own}

    @property
    def reasoning(self) -> str:
        """The function's reason and the judges' reasons."""
        reasons = [self.checks.reason] if self.checks is not None and self.checks.reason else []
        if len(self.judged) == 1 and not reasons:
            return self.judged[0].reasoning
        return " | ".join([*reasons, *(f"{one.judge}: {one.reasoning}" for one in self.judged)])


def stored_now(settings: Settings) -> Store:
    """Open the session's store for reading; an empty one in memory where no session has made one yet."""
    if settings.store_file.exists():
        with suppress(EmptyStore):
            return Store.open(settings.store_file, read_only=True)
    return Store.empty()


def read_states(
    store: Store, plan: Plan, keys: Iterable[str], on_the_way: Mapping[str, Transcript] = MappingProxyType({})
) -> dict[str, StoredState]:
    """Return what the store holds of these trials, ``on_the_way`` to it by stored key; one query per table."""
    stored_as = {key: stored_under(key) for key in keys}
    hashes = {key: transcript.hash for key, transcript in on_the_way.items()} | store.transcripts(stored_as.values())
    stored = {key: hashes[own] for key, own in stored_as.items() if own in hashes}
    wanted: dict[str, list[tuple[str, Model]]] = {}
    for key, transcript_hash in stored.items():
        spec = plan.by_key[key]
        for judge in plan.judges_of(spec):
            assert spec.scenario.rubric is not None
            verdict = verdict_key(transcript_hash, spec.scenario.rubric, judge)
            wanted.setdefault(verdict, []).append((key, judge))
    by_trial: dict[str, dict[str, PanelVerdict]] = {key: {} for key in stored}
    for verdict, row in store.verdicts(wanted).items():
        for key, judge in wanted[verdict]:
            by_trial[key][judge.configuration] = PanelVerdict(judge.label, row.scores, row.reasoning)
    states = {key: StoredState(stored[key], judged) for key, judged in by_trial.items()}
    of_functions = {key: stored_as[key] for key in states if plan.by_key[key].scenario.function}
    checks = store.checks(of_functions.values()) if of_functions else {}
    return states | {
        key: replace(states[key], checks=checks[own]) for key, own in of_functions.items() if own in checks
    }


def judges_left(plan: Plan, spec: TrialSpec, state: StoredState) -> tuple[Model, ...]:
    """Return the judges of the panel whose verdict on a trial is not stored."""
    return tuple(judge for judge in plan.judges_of(spec) if judge.configuration not in state.judged)


def is_measured(plan: Plan, spec: TrialSpec, state: StoredState) -> bool:
    """Return whether the store holds a transcript and a verdict of every judge of the panel."""
    return state.transcript_hash is not None and not judges_left(plan, spec, state)


Question = tuple[str, TrialSpec, Model | None, int]
"""A trial's key and the trial; the judge who is asked, None: the model; and the calls that it takes."""


def questions_left(plan: Plan, states: Mapping[str, StoredState], keys: Iterable[str]) -> Iterator[Question]:
    """Yield each conversation and each verdict that is left to ask of these trials."""
    for key in keys:
        spec, state = plan.by_key[key], states.get(key, NOTHING)
        verdicts = 1
        if state.transcript_hash is None:
            yield key, spec, None, spec.script.calls
            verdicts = spec.script.verdicts
        for judge in judges_left(plan, spec, state):
            yield key, spec, judge, verdicts


def models_asked(plan: Plan, states: Mapping[str, StoredState], keys: Iterable[str]) -> dict[str, Model]:
    """Return every model and judge that these trials still ask, by configuration."""
    questions = questions_left(plan, states, keys)
    asked = (judge or spec.model for _, spec, judge, _ in questions)
    return {model.configuration: model for model in asked}


def tasks_left(
    plan: Plan, states: Mapping[str, StoredState], keys: Iterable[str], transcript_of: Callable[[str], Transcript]
) -> list[Task]:
    """Return what is left to do; a stored transcript is only judged, by ``transcript_of`` its stored key."""
    tasks = []
    for key in keys:
        spec, state = plan.by_key[key], states.get(key, NOTHING)
        if not is_measured(plan, spec, state) and (state.transcript_hash is not None or spec.scenario.function is None):
            transcript = transcript_of(stored_under(key)) if state.transcript_hash is not None else None
            tasks.append(Task(spec=spec, key=key, judges=judges_left(plan, spec, state), transcript=transcript))
    return tasks


def outcome_of(plan: Plan, spec: TrialSpec, state: StoredState, records: Sequence[TrialRecord] = ()) -> Outcome:
    """Combine what was stored with the results of this session's attempts, oldest first."""
    judged, checks = dict(state.judged), state.checks
    usages: list[Usage] = []
    seconds = 0.0
    for record in records:
        for verdict in record.verdicts:
            judged[verdict.judge_configuration] = PanelVerdict(verdict.judge, verdict.scores, verdict.reasoning)
        paid_here = [verdict for verdict in record.verdicts if verdict.key not in record.shared]
        seconds += sum(verdict.seconds for verdict in (*record.intermediate_verdicts, *record.verdicts))
        usages += [verdict.usage for verdict in (*record.intermediate_verdicts, *paid_here)]
        usages += [failure.usage for failure in record.failures]
        if record.transcript is not None:
            checks = record.transcript.checks
        if record.transcript is not None and record.generated:
            usages.append(record.transcript.usage)
            seconds += sum(exchange.reply.seconds for exchange in record.transcript.exchanges)
    known = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    cost = sum(known, 0.0) if len(known) == len(usages) else None
    panel = plan.judges_of(spec)
    present = tuple(judged[judge.configuration] for judge in panel if judge.configuration in judged)
    transcribed = state.transcript_hash is not None or any(record.transcript is not None for record in records)
    # A worker may die with a case whose trial has come home whole.
    failures = records[-1].failures if records and not (transcribed and len(present) == len(panel)) else ()
    failure = failures[0] if failures else None
    how = plan.edition.aggregation
    return Outcome(judged=present, aggregation=how, checks=checks, failure=failure, cost_usd=cost, seconds=seconds)
