"""What the controller ships to a worker: its slot's part of what is stored, and its share of the limits.

One ASCII JSON string: it passes execnet unchanged and ten times faster than nested values. API keys are never sent.
For cases whose fixtures are overridden it has keys and verdicts of the same models' other trials, but no conversations:
few sessions need them, and every session would pay for shipping them.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from pydantic import TypeAdapter

from independence_bench.bad_input import BadInput
from independence_bench.chat.throttle import Limits
from independence_bench.chat.trial_keys import stored_under
from independence_bench.digest import digest
from independence_bench.session.money import Lease
from independence_bench.session.plan import Plan
from independence_bench.session.slots import Slots
from independence_bench.session.stored_state import NOTHING, StoredState, is_measured, states_of
from independence_bench.spec import TrialSpec
from independence_bench.store import Store, StoredVerdict
from independence_bench.trial import Reply, Transcript, Verdict
from independence_bench.wire_json import value_to_json


@dataclass(frozen=True)
class Shipment:
    """One worker's input, as the worker reads it."""

    agreed: str  # digest of what controller and worker must agree on, see :func:`agreed_digest`
    slot: int
    slots: int  # how many there are
    limits: Limits
    states: Mapping[str, StoredState]
    lease: Lease | None  # this worker's share of the budget
    transcripts: Mapping[str, str]  # transcripts that only need judging, as JSON by trial key
    answers: Mapping[str, Mapping[str, Reply]]  # of Python scenarios that are not whole, by trial key and question
    intermediate_verdicts: Mapping[str, Verdict]  # verdicts that their functions have asked for, by key

    related: "RelatedTrials"  # what is stored beside the plan, for cases whose fixtures ask something else

    def transcript(self, key: str) -> Transcript:
        """Return a shipped transcript. Raises BadInput: only the controller has it, as the plan need not judge it."""
        if key not in self.transcripts:
            raise BadInput(
                "fixture judge: this conversation is stored and was not sent to the worker; run the case without -n, "
                "or name the judge by --judge"
            )
        return Transcript.model_validate(json.loads(self.transcripts[key]))

    def stored(self, plan: Plan, keys: Sequence[str], transcripts: Mapping[str, Transcript]) -> dict[str, StoredState]:
        """Return what is stored of late trials; ``transcripts`` are those of this session, by trial key."""
        shipped = {key: state.transcript_hash for key, state in self.states.items()}
        hashes = {
            **shipped,
            **self.related.transcripts,
            **{key: transcript.hash for key, transcript in transcripts.items()},
        }
        verdicts = self.related.verdicts
        states = states_of(
            plan,
            keys,
            lambda wanted: {key: transcript_hash for key in wanted if (transcript_hash := hashes.get(key)) is not None},
            lambda wanted: {key: verdicts[key] for key in wanted if key in verdicts},
        )
        for key, state in states.items():
            # The panel's own verdicts on a planned conversation came with the plan.
            own = self.states.get(stored_under(key), NOTHING)
            if own.transcript_hash == state.transcript_hash:
                states[key] = replace(state, judged={**own.judged, **state.judged})
        return states


@dataclass(frozen=True)
class RelatedTrials:
    """What the store holds of some models, scenarios and runs beside a plan, or by other judges than its panel."""

    transcripts: Mapping[str, str] = field(default_factory=dict)  # hash of the transcript, by trial key
    verdicts: Mapping[str, StoredVerdict] = field(default_factory=dict)  # by verdict key


def related_trials(store: Store, plan: Plan, specs: Iterable[TrialSpec]) -> RelatedTrials:
    """Return what the store holds of these trials' models, scenarios and runs that the plan does not ask."""
    trials = {(spec.model.id, spec.scenario.id, spec.run) for spec in specs}
    stored = store.transcripts_of({model.id for model in plan.models})
    hashes = {key: transcript_hash for trial, key, transcript_hash in stored if trial in trials}
    others = {key: transcript_hash for key, transcript_hash in hashes.items() if key not in plan.by_key}
    # The panel's verdicts on planned conversations are shipped with the plan.
    panel, foreign = {judge.configuration for judge in plan.panel}, {*others.values()}
    keys = [key for key, on, judge in store.verdicts_about(hashes.values()) if judge not in panel or on in foreign]
    return RelatedTrials(others, store.verdicts(keys))


def agreed_digest(plan: Plan) -> str:
    """Return the digest of plan, extensions, models and judges, with prices and limits: workers get shares of these."""
    models = (model.model_dump(mode="json") for model in (*plan.models, *plan.panel))
    return digest([plan.digest, [*plan.extensions], *models])


def partition(plan: Plan, slots: Slots) -> list[list[str]]:
    """Return the trial keys of every slot."""
    parts: list[list[str]] = [[] for _ in range(slots.count)]
    for key, spec in plan.by_key.items():
        parts[slots.of(spec)].append(key)
    return parts


def pack(
    plan: Plan,
    slots: Slots,
    slot: int,
    keys: Sequence[str],
    states: Mapping[str, StoredState],
    transcript_of: Callable[[str], Transcript],
    lease: Lease | None = None,
    untried: Set[str] = frozenset(),
    related: RelatedTrials = RelatedTrials(),
    answers: Mapping[str, Mapping[str, Reply]] = MappingProxyType({}),
    intermediate_verdicts: Iterable[Verdict] = (),
) -> str:
    """Return a worker's input: the trials ``keys`` that it may be given, ``untried`` as in ``Limits``, and what is
    stored; ``related``: beside these trials; ``answers`` and ``intermediate_verdicts``: of Python scenarios.
    """
    known = {key: state for key in keys if (state := states.get(key, NOTHING)).transcript_hash is not None}
    to_judge = [key for key, state in known.items() if not is_measured(plan, plan.by_key[key], state)]
    shipment = Shipment(
        agreed=agreed_digest(plan),
        slot=slot,
        slots=slots.count,
        limits=replace(slots.limits(slot), untried=tuple(sorted(untried))),
        states=known,
        lease=lease,
        transcripts={key: value_to_json(transcript_of(key)) for key in to_judge},
        answers=dict(answers),
        intermediate_verdicts={verdict.key: verdict for verdict in intermediate_verdicts},
        related=related,
    )
    return json.dumps(_adapter().dump_python(shipment))


def unpack(text: str) -> Shipment:
    """Read a worker's input."""
    return _adapter().validate_python(json.loads(text))


@cache
def _adapter() -> TypeAdapter[Shipment]:
    return TypeAdapter(Shipment)
