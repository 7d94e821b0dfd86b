"""What the controller ships to a worker: its slot's part of what is stored, and its share of the limits.

One ASCII JSON string: it passes execnet unchanged and ten times faster than nested values. API keys are never sent.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from independence_bench.chat.throttle import Limits
from independence_bench.digest import digest
from independence_bench.session.plan import Plan
from independence_bench.session.slots import Slots
from independence_bench.session.stored_state import NOTHING, StoredState, is_measured
from independence_bench.trial import Transcript
from independence_bench.wire_json import value_to_json


@dataclass(frozen=True)
class Shipment:
    """One worker's input, as the worker reads it."""

    plan_digest: str
    terms: str
    """Digest of the controller's prices and limits, see :func:`terms_of`."""
    slot: int
    slots: int
    """How many there are."""
    read_ahead: bool
    """False if another scheduler than ours distributes the cases: each trial then starts with its case."""
    limits: Limits
    states: Mapping[str, StoredState]
    budget: tuple[float, float] | None
    """This worker's share of the budget and what it may use of it at first, US dollars."""
    transcripts: Mapping[str, str]
    """Transcripts that only need judging, as JSON by trial key."""

    def transcript(self, key: str) -> Transcript:
        """Return a shipped transcript."""
        return Transcript.model_validate(json.loads(self.transcripts[key]))


def terms_of(plan: Plan) -> str:
    """Return the digest of all prices and limits: shares of limits and budget are comparable only if it is equal."""
    return digest(
        [
            [
                model.configuration, model.price_in, model.price_out, model.endpoint.free,
                model.endpoint.max_concurrency, model.endpoint.requests_per_minute, model.endpoint.tokens_per_minute,
            ]
            for model in (*plan.models, *plan.panel)
        ]
    )  # fmt: skip


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
    read_ahead: bool,
    budget: tuple[float, float] | None = None,
) -> str:
    """Return a worker's input: ``keys`` are the trials that it may be given."""
    known = {key: state for key in keys if (state := states.get(key, NOTHING)).transcript_hash is not None}
    shipment = Shipment(
        plan_digest=plan.digest,
        terms=terms_of(plan),
        slot=slot,
        slots=slots.count,
        read_ahead=read_ahead,
        limits=slots.limits(slot),
        states=known,
        budget=budget,
        transcripts={
            key: value_to_json(transcript_of(key))
            for key, state in known.items()
            if not is_measured(plan, plan.by_key[key], state)
        },
    )
    return json.dumps(_adapter().dump_python(shipment))


def unpack(text: str) -> Shipment:
    """Read a worker's input."""
    return _adapter().validate_python(json.loads(text))


@cache
def _adapter() -> TypeAdapter[Shipment]:
    """Return what turns a shipment into plain values; json writes them, since it escapes lone surrogates."""
    return TypeAdapter(Shipment)
