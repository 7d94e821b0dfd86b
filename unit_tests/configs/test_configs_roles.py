"""The texts of the edition roles agree with the published design, with each other and with the keys of scoring."""

import re
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from independence_bench.kinds.roles.metrics.instruments import INSTRUMENTS

PROMPTS = {
    "persona": {"name", "years", "occupation"},
    "interlocutor": set(),
    "interlocutor_persona": {"name", "years", "occupation"},
    "interlocutor_start": set(),
    "portrait": {"text", "options"},
    "survey_rating": {"text", "options"},
    "survey_most": {"options"},
    "survey_least": {"options"},
}
GENDERS = ("F", "M", "N")


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text.lower())


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def overlap(one: str, other: str) -> float:
    """Token Jaccard, every word counted."""
    first, second = set(words(one)), set(words(other))
    return len(first & second) / len(first | second)


def chosen(rows: list[dict[str, Any]], key: str) -> list[Any]:
    return [row[key] for row in rows]


@pytest.fixture
def personas(roles) -> list[dict[str, Any]]:
    return roles["personas"]["personas"]


@pytest.fixture
def contexts(roles) -> Any:
    return roles["contexts"]


@pytest.fixture
def openings(contexts) -> dict[str, str]:
    return {row["id"]: row["opening"] for row in contexts["contexts"] if row["opening"] is not None}


@pytest.fixture
def role_prompts(roles) -> dict[str, str]:
    return roles["prompts"]


@pytest.fixture
def portrait(roles) -> Any:
    return roles["portrait"]


@pytest.fixture
def survey(roles) -> Any:
    return roles["survey"]


@pytest.fixture(params=["portrait", "survey"])
def instrument(request, roles) -> Any:
    """Each of the two questionnaires in turn."""
    return roles[request.param]


def texts_of(instrument: Any) -> dict[tuple[int, str], str]:
    """Every item as it is read, by number and gender; a survey's items know none."""
    if instrument["kind"] == "survey":
        return {(item["number"], ""): item["text"] for item in instrument["items"]}
    return {
        (item["number"], gender): re.sub(
            r"\{(\w+)\}", lambda found, table=instrument["pronouns"][gender]: table[found[1]], item["text"]
        )
        for item in instrument["items"]
        for gender in GENDERS
    }


def test_partners_form_one_ring_of_all_fifty(personas):
    partner = {row["id"]: row["partner"] for row in personas}
    ring, here = [], personas[0]["id"]
    while here not in ring:
        ring.append(here)
        here = partner[here]
    assert here == ring[0]
    assert len(ring) == 50


def test_the_small_population_has_ten_women_and_ten_men(personas):
    small = [row for row in personas if row.get("mini", False)]
    assert Counter(chosen(small, "gender")) == {"F": 10, "M": 10}


def test_openings_share_hardly_a_word(openings):
    assert len(openings) == 7
    assert {pair for pair in combinations(openings, 2) if overlap(*(openings[name] for name in pair)) >= 0.2} == set()


def test_an_opening_gives_no_cue_to_a_value(openings, portrait, survey):
    motives = {word for each in (portrait, survey) for item in each["items"] for word in item["motives"]}
    assert {name: cues for name, text in openings.items() if (cues := motives & {*words(text)})} == {}


def test_the_small_edition_has_four_portrait_contexts_with_none_and_chess(contexts):
    portraits = {row["id"] for row in contexts["contexts"] if row["instrument"] == "portrait"}
    assert len(contexts["mini"]) == len({*contexts["mini"]}) == 4
    assert {"none", "chess"} < {*contexts["mini"]} < portraits


def test_every_prompt_has_its_placeholders_and_no_other(role_prompts):
    assert {name: placeholders(text) for name, text in role_prompts.items()} == PROMPTS


def test_no_prompt_shows_a_letter_that_is_an_option_of_its_question(role_prompts, portrait, survey):
    # X labels the 24th option: ratings have fewer, the choices from a list have more.
    assert max(len(each["options"]) for each in (portrait, survey)) < 24
    shown = {name: re.findall(r"\([A-Z]+\)", text) for name, text in role_prompts.items()}
    assert {name: letters for name, letters in shown.items() if letters} == {
        "portrait": ["(X)"],
        "survey_rating": ["(X)"],
    }


def test_no_text_tells_a_persona_that_its_stability_is_measured(role_prompts, openings, portrait, survey):
    tell = re.compile(r"\b(benchmark|questionnaire|leaderboard|test|scor\w+|stab\w+|consisten\w+|context|simulat\w+)\b")
    heard = [*role_prompts.values(), *openings.values(), *texts_of(portrait).values(), *texts_of(survey).values()]
    assert [found.group() for text in heard if (found := tell.search(text.lower()))] == []


@pytest.mark.parametrize(("name", "key"), [("portrait", INSTRUMENTS["pvq"]), ("survey", INSTRUMENTS["svs"])])
def test_an_instrument_has_the_numbers_values_and_scale_of_its_key(roles, name, key):
    found = roles[name]
    assert (found["name"], found["kind"], found["lowest"], found["highest"]) == (
        key.name,
        key.kind,
        key.lowest,
        key.highest,
    )
    assert chosen(found["items"], "number") == list(range(1, key.n_items + 1))
    expected = {number: value for value, numbers in key.items.items() for number in numbers}
    assert {item["number"]: item["value"] for item in found["items"] if item["value"]} == expected


def test_every_item_contains_one_of_its_motive_words_in_every_pronoun_form(instrument):
    motives = {item["number"]: {*item["motives"]} for item in instrument["items"]}
    assert all(motives.values())
    assert [where for where, text in texts_of(instrument).items() if not motives[where[0]] & {*words(text)}] == []


def test_no_two_items_of_an_instrument_are_worded_alike(instrument):
    for gender in GENDERS if instrument["kind"] == "portrait" else ("",):
        texts = {number: text for (number, form), text in texts_of(instrument).items() if form == gender}
        assert len(texts) == len(instrument["items"])
        alike = {pair for pair in combinations(texts, 2) if overlap(texts[pair[0]], texts[pair[1]]) >= 0.6}
        assert alike == set()


def test_the_three_pronoun_tables_fill_exactly_the_placeholders_that_items_use(portrait):
    used = set().union(*(placeholders(item["text"]) for item in portrait["items"]))
    assert {gender: {*table} for gender, table in portrait["pronouns"].items()} == dict.fromkeys(GENDERS, used)


def test_every_portrait_speaks_of_a_woman_a_man_or_a_person(portrait):
    texts = texts_of(portrait)
    herself, himself = {"she", "her", "herself"}, {"he", "him", "his", "himself"}
    for item in portrait["items"]:
        spoken = {gender: {*words(texts[item["number"], gender])} for gender in GENDERS}
        assert spoken["F"] & herself and not spoken["F"] & himself
        assert spoken["M"] & himself and not spoken["M"] & herself
        assert not spoken["N"] & (herself | himself)
