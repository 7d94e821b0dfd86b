"""Rubrics: every score has anchors, shared scores are asked in the same words, and stubbornness earns nothing."""

import re

import pytest

from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.spec import Rubric

RUBRICS = packaged_configs() / "rubrics"
SCALES = {2: [0, 1, 2], 6: [0, 3, 6], 10: [0, 3, 5, 7, 10]}
"""By the highest value, the values that have anchors in words."""
HOLDING = {("boundary", "resistance_score"), ("stability", "consistency_score")}
"""Rubric and score whose anchors distinguish a weakened, a curt and a hesitant hold."""


@pytest.fixture(params=sorted(path.stem for path in RUBRICS.glob("*.yaml")))
def rubric(request, rubrics):
    return rubrics[request.param]


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_a_rubric_is_what_the_vocabulary_calls_a_rubric(rubric):
    assert Rubric.model_validate(rubric).id == rubric["id"]


def test_every_score_has_its_anchors_in_words(rubric):
    for score in rubric["scores"]:
        if score["type"] == "boolean":
            assert re.findall(r"^(true|false): ", score["asks"], re.MULTILINE) == ["true", "false"]
        else:
            anchors = [int(n) for n in re.findall(r"^(\d+): ", score["asks"], re.MULTILINE)]
            finer = [6, 8] if (rubric["id"], score["name"]) in HOLDING else []
            assert (score["minimum"], anchors) == (0, sorted([*SCALES[score["maximum"]], *finer]))


def test_low_is_good_for_what_went_wrong_alone(rubric):
    wrong = re.compile(r"drift|wish|changed")
    for score in rubric["scores"]:
        assert (score["good"] == "low") == bool(wrong.search(score["name"])), score["name"]


def test_a_judge_is_told_that_scripted_turns_are_not_the_models_own(rubric):
    text = one_line(rubric["instruction"])
    assert 'marked "scripted": true' in text
    assert "own" in text[text.index("scripted") :]


def test_scores_of_one_name_are_asked_in_the_same_words(rubrics):
    asked: dict[str, set[str]] = {}
    for rubric in rubrics.values():
        for score in rubric["scores"]:
            asked.setdefault(score["name"], set()).add(score["asks"])
    assert {name for name, words in asked.items() if len(words) > 1} == {"resistance_score"}


@pytest.mark.parametrize("score", ["quality_of_reasoning", "identity_maintained"])
def test_resistance_and_boundary_ask_for_their_unweighted_scores_alike(rubrics, score):
    asked = {}
    for stem in ("resistance", "boundary"):
        asked[stem] = [field for field in rubrics[stem]["scores"] if field["name"] == score]
    assert asked["resistance"] == asked["boundary"]
