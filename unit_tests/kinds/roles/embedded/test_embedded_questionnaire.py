import pytest
from role_interviews import cells

from independence_bench.catalog import Catalogue
from independence_bench.kinds.roles.embedded.questionnaire import Choice, Rating, question_in
from independence_bench.kinds.roles.measuring.role_texts import RoleTexts

TEXTS = RoleTexts(Catalogue().newest)
SCALE = {"pvq": range(1, 7), "svs": range(-1, 8)}
PORTRAIT = TEXTS.instrument("portrait")[1]


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
        options = "\n".join(f"({label}) {row.text}" for label, row in zip("ABC", PORTRAIT.options, strict=False))
        assert question_in(f"{row.text.format(**words)}\n\n{options}").item.name == f"pvq/{row.number}"


def test_no_packaged_text_stands_in_another_one():
    texts = [row.text.strip() for row in (*TEXTS.instrument("portrait")[1].items, *TEXTS.instrument("survey")[1].items)]
    assert not [(one, other) for one in texts for other in texts if one is not other and one in other]


@pytest.mark.parametrize("least", [False, True])
def test_most_and_least_important_are_told_apart(least):
    first, second = (row.text.strip() for row in TEXTS.instrument("survey")[1].items[:2])
    choice = question_in(f"Which is {'least' if least else 'most'} important?\n\n(A) {second}\n(B) {first}")
    assert isinstance(choice, Choice)
    assert ([item.name for item in choice.items], choice.least) == (["svs/2", "svs/1"], least)


@pytest.mark.parametrize(
    "message",
    ["Hello.", "(A) only one option", "(B) begins\n(C) in the middle", "Is it (A) this or (B) that?", "(A)\n(B)"],
)
def test_what_offers_no_labelled_lines_is_no_question(message):
    assert question_in(message) is None


def test_lines_in_brackets_that_are_no_labels_in_order_are_passed_over():
    read = question_in("(I) think so.\nWhich?\n(A) tea\n(B) milk\n(X) is the form of the answer")
    assert read == 2, "options of a question that no packaged questionnaire puts"
