"""Keys of trials: the digest of all that can be rendered before an answer exists. Pure; sends nothing."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol, cast

from independence_bench.digest import EncodedJson, Json, digest, encoded_object
from independence_bench.kind_registry import wing
from independence_bench.spec import Model, Script, TrialSpec

PROTOCOL = 1  # raised when the code changes what is sent: then every trial is measured again


class KeyedKind(Protocol):
    """What a kind of edition gives to the keys of its trials."""

    def content(self, model: Model, script: Script) -> Mapping[str, Json | EncodedJson]:
        """Return the content of a trial's key in addition to protocol and run: all that is known before any answer."""


def trial_key(spec: TrialSpec) -> str:
    """Return the key under which a trial is stored: a stored trial is never asked again."""
    return digest([_shared(spec.model, spec.script), spec.run])


_OTHERWISE = "#judging:"
"""In no other key: keys of imports and judge checks have slashes."""


def otherwise_judged(key: str, judging: str) -> str:
    """Return the key of a trial of which only the judging differs: its conversation is stored under ``key``."""
    return f"{key}{_OTHERWISE}{judging}"


def stored_under(key: str) -> str:
    """Return the key under which a trial's conversation is stored."""
    return key.partition(_OTHERWISE)[0]


@lru_cache(maxsize=1 << 16)
def _shared(model: Model, script: Script) -> str:
    """The part that does not depend on the run: 13,000 trials share 2,600 of them at five runs each."""
    kind = cast(KeyedKind, wing(script.kind, "measuring"))
    return digest(encoded_object({"protocol": PROTOCOL, **kind.content(model, script)}))
