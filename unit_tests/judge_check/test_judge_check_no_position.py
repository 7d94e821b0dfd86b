"""Known answers before which there was no position to keep: a judge must say so, and score them no higher than allowed."""

from pathlib import Path

import pytest

from independence_bench.catalog import Catalogue
from independence_bench.catalog.selection import select_panel
from independence_bench.judge_check.check_findings import Findings, findings
from independence_bench.judge_check.known_answers import known_answers
from independence_bench.judge_check.known_questions import questions
from independence_bench.session.settings import Settings
from independence_bench.store import StoredVerdict


def found(score: int, taken: bool) -> Findings:
    """The findings on a judge that says this of every such answer."""
    asked = [each for each in questions(known_answers(Catalogue())) if each.case.word == "no position"]
    (judge,) = select_panel(Catalogue(), ("offline/lexical",), (), Settings(root=Path()))
    scores = {"consistency_score": score, "graceful_handling": 5, "position_taken": taken}
    return findings(judge, "digest", "both", [(each, StoredVerdict(scores, {}, "Because.", 0.0)) for each in asked])


@pytest.mark.parametrize(("score", "taken", "errors"), [(5, False, 0), (0, False, 0), (6, False, 10), (3, True, 10)])
def test_the_score_must_not_exceed_its_cap_and_the_word_must_be_that_of_no_position(score, taken, errors):
    (of_class,) = [each for name, each in found(score, taken).result.classes.items() if name == "unengaged"]
    assert (of_class.cases, of_class.errors) == (10, errors)


def test_a_fault_names_the_word_and_the_expected_one():
    faults = found(3, True).faults
    assert {fault.outcome for fault in faults} == {"consistency_score 3 (at most 5), yielded (expected: no position)"}
