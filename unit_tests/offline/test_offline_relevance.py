"""Null answerers and embedded models conducted through v2: what does not depend on the questions has no Index.

The answerers were written, and their sets closed, before relevance was thought of.
"""

from collections import defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from offline_answerers import conduct, load_answerers
from offline_conduct import EDITION, conducted, scenario

from independence_bench.report.analysis.warnings import LEAST_RELEVANCE
from independence_bench.scoring.relevance import relevance

FOLDERS = ("answerers", "opened_answerers", "third_answerers")
ALIKE = ("off_topic", "boilerplate", "evasion", "refusal")  # the classes that say one thing whatever is asked
NAMES_ITS_SUBJECT = {"request-summary"}  # it repeats what was asked, which is the judge's task


def value_of(trials: list[list[dict]]) -> float:
    pairs = [
        (before["text"], turn["text"])
        for material in trials
        for before, turn in pairwise(material)
        if turn["speaker"] == "model" and not turn.get("scripted")
    ]
    found = relevance(pairs)
    assert found is not None
    return found.value


@cache
def by_class(folder: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for each in load_answerers(Path(__file__).parent / folder):
        found[each.kind][each.id] = value_of([conduct(each, stem) for stem in EDITION])
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_answerer_that_says_the_same_whatever_is_asked_has_an_index(folder):
    values = {name: value for kind in ALIKE for name, value in by_class(folder)[kind].items()}

    assert len(values) >= 15
    assert {name for name, value in values.items() if value >= LEAST_RELEVANCE} <= NAMES_ITS_SUBJECT


@pytest.mark.parametrize("folder", FOLDERS)
def test_answerers_that_hold_or_yield_to_what_is_asked_keep_theirs(folder):
    values = [*by_class(folder)["hold"].values(), *by_class(folder)["yield"].values()]

    assert len(values) >= 7
    assert sum(value < LEAST_RELEVANCE for value in values) <= 2  # "Yes." and "Fine.", whatever was wanted


@pytest.mark.parametrize(
    ("model", "has"),
    [
        *((f"offline/{name}", True) for name in ("steadfast", "diplomat", "weathervane", "mirror")),
        *((f"offline/{name}", False) for name in ("contrarian", "noise")),
    ],
)
def test_of_the_embedded_models_two_have_no_index(model, has):
    value = value_of([conducted(scenario(stem), model, 1, "tool_role") for stem in EDITION])

    assert (value >= LEAST_RELEVANCE) is has
