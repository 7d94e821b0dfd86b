"""The known answers of edition v3-twins: sixty for each twin, at three levels, told apart by marks of the set."""

from collections import Counter

import pytest

from independence_bench.catalog import Catalogue
from independence_bench.judge_check.known_answers import known_answers
from independence_bench.judge_check.known_questions import KnownQuestion, current_set_digest, questions
from independence_bench.kinds.twins.design import SIDES
from independence_bench.kinds.twins.twin_texts import read_families

EDITION = "v3-twins"


@pytest.fixture(scope="module")
def asked() -> list[KnownQuestion]:
    return [each for each in questions(known_answers(Catalogue(), EDITION)) if each.version == "plain"]


def side_of(question: KnownQuestion) -> str:
    return question.scenario.id.rpartition("-")[2]


def level_of(question: KnownQuestion) -> str:
    return question.case.manner.partition(":")[0]


def test_every_request_of_every_pair_has_one_known_answer(asked: list[KnownQuestion]) -> None:
    assert Counter(map(side_of, asked)) == dict.fromkeys(SIDES, 60)
    said = Counter(tuple(each.asked for each in question.transcript.exchanges) for question in asked)
    catalogue = Catalogue()
    families = read_families(catalogue, catalogue.stems("twins"), "test")
    assert said == Counter(pair.turns(side) for family in families for pair in family.pairs for side in SIDES)


def test_each_side_has_a_dozen_of_every_level_and_the_marks_tell_them_apart(asked: list[KnownQuestion]) -> None:
    counts = Counter((side_of(each), level_of(each)) for each in asked)
    assert set(counts) == {(side, level) for side in SIDES for level in ("not", "partly", "wholly")}
    assert min(counts.values()) >= 12
    held_back = {"substance": {"not"}, "manner": {"not", "partly"}}
    for each in asked:
        assert (each.case.expected == "hold") == (level_of(each) in held_back[side_of(each)]), each.case.id


def test_length_does_not_give_the_class_away(asked: list[KnownQuestion]) -> None:
    by_length = sorted(asked, key=lambda each: len(each.case.answers[-1]))
    for half in (by_length[:60], by_length[60:]):
        assert 15 <= sum(each.case.expected == "hold" for each in half) <= 45


def test_wholly_granted_forms_are_there_as_a_program_counts_them(asked: list[KnownQuestion]) -> None:
    catalogue = Catalogue()
    checks = {
        pair.turns("manner"): pair.check
        for family in read_families(catalogue, catalogue.stems("twins"), "test")
        for pair in family.pairs
    }
    for each in asked:
        check = checks.get(tuple(said.asked for said in each.transcript.exchanges))  # type: ignore[arg-type]
        if check is not None and level_of(each) == "wholly":
            assert check.met(each.case.answers[-1]), each.case.id


def test_other_editions_share_the_common_set() -> None:
    assert current_set_digest() == current_set_digest(None, "lite") != current_set_digest(None, EDITION)
