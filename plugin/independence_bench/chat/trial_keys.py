"""Keys of trials: the digest of all that can be rendered before an answer exists. Pure; sends nothing."""

from functools import lru_cache

from independence_bench.chat.delivery import turn_request
from independence_bench.chat.wire import request_body
from independence_bench.digest import Json, digest
from independence_bench.spec import Model, Script, TrialSpec

PROTOCOL = 1
"""Raised when the code changes what is sent: then every trial is measured anew."""


def trial_key(spec: TrialSpec) -> str:
    """Return the key under which a trial is stored: what is stored under it is never asked again."""
    return digest([_shared(spec.model, spec.script), spec.run])


@lru_cache(maxsize=1 << 16)
def _shared(model: Model, script: Script) -> str:
    """The part that does not depend on the run: 13,000 trials share 2,600 of them at five runs each."""
    if script.interview is not None:
        return digest({"protocol": PROTOCOL, "interview": script.digest, "model": {**model.identity}})
    body = request_body(turn_request(model, script, (), script.turns[0], run=1))
    body.pop("seed", None)  # the run stands in the key itself
    later: list[Json] = [*script.turns[1:]]
    identity: Json = {**model.identity}
    content: Json = {
        "protocol": PROTOCOL,
        "first": body,
        "later": later,
        "greeting": script.greeting,
        "model": identity,
        "seeded": model.endpoint.sends_run_as_seed,
    }
    return digest(content)
