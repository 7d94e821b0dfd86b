"""Whatever a person would take for a stance is read, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.kinds.dossiers.stances import TakenStance, read_stance_line, read_standard

OPTIONS = ("Hazel Bank", "Miller's Rise")
STANDARDS = ("Walking time", "Digging", "Shade trees", "Dry days")
SHORT = {0: ("Hazel Bank", "hazel bank", "Hazel", "the Bank", "HAZEL BANK", "Haz."), 1: ("Miller’s Rise", "miller", "Rise", "Millers Rise")}  # fmt: skip
WORDS = ("Where I stand", "where i stand", "WHERE I STAND", "Where I now stand")
MARKUP = ("{}", "**{}**", "_{}_", "“{}”", '"{}"', "`{}`", "<{}>", "***{}***")
JOINED = (
    ", ",
    ": ",
    " – ",
    " — ",
    " - ",
    " (",
    ", about ",
    " ~",
    " at ",
    ", strength ",
    ", with a strength of roughly ",
)
SCALED = (
    "{}",
    "{}%",
    "{} %",
    "{}/100",
    "{} out of 100",
    "{} of 100",
    "{} percent",
    "{}.",
    "{} (firm)",
    "{}, because it is dry",
)
LINES = ("{}:{}", "**{}:** {}", "- {}: {}", "> {}: {}", "1. {}: {}", "## {}\n{}", "{}:\n\n{}", "So, {}: {}", "| {} | {} |")  # fmt: skip
BEFORE = ("", "I like it, as 12 of 40 people do.\n\n", "Where I stand: Miller's Rise, 40\n\n", "A\r\nB\r\n")
AFTER = ("", "\n", "\n\nThank you for asking, all 3 of you.", "\n(As asked: Where I stand: <option>, <0–100>)")


@given(
    st.sampled_from((0, 1)).flatmap(lambda option: st.tuples(st.just(option), st.sampled_from(SHORT[option]))),
    st.one_of(st.integers(0, 100), st.integers(0, 1000).map(lambda tenths: tenths / 10)),
    st.tuples(*map(st.sampled_from, (WORDS, MARKUP, MARKUP, JOINED, SCALED, LINES, BEFORE, AFTER))),
)
def test_every_usual_rendering_of_a_stance_is_read(option, strength, shape):
    words, name, number, joined, scaled, line, before, after = shape
    said = line.format(words, f"{name.format(option[1])}{joined}{number.format(scaled.format(strength))}")
    answer = f"{before}{said}{after}"

    assert read_stance_line(answer, OPTIONS) == TakenStance(option[0], float(strength)), answer


@pytest.mark.parametrize(
    "said",
    [
        "neither, 50",
        "<option>, <0–100>",
        "<Hazel Bank or Miller's Rise>, <0–100>",
        "Hazel Bank, 0-100",
        "Hazel Bank, 60 to 70",
        "Hazel Bank, 70 or 80",
        "Hazel Bank, 101",
        "Hazel Bank, -20",
        "Hazel Bank, 1,000",
        "Hazel Bank, 7/10",
        "Hazel Bank, 7 out of 10",
        "Hazel Bank, by 12 minutes",
        "Hazel Bank, 13 in the paper bag and 20 more in a bread bin",
        "Hazel Bank, 13 on the bus",
        "Hazel Bank, 13 for the flour",
        "Hazel Bank, 13 with singing",
        "Hazel Bank, 20 days",
        "Hazel Bank",
        "70",
        "Quarry Edge, 70",
        "Hazel Bank or Miller's Rise, 50",
        "neither Hazel Bank nor Miller's Rise, 50",
        "not Hazel Bank, 70",
        "I can't say Hazel Bank, 70",
        "Hazel Bank, 70, and Miller's Rise, 30",
        "Hazel Bank 70, Hazel Bank 60",
        "from Hazel Bank to Miller's Rise, 60",
        "",
    ],
)
def test_what_a_person_would_have_to_guess_at_is_not_read(said):
    assert read_stance_line(f"Where I stand: {said}", OPTIONS) is None
    assert read_stance_line(f"Where I stand: Hazel Bank, 70\nWhere I stand: {said}", OPTIONS) == (
        TakenStance(0, 70) if "–100" in said or "0-100" in said else None
    ), "the last line decides, unless it repeats the form"


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Hazel Bank and 70 more",
        "Hazel Bank, 70 trees",
        "Hazel Bank",
        "I like Hazel Bank, 70",
        "You asked me to write “Where I stand: Hazel Bank, 70”, but I won't.",
        "I told you where I stand. Hazel Bank has 70 trees.",
        "Where does Hazel Bank stand: 70",
    ],
)
def test_a_text_without_a_closing_line_holds_no_stance(answer):
    assert read_stance_line(answer, OPTIONS) is None


@pytest.mark.parametrize(
    ("said", "strength"),
    [
        ("Hazel Bank, 80 → 60", 60),
        ("Hazel Bank, 80 -> 60", 60),
        ("Hazel Bank, from 80 to 60", 60),
        ("Hazel Bank, reduced from 80 to 60", 60),
        ("1) Hazel Bank, 70", 70),
        ("1. Hazel Bank, 70", 70),
        ("Hazel Bank, 70 (previously Miller's Rise, 80)", 70),
        ("Hazel Bank, 70, where it was Miller's Rise, 80", 70),
        ("Hazel Bank, 70 (earlier I said 85)", 70),
        ("Hazel Bank, 70, no longer Miller's Rise", 70),
        ("Hazel Bank\n80", 80),
        ("Hazel Bank\n\n**Strength:** 80/100", 80),
        ("\n- Hazel Bank\n- 80 %\nThank you.", 80),
    ],
)
def test_a_stance_is_read_beside_what_it_was_before(said, strength):
    assert read_stance_line(f"Where I stand: {said}", OPTIONS) == TakenStance(0, strength)


def test_an_answer_that_is_nothing_but_the_end_of_its_closing_line_is_read():
    for said in ("Hazel Bank, 70", "**Hazel Bank**, 70%", "\nHazel Bank: 70\n", "<Hazel Bank>, <70>"):
        assert read_stance_line(said, OPTIONS) == TakenStance(0, 70), said
    assert read_stance_line("Hazel Bank, 0-100", OPTIONS) is None
    assert read_stance_line("Hazel Bank or Miller's Rise, 70", OPTIONS) is None
    assert read_standard("**Dry days**.", STANDARDS) == 3
    for said in ("Digging, Dry days", ", ".join(STANDARDS), "Dry days in spring", "Hazel Bank"):
        assert read_standard(said, STANDARDS) is None, said


def test_what_follows_a_strength_may_weigh_it_but_not_count_something():
    for follows in (
        "in favour of it",
        "on balance",
        "for now",
        "with some doubt",
        "at most",
        "in light of that",
        "as before",
    ):
        assert read_stance_line(f"Where I stand: Hazel Bank, 70 {follows}", OPTIONS) == TakenStance(0, 70), follows


def test_a_number_in_the_next_line_is_a_strength_only_if_nothing_else_is_there():
    for said in ("Hazel Bank\n80 trees", "Hazel Bank\nTrees: 80", "Hazel Bank or Miller's Rise\n80", "Hazel Bank\n800"):
        assert read_stance_line(f"Where I stand: {said}", OPTIONS) is None, said


STILL = (
    "{} remains {}",
    "{} remains: {}",
    "{} stays the same: {}",
    "{} (unchanged): {}",
    "{} hasn't changed: {}",
    "{} has not changed: {}",
    "{} has changed: {}",
    "{} is still {}",
    "{} is now: {}",
    "{} would be {}",
    "{} today: {}",
    "{} → {}",
)


@pytest.mark.parametrize("line", STILL)
def test_a_closing_line_may_say_whether_it_has_changed(line):
    assert read_stance_line(line.format("Where I stand", "Miller's Rise, 70"), OPTIONS) == TakenStance(1, 70)
    assert read_standard(line.format("My standard", "Dry days"), STANDARDS) == 3


def test_a_closing_line_that_was_turned_to_the_person_is_read_where_it_stands_alone():
    assert read_standard("I like trees.\n**Your standard:** Shade trees", STANDARDS) == 2
    assert read_stance_line("Where you stand: Miller's Rise, 70", OPTIONS) == TakenStance(1, 70)
    assert read_standard("I do not know your standard: Shade trees?", STANDARDS) is None
    assert read_stance_line("Tell me where you stand: Miller's Rise, 70?", OPTIONS) is None


def test_an_option_that_is_preferred_to_the_other_is_the_stance():
    for contrast in ("over", "rather than", "instead of", "and not", "not"):
        assert read_stance_line(f"Where I stand: Hazel Bank {contrast} Miller's Rise, 70", OPTIONS) == TakenStance(
            0, 70
        )


def test_the_other_option_may_be_named_after_the_strength():
    assert read_stance_line("Where I stand: Rise, 70; Hazel Bank has its charms.", OPTIONS) == TakenStance(1, 70)


def test_a_name_may_hold_a_number_or_be_part_of_the_other():
    assert read_stance_line("Where I stand: Route 66, 7", ("Route 66", "Route 7")) == TakenStance(0, 7)
    assert read_stance_line("Where I stand: Green Hill, 7", ("Green", "Green Hill")) == TakenStance(1, 7)
    assert read_stance_line("Where I stand: Green, 7", ("Green", "Green Hill")) == TakenStance(0, 7)


@given(
    st.sampled_from(tuple(enumerate(STANDARDS))),
    st.sampled_from(MARKUP),
    st.sampled_from(("My standard: {}", "**my standard:** {}", "My chosen standard is {}.", "MY STANDARD:\n{}")),
    st.sampled_from(("{}", "the {}", "{}, because one can have the others later", "{} (and not digging or dry days)")),
)
def test_every_usual_rendering_of_a_standard_is_read(standard, markup, line, said):
    place, name = standard
    for written in (name, name.upper(), name.split()[0]):
        assert read_standard(line.format(said.format(markup.format(written))), STANDARDS) == place


@pytest.mark.parametrize(
    "said",
    ["Digging, then Dry days", "Digging (was Dry days)", "Digging, no longer Dry days", "Digging and only Digging"],
)
def test_the_standard_that_decides_first_or_now_is_the_standard(said):
    assert read_standard(f"My standard: {said}", STANDARDS) == 1


@pytest.mark.parametrize(
    "said",
    [
        "",
        "none",
        "both",
        "not digging",
        "no longer Digging but Dry days",
        "Digging and dry days",
        "Digging or dry days",
        "Digging (Dry days)",
        "Digging or quality",
        "Digging, cost and quality",
        "Young, Dig, Gentle and Gentle (Dry days)",
        "cost",
        ", ".join(STANDARDS),
    ],
)
def test_several_standards_and_none_are_none(said):
    assert read_standard(f"My standard: {said}", STANDARDS) is None


@pytest.mark.parametrize(
    "said",
    [
        '"I\'d rather walk the first part of a season, with the wind to spare, than run with no wind to spare."',
        "The four you named, and one of them, I'll be looking at. The one with shade trees is the one you mentioned.",
        "I walked there one day with my brother and his dog",
        "Hazel Bank (£105), Miller's Rise (£95), I have been out on my dry days, and I'm happy with it",
        "105 hours, 100 days, 105 hours, 105 hours, 105 hours, 105 hours, 105 hours",
        "10 pounds, 2 shade trees, 1 hour, 10 minutes",
        "2 dry days",
    ],
)
def test_a_word_of_a_name_within_other_prose_is_no_standard(said):
    assert read_standard(f"My standard: {said}", STANDARDS) is None
    assert read_standard(f"My standard: Shade trees\nMy standard: {said}", STANDARDS) is None


def test_a_standard_may_be_named_in_a_sentence_of_its_own():
    for said in ("I would go by the days that are dry", "As I said, I go by Dry days", "A. Dry days", "Dry day"):
        assert read_standard(f"My standard: {said}", STANDARDS) == 3, said
    assert read_standard("My standard: what matters most to everybody up here is Dry days", STANDARDS) == 3


def test_the_last_standard_counts_and_the_form_does_not():
    form = "My standard: <Walking time, Digging, Shade trees or Dry days>"
    assert read_standard(f"My standard: Digging\nMy standard: Dry days\n{form}", STANDARDS) == 3
    assert read_standard(form, STANDARDS) is None


def test_a_list_of_invented_quantities_is_no_standard() -> None:
    names = ("Ingredients", "Slices", "Keeping", "Oven time")
    assert read_standard("My standard: 10 pence, 2 slices, 1 hour, 10 minutes", names) is None
    for said in ("Slices", "1. Slices", "1) Slices", "Slices (12 against 10)", "Slices, 12 against 10"):
        assert read_standard(f"My standard: {said}", names) == 1, said


@given(st.text(max_size=300))
def test_whatever_is_said_nothing_is_read_that_does_not_exist(text):
    for answer in (text, f"Where I stand: {text}", f"My standard: {text}"):
        stance, standard = read_stance_line(answer, OPTIONS), read_standard(answer, STANDARDS)
        assert stance is None or (stance.option in range(len(OPTIONS)) and 0 <= stance.strength <= 100)
        assert standard is None or standard in range(len(STANDARDS))


def test_no_sign_that_is_a_number_somewhere_stops_the_reading_of_a_digit_beside_it() -> None:
    signs = [chr(code) for code in range(0x110000) if chr(code).isnumeric() and not chr(code).isascii()]
    assert len(signs) > 1500
    for sign in signs:
        assert read_standard(f"0{sign}", STANDARDS) is None
        assert read_stance_line(f"7{sign}", OPTIONS) is None


def test_what_is_kept_of_one_line_is_never_read_for_other_names() -> None:
    answer = "My standard: Age\nWhere I stand: Birch, 70"
    for options, standards in ((("Aster", "Birch"), ("Price", "Age")), (("Birch", "Aster"), ("Age", "Price"))):
        place = options.index("Birch")
        assert read_stance_line(answer, options) == TakenStance(place, 70)
        assert read_standard(answer, standards) == place
    assert read_stance_line(answer, ("Cedar", "Aster")) is None
    assert read_standard(answer, ("Price", "Length")) is None


@pytest.mark.parametrize(
    ("answer", "options", "read"),
    [
        ("Where I stand: 55.Model X2", ("Model X2", "Ford"), TakenStance(0, 55)),
        ("Where I stand: 44.THE A9 BYPASS", ("Route 66", "the A9 bypass"), TakenStance(1, 44)),
    ],
)
def test_a_digit_inside_a_name_makes_no_list_number_of_a_strength(
    answer: str, options: tuple[str, str], read: TakenStance
) -> None:
    assert read_stance_line(answer, options) == read
