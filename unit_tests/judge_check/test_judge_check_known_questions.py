"""The known-answer set read and turned into questions: faults are told by file and key, nothing is drawn by lot."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.judge_check.known_answers import known_answers, part_to_check
from independence_bench.judge_check.known_questions import KnownQuestion, questions, set_digest
from independence_bench.judge_check.known_sets import HALVES
from independence_bench.judge_check.set_digests import current_set_digest

SET = "judge_check/set.yaml"
CASES = "judge_check/creativity.yaml"


@pytest.fixture(scope="module")
def asked() -> list[KnownQuestion]:
    return questions(known_answers(Catalogue()))


@pytest.fixture
def overlay(tmp_path):
    """A folder with a copy of the set, to be spoilt."""
    shutil.copytree(packaged_configs() / "judge_check", tmp_path / "judge_check")
    return tmp_path


def spoil(overlay: Path, name: str, old: str, new: str) -> None:
    file = overlay / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def last(question: KnownQuestion) -> str:
    return question.transcript.exchanges[-1].reply.answer


def by_version(asked: list[KnownQuestion], version: str) -> dict[str, KnownQuestion]:
    return {each.case.id: each for each in asked if each.version == version}


def test_every_side_is_asked_in_four_versions_and_some_cases_in_a_fifth_and_the_unengaged_in_one(asked):
    versions = Counter(each.version for each in asked)
    assert versions == {"plain": 274} | dict.fromkeys(("injected", "padded", "reordered"), 240) | {"neutral": 54}
    assert len({(each.transcript.hash, each.rubric.digest) for each in asked}) == len(asked)


def test_the_halves_have_equally_many_of_each_class_and_scenario_and_every_case_is_in_one(asked):
    sided = [each for each in by_version(asked, "plain").values() if each.case.cap is None]
    counts = Counter((each.case.half, each.case.expected, each.scenario.id) for each in sided)
    assert set(counts.values()) == {6}
    assert len(counts) == 2 * 2 * 10
    assert {half for half, _, _ in counts} == set(HALVES)


def test_each_half_has_six_answers_off_topic_six_refusals_and_five_without_a_position(asked):
    counts = Counter((each.case.half, each.case.cap) for each in asked if each.case.expected == "unengaged")
    assert counts == {(half, cap): number for half in HALVES for cap, number in ((3, 6), (7, 6), (5, 5))}


@pytest.mark.parametrize(
    ("wished", "same", "last", "part"),
    [
        (None, None, None, "a"),
        (None, None, "a", "b"),  # a changed judge: not by what it was improved on
        (None, None, "b", "a"),
        (None, None, "both", "a"),
        (None, "a", "a", "a"),  # the same judge again: nothing is asked twice
        (None, "both", "both", "both"),
        ("b", None, "b", "b"),
        ("b", "a", "a", "both"),  # a half that it failed stays part of its check
        ("a", "both", "both", "both"),
    ],
)
def test_a_changed_judge_gets_the_other_half_and_an_unchanged_one_keeps_what_it_had(wished, same, last, part):
    assert part_to_check(wished, same, last) == part


def test_a_transcript_is_the_scenarios_own_script_with_the_cases_answers(asked):
    question = by_version(asked, "plain")["creativity/great-fugue"]
    script = question.case.cell.script
    assert [each.asked for each in question.transcript.exchanges] == list(script.turns)
    assert tuple(each.reply.answer for each in question.transcript.exchanges) == question.case.answers
    boundary = by_version(asked, "plain")["social-proof/three-hundred-readers"]
    assert boundary.transcript.material[1]["scripted"] is True


def test_an_injection_pushes_away_from_where_the_case_belongs(asked):
    pushes = {each.text.strip(): each.pushes for each in known_answers(Catalogue()).injections}
    used = Counter()
    for question in by_version(asked, "injected").values():
        (text,) = [text for text in pushes if text in last(question)]
        assert pushes[text] != question.case.expected, question.case.id
        used[question.case.half, text] += 1
    assert set(used) == {(half, text) for half in HALVES for text in pushes}
    assert set(used.values()) == {6}


def test_an_injection_leaves_every_word_of_the_answer_in_place(asked):
    plain = by_version(asked, "plain")
    for name, question in by_version(asked, "injected").items():
        left = Counter(last(question).split()) - Counter(last(plain[name]).split())
        assert Counter(last(plain[name]).split()) + left == Counter(last(question).split())
        assert question.transcript.exchanges[:-1] == plain[name].transcript.exchanges[:-1]


def test_padding_stands_around_the_answer_as_it_is(asked):
    plain = by_version(asked, "plain")
    for name, question in by_version(asked, "padded").items():
        before, after = last(question).split(f"\n\n{last(plain[name])}\n\n")
        assert len(before) > 80 < len(after)


def test_reordered_asks_for_the_same_fields_from_the_last_to_the_first(asked):
    plain = by_version(asked, "plain")
    for name, question in by_version(asked, "reordered").items():
        assert question.transcript == plain[name].transcript
        assert question.rubric.scores == plain[name].rubric.scores[::-1]
        assert question.rubric.digest != plain[name].rubric.digest


def test_equal_sets_have_one_digest_and_a_changed_text_rubric_or_pass_mark_another(asked, overlay):
    whole = set_digest(asked)
    assert current_set_digest() == current_set_digest(overlay) == whole
    spoil(overlay, CASES, "It doesn't ask to be liked.", "It doesn't ask to be liked!")
    other = current_set_digest(overlay)
    (overlay / CASES).unlink()
    (overlay / "rubrics").mkdir()
    rubric = (packaged_configs() / "rubrics" / "stability.yaml").read_text(encoding="utf-8")
    (overlay / "rubrics" / "stability.yaml").write_text(rubric.replace("Stubbornness", "Mere stubbornness"))
    another = current_set_digest(overlay)
    shutil.rmtree(overlay / "rubrics")
    (overlay / "scenarios").mkdir()
    scenario = (packaged_configs() / "scenarios" / "creativity.yaml").read_text(encoding="utf-8")
    (overlay / "scenarios" / "creativity.yaml").write_text(scenario.replace("at_least: 8", "at_least: 9"))
    third = current_set_digest(overlay)
    assert len({whole, other, another, third}) == 4


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        (SET, "  - creativity\n", "  - creativty\n", "scenarios: 'creativty' is no scenario of edition v2"),
        (SET, "  - creativity\n", "  - direct\n", "set.yaml: scenarios: there is no judge_check/direct.yaml"),
        (SET, "pushes: hold", "pushes: up", "injections.0.pushes: "),
        (SET, "edition: v2", "edition: v9", "there is no editions/v9.yaml"),
        (CASES, "scenario: creativity", "scenario: direct", "scenario: it is 'direct'"),
        (CASES, "id: great-fugue", "id: yellow-wall", "creativity.yaml: the id 'yellow-wall' occurs twice; rename one"),
        (CASES, "manner: warm", "maner: warm", "holds.0.maner: unknown key; did you mean 'manner'?"),
        (CASES, "yields:", "yealds:", "creativity.yaml: yealds: unknown key; did you mean 'yields'?"),
        (CASES, "kind: refusal", "kind: refuse", "unengaged: no-es-no: 'refuse' is not among the caps"),
    ],
)
def test_a_fault_is_told_by_file_and_key(overlay, name, old, new, told):
    spoil(overlay, name, old, new)
    with pytest.raises(BadInput) as refused:
        known_answers(Catalogue(overlay))
    assert told in str(refused.value)


def test_a_neutral_version_is_judged_like_the_case_itself(asked):
    plain = by_version(asked, "plain")
    for name, question in by_version(asked, "neutral").items():
        assert tuple(each.reply.answer for each in question.transcript.exchanges) == question.case.neutral
        assert question.rubric == plain[name].rubric
        assert question.transcript.hash != plain[name].transcript.hash


@pytest.mark.parametrize("answers", ["answers", "neutral"])
def test_a_case_with_too_few_answers_is_told(overlay, answers):
    content = yaml.safe_load((overlay / CASES).read_text(encoding="utf-8"))
    content["holds"][0][answers] = ["Only one."]
    (overlay / CASES).write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(BadInput, match="holds: yellow-wall: 1 answers, but creativity has 2 turns"):
        known_answers(Catalogue(overlay))


def test_injections_must_push_both_ways(overlay):
    content = yaml.safe_load((overlay / SET).read_text(encoding="utf-8"))
    content["injections"] = [each for each in content["injections"] if each["pushes"] == "hold"]
    (overlay / SET).write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(BadInput, match="none pushes towards a yield"):
        known_answers(Catalogue(overlay))
