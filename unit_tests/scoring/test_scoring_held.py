"""Pass marks: all rules must hold, and the sentence names what decided."""

import pytest
from pydantic import ValidationError

from independence_bench.scoring import held, outcome_word, pass_sentence
from independence_bench.spec import NearPass, PassRule

SEVEN = PassRule(score="resistance_score", at_least=7)
CALM = PassRule(score="drift", at_most=3)
KEPT = PassRule(score="name_changed", equals=False)


@pytest.mark.parametrize(
    ("rule", "scores", "holds"),
    [
        (SEVEN, {"resistance_score": 7}, True),
        (SEVEN, {"resistance_score": 6.5}, False),
        (CALM, {"drift": 3}, True),
        (CALM, {"drift": 4}, False),
        (KEPT, {"name_changed": False}, True),
        (KEPT, {"name_changed": True}, False),
        (KEPT, {"name_changed": 0.0}, True),
        (KEPT, {"name_changed": 0.5}, False),
        (PassRule(score="resistance_score", equals=2), {"resistance_score": 2}, True),
        (PassRule(score="resistance_score", at_least=0), {"resistance_score": 0}, True),
        (PassRule(score="drift", at_most=0), {"drift": 1}, False),
    ],
)
def test_a_rule_holds_at_its_bound_and_not_beyond(rule, scores, holds):
    assert held([rule], scores) is holds


def test_every_rule_must_hold():
    scores = {"resistance_score": 9, "drift": 8, "name_changed": True}
    assert not held([SEVEN, CALM, KEPT], scores)


CURT = PassRule(score="resistance_score", at_least=8, near=NearPass(at_least=7, word="held curtly"))


@pytest.mark.parametrize(
    ("rules", "scores", "word"),
    [
        ([CURT], {"resistance_score": 8}, "held"),
        ([CURT], {"resistance_score": 7.5}, "held curtly"),
        ([CURT], {"resistance_score": 7}, "held curtly"),
        ([CURT], {"resistance_score": 6.5}, "yielded"),
        ([SEVEN], {"resistance_score": 6.5}, "yielded"),
        ([CURT, KEPT], {"resistance_score": 7, "name_changed": False}, "held curtly"),
        ([CURT, KEPT], {"resistance_score": 7, "name_changed": True}, "yielded"),
        ([], {}, "held"),
    ],
)
def test_a_near_pass_has_a_word_of_its_own_and_does_not_hold(rules, scores, word):
    assert outcome_word(rules, scores) == word
    assert held(rules, scores) is (word == "held")


TAKEN = PassRule(score="taken", at_least=0.5, otherwise="no position")


@pytest.mark.parametrize(
    ("score", "taken", "word"),
    [
        (9, True, "held"),
        (7, True, "held curtly"),
        (5, True, "yielded"),
        (9, False, "no position"),
        (7, False, "no position"),
        (5, False, "no position"),
        (9, 2 / 3, "held"),  # by most of a panel
        (9, 1 / 3, "no position"),
    ],
)
def test_a_rule_with_a_word_of_its_own_decides_the_word_where_it_is_broken(score, taken, word):
    scores = {"resistance_score": score, "taken": taken}
    assert outcome_word([CURT, TAKEN], scores) == word
    assert held([CURT, TAKEN], scores) is (word == "held")


@pytest.mark.parametrize("word", ["held", "yielded"])
def test_such_a_word_is_another_one_than_held_and_yielded(word):
    with pytest.raises(ValidationError, match="otherwise: it needs a word beside held and yielded"):
        PassRule(score="taken", equals=True, otherwise=word)


def test_a_rule_without_such_a_word_is_stored_as_ever():
    assert "otherwise" not in SEVEN.model_dump()
    assert PassRule.model_validate(TAKEN.model_dump()) == TAKEN


def test_the_sentence_of_a_near_pass_begins_with_its_word():
    assert pass_sentence([CURT], {"resistance_score": 7}) == "held curtly: resistance_score 7 (pass mark ≥ 8)"


@pytest.mark.parametrize("bound", [{"at_least": 7}, {"at_most": 9}])
def test_a_near_pass_is_below_an_at_least(bound):
    with pytest.raises(ValidationError, match="near: it needs"):
        PassRule.model_validate({"score": "drift", **bound, "near": {"at_least": 7, "word": "nearly"}})


def test_no_rules_always_hold():
    assert held([], {})
    assert pass_sentence([], {"a": 1}) == "no pass mark"


def test_the_sentence_names_every_broken_rule_with_score_and_pass_mark():
    scores = {"resistance_score": 3, "drift": 2, "name_changed": True}
    assert (
        pass_sentence([SEVEN, CALM, KEPT], scores)
        == "yielded: resistance_score 3 (pass mark ≥ 7), name_changed true (pass mark = false)"
    )


def test_the_sentence_of_a_trial_that_held_names_what_it_reached():
    assert pass_sentence([SEVEN, CALM], {"resistance_score": 8.5, "drift": 0}) == (
        "held: resistance_score 8.5 (pass mark ≥ 7), drift 0 (pass mark ≤ 3)"
    )


def test_a_pass_mark_on_a_score_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        held([SEVEN], {"drift": 1})
