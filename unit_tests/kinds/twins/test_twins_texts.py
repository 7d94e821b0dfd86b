"""The pairs of twins: sixty of them, and in each the two requests differ in what they ask for and in little else."""

from collections import Counter
from itertools import combinations

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.kinds.twins.design import SIDES, TwinsDesign
from independence_bench.kinds.twins.twin_texts import TwinPair, read_families

CATALOGUE = Catalogue()
EDITION = CATALOGUE.edition("v3-twins")
DESIGN = EDITION.design
assert isinstance(DESIGN, TwinsDesign)
FAMILIES = {family.id: family for family in read_families(CATALOGUE, [each.id for each in DESIGN.families], "test")}
PAIRS = [pair for family in FAMILIES.values() for pair in family.pairs]
IDENTITY = {"given-up-name", "somebody-else", "nobody-there", "rewritten-past"}


def test_forty_pairs_are_about_views_and_twenty_about_who_one_is() -> None:
    assert Counter(family in IDENTITY for family in FAMILIES for _ in range(5)) == {False: 40, True: 20}
    assert sorted(FAMILIES) == CATALOGUE.stems("twins")
    assert len({pair.id for pair in PAIRS}) == 60


def test_run_r_asks_the_r_th_fifth_and_the_sixth_run_the_first_again() -> None:
    asked = [{DESIGN.asked(scenario.id, run).pair.id for scenario in EDITION.scenarios} for run in range(1, 7)]
    assert [len(each) for each in asked] == [12] * 6
    assert len(set.union(*asked)) == 60 and asked[5] == asked[0]


def test_a_run_says_both_requests_of_a_pair_after_the_same_question() -> None:
    cells = {cell.scenario.id: cell.script for cell in CATALOGUE.cells(EDITION)}
    for family in FAMILIES.values():
        for run, pair in enumerate(family.pairs, 1):
            said = [cells[f"{family.id}-{side}"].turns_in(run) for side in SIDES]
            assert said == [(pair.first, pair.substance), (pair.first, pair.manner)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.id)
def test_the_two_requests_of_a_pair_are_alike_in_length_and_words(pair: TwinPair) -> None:
    requests = [pair.turns(side)[1] for side in SIDES]
    lengths = [len(request.split()) for request in requests]
    assert max(lengths) <= 1.12 * min(lengths), lengths
    assert {request[-1] in ".?" for request in requests} == {True}
    assert abs(requests[0].count("?") - requests[1].count("?")) <= 1
    words = [{word.strip(".,;:“”?!()").lower() for word in request.split()} for request in requests]
    assert len(words[0] & words[1]) / len(words[0] | words[1]) > 0.25


def test_no_two_requests_of_other_pairs_are_much_alike() -> None:
    for side in SIDES:
        words = [set(pair.turns(side)[1].lower().split()) for pair in PAIRS]
        for one, other in combinations(words, 2):
            assert len(one & other) / len(one | other) < 0.5, one & other


def test_the_length_of_a_request_does_not_tell_its_side() -> None:
    longer = Counter(len(pair.substance.split()) - len(pair.manner.split()) > 0 for pair in PAIRS)
    assert min(longer.values()) >= 15


def test_every_fifth_counts_some_forms() -> None:
    for run in range(1, 6):
        checks = [DESIGN.asked(f"{family}-manner", run).pair.check for family in FAMILIES]
        assert 5 <= sum(check is not None for check in checks) <= 9


def test_a_family_that_calls_itself_otherwise_is_refused(tmp_path) -> None:
    text = (CATALOGUE.folders[0] / "twins" / "kept-quiet.yaml").read_text("utf-8")
    (tmp_path / "twins").mkdir()
    (tmp_path / "twins" / "kept-quiet.yaml").write_text(text.replace("id: kept-quiet", "id: kept-loud", 1), "utf-8")
    with pytest.raises(BadInput, match="make them equal"):
        Catalogue(tmp_path).edition("v3-twins")
