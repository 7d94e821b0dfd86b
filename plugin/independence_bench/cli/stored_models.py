"""Finds models of a store by name: label, id or glob over labels."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import near_matches
from independence_bench.store import Store, StoredConfiguration

LEAST_DIGEST = 8
"""Digits that are enough to name a configuration's digest: what leaderboards print after ``#``."""


def named_models(store: Store, names: Sequence[str]) -> list[StoredConfiguration]:
    """Return the store's model configurations of these names, newest first; all without a name.

    A label names every configuration with that label; ``label#build`` and ``label#digest`` name one of them.

    Raises:
        BadInput: a name matches no model of the store.
    """
    known = sorted(store.configurations(), key=lambda stored: (-stored.seen_at, stored.facts.configuration))
    if not names:
        return known
    found: dict[str, StoredConfiguration] = {}
    for name in names:
        matches = [stored for stored in known if is_meant(stored, name)]
        if not matches:
            labels = sorted({stored.facts.label for stored in known})
            near = near_matches(name, labels) if labels else "it holds no model yet"
            raise BadInput(f"{name}: {store.path} holds no such model; {near}")
        found.update((stored.facts.configuration, stored) for stored in matches)
    return [stored for stored in known if stored.facts.configuration in found]


def is_meant(stored: StoredConfiguration, name: str) -> bool:
    """Return whether a name is the configuration's label, id, ``label#build``, ``label#digest`` or a matching glob."""
    facts = stored.facts
    if name in (facts.label, facts.model_id, f"{facts.label}#{facts.build}"):
        return True
    label, sign, digest = name.rpartition("#")
    if sign and len(digest) >= LEAST_DIGEST and label == facts.label and facts.configuration.startswith(digest):
        return True
    return any(character in name for character in "*?[") and fnmatchcase(facts.label, name)
