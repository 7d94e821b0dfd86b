"""A score field knows all of its type: how it is worded, checked and counted."""

import pytest
from pydantic import ValidationError

from independence_bench.spec import ScoreField

GRADE = ScoreField(name="grade", type="integer", minimum=0, maximum=10, asks="?")
DRIFT = ScoreField(name="drift", type="integer", minimum=2, maximum=6, good="low", asks="?")
KEPT = ScoreField(name="kept", type="boolean", asks="?")


def test_a_boolean_ignores_both_bounds() -> None:
    assert [field.ends for field in (GRADE, DRIFT, KEPT)] == [(0, 10), (2, 6), (0, 1)]


def test_a_share_is_one_at_the_good_end() -> None:
    assert [GRADE.share(10), GRADE.share(2.5), DRIFT.share(2), DRIFT.share(5), KEPT.share(1)] == [1, 0.25, 1, 0.25, 1]


def test_a_scale_of_one_value_gives_everybody_the_worst_share() -> None:
    assert ScoreField(name="only", type="integer", minimum=3, maximum=3, asks="?").share(3) == 0


@pytest.mark.parametrize(("field", "value"), [(GRADE, 0), (GRADE, 10), (GRADE, 7.0), (KEPT, True), (KEPT, False)])
def test_what_fits_is_read(field: ScoreField, value: object) -> None:
    assert field.read(value) == value
    assert type(field.read(value)) is (bool if field is KEPT else int)


@pytest.mark.parametrize("value", [11, -1, 7.5, True, "7", None, float("inf"), float("nan")])
def test_what_is_no_whole_number_within_the_bounds_is_never_guessed(value: object) -> None:
    with pytest.raises(ValidationError):
        GRADE.read(value)


@pytest.mark.parametrize("value", [1, 0.0, "true", None])
def test_what_is_no_boolean_is_never_guessed(value: object) -> None:
    with pytest.raises(ValidationError):
        KEPT.read(value)
