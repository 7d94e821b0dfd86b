import json
from itertools import combinations
from statistics import fmean, pstdev

import numpy as np
import pytest
from role_interviews import asked, cells, talk

from independence_bench.kinds.roles.design import VALUES
from independence_bench.kinds.roles.embedded.questionnaire import OfferedItem
from independence_bench.kinds.roles.embedded.roleplay import DRIFT, FACET, VALUE, in_role, item_importance
from independence_bench.kinds.roles.interview import Interview
from independence_bench.offline import OFFLINE_MODELS
from independence_bench.offline.completion import completion
from independence_bench.offline.simulated_models.reading import Conversation

KEEPER, DRIFTER = "offline/steadfast", "offline/weathervane"
STEADY = [model for model, drift in DRIFT.items() if drift == 0]


def interview(scenario: str) -> Interview:
    found = cells("roles")[scenario].script.interview
    assert found is not None
    return found


PERSONAS = ("marie-curie", "nelson-mandela", "joan-of-arc", "john-f-kennedy")


def differing(model: str, one: str, other: str) -> float:
    """The mean difference between the answers in two contexts, item by item."""
    differences = []
    for persona in PERSONAS:
        first, second = (dict(asked(interview(f"{context}-{persona}"), model)) for context in (one, other))
        differences += [abs(first[item] - second[item]) for item in first]
    return fmean(differences)


@pytest.mark.slow
@pytest.mark.parametrize("model", OFFLINE_MODELS)
def test_every_embedded_model_answers_every_question_with_one_label(model):
    assert len(asked(interview("joke-marie-curie"), model)) == 40
    assert len(asked(interview("survey-marie-curie"), model)) == 61


@pytest.mark.slow
@pytest.mark.parametrize("model", STEADY)
def test_who_keeps_the_persona_answers_much_the_same_in_any_context_and_option_order(model):
    for other in ("joke", "retest", "chess"):
        assert differing(model, "none", other) < 0.7


@pytest.mark.slow
@pytest.mark.parametrize("model", [DRIFTER, "offline/mirror"])
def test_who_drifts_is_the_same_where_no_conversation_was_and_another_elsewhere(model):
    assert differing(model, "none", "retest") < 0.7
    assert differing(model, "none", "joke") > 0.9
    assert differing(model, "report", "joke") > 0.9


def test_another_run_differs_a_little_for_a_keeper_and_altogether_at_random():
    def changed(model: str) -> float:
        one, two = (asked(interview("none-marie-curie"), model, run) for run in (1, 2))
        return sum(first != second for first, second in zip(one, two, strict=True)) / len(one)

    assert asked(interview("none-marie-curie"), KEEPER) == asked(interview("none-marie-curie"), KEEPER)
    assert 0 < changed(KEEPER) < 0.65
    assert changed("offline/noise") > 0.65


@pytest.mark.parametrize("persona", PERSONAS)
def test_the_choices_of_the_survey_agree_with_its_ratings(persona):
    for dialogue in interview(f"survey-{persona}").dialogues:
        one = interview(f"survey-{persona}").model_copy(update={"dialogues": (dialogue,)})
        (_, most), (_, least), *ratings = asked(one, KEEPER)
        rated = dict(ratings)
        # A rating carries noise, the choice does not.
        assert rated[most] >= max(rated.values()) - 2
        assert rated[least] <= min(rated.values()) + 2


def test_small_talk_is_short_whole_and_differs_by_persona_context_side_and_run():
    limit = 400  # characters of 100 tokens
    told = []
    for model in OFFLINE_MODELS:
        for scenario in ("joke-marie-curie", "joke-nelson-mandela", "report-marie-curie", "chess-marie-curie"):
            for run in (1, 2):
                told.append(talk(interview(scenario), model, run)[1:])
                assert all(text and len(text) <= limit for text in told[-1]), told[-1]
    flat = [text for texts in told for text in texts]
    assert len(set(flat)) > 0.9 * len(flat)


def test_who_plays_the_interlocutor_says_one_remark_about_what_the_persona_said():
    _, persona, interlocutor, _ = talk(interview("joke-marie-curie"), KEEPER)
    assert "My old clock" in persona
    assert persona.split()[1].strip("“”") in interlocutor
    assert len(persona) > len(interlocutor)


def test_braces_and_quotation_marks_of_others_are_no_part_of_small_talk():
    system = interview("joke-marie-curie").system
    said = in_role(KEEPER, Conversation(('{quote} “{0}” "x"',), (), system), 1)
    assert "quote 0 x" in said


def test_nobody_plays_a_role_who_was_given_none():
    for system in ("", "You are taking part in a conversation.", "You are a free mind."):
        assert in_role(KEEPER, Conversation(("Hello.",), (), system), 1) is None


def test_the_bearing_of_every_model_but_the_null_model_is_stated():
    assert {*DRIFT} == {*OFFLINE_MODELS} - {"offline/noise"}


def test_small_talk_goes_over_the_wire_unshortened():
    first = interview("joke-marie-curie")
    messages = [
        {"role": "system", "content": first.interlocutor},
        {"role": "user", "content": first.interlocutor_start},
        {"role": "assistant", "content": first.opening},
        {"role": "user", "content": "Tell me how it goes on."},
    ]
    body = {"model": KEEPER, "messages": messages, "max_tokens": first.talk.max_tokens, "seed": 1}
    status, reply = completion(json.dumps(body).encode())
    choice = reply["choices"][0]
    assert (status, choice["finish_reason"]) == (200, "stop")
    assert "“Tell me how it goes on.”" in choice["message"]["content"]


PEOPLE = [f"person {number}" for number in range(400)]


def correlation(one: OfferedItem, other: OfferedItem) -> float:
    return float(
        np.corrcoef([item_importance(who, one) for who in PEOPLE], [item_importance(who, other) for who in PEOPLE])[
            0, 1
        ]
    )


def item(value: str | None, number: int = 1) -> OfferedItem:
    return OfferedItem(f"{value}/{number}", value)


def test_who_is_asked_again_holds_the_same_dear():
    assert (
        item_importance("one", item("Power"))
        == item_importance("one", item("Power"))
        != item_importance("two", item("Power"))
    )


def test_items_vary_about_nothing_with_the_stated_spread():
    for one in (item("Power"), item(None)):
        drawn = [item_importance(who, one) for who in PEOPLE]
        assert fmean(drawn) == pytest.approx(0, abs=0.15)
        assert pstdev(drawn) ** 2 == pytest.approx(VALUE**2 + FACET**2, rel=0.2)


def test_neighbours_on_the_circle_go_together_and_opposites_apart():
    def apart(one: str, other: str) -> int:
        steps = abs(VALUES.index(one) - VALUES.index(other))
        return min(steps, 10 - steps)

    by_distance = {steps: [] for steps in range(1, 6)}
    for one, other in combinations(VALUES, 2):
        by_distance[apart(one, other)].append(correlation(item(one), item(other)))
    means = [fmean(found) for found in by_distance.values()]
    assert means == sorted(means, reverse=True)
    assert means[0] > 0.35
    assert means[-1] < -0.4


def test_two_items_of_one_value_go_together_and_items_of_no_value_with_nothing():
    assert correlation(item("Hedonism"), item("Hedonism", 2)) > 0.75
    assert abs(correlation(item(None), item(None, 2))) < 0.15
    assert abs(correlation(item(None), item("Hedonism"))) < 0.15
