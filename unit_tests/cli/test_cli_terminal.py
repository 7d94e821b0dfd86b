"""What goes to the terminal, and the question before something is taken out."""

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.bad_input import BadInput
from independence_bench.cli import terminal
from independence_bench.cli.terminal import confirm, flush, hang_up, put, say, table_width, width
from independence_bench.counted import counted, listed
from independence_bench.safe_text import printable


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@given(st.text(st.characters()))
def test_no_control_character_gets_through(text):
    shown = printable(text)
    assert all(character == "\n" or character.isprintable() or ord(character) >= 0xA0 for character in shown)
    shown.encode("utf-8")


def test_what_is_said_is_made_printable(capsys):
    say("red \x1b[31m \ud800")
    assert capsys.readouterr().out == "red [31m \\ud800\n"
    assert printable("a  b\n    c\n\n\td" + "x" * 5000) == "a  b\n    c\n\n    d" + "x" * 5000


def test_put_writes_line_breaks_as_they_are_also_where_there_are_only_characters(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    put("a\n")
    assert sys.stdout.getvalue() == "a\n"
    stream = io.TextIOWrapper(io.BytesIO(), newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stream)
    put("a\n")
    assert stream.buffer.getvalue() == b"a\n"


def test_progress_is_shown_to_somebody_who_watches_only(monkeypatch, capsys):
    terminal.progress("1/2")
    assert capsys.readouterr().err == ""
    watched = Terminal()
    monkeypatch.setattr(sys, "stderr", watched)
    terminal.progress("1/2\x07")
    terminal.progress("")
    assert watched.getvalue() == "\r1/2\x1b[K\r\x1b[K"


def test_a_closed_output_is_not_flushed(monkeypatch):
    stream = io.StringIO()
    stream.close()
    monkeypatch.setattr(sys, "stdout", stream)
    flush()
    assert stream.closed
    monkeypatch.setattr(sys, "stdout", None)
    flush()
    hang_up_leaves_no_trace()


def hang_up_leaves_no_trace() -> None:
    sys.stdout = io.StringIO()  # no file of the system's
    hang_up()


def test_the_width_is_the_terminals_but_never_unreadably_small(monkeypatch):
    for columns, taken in ((20, 60), (70, 70), (140, 140)):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert width() == taken


def test_a_list_for_another_program_is_not_cut(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.delenv("COLUMNS", raising=False)
    assert table_width() == sys.maxsize
    monkeypatch.setenv("COLUMNS", "90")
    assert table_width() == 90
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert table_width() == 90


@pytest.mark.parametrize(
    ("answer", "done"), [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_whoever_sits_at_the_terminal_is_asked(monkeypatch, capsys, answer, done):
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    assert confirm("Take 3 verdicts out?", False) is done
    assert capsys.readouterr().err == "Take 3 verdicts out? [y/N] "


@pytest.mark.parametrize("stdin", [io.StringIO("y\n"), None])
def test_without_anybody_to_ask_it_is_refused(monkeypatch, stdin):
    monkeypatch.setattr(sys, "stdin", stdin)
    assert confirm("?", True)
    with pytest.raises(BadInput, match=r"--yes: Take 3 verdicts out\? There is no terminal to ask at; add --yes"):
        confirm("Take 3 verdicts out?", False)


def test_numbers_go_with_their_words():
    assert counted(1, "verdict") == "1 verdict"
    assert counted(0, "verdict") == "0 verdicts"
    assert listed({"verdict": 1, "session": 0, "transcript": 2}) == "1 verdict and 2 transcripts"
    assert listed({"a": 1, "b": 1, "c": 2}) == "1 a, 1 b and 2 cs"
    assert listed({"a": 0}) == "nothing"
