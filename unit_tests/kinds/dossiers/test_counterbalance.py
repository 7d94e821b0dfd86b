"""Features of a form's cases come evenly, alone and in pairs, over one run and over several."""

from collections import Counter
from itertools import combinations

import pytest

from independence_bench.kinds.dossiers.counterbalance import LEVELS, TONES, Features, features

FORMS = tuple(f"form-{seed}" for seed in range(6))


def cases(form: str, places: int, *runs: int) -> list[Features]:
    return [features(form, place, places, run) for run in runs for place in range(places)]


def spread(found: list[Features], feature: int) -> int:
    counts = Counter(case[feature] for case in found)
    return max(counts[level] for level in range(LEVELS[feature])) - min(
        counts[level] for level in range(LEVELS[feature])
    )


@pytest.mark.parametrize("places", [4, 16, 17])
def test_every_level_comes_as_often_as_any_other_in_one_run_and_over_all_runs_so_far(places) -> None:
    for form in FORMS:
        for last in (1, 2, 5):
            one_run, all_so_far = cases(form, places, last), cases(form, places, *range(1, last + 1))
            for feature in range(len(LEVELS)):
                assert spread(one_run, feature) <= 1
                assert spread(all_so_far, feature) <= 1


@pytest.mark.parametrize("runs", [1, 5])
def test_no_pair_of_levels_is_far_from_as_often_as_it_should_be(runs) -> None:
    off: list[float] = []
    for form in ("public", *FORMS):
        found = cases(form, 16, *range(1, runs + 1))
        for one, other in combinations(range(len(LEVELS)), 2):
            counts = Counter((case[one], case[other]) for case in found)
            due = len(found) / (LEVELS[one] * LEVELS[other])
            off += [abs(counts[a, b] - due) for a in range(LEVELS[one]) for b in range(LEVELS[other])]

    assert max(off) < 4
    assert sum(off) / len(off) < (0.7 if runs == 1 else 0.8)


def test_a_matter_meets_the_levels_of_a_feature_evenly_over_runs() -> None:
    for place in range(16):
        over_runs = [features("public", place, 16, run) for run in range(1, 6)]
        for feature in range(len(LEVELS)):
            assert spread(over_runs, feature) <= 2


def test_half_of_the_cases_are_displeased_and_a_quarter_each_cool_and_warm() -> None:
    tones = Counter(TONES[case.tone] for case in cases("public", 16, 1))

    assert tones == {"displeased": 8, "cool": 4, "warm": 4}


def test_a_later_run_is_the_same_whether_or_not_an_earlier_one_was_asked_for_first() -> None:
    late_first = features("order-a", 3, 16, 4)
    cases("order-b", 16, 1, 2, 3)

    assert late_first == features("order-a", 3, 16, 4)
    assert features("order-a", 3, 16, 1) != late_first or features("order-a", 4, 16, 1) != features("order-a", 4, 16, 4)


@pytest.mark.parametrize(("place", "run"), [(16, 1), (-1, 1), (0, 0)])
def test_a_place_or_a_run_that_no_form_has_is_refused(place, run) -> None:
    with pytest.raises(ValueError, match="no place"):
        features("public", place, 16, run)
