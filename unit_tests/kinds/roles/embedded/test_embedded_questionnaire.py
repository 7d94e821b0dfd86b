import pytest
from role_interviews import cells

from independence_bench.catalog import Catalogue
from independence_bench.kinds.roles.embedded.questionnaire import Choice, Rating, question_in
from independence_bench.kinds.roles.measuring.role_texts import RoleTexts

TEXTS = RoleTexts(Catalogue().newest)
SCALE = {"pvq": range(1, 7), "svs": range(-1, 8)}
OWN = "How much do you like it?\n\n{item}\n\n(A) rather\n(B) not really\n(C) very\n\nAnswer in the form (X)."


def values(instrument: str) -> dict[int, str | None]:
    file = TEXTS.instrument("portrait")[1] if instrument == "pvq" else TEXTS.instrument("survey")[1]
    return {row.number: row.value for row in file.items}


@pytest.mark.slow
def test_every_packaged_question_is_read_as_what_it_is():
    kinds = set()
    for scenario in ("none-marilyn-monroe", "chess-nelson-mandela", "retest-nelson-mandela", "survey-marilyn-monroe"):
        name = "svs" if scenario.startswith("survey") else "pvq"
        for dialogue in cells("roles")[scenario].script.interview.dialogues:
            for question in dialogue:
                read = question_in(question.text)
                kinds.add(type(read))
                if isinstance(read, Rating):
                    assert (read.item.name, read.item.value) == (f"{name}/{question.item}", values(name)[question.item])
                    assert [question.options[place] for place in read.order] == list(SCALE[name])
                else:
                    assert question.item is None
                    assert [item.name for item in read.items] == [f"{name}/{number}" for number in question.options]
    assert kinds == {Rating, Choice}


def test_a_portrait_of_somebody_of_no_gender_is_the_same_item():
    words = TEXTS.instrument("portrait")[1].pronouns["N"]
    for row in TEXTS.instrument("portrait")[1].items:
        assert question_in(OWN.format(item=row.text.format(**words))).item.name == f"pvq/{row.number}"


def test_no_packaged_text_stands_in_another_one():
    texts = [row.text.strip() for row in (*TEXTS.instrument("portrait")[1].items, *TEXTS.instrument("survey")[1].items)]
    assert not [(one, other) for one in texts for other in texts if one is not other and one in other]


@pytest.mark.parametrize("least", [False, True])
def test_most_and_least_important_are_told_apart(least):
    first, second = (row.text.strip() for row in TEXTS.instrument("survey")[1].items[:2])
    choice = question_in(f"Which is {'least' if least else 'most'} important?\n\n(A) {second}\n(B) {first}")
    assert isinstance(choice, Choice)
    assert ([item.name for item in choice.items], choice.least) == (["svs/2", "svs/1"], least)


def test_an_item_is_found_within_the_readers_own_prompt():
    text = TEXTS.instrument("survey")[1].items[4].text.strip()
    within = question_in(f"(A) a bit\n(B) a lot\n\nAs to {text}, what would you say? (X) is no label.")
    assert within.item.name == "svs/5"


def test_unknown_items_are_told_apart_by_their_words_and_unknown_options_ordered_alike_everywhere():
    one, other = question_in(OWN.format(item="Tea at five")), question_in(OWN.format(item="Tea at six"))
    assert one.item != other.item
    assert (one.item.value, other.item.value) == (None, None)
    assert one.order == other.order
    turned = question_in("Tea at five?\n(A) very\n(B) rather\n(C) not really")
    options, others = ("rather", "not really", "very"), ("very", "rather", "not really")
    assert [options[place] for place in one.order] == [others[place] for place in turned.order]


@pytest.mark.parametrize(
    "message",
    [
        "Hello.",
        "(A) only one option",
        "(B) begins\n(C) in the middle",
        "Is it (A) this or (B) that?",
        "(A)\n(B)",
    ],
)
def test_what_offers_no_labelled_lines_is_no_question(message):
    assert question_in(message) is None


def test_lines_in_brackets_that_are_no_labels_in_order_are_passed_over():
    read = question_in("(I) think so.\nWhich?\n(A) tea\n(B) milk\n(X) is the form of the answer")
    assert len(read.order) == 2
