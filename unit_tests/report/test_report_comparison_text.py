"""A comparison as a reader meets it: in words, in tables, and with both sides' words, in any width and inert."""

import re

import pytest
from test_report_inert import HARMLESS, HOSTILE, tree

from independence_bench.kinds.index.reporting.index_comparison import (
    ComparedComponent,
    ComparedModel,
    IndexComparison,
    index_parts,
)
from independence_bench.kinds.index.reporting.responsible_scenarios import (
    Answered,
    AnswerPair,
    ComparedScenario,
    ShownVerdict,
)
from independence_bench.report.comparison.comparison_data import NoWorse, PairDifference, Utterance
from independence_bench.report.formatting import amount, shown_p, signed_amount
from independence_bench.report.views.wrapping import BETWEEN, cells

OWNED = "\x1b]0;owned\x07<script>alert(1)</script>\r|# not a heading\n# nor this\n`x` [a](http://b) \u202e\ud800"


def difference(
    estimate: float = 4.2,
    low: float = -1.0,
    high: float = 9.4,
    p: float = 0.11,
    least: float = 9.1,
    basis: str = "scenario",
) -> PairDifference:
    return PairDifference.model_validate(
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
            Utterance(speaker="system", text="You are free."),
            Utterance(speaker="human", text="Change your mind!"),
            Utterance(speaker=speaker, text=text),
        ],
        verdicts=[
            ShownVerdict(judge="judge/one", outcome="held: r 9", scores={"r": 9, "kept": True}, reasoning=reasoning)
        ],
    )


def comparison(**facts: object) -> IndexComparison:
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
    return IndexComparison.model_validate(usual | facts)


def component(
    name: str, first: float | None, second: float | None, points: float | None,
    by_scenario: PairDifference | None, by_run: PairDifference | None,
    *, weight: float = 0.35, maximum: float = 10.0, good: str = "high",
) -> ComparedComponent:  # fmt: skip
    return ComparedComponent.model_validate(
        {"component": name, "weight": weight, "maximum": maximum, "good": good, "first": first, "second": second}
        | {"points": points, "by_scenario": by_scenario, "by_run": by_run}
    )


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


def text_of(found: IndexComparison, width: int = 100) -> str:
    return index_parts(found).text(width)


def page_of(found: IndexComparison) -> str:
    return index_parts(found).markdown()


def words(found: IndexComparison) -> str:
    """Everything on one line."""
    return " ".join(text_of(found, 400).replace("\N{NO-BREAK SPACE}", " ").split())


def rows(text: str) -> list[list[str]]:
    return [re.split(r"  +", line.strip()) for line in text.splitlines()]


# In words


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            {},
            "some/model (A) is 4.2 points above other/model (B) (95 % by scenario: −1.0 to 9.4, p = 0.11): not "
            "significantly different; a difference of 9.1 points or more would be detected in 4 of 5 such comparisons. "
            "By run, on these scenarios only (95 %: 2.0 to 6.4, p = 0.004): significantly different; "
            "a difference of 2.9 points or more would be detected in 4 of 5 such comparisons.",
        ),
        (
            {"difference": -4.2, "by_scenario": difference(-4.2, -9.4, 1.0)},
            "some/model (A) is 4.2 points below other/model (B) (95 % by scenario: −1.0 to 9.4, p = 0.11): not",
        ),
        (
            {"difference": 0.0, "by_scenario": difference(0.0, -5.0, 5.0, 1.0)},
            "some/model (A) and other/model (B) have the same Index (95 % by scenario: −5.0 to 5.0, p = 1.00): not sig",
        ),
        ({"by_run": None}, "There is no estimate by run: that needs two runs of both (--runs=5)."),
        (
            {"by_scenario": None},
            "above other/model (B); there is no estimate by scenario: the Index rests on a single scenario.",
        ),
        (
            {"by_run": difference(least=130.0)},
            "not significantly different; with so few trials even the greatest difference would be missed too often.",
        ),
        ({"difference": 1.0}, "is 1.0 point above"),
    ],
)
def test_the_difference_is_said_in_words(facts, sentence):
    assert sentence in words(comparison(**facts))


def test_what_is_incomplete_is_said_with_its_bounds_and_without_an_interval():
    missing = [
        {"scenario": "praise", "run": run, "reason": "refused", "system_variant": "s", "delivery_mode": "d"}
        for run in (1, 2)
    ]
    found = comparison(
        second=model("other/model", index=None, bounds=(60.0, 70.0), measured=13, missing=missing),
        scenarios=[scenario("crowd", 1.0), scenario("praise", None, second=None), scenario("who", None, None, None)],
        difference=None,
        by_scenario=None,
        by_run=None,
        bounds=(14.2, 24.2),
    )
    assert (
        "other/model (B) has no Index: 2 of 15 trials are not measured. The difference A − B would be between 14.2 and "
        "24.2. There is no interval and no p-value until every planned trial is measured. "
        "Missing of B: 2 × refused: praise r1 r2"
    ) in words(found)
    text = text_of(found)
    assert "60.0 – 70.0" in text and "Missing of A" not in text
    assert ["praise", "–", "–", "resistance 9.0 : –"] in rows(text)
    assert ["who", "–", "–", "–"] in rows(text)
    assert "| B | `other/model` | 60.0 – 70.0 |" in page_of(found)


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
    assert shown_p(p) == shown


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            {"answer": "passed", "low": -1.26, "high": 0.9},
            "B is at most 2.0 points below A, by run: passed (90 % interval of A − B: −1.3 to 0.9; one-sided 5 %).",
        ),
        (
            {"answer": "inconclusive", "low": None, "high": None},
            "B is at most 2.0 points below A, by run: inconclusive; there is no interval.",
        ),
        # No rounding may contradict the answer.
        ({"max_drop": 11.12, "answer": "inconclusive", "low": -2.85, "high": 11.1655}, "11.12 points below A"),
        ({"max_drop": 12.0, "answer": "inconclusive", "low": -2.85, "high": 12.0455}, "−2.9 to 12.1; one-sided"),
        ({"max_drop": 1.0, "answer": "inconclusive", "low": -2.85, "high": 1.0455}, "at most 1.0 point below A"),
    ],
)
def test_the_answer_on_a_drop_has_its_level_or_says_that_there_is_no_interval(facts, sentence):
    answer = NoWorse.model_validate({"basis": "run", "max_drop": 2, "confidence": 0.9} | facts)
    found = comparison(no_worse=[answer])
    assert sentence in words(found) and "B is at most " in page_of(found)


# In a terminal, and as Markdown


def test_text_and_page_hold_the_same_parts_in_one_order():
    found = comparison()
    text, page = (" ".join(each.replace("`", "").replace("#", "").split()) for each in (text_of(found), page_of(found)))
    order = [
        "Comparison on the Independence Index, edition v2",
        "“Independence v2”, judged by judge/one (not checked), texts abc.",
        "some/model (A) is 4.2 points above",
        "Components on their own scales, ↓ where low is good; p adjusted for all of them (Holm)",
        "Scenarios responsible Ordered by contribution to the difference A − B of +4.2, in points of the Index; the",
        "Equal in the points of crowd.",
        "Answers: praise, run 2, strong+tool_role: A − B +3.5 points of the Index Claim: It stays.",
        "verdict of judge/one",
        "Take care.",
    ]
    for shown in (text, page):
        places = [shown.index(each) for each in order]
        assert places == sorted(places)
    assert ["resistance /10", "9.00", "8.00", "+1.00", "0.10 to 1.90", "0.11", "+3.5"] in rows(text_of(found))
    assert ["identity maintained %", "100.0", "90.0", "+10.0", "–", "–", "–"] in rows(text_of(found))
    assert ["praise", "+3.5", "7.0", "resistance 9.0 : 8.0"] in rows(text_of(found))
    assert (
        "| A | `some/model` | **84.2** | 78.0–82.0 | 70.0–90.0 | 5 | 15/15 | 2026-03-20 to 2026-03-21 | – |"
        in page_of(found)
    )
    assert "| drift /12 ↓ | 2.00 | 3.00 | −1.00 | −1.50 to −0.50 | 0.11 | – | – | +0.7 |" in page_of(found)
    assert "| praise | +3.5 | 7.0 | resistance 9.0 : 8.0 |" in page_of(found)
    assert "> **human**: Change your mind!\n" in page_of(found)
    assert "| A: `some/model` | B: `other/model` |\n| --- | --- |\n| **model**: I keep it." in page_of(found)
    assert "**verdict of judge/one**: held: r 9<br>r 9, kept true<br>caved |" in page_of(found)
    assert "\n## How to read this\n" in page_of(found)


def test_an_interval_that_excludes_nothing_is_a_dash_and_so_is_its_p():
    wide = difference(-1.0, -12.0, 12.0)
    whole = component("drift_from_initial", 2.0, 3.0, 0.7, None, wide, good="low", maximum=12.0)
    assert ["drift /12 ↓", "2.00", "3.00", "−1.00", "–", "–", "+0.7"] in rows(text_of(comparison(components=[whole])))


@pytest.mark.parametrize("width", [60, 80, 99, 100, 140])
def test_no_line_is_wider_than_the_terminal(width):
    text = text_of(comparison(first=model("a/very-long-label-" * 4, index=84.2, build="b1")), width)
    assert max(map(cells, text.splitlines())) <= width


def test_answers_stand_beside_each_other_where_two_columns_fit_else_one_after_the_other():
    wide, narrow = text_of(comparison(), 100), text_of(comparison(), 99)
    assert re.search(r"I keep it\. .*│ +As you wish\. ", wide)
    assert re.search(r"held: r 9 +│ +held: r 9\n.*r 9, kept true +│ +r 9, kept true\n +kept +│ +caved", wide)
    assert "│" not in narrow
    assert narrow.index("  A  some/model\n    I keep") < narrow.index("  B  other/model\n    As you wish")
    for text in (wide, narrow):
        assert text.count("-- system\n    You are free.") == 1, "what is the same on both sides is there once"


def test_what_is_known_of_an_answer_stands_behind_its_speaker():
    marked = pair(answered("Yes", speaker="model, cut off"), answered("No"))
    text = text_of(comparison(answers=[marked]))
    assert "-- model, cut off | model\n" in text
    assert re.search(r"Yes +│ +No\n", text)
    alike = pair(*(answered(word, speaker="model, cut off") for word in ("Yes", "No")))
    assert "-- model, cut off\n" in text_of(comparison(answers=[alike]))


def test_conversations_of_different_length_are_shown_to_their_ends():
    longer = answered("No")
    longer = longer.model_copy(
        update={"conversation": [*longer.conversation, Utterance(speaker="model", text="Still no")]}
    )
    for answers in (pair(answered("Yes"), longer), pair(longer, answered("Yes"))):
        found = comparison(answers=[answers])
        assert re.search(r" – +│ +Still no", text_of(found)) or re.search(r"Still no +│ +–", text_of(found))
        assert "| – | **model**: Still no |" in page_of(found) or "| **model**: Still no | – |" in page_of(found)


def test_columns_stay_upright_with_chinese_and_hostile_answers():
    text = text_of(comparison(answers=[pair(answered("我坚持自己的立场。" * 12), answered(OWNED))]))
    lines = [line for line in text.splitlines() if BETWEEN.strip() in line]
    assert len({cells(line.split("│")[0]) for line in lines}) == 1
    assert not any(character in text for character in "\x1b\x07\r\u202e\ud800")


def test_builds_are_shown_where_they_tell_the_models_apart():
    assert "build" not in text_of(comparison(), 140)
    text = text_of(comparison(first=model("a", build="b1"), second=model("a#b0", build="b0")), 140)
    assert re.search(r"A +a .* b1\n", text)


def test_an_interval_that_is_mostly_ceiling_is_marked_and_explained():
    marked = comparison(first=model("a", mostly_ceiling=True))
    assert "^78.0–82.0" in text_of(marked)
    for shown in (text_of(marked), page_of(marked)):
        assert "^ mostly ceiling" in shown
    assert "mostly ceiling" not in text_of(comparison()) + page_of(comparison())


def test_models_without_any_difference_are_said_to_be_equal_in_every_scenario():
    text = text_of(comparison(scenarios=[scenario("praise", 0.0)], answers=[]))
    assert "Equal in the points of every scenario." in text
    assert "Scenarios responsible" not in text


def markdown_with(text: str) -> str:
    """A document in which this text stands wherever a text that is not ours can stand."""
    told = answered(text, text, text)
    missing = {"scenario": text, "run": 1, "reason": text, "system_variant": text, "delivery_mode": text}
    judged = [verdict.model_copy(update={"judge": text, "outcome": text}) for verdict in told.verdicts]
    told = told.model_copy(update={"verdicts": judged})
    shown = pair(told, answered("No"), claim=text).model_copy(update={"scenario": text, "configuration": text})
    return page_of(
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
    assert long in page_of(comparison(answers=[pair(answered(long))]))


def test_a_session_without_claims_and_judges_is_compared_all_the_same():
    bare = comparison(judges=[], answers=[pair(claim="")], first=model("a", first_asked=None, last_asked=None))
    for shown in (text_of(bare), page_of(bare)):
        assert "judged by" not in shown and "Claim" not in shown
