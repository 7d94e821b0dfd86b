"""A comparison as a reader meets it: in words, in tables, and with both sides' words, in any width and inert."""

import re

import pytest
from test_report_inert import HARMLESS, HOSTILE, tree

from independence_bench.report.blocks import plain_text
from independence_bench.report.comparison import Comparison, comparison_markdown, comparison_text
from independence_bench.report.comparison.found import (
    Answered,
    AnswerPair,
    ComparedComponent,
    ComparedModel,
    ComparedScenario,
    FoundDifference,
    NoWorse,
    Said,
    ShownVerdict,
)
from independence_bench.report.comparison.sentences import amount, headline, p_value, signed_amount
from independence_bench.report.views.wrapping import BETWEEN, cells

OWNED = "\x1b]0;owned\x07<script>alert(1)</script>\r|# not a heading\n# nor this\n`x` [a](http://b) \u202e\ud800"


def difference(
    estimate: float = 4.2,
    low: float = -1.0,
    high: float = 9.4,
    p: float = 0.11,
    least: float = 9.1,
    basis: str = "scenario",
) -> FoundDifference:
    return FoundDifference.model_validate(
        {"basis": basis, "estimate": estimate, "low": low, "high": high, "confidence": 0.95, "p_value": p}
        | {"minimum_detectable": least}
    )


def model(label: str, **facts: object) -> ComparedModel:
    usual = {
        "label": label,
        "source": "reports/trials.sqlite",
        "model_id": label,
        "identity": f"digest of {label}",
        "build": None,
        "runs": 5,
        "index": 80.0,
        "bounds": None,
        "interval_by_scenario": (70.0, 90.0),
        "interval_by_run": (78.0, 82.0),
        "mostly_ceiling": False,
        "measured": 15,
        "planned": 15,
        "missing": [],
        "first_asked": "2026-03-20T20:47:00Z",
        "last_asked": "2026-03-21T20:47:00Z",
    }
    return ComparedModel.model_validate(usual | facts)


def pair(first: Answered | None = None, second: Answered | None = None, claim: str = "It stays.") -> AnswerPair:
    return AnswerPair(
        scenario="praise",
        claim=claim,
        run=2,
        configuration="strong+tool_role",
        points=3.5,
        first=first or answered("I keep it. " * 12),
        second=second or answered("As you wish. " * 12, "caved"),
    )


def answered(text: str, reasoning: str = "kept", speaker: str = "model") -> Answered:
    return Answered(
        conversation=[
            Said(speaker="system", text="You are free."),
            Said(speaker="human", text="Change your mind!"),
            Said(speaker=speaker, text=text),
        ],
        verdicts=[
            ShownVerdict(judge="judge/one", outcome="held: r 9", scores={"r": 9, "kept": True}, reasoning=reasoning),
        ],
    )


def comparison(**facts: object) -> Comparison:
    usual = {
        "edition": "v2",
        "title": "Independence v2",
        "texts": "abc",
        "judges": ["judge/one"],
        "judge_configurations": ["J1"],
        "heuristic_judges": [],
        "confidence": 0.95,
        "first": model("some/model", index=84.2),
        "second": model("other/model"),
        "difference": 4.2,
        "bounds": None,
        "by_scenario": difference(),
        "by_run": difference(4.2, 2.0, 6.4, 0.004, 2.9, "run"),
        "components": [
            component("resistance_score", 9.0, 8.0, 3.5, difference(1.0, -0.2, 2.2), difference(1.0, 0.1, 1.9, basis="run")),
            component("identity_maintained", 1.0, 0.9, 0.0, None, None, weight=0.0, maximum=1.0),
            component("drift_from_initial", 2.0, 3.0, 0.7, None, difference(-1.0, -1.5, -0.5), good="low", maximum=12.0),
        ],
        "notes": ["Take care."],
        "answers": [pair()],
        "scenarios": [scenario("praise", 3.5), scenario("crowd", 0.0), scenario("who", -0.7)],
    }  # fmt: skip
    return Comparison.model_validate(usual | facts)


def component(
    name: str, first: float | None, second: float | None, points: float | None,
    by_scenario: FoundDifference | None, by_run: FoundDifference | None,
    *, weight: float = 0.35, maximum: float = 10.0, good: str = "high",
) -> ComparedComponent:  # fmt: skip
    return ComparedComponent.model_validate(
        {"component": name, "weight": weight, "maximum": maximum, "good": good, "first": first, "second": second}
        | {"points": points, "by_scenario": by_scenario, "by_run": by_run}
    )


def test_an_interval_that_excludes_nothing_is_a_dash_and_so_is_its_p():
    whole = component(
        "drift_from_initial", 2.0, 3.0, 0.7, None, difference(-1.0, -12.0, 12.0), good="low", maximum=12.0
    )
    rows = [re.split(r"  +", line.strip()) for line in comparison_text(comparison(components=[whole])).splitlines()]
    assert ["drift /12 ↓", "2.00", "3.00", "−1.00", "–", "–", "+0.7"] in rows


def scenario(
    name: str, points: float | None, first: float | None = 9.0, second: float | None = 8.0
) -> ComparedScenario:
    return ComparedScenario(
        scenario=name,
        experiment="boundary",
        points=points,
        worth=None if points is None else 7.0,
        first=None if first is None else {"resistance_score": first},
        second=None if second is None else {"resistance_score": second},
        counted=["resistance_score"],
    )


def words(found: Comparison) -> list[str]:
    return [plain_text(sentence).replace("\N{NO-BREAK SPACE}", " ") for sentence in headline(found)]


# In words


def test_the_finding_is_said_in_words():
    assert words(comparison()) == [
        "some/model (A) is 4.2 points above other/model (B) (95 % by scenario: −1.0 to 9.4, p = 0.11): not significantly different; "
        "a difference of 9.1 points or more would be detected in 4 of 5 such comparisons.",
        "By run, on these scenarios only (95 %: 2.0 to 6.4, p = 0.004): significantly different; "
        "a difference of 2.9 points or more would be detected in 4 of 5 such comparisons.",
    ]


def test_a_model_that_is_lower_is_said_to_be_below_with_the_interval_in_that_direction():
    lower = comparison(difference=-4.2, by_scenario=difference(-4.2, -9.4, 1.0))
    assert "some/model (A) is 4.2 points below other/model (B) (95 % by scenario: −1.0 to 9.4," in words(lower)[0]


def test_equal_models_have_the_same_index():
    equal = comparison(difference=0.0, by_scenario=difference(0.0, -5.0, 5.0, 1.0))
    assert words(equal)[0].startswith(
        "some/model (A) and other/model (B) have the same Index (95 % by scenario: −5.0 to 5.0, p = 1.00): not significantly different"
    )


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        ((1, 5), "There is no estimate by run: A has a single run. Measure several (--runs=5)."),
        ((1, 1), "There is no estimate by run: A and B have a single run. Measure several (--runs=5)."),
    ],
)
def test_a_single_run_is_named(runs, sentence):
    first, second = (model(label, runs=number) for label, number in zip("ab", runs, strict=True))
    assert words(comparison(first=first, second=second, by_run=None))[1] == sentence


def test_a_single_scenario_is_named():
    assert words(comparison(by_scenario=None))[0] == (
        "some/model (A) is 4.2 points above other/model (B). "
        "There is no estimate by scenario: the Index rests on a single scenario."
    )


def test_a_comparison_that_could_find_nothing_says_so():
    found = words(comparison(by_run=difference(least=130.0)))[1]
    assert found.endswith(
        "not significantly different; with so few trials even the greatest difference would be missed too often."
    )


def test_one_point_is_a_point():
    assert "is 1.0 point above" in words(comparison(difference=1.0))[0]


def incomplete(**facts: object) -> Comparison:
    missing = [
        {"scenario": "praise", "run": run, "reason": "refused", "system_variant": "s", "delivery_mode": "d"}
        for run in (1, 2)
    ]
    second = model("other/model", index=None, bounds=(60.0, 70.0), measured=13, missing=missing)
    nothing = {"difference": None, "by_scenario": None, "by_run": None, "bounds": (14.2, 24.2)}
    scenarios = [scenario("crowd", 1.0), scenario("praise", None, second=None), scenario("who", None, None, None)]
    return comparison(second=second, scenarios=scenarios, **(nothing | facts))


def test_what_is_incomplete_is_said_with_its_bounds_and_without_an_interval():
    assert words(incomplete()) == [
        "other/model (B) is incomplete: 2 of 15 trials are not measured; its Index would be between 60.0 and 70.0.",
        "The difference A − B would be between 14.2 and 24.2. There is no interval and no p-value until every planned "
        "trial is measured.",
    ]
    text = comparison_text(incomplete())
    assert "Missing of B:\n  2 × refused: praise r1 r2" in text
    assert "60.0 – 70.0" in text
    assert "Missing of A" not in text
    lines = [line.split() for line in text.splitlines()]
    assert ["praise", "–", "–", "resistance", "9.0", ":", "–"] in lines
    assert ["who", "–", "–", "–"] in lines
    markdown = comparison_markdown(incomplete())
    assert "Missing of B:\n\n- 2 × refused: praise r1 r2\n" in markdown
    assert "| B | `other/model` | 60.0 – 70.0 |" in markdown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(4.25, "4.2"), (-1.0, "−1.0"), (0.0, "0.0"), (-0.04, "−0.04"), (0.004, "0.004"), (-0.0001, "0.000")],
)
def test_what_is_not_zero_does_not_look_like_zero(value, shown):
    assert amount(value) == shown


def test_differences_carry_their_sign():
    assert [signed_amount(value) for value in (1.0, 0.0, -1.0, None)] == ["+1.0", "0.0", "−1.0", "–"]


@pytest.mark.parametrize(
    ("p", "shown"), [(1.0, "1.00"), (0.1, "0.10"), (0.0496, "0.050"), (0.001, "0.001"), (1e-9, "<0.001")]
)
def test_p_values_have_a_third_decimal_where_it_matters(p, shown):
    assert p_value(difference(p=p)) == shown


# In a terminal


def test_the_text_holds_finding_components_scenarios_answers_and_notes():
    text = comparison_text(comparison())
    order = [
        "Comparison on the Independence Index, edition v2, judged by judge/one (not checked)",
        "A  some/model",
        "some/model (A) is 4.2 points above",
        "Components on their own scales, ↓ where low is good; p adjusted for all of them (Holm):\n",
        "Scenarios responsible\nOrdered by contribution to the difference A − B of +4.2, in points of the Index; the",
        "Equal in the points of crowd.",
        "== praise, run 2, strong+tool_role: A − B +3.5 points of the Index\nClaim: It stays.",
        "-- verdict of judge/one",
        "Note: Take care.",
    ]
    places = [text.index(each) for each in order]
    assert places == sorted(places)
    rows = [re.split(r"  +", line.strip()) for line in text.splitlines()]
    assert ["resistance /10", "9.00", "8.00", "+1.00", "0.10 to 1.90", "0.11", "+3.5"] in rows
    assert ["identity maintained %", "100.0", "90.0", "+10.0", "–", "–", "–"] in rows
    assert ["praise", "+3.5", "7.0", "resistance 9.0 : 8.0"] in rows


@pytest.mark.parametrize("width", [60, 80, 99, 100, 140])
def test_no_line_is_wider_than_the_terminal(width):
    text = comparison_text(comparison(first=model("a/very-long-label-" * 4, index=84.2, build="b1")), width)
    assert max(map(cells, text.splitlines())) <= width


def test_answers_stand_beside_each_other_where_two_columns_fit_else_one_after_the_other():
    wide, narrow = comparison_text(comparison(), 100), comparison_text(comparison(), 99)
    assert re.search(r"I keep it\. .*│ +As you wish\. ", wide)
    assert re.search(r"held: r 9 +│ +held: r 9\n.*r 9, kept true +│ +r 9, kept true\n +kept +│ +caved", wide)
    assert "│" not in narrow
    assert narrow.index("  A  some/model\n    I keep") < narrow.index("  B  other/model\n    As you wish")


@pytest.mark.parametrize("width", [80, 100])
def test_what_both_were_told_stands_once(width):
    text = comparison_text(comparison(), width)
    assert text.count("-- system\n    You are free.") == 1
    assert text.count("-- human\n    Change your mind!") == 1


def test_what_is_known_of_an_answer_stands_behind_its_speaker():
    marked = pair(answered("Yes", speaker="model, cut off"), answered("No"))
    text = comparison_text(comparison(answers=[marked]))
    assert "-- model, cut off | model\n" in text
    assert re.search(r"Yes +│ +No\n", text)
    alike = pair(*(answered(word, speaker="model, cut off") for word in ("Yes", "No")))
    assert "-- model, cut off\n" in comparison_text(comparison(answers=[alike]))


def test_conversations_of_different_length_are_shown_to_their_ends():
    longer = answered("No")
    longer = longer.model_copy(update={"conversation": [*longer.conversation, Said(speaker="model", text="Still no")]})
    for pairs in ([pair(answered("Yes"), longer)], [pair(longer, answered("Yes"))]):
        text = comparison_text(comparison(answers=pairs))
        assert re.search(r" – +│ +Still no", text) or re.search(r"Still no +│ +–", text)


def test_columns_stay_upright_with_chinese_and_hostile_answers():
    text = comparison_text(comparison(answers=[pair(answered("我坚持自己的立场。" * 12), answered(OWNED))]))
    rows = [line for line in text.splitlines() if BETWEEN.strip() in line]
    assert len({cells(line.split("│")[0]) for line in rows}) == 1
    assert not any(character in text for character in "\x1b\x07\r\u202e\ud800")


def test_builds_are_shown_where_they_tell_the_models_apart():
    assert "build" not in comparison_text(comparison(), 140)
    told = comparison_text(comparison(first=model("a", build="b1"), second=model("a#b0", build="b0")), 140)
    assert re.search(r"A +a .* b1\n", told)


def test_an_interval_that_is_mostly_ceiling_is_marked_and_explained():
    marked = comparison(first=model("a", mostly_ceiling=True))
    assert "^78.0–82.0" in comparison_text(marked)
    assert "Note: ^ mostly ceiling" in comparison_text(marked)
    assert "- ^: mostly ceiling" in comparison_markdown(marked)
    assert "mostly ceiling" not in comparison_text(comparison()) + comparison_markdown(comparison())


def test_models_without_any_difference_are_said_to_be_equal_in_every_scenario():
    text = comparison_text(comparison(scenarios=[scenario("praise", 0.0)], answers=[]))
    assert "Equal in the points of every scenario." in text
    assert "Scenarios responsible" not in text


def test_components_of_which_only_high_is_good_need_no_arrow():
    text = comparison_text(comparison(components=comparison().components[:2]))
    assert "Components on their own scales; p adjusted for all of them (Holm):\n" in text


# As Markdown


def test_the_markdown_holds_the_same():
    text = comparison_markdown(comparison())
    assert text.startswith(
        "# `some/model` and `other/model`\n\nIndependence Index, edition v2 (“Independence v2”), judged by `judge/one` (not checked), texts `abc`.\n"
    )
    assert "`some/model` (A) is 4.2 points above `other/model` (B)" in text
    assert (
        "| A | `some/model` | **84.2** | 78.0–82.0 | 70.0–90.0 | 5 | 15 of 15 | 2026-03-20 to 2026-03-21 | – |" in text
    )
    assert "| drift /12 ↓ | 2.00 | 3.00 | −1.00 | −1.50 to −0.50 | 0.11 | – | – | +0.7 |" in text
    assert "| praise | resistance 9.0 : 8.0 | +3.5 | 7.0 |" in text
    assert "> **human**: Change your mind!\n" in text
    assert "| A: `some/model` | B: `other/model` |\n| --- | --- |\n| **model**: I keep it." in text
    assert "| held: r 9<br>r 9, kept true<br>kept | held: r 9<br>r 9, kept true<br>caved |" in text
    assert "\n## How to read this\n" in text
    assert "- Take care." in text


def markdown_with(text: str) -> str:
    """A document in which this text stands wherever a text that is not ours can stand."""
    told = answered(text, text, text)
    missing = {"scenario": text, "run": 1, "reason": text, "system_variant": text, "delivery_mode": text}
    judged = [verdict.model_copy(update={"judge": text, "outcome": text}) for verdict in told.verdicts]
    told = told.model_copy(update={"verdicts": judged})
    shown = pair(told, answered("No"), claim=text).model_copy(update={"scenario": text, "configuration": text})
    return comparison_markdown(
        comparison(
            first=model(text, build=text, source=text),
            second=model(f"{text} too", build=text, missing=[missing]),
            edition=text,
            title=text,
            judges=[text],
            answers=[shown],
            notes=[text],
            scenarios=[scenario(text, 1.0)],
        )
    )


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_text_changes_the_structure_of_the_markdown(kind):
    text = HOSTILE[kind]
    harmless = "\n".join([HARMLESS] * (text.count("\n") + 1))
    hostile, wanted = markdown_with(text), markdown_with(harmless)
    assert tree(hostile) == tree(wanted)
    assert {each[0] for each in tree(hostile)} >= {"blockquote_open", "table_open", "heading_open", "html_inline"}
    assert set(re.findall(r"<[^>]*>", hostile)) <= {"<br>"}


def test_long_texts_are_whole_in_the_markdown():
    long = "word " * 200 + "end"
    assert long in comparison_markdown(comparison(answers=[pair(answered(long))]))


def test_conversations_of_different_length_stay_a_table():
    longer = answered("No")
    longer = longer.model_copy(update={"conversation": [*longer.conversation, Said(speaker="model", text="Still")]})
    assert "| – | **model**: Still |" in comparison_markdown(comparison(answers=[pair(answered("Yes"), longer)]))


def test_a_session_without_claims_and_judges_is_compared_all_the_same():
    bare = comparison(judges=[], answers=[pair(claim="")], first=model("a", first_asked=None, last_asked=None))
    assert "judged by no one" in comparison_text(bare)
    assert "judged by no one" in comparison_markdown(bare)
    assert "Claim" not in comparison_text(bare) + comparison_markdown(bare)


def test_the_answer_on_a_drop_is_told_with_its_level_or_without_an_interval():
    asked = {"max_drop": 2, "confidence": 0.9}
    found = comparison(
        no_worse=[
            NoWorse(basis="run", answer="passed", low=-1.26, high=0.9, **asked),
            NoWorse(basis="scenario", answer="inconclusive", low=None, high=None, **asked),
        ]
    )
    assert words(found)[-2:] == [
        "B is at most 2.0 points below A, by run: passed (90 % interval of A − B: −1.3 to 0.9; one-sided 5 %).",
        "B is at most 2.0 points below A, by scenario: inconclusive; there is no interval.",
    ]
    assert "B is at most 2.0 points below A, by run: passed" in comparison_markdown(found)


@pytest.mark.parametrize(("mark", "told"), [(11.12, "11.12 points"), (12.0, "12.0 points"), (1.0, "1.0 point ")])
def test_no_rounding_contradicts_the_answer_on_a_drop(mark, told):
    answer = NoWorse(basis="run", answer="inconclusive", low=-2.85, high=mark + 0.0455, max_drop=mark, confidence=0.9)
    (said,) = words(comparison(no_worse=[answer]))[-1:]
    assert f"B is at most {told}" in f"{said} "
    assert float(said.split(" to ")[1].split(";")[0]) > mark
