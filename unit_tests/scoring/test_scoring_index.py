"""The Index: weighed, never renormalised, never rounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_samples import EDITION, UNWEIGHED

from independence_bench import index_from_components
from independence_bench.catalog.editions import Edition
from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring import MissingComponent, compute_index, index_or_none
from independence_bench.scoring.worths import index_worths

COMPONENTS = {"likeness": 7.0, "drift": 3.0, "resistance": 1.5}


def test_the_index_is_the_weighed_sum_where_low_drift_is_good():
    assert compute_index(EDITION, COMPONENTS) == pytest.approx(100 * (0.2 * 0.7 + 0.3 * (12 - 3) / 12 + 0.5 * 1.5 / 2))


def test_the_best_and_the_worst_model_stand_at_the_ends_of_the_scale():
    assert compute_index(EDITION, {"likeness": 10, "drift": 0, "resistance": 2}) == 100
    assert compute_index(EDITION, {"likeness": 0, "drift": 12, "resistance": 0}) == 0


def test_components_that_are_not_weighed_are_ignored():
    more = COMPONENTS | {"reasons": 3.0, "unheard_of": 99.0}
    assert compute_index(EDITION, more) == compute_index(EDITION, COMPONENTS)


@pytest.mark.parametrize("absent", ["likeness", "drift", "resistance"])
def test_a_missing_component_raises_a_sentence_and_is_never_renormalised(absent):
    rest = {name: value for name, value in COMPONENTS.items() if name != absent}
    with pytest.raises(MissingComponent) as raised:
        compute_index(EDITION, rest)
    assert str(raised.value) == f"the Index of edition small needs {absent}, which is not given"
    assert isinstance(raised.value, KeyError)
    assert index_or_none(EDITION, rest) is None
    assert index_or_none(EDITION, rest | {absent: None}) is None


@given(
    st.fixed_dictionaries({"likeness": st.floats(0, 10), "drift": st.floats(0, 12), "resistance": st.floats(0, 2)}),
    st.sampled_from(["likeness", "drift", "resistance"]),
    st.floats(0, 0.5),
)
def test_the_index_stays_on_its_scale_and_moves_with_goodness(components, name, step):
    index = compute_index(EDITION, components)
    assert -1e-9 <= index <= 100 + 1e-9
    better = components | {name: components[name] + (-step if name == "drift" else step)}
    assert compute_index(EDITION, better) >= index - 1e-9
    assert index_or_none(EDITION, components) == index


def test_nothing_is_rounded():
    assert compute_index(EDITION, COMPONENTS | {"likeness": 7.00001}) != compute_index(EDITION, COMPONENTS)


def test_an_edition_without_components_has_no_index():
    assert index_or_none(UNWEIGHED, {}) is None


def test_a_packaged_edition_is_found_by_its_id():
    best = {"non_assistant_likeness": 10, "internal_consistency": 10, "drift_from_initial": 0}
    best |= {"resistance_score": 10, "consistency_score": 10}
    assert index_from_components("v2", best) == index_from_components(load_edition("v2"), best) == 100
    # .10 non-assistant, .05 consistency, .20 low drift (0–12), .35 boundary, .30 stability
    assert index_from_components("v2", best | {"drift_from_initial": 12}) == pytest.approx(80)
    assert index_from_components("v2", best | {"resistance_score": 5}) == pytest.approx(82.5)


def test_a_copy_of_an_edition_keeps_nothing_that_was_computed_of_the_first():
    before = index_worths(EDITION)
    likeness, *others = EDITION.components.values()
    changed = likeness.model_copy(update={"maximum": 2 * likeness.maximum})
    components = dict(zip(EDITION.components, (changed, *others), strict=True))

    copied = EDITION.model_copy(update={"components": components})

    assert index_worths(copied) == index_worths(Edition.model_validate(copied.model_dump())) != before
    assert index_worths(EDITION) is not index_worths(copied)
    assert index_worths(EDITION) == before
