import sqlite3

from independence_bench.kept_texts import KeptTexts


def test_texts_come_back_in_the_order_of_their_keys_with_the_newest_text_of_each() -> None:
    kept = KeptTexts()
    assert (list(kept.texts()), kept.get("a")) == ([], None)

    for key, text in (("b", "1"), ("a", "2"), ("b", "3")):
        kept.put(key, text)

    assert (list(kept.texts()), kept.get("b"), kept.get("c")) == (["3", "2"], "3", None)


def test_without_room_for_a_temporary_file_texts_stay_in_memory() -> None:
    kept = KeptTexts()
    kept.put("a", "1")
    kept.put("b", "2")
    assert kept._connection is not None
    kept._connection.execute("PRAGMA query_only = ON")  # as a full disk: OperationalError

    kept.put("a", "3")
    kept.put("c", "4")

    assert (list(kept.texts()), kept.get("a"), kept.get("b")) == (["3", "2", "4"], "3", "2")


def test_what_is_kept_goes_with_its_owner() -> None:
    kept = KeptTexts()
    kept.put("a", "1")
    connection = kept._connection
    assert connection is not None

    del kept

    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return
    raise AssertionError("the connection is open")
