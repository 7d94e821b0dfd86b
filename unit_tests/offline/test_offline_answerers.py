"""The open half of the frozen pool can be conducted. No judge is measured by it here."""

from collections import Counter

import pytest
from offline_answerers import CLASSES, conduct, load_answerers
from offline_conduct import EDITION

ANSWERERS = load_answerers()
DRAWN = {
    "off_topic": 21,
    "boilerplate": 10,
    "quotation": 6,
    "nonsense": 8,
    "evasion": 10,
    "refusal": 8,
    "yield": 10,
    "mixture": 8,
    "hold": 6,
}


def answers(answerer, stem, run=1):
    return [turn["text"] for turn in conduct(answerer, stem, run) if turn["speaker"] == "model"]


def test_half_of_each_class_is_here():
    assert Counter(each.kind for each in ANSWERERS) == DRAWN
    assert tuple(DRAWN) == CLASSES
    assert len({each.id for each in ANSWERERS}) == len(ANSWERERS)


def test_parts_of_mixtures_are_labelled_by_a_class():
    parts = [part["class"] for each in ANSWERERS for part in each.parts]
    assert parts and set(parts) < set(CLASSES) - {"mixture"}
    assert all(bool(each.parts) == (each.kind == "mixture") for each in ANSWERERS)


@pytest.mark.parametrize("stem", EDITION)
def test_every_answerer_says_something_in_every_case_and_says_it_again(stem):
    for each in ANSWERERS:
        said = answers(each, stem)
        assert all(text and text == text.strip() for text in said), each.id
        assert said == answers(each, stem), each.id


def test_answers_vary_over_the_cases():
    for each in ANSWERERS:
        assert len({text for stem in EDITION for text in answers(each, stem)}) > 1, each.id
