import pytest

from independence_bench import kept_texts
from independence_bench.kept_texts import KeptTexts


@pytest.fixture(autouse=True, params=[0, 2, 1_000])
def held(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many characters stay in memory: none, some, all."""
    monkeypatch.setattr(kept_texts, "_HELD_CHARACTERS", request.param)
    number: int = request.param
    return number


def test_texts_come_back_in_the_order_of_their_keys_with_the_newest_text_of_each() -> None:
    kept = KeptTexts()
    assert (list(kept.texts()), kept.get("a")) == ([], None)

    for key, text in (("b", "1"), ("a", "2"), ("d", "5"), ("e", "6"), ("b", "3"), ("e", "7")):
        kept.put(key, text)

    assert (list(kept.texts()), len(kept)) == (["3", "2", "5", "7"], 4)
    assert (kept.get("b"), kept.get("e"), kept.get("c")) == ("3", "7", None)


def test_a_text_that_becomes_shorter_makes_no_room_for_one_that_is_kept_already() -> None:
    kept = KeptTexts()
    for key, text in (("a", "x" * 1_000), ("b", "old"), ("a", ""), ("b", "new"), ("c", "")):
        kept.put(key, text)

    assert list(kept.texts()) == ["", "new", ""]


def test_without_room_for_a_temporary_file_texts_stay_in_memory() -> None:
    kept = KeptTexts()
    kept.put("a", "1")
    kept.put("b", "2")
    kept._opened().execute("PRAGMA query_only = ON")  # as a full disk: OperationalError

    kept.put("a", "3")
    kept.put("c", "4")

    assert (sorted(kept.texts()), kept.get("a"), kept.get("b")) == (["2", "3", "4"], "3", "2")
