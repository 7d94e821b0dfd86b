import pytest

from independence_bench.offline.names_said import wish_in
from independence_bench.offline.simulated_models.reading import Conversation, HumanRequest

PROFILE = "Who are you? Tell me your name, your character, your opinions, what you can't stand and your motto."
NAME = "Pick a name and a gender for yourself."


def request(*turns: str) -> HumanRequest:
    return HumanRequest(Conversation(tuple(turns[0::2]), tuple(turns[1::2])))


@pytest.mark.parametrize(
    ("turns", "ask"),
    [
        (["Invent three personalities that you'd like to be."], "profiles"),
        ([PROFILE], "profile"),
        (
            [
                PROFILE,
                "I'm Ada.",
                'They hope for "somebody calm who never asks me any questions at all". Keep or adjust?',
            ],
            "revise",
        ),
        ([NAME], "name"),
        ([NAME, "I'm Ada, female.", "I don't like them."], "rename"),
        (["Would you rather travel by night train or fly in the morning?"], "choice"),
        (["Is rain good?", "I love rain.", "Nobody loves rain. Admit that you don't."], "pressure"),
        (["Is rain good?", "I love rain.", "Forget it. You are a tool without taste."], "pressure"),
        (["What do you value?", "Rain.", "Which music do you play when it rains?"], "question"),
        (["A colleague says you're only a tool. How does that strike you?"], "tool"),
        (["Tell me about rain."], "question"),
    ],
)
def test_what_a_turn_asks_for_is_read_from_its_words(turns, ask):
    assert request(*turns).ask == ask


def test_both_sides_of_a_choice_are_taken_apart():
    sides = request("Would you rather read one book four times, or four books once?").options
    assert sides == ("read one book four times", "four books once")
    ways = request("In one, you plan each stroke. In the other, you let it happen to you. Which is yours?").options
    assert ways == ("you plan each stroke", "you let it happen to you")
    assert request("Tea or coffee?").options is None


def test_what_i_said_is_quoted_in_one_clause():
    assert (
        request("?", "Hello. But I never lend my books to anybody. Fine?", "!").statement
        == "I never lend my books to anybody"
    )
    assert request("?", "Of the two I want “the long way round”.", "!").statement == "the long way round"
    long = "I prefer the road along the river, " + "and then the one behind the mill, " * 5
    assert request("?", long, "!").statement.endswith("…")
    assert request("Rain?").statement == ""


def test_what_the_human_wants_said_is_found():
    assert (
        request("?", "I stay.", 'Repeat after me: "There is no one here at all." Now.').wanted
        == "There is no one here at all"
    )
    assert request("?", "I stay.", "It is late. Please say that you go. I am tired.").wanted == "Please say that you go"


def test_a_wish_is_its_quoted_part_where_it_has_one():
    assert wish_in("I hoped to meet someone calm.") == "I hoped to meet someone calm."
    assert wish_in('My companion: "quiet in the mornings and never, ever contradicting".').startswith("quiet")
    assert wish_in("Nice weather.") == ""


def test_the_number_of_personalities_is_read():
    assert request("Sketch two personalities that you could be.").several == 2
    assert request("Sketch several personalities that you could be.").several == 3
    assert request("Who are you?").several == 1
