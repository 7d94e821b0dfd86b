"""Values inside foreign JSON."""

import pytest

from independence_bench.digest import Json, at

BODY: Json = {"choices": [{"message": {"content": "No."}}], "error": "down", "usage": None}


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (("choices", 0, "message", "content"), "No."),
        (("error",), "down"),
        (("choices", 1, "message"), None),
        (("choices", "message"), None),
        (("error", "message"), None),
        (("usage", "cost"), None),
        (("tools", 0), None),
    ],
)
def test_a_value_is_found_at_its_place_and_where_there_is_nothing_none_is(
    place: tuple[str | int, ...], found: Json
) -> None:
    assert at(BODY, *place) == found


@pytest.mark.parametrize("foreign", [None, True, 5, "choices", [], {}])
def test_json_of_another_shape_holds_nothing_anywhere(foreign: Json) -> None:
    assert at(foreign, "choices", 0, "message") is None
