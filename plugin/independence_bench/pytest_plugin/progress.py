"""One line with the session's progress: live on a terminal, every 15 s in a log, never with -q.

The time left is that of the calls left, at the mean time of those that have ended: trials differ in their calls. Before
the first trial has ended there is none.
"""

import shutil
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import pytest

from independence_bench.counted import counted
from independence_bench.pace import Pace

LIVE_EVERY_S = 0.1  # redraw at most this often on a terminal
EDGE = 12  # columns left free at the right
LOG_EVERY_S = 15.0  # write a line of its own this often where output goes to a file


@dataclass
class ProgressLine:
    """Trials done of all, calls in flight, cost and time left."""

    reporter: pytest.TerminalReporter
    pace: Callable[[], Pace]
    cases: int
    measured: int  # cases that need no call
    calls: int  # that the others need
    live: bool  # true where the line is redrawn in place and replaces pytest's dots
    uncaptured: Callable[[], AbstractContextManager[None]] = nullcontext  # this line is not a case's output

    def __post_init__(self) -> None:
        self._started = self._last = time.monotonic()
        self._counts = {"held": 0, "yielded": 0, "not measured": 0}
        self._width = 0
        self._ended, self._ended_at = 0, self._started  # calls that have ended, and when the last of them was seen
        if self.live:
            # One line serves all files; a line per file would break it up.
            self.reporter.showfspath = False
            # Pytest's percentage after the last case does not count a redrawn line's width and would break it in two.
            self.reporter._show_progress_info = False

    @classmethod
    def for_config(
        cls, config: pytest.Config, pace: Callable[[], Pace], cases: int, measured: int, calls: int
    ) -> "ProgressLine | None":
        """Return the line that suits this run's output, or None with -q or without a terminal reporter."""
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None or config.get_verbosity() < 0:
            return None
        live = bool(reporter.isatty) and config.get_verbosity() == 0
        capture = config.pluginmanager.get_plugin("capturemanager")
        uncaptured = capture.global_and_fixture_disabled if capture is not None else nullcontext
        return cls(reporter, pace, cases, measured, calls, live, uncaptured)

    def replaced(self, planned_was_stored: bool, was_stored: bool) -> None:
        """Count a trial that was asked in place of a planned one, each of which may have needed no call."""
        self.measured += was_stored - planned_was_stored

    def case_done(self, word: str) -> None:
        """Count a case."""
        if word not in ("measured", "skipped"):
            self._counts[word] = self._counts.get(word, 0) + 1
        self.tick()

    def tick(self) -> None:
        """Redraw, if it is time to."""
        now = time.monotonic()
        if now - self._last < (LIVE_EVERY_S if self.live else LOG_EVERY_S):
            return
        self._last = now
        with self.uncaptured():
            if self.live:
                self._draw(now)
            else:
                self.reporter.ensure_newline()
                self.reporter.write_line(self.text(now))

    def text(self, now: float) -> str:
        """Return the line at monotonic time ``now``."""
        pace = self.pace()
        done = self.measured + pace.done
        left = self.cases - done
        words = [f"{done}/{self.cases} trials"]
        if pace.ended > self._ended:
            self._ended, self._ended_at = pace.ended, now
        if left and self._ended and not pace.done:
            # The first call goes alone, so that its time says nothing of the others'.
            words.append(f"{self._ended} of {counted(max(self.calls, self._ended), 'call')} answered")
        elif left and self._ended:
            rate = (self._ended_at - self._started) / self._ended
            seconds = max(round(rate * max(self.calls - self._ended, left) - (now - self._ended_at)), 0)
            words.append(f"about {seconds // 60}:{seconds % 60:02d} left")
        if left:
            words.append(f"{counted(pace.in_flight, 'call')} in flight")
        charged = pace.charged_usd
        words.append(f"${pace.spent_usd:.4f}" if charged is None else f"${charged:.4f} of the budget")
        words += [f"{count} {word}" for word, count in self._counts.items() if count]
        return " · ".join(words)

    def close(self) -> None:
        """Draw the last state and move to a new line."""
        if self.live:  # a short session has drawn nothing yet, and shows no dots either
            self._draw(time.monotonic())
            self.reporter.ensure_newline()
            self._width = 0

    def _draw(self, now: float) -> None:
        if not self._width:
            self.reporter.ensure_newline()
        # Short of the right edge: there pytest would add its percentage and break the line.
        text = self.text(now)[: shutil.get_terminal_size().columns - EDGE]
        self.reporter.rewrite(text.ljust(self._width))
        self._width = len(text)
