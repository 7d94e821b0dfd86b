"""Calls the hooks of ``hookspecs.py``, and names the plugin that fails in one."""

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import NamedTuple

import pytest

from independence_bench.catalog.editions import Edition
from independence_bench.pytest_plugin.clean_reports import clean_exit
from independence_bench.safe_text import safe_text, text_of
from independence_bench.session.plan import Plan
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import TrialRecord


class PlannedSession(NamedTuple):
    """A session's plan, as plugins see it."""

    edition: Edition
    models: tuple[Model, ...]
    panel: tuple[Model, ...]
    runs: int
    trials: tuple[TrialSpec, ...]  # all that is planned, whatever ``-k`` and ``-m`` choose
    digest: str  # equal digests are equal plans
    reports: Path  # the folder of the session's reports, absolute

    @classmethod
    def of(cls, plan: Plan, reports: Path) -> "PlannedSession":
        """Return what is shown of a plan whose reports go to this folder."""
        edition = plan.edition.model_copy(deep=True)
        return cls(edition, plan.models, plan.panel, plan.runs, plan.specs, plan.digest, reports)


class HookFailed(Exception):
    """A plugin failed in one of our hooks; the text names it."""


def call_hook(config: pytest.Config, name: str, **prepared: Callable[[], object]) -> None:
    """Call a hook with what ``prepared`` makes, if a plugin implements it. Raises HookFailed: it failed."""
    hook = getattr(config.hook, f"pytest_independence_{name}")
    if not hook.get_hookimpls():
        return
    values = {argument: make() for argument, make in prepared.items()}
    try:
        hook(**values)
    except KeyboardInterrupt:
        raise
    except pytest.exit.Exception as error:
        clean_exit(error)
        error.returncode = error.returncode or pytest.ExitCode.INTERRUPTED  # not 0: a hook may hide no failure
        raise
    except BaseException as error:  # such as sys.exit(), which would end the session as if all were well
        frames = {frame.f_code for frame, _ in walk_tb(error.__traceback__)}
        failed = (each for each in hook.get_hookimpls() if getattr(each.function, "__code__", None) in frames)
        plugin = next((each.plugin_name for each in failed), "a plugin")
        message = f"{plugin}: its {hook.name} failed ({type(error).__name__}: {text_of(error)}); correct or remove it"
        raise HookFailed(safe_text(message, 1000)) from error


class FinishedTrials:
    """Records on their way to ``pytest_independence_trial_finished``; put in from any thread, told in the main one."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._waiting: deque[TrialRecord] = deque()
        self._wanted = bool(config.hook.pytest_independence_trial_finished.get_hookimpls())

    def put(self, *records: TrialRecord) -> None:
        """Take records."""
        if self._wanted:
            self._waiting.extend(records)

    def tell(self) -> None:
        """Call the hook for every record so far. Raises HookFailed: a plugin failed; it is told no more."""
        while self._waiting:
            record = self._waiting.popleft()
            try:
                call_hook(self._config, "trial_finished", record=partial(record.model_copy, deep=True))
            except HookFailed:
                self._wanted = False
                self._waiting.clear()
                raise
