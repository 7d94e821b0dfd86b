"""The progress line: live on a terminal, a line now and then in a log, none with -q."""

import os
import pty
import re
import select
import subprocess
import threading
import time
from collections.abc import Callable

import pytest
from bench_project import BenchProject
from model_server import error, slow, verdict, where
from test_plugin_interrupt import held_back

from independence_bench.pace import Pace
from independence_bench.pytest_plugin.progress import ProgressLine


class Screen:
    """What the line writes to a terminal reporter."""

    isatty = True

    def __init__(self) -> None:
        self.written: list[str] = []

    def ensure_newline(self) -> None:
        self.written.append("\n")

    def rewrite(self, text: str, **markup: bool) -> None:
        self.written.append(f"\r{text}")

    def write_line(self, text: str) -> None:
        self.written.append(text)


def line(
    pace: Pace, cases: int = 10, measured: int = 0, live: bool = True, screen: Screen | None = None, calls: int = 0
) -> ProgressLine:
    return ProgressLine(screen or Screen(), lambda: pace, cases, measured, calls, live)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pace", "words", "text"),
    [
        (
            Pace(done=4, in_flight=7, spent_usd=0.0123, ended=20),
            [],
            "6/10 trials · about 1:00 left · 7 calls in flight · $0.0123",
        ),
        (Pace(in_flight=7, ended=3), [], "2/10 trials · 3 of 40 calls answered · 7 calls in flight · $0.0000"),
        (Pace(done=4, in_flight=7), [], "6/10 trials · 7 calls in flight · $0.0000"),
        (Pace(done=8, spent_usd=0.0123, charged_usd=0.02), [], "10/10 trials · $0.0200 of the budget"),
        (
            Pace(done=8),
            ["held", "held", "yielded", "not measured", "skipped"],
            "10/10 trials · $0.0000 · 2 held · 1 yielded · 1 not measured",
        ),
    ],
    ids=["time left", "no trial has ended", "no call has ended", "budget", "outcomes"],
)
def test_the_line_tells_trials_time_calls_cost_and_outcomes(pace: Pace, words: list[str], text: str) -> None:
    progress = line(pace, cases=10, measured=2, calls=40)
    progress._started = 469.3  # a minute later it is 59.99999999999994 seconds ago
    for word in words:
        progress.case_done(word)

    assert progress.text(progress._started + 60) == text


def test_the_time_left_is_that_of_the_calls_left_and_falls_while_a_call_runs() -> None:
    """Trials have one to five answers, and the long ones end last."""
    paces = [Pace(done=1, ended=10)]
    progress = ProgressLine(Screen(), lambda: paces[-1], 15, 0, 40, True)  # type: ignore[arg-type]

    def left(seconds: float) -> str:
        return progress.text(progress._started + seconds).split(" · ")[1]

    assert left(100) == "about 5:00 left"
    assert left(130) == "about 4:30 left"
    paces.append(Pace(done=10, ended=15))
    assert left(150) == "about 4:10 left"
    paces.append(Pace(done=14, ended=40))
    assert left(400) == "about 0:10 left", "a trial that is left needs at least one call"
    assert left(500) == "about 0:00 left"


@pytest.mark.parametrize(("live", "soon_s", "late_s"), [(True, 0.0, 0.11), (False, 14.0, 16.0)], ids=["live", "log"])
def test_a_line_is_drawn_ten_times_a_second_at_most_and_in_a_log_every_fifteen_seconds(
    live: bool, soon_s: float, late_s: float
) -> None:
    screen = Screen()
    progress = line(Pace(), live=live, screen=screen)
    progress._last -= soon_s
    for _ in range(1000 if live else 1):
        progress.tick()
    assert screen.written == []

    progress._last -= late_s - soon_s
    progress.tick()
    progress.tick()

    assert [text.strip() for text in screen.written if text != "\n"] == ["0/10 trials · 0 calls in flight · $0.0000"]


def test_a_shorter_line_covers_the_longer_one_before_it_and_none_reaches_the_right_edge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    screen, paces = Screen(), [Pace(done=4, in_flight=12345, spent_usd=1000.5)]
    progress = ProgressLine(screen, lambda: paces[-1], 10, 0, 0, True)  # type: ignore[arg-type]
    progress._last -= 1
    progress.tick()
    paces.append(Pace(done=10, spent_usd=1000.5))
    progress.close()
    progress.close()

    assert screen.written[-1] == "\n"
    first, second, *_ = (text for text in screen.written if text.startswith("\r"))
    assert len(second) == len(first) <= 1 + 40 - 12
    assert second.rstrip() == "\r10/10 trials · $1000.5000"


# --- in a session ---------------------------------------------------------------------------------------------------


def progress_lines(result: pytest.RunResult) -> list[str]:
    return [text for text in result.outlines if re.match(r"\d+/\d+ trials · ", text)]


def test_in_a_log_progress_is_a_line_of_its_own_while_a_case_waits(project: BenchProject) -> None:
    project.write(
        "conftest.py",
        """
        from independence_bench.pytest_plugin import progress

        progress.LOG_EVERY_S = 0.05
        """,
    )
    project.server.generate = slow(0.3, project.server.generate)

    result = project.run_apart("-k", "creativity")

    result.assert_outcomes(passed=1, deselected=14)
    assert "0/1 trials · 1 call in flight · $0.0000" in progress_lines(result)
    assert "\r" not in result.stdout.str()


def test_q_shows_no_progress_qq_keeps_the_table_in_the_terminals_width_and_qqq_drops_it(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("independence_bench.pytest_plugin.progress.LOG_EVERY_S", 0.0)
    result = project.run("-k", "creativity", "-q", "-p", "no:xdist", "-p", "no:rerunfailures")

    assert progress_lines(result) == []
    result.stdout.fnmatch_lines(["Independence Index · v2*", "1 passed, 14 deselected*"])

    monkeypatch.setenv("COLUMNS", "70")
    result = project.run("-k", "creativity", "-qq")

    assert result.ret == pytest.ExitCode.OK
    board = result.stdout.str().split("= Independence Index =")[1]
    assert max(map(len, board.splitlines()[1:])) <= 70
    assert "independence-bench" not in board and "reports/LEADERBOARD.md" in board

    result = project.run("-k", "creativity", "-qqq")

    assert result.ret == pytest.ExitCode.OK
    assert "Independence Index" not in result.stdout.str()
    assert (project.path / "reports" / "LEADERBOARD.md").is_file()


def test_without_a_terminal_reporter_all_is_measured_and_written_in_silence(project: BenchProject) -> None:
    result = project.run("-k", "creativity", "-p", "no:terminal")

    assert result.ret == pytest.ExitCode.OK
    assert result.outlines == []
    assert project.cases()["creativity r1"]["outcome"] == "held"
    plan = project.run("--plan", "-p", "no:terminal")
    assert (plan.ret, plan.outlines) == (pytest.ExitCode.OK, [])


def screen_of(project: BenchProject, *options: str, seen: Callable[[bytes], None] = lambda written: None) -> str:
    """Everything that a session writes to a terminal of its own; ``seen`` is told of it on the way."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = project.start(*options, stdin=theirs, stdout=theirs, stderr=subprocess.STDOUT, env=environment)
    os.close(theirs)
    written = b""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        written += piece
        seen(written)
    os.close(ours)
    assert process.wait(10) in (0, 1)
    return written.decode("utf-8")


def test_on_a_terminal_one_line_stands_in_place_of_the_dots(project: BenchProject) -> None:
    project.server.generate = where("one work of art", error(400, "too long"), project.server.generate)
    project.server.judge = verdict(consistency_score=0)

    text = screen_of(project, "-m", "stability", "--color=no")

    assert re.search(r"\r5/5 trials · \$0\.0000 · 4 yielded · 1 not measured *\r?\n", text)
    assert not re.search(r"test_\w+\.py [.yF]+", text)
    assert "[100%]" not in text  # it would break the line, and leave two of them
    assert "Independence Index · v2" in text


def test_on_a_terminal_the_line_is_redrawn_while_a_case_waits_and_the_summary_says_held_and_yielded(
    project: BenchProject,
) -> None:
    shown = threading.Event()
    waiting = re.compile(rb"\r0/2 trials \xc2\xb7 2 calls in flight \xc2\xb7 \$0\.0000")
    project.server.generate = held_back(shown, project.server.generate)
    project.server.judge = where("at once, and quietly", verdict(), verdict(consistency_score=0))

    text = screen_of(
        project, "-k", "creativity or social-proof", "-rA", "--color=no",
        seen=lambda written: shown.set() if waiting.search(written) else None,
    )  # fmt: skip

    assert shown.is_set()
    assert "Captured stdout" not in text
    assert "YIELDED bench_tests/test_stability.py" in text
    assert "HELD bench_tests/test_boundary.py" in text


def test_a_trial_in_place_of_a_planned_one_counts_once_whether_either_was_stored() -> None:
    for planned_was_stored, was_stored, done in ((True, True, 2), (True, False, 1), (False, True, 3)):
        progress = line(Pace(), measured=2)
        progress.replaced(planned_was_stored, was_stored)

        assert progress.text(progress._started).startswith(f"{done}/10 trials")
