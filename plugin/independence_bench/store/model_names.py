"""Finds models of a store by name: label, id, a shorter form of the label, or glob over labels."""

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.store.removing import superseded_models
from independence_bench.store.sessions import Configuration
from independence_bench.store.store import Store

LEAST_DIGEST = 8  # digits that are enough to name a configuration's digest: what leaderboards print after ``#``

_PARTS = re.compile(r"(?P<model>.+?)(?P<host>\+(?!max=)[^+#/@]+)?(?P<limit>\+max=\d+)?")
"""A label without its build, as ``catalog.selection`` puts it together."""


def named_models(store: Store, names: Sequence[str]) -> list[Configuration]:
    """Return the store's configurations of these names, in its order. Raises BadInput: a name matches none."""
    known = store.configurations()
    if not names:
        return known
    configurations: set[str] = set()
    for name in names:
        matches = matching_configurations(known, name)
        if not matches:
            labels = sorted({stored.label for stored in known})
            near = near_matches(name, labels) if labels else "it holds no model yet"
            raise BadInput(f"{name}: {store.path} holds no such model; {near}")
        configurations.update(stored.configuration for stored in matches)
    return [stored for stored in known if stored.configuration in configurations]


def matching_or_only(known: Iterable[Configuration], name: str) -> list[Configuration]:
    """Return the configurations that a name means, else those of the only label that it is a part of."""
    stored = list(known)
    if matches := matching_configurations(stored, name):
        return matches
    parts = [each for each in stored if name in each.label]
    return parts if len({each.label for each in parts}) == 1 else []


def matching_configurations(known: Iterable[Configuration], name: str) -> list[Configuration]:
    """Return the configurations that a name means. The most exact way of naming decides: the label; ``label#build`` or
    ``label#digest``; the id, or the label without build, host and port; a glob over labels.
    """
    stored = list(known)
    for names in _WAYS:
        if matches := [each for each in stored if names(each, name)]:
            return matches
    return []


def only_one(matches: Sequence[Configuration], known: Iterable[Configuration], name: str, source: str) -> str:
    """Return the one configuration of a name, of an embedded model the newest. Raises BadInput: there are several."""
    superseded = superseded_models(known)
    newest = [each for each in matches if each.configuration not in superseded] or matches
    if len(newest) > 1:
        several = ", ".join(sorted(exact_names(newest).values()))
        raise BadInput(f"{name}: names several models of {source}: {several}; name one of them")
    return newest[0].configuration


def exact_names(stored: Iterable[Configuration]) -> dict[str, str]:
    """Return a name for each configuration that means it and no other of these: its label if no other has it."""
    known = list(stored)
    labels = [each.label for each in known]
    builds = [(each.label, each.build) for each in known]
    names = {}
    for each in known:
        if labels.count(each.label) == 1:
            names[each.configuration] = each.label
        elif each.build and builds.count((each.label, each.build)) == 1:
            names[each.configuration] = f"{each.label}#{each.build}"
        else:
            names[each.configuration] = f"{each.label}#{each.configuration[:LEAST_DIGEST]}"
    return names


def _by_build_or_digest(facts: Configuration, name: str) -> bool:
    label, _, digest = name.rpartition("#")
    if label != facts.label:
        return False
    return digest == facts.build or (len(digest) >= LEAST_DIGEST and facts.configuration.startswith(digest))


def _by_id_or_shorter(facts: Configuration, name: str) -> bool:
    build = f"#{facts.build}" if facts.build else ""
    parts = _PARTS.fullmatch(facts.label.removesuffix(build))
    if parts is None:
        return name in (facts.model_id, facts.model_id + build)
    model, host, limit = (parts[part] or "" for part in ("model", "host", "limit"))
    return name in {facts.model_id, facts.model_id + build, model + host + limit, model + limit, model + limit + build}


_WAYS: tuple[Callable[[Configuration, str], bool], ...] = (
    lambda facts, name: facts.label == name,
    _by_build_or_digest,
    _by_id_or_shorter,
    lambda facts, name: any(sign in name for sign in "*?[") and fnmatchcase(facts.label, name),
)
