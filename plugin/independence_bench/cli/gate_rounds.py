"""The command ``gate``: a look at the newest session, or sessions of pytest with growing runs and a look after each."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.gating import Gating, newest_own_session
from independence_bench.cli.terminal import flush, remark, say
from independence_bench.option_table import words_again
from independence_bench.report.gate.gate_files import append_summary, gate_json
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.gate.questions import FEW_RUNS
from independence_bench.session.command_line import (
    narrowing,
    parts_of_suites,
    suite_words,
    unambiguous,
    value_of,
    without,
)
from independence_bench.session.options import GATE_OPTIONS, parsed, read_settings
from independence_bench.session.plan import build_plan
from independence_bench.store import Session, Store

ALL_RAN = (0, 1)
"""Exit statuses of pytest after which it is the look that tells what is missing."""
REFUSED = (4, 5)
"""pytest ran nothing: bad input, or no case."""
PLAN = "--plan"
_PLACES = ("--store", "--reports", "--configs")


def decide(arguments: argparse.Namespace) -> int:
    """Decide, say it, and return the exit status that it stands for."""
    if bool(arguments.max_runs) != arguments.until_decided:
        given, lacking = ("--until-decided", "--max-runs=N") if arguments.until_decided else (
            "--max-runs", "--until-decided"
        )  # fmt: skip
        raise BadInput(f"{given}: it needs {lacking} beside it")
    if arguments.pytest_arguments and not arguments.until_decided:
        raise BadInput(f"{arguments.pytest_arguments[0]}: arguments of pytest go with --until-decided --max-runs=N")
    gating = Gating.of(arguments)
    if arguments.until_decided:
        rounds = Rounds(gating, arguments.pytest_arguments, arguments.max_runs, quiet=arguments.json)
        result = rounds.until_decided()
    else:
        result = gating.look()
        if not arguments.json:
            gating.tell(result)
    trouble = append_summary(os.environ.get("GITHUB_STEP_SUMMARY"), result)
    if trouble:
        remark(f"gate: {trouble}")
    if arguments.json:
        say(gate_json(result).rstrip("\n"))
    return result.exit_status


class Rounds:
    """Sessions, one after the other."""

    def __init__(self, gating: Gating, words: Sequence[str], most: int, quiet: bool) -> None:
        """``words`` are pytest's arguments, none to measure as the newest session did; ``most`` is the most runs.

        Raises:
            BadInput: the words hold what they must not, or there are none and the store does not tell them.
        """
        self._gating = gating
        self._most = most
        self._quiet = quiet
        self._given = bool(words)
        self._words = self._with_places(words) if words else self._as_before()
        """Pytest's arguments; those that we add are spelled as no other plugin's."""
        self._models: frozenset[str] | None = None
        """Configurations of the sessions so far."""
        self._status = 0
        """pytest's last exit status."""

    def until_decided(self) -> GateResult:
        """Measure and look until it is decided, the runs are used up, or measuring fails; return the last look.

        Raises:
            BadInput: pytest refuses its arguments, or measures something else than before.
        """
        if self._given:
            result = self._round(self._checked_runs())
        else:
            result = self._look()
            if _incomplete(result):
                result = self._round(self._newest().runs)
        runs = self._newest().runs
        while (
            result.answer == "inconclusive"
            and not _incomplete(result)
            and self._status in ALL_RAN
            and runs < self._most
        ):
            wanted = result.next.runs if result.next is not None else None
            runs = min(max(wanted or self._most, runs + 1), self._most)
            result = self._round(runs)
        if result.answer == "inconclusive" and (self._status not in ALL_RAN or _incomplete(result)):
            if self._status:
                remark("gate: the measuring failed, see above; when that is mended, the same command goes on from here")
            else:
                remark("gate: pytest left out a part of the plan, though nothing failed; look for what narrows it")
        return result

    def _round(self, runs: int) -> GateResult:
        self._measure(runs)
        return self._look()

    def _look(self) -> GateResult:
        result = self._gating.look(_for_reader(self._words))
        self._models = frozenset(self._newest().configurations)
        if not self._quiet:
            self._gating.tell(result)
        return result

    def _newest(self) -> Session:
        with Store.open(self._gating.settings.store_file, read_only=True) as store:
            return newest_own_session(store)

    def _checked_runs(self) -> int:
        """Return the runs to begin with; pytest refuses what it would refuse later, before anything is asked."""
        asked = value_of(self._words, "--runs") or str(min(FEW_RUNS, self._most))
        if not asked.isdecimal() or not 1 <= int(asked) <= self._most:
            raise BadInput(f"--max-runs={self._most}: --runs={asked} is no number from 1 to that; mend one of them")
        self._pytest(int(asked), *self._gating.options.words, PLAN)
        return int(asked)

    def _measure(self, runs: int) -> None:
        """Run one session.

        Raises:
            BadInput: it refuses its arguments, or measures into another store or something else.
        """
        status = self._status = self._pytest(runs, "--no-gate")
        newest = self._newest()
        if newest.runs != runs or self._models not in (None, frozenset(newest.configurations)):
            raise BadInput(
                f"{self._gating.settings.store_file}: pytest (its exit status was {status}) did not measure {runs} "
                "runs of the same models into this store; mend its arguments after `--`"
            )
        if status not in ALL_RAN:
            remark(f"gate: pytest ended with status {status}")

    def _pytest(self, runs: int, *options: str) -> int:
        """Run pytest with so many runs and return its exit status; after Ctrl-C it still ends in order.

        Raises:
            BadInput: it ran nothing.
        """
        words = [*without(self._words, "--runs"), *unambiguous([f"--runs={runs}", *options])]
        flush()  # what has been said so far comes before what pytest says
        # With --json standard output holds the result alone.
        process = subprocess.Popen(  # noqa: S603  # what the user gave
            [sys.executable, "-m", "pytest", *words], stdout=sys.stderr.fileno() if self._quiet else None
        )
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise
        if status in REFUSED and not (PLAN in options and status == REFUSED[1]):
            raise BadInput(f"pytest refused its arguments, see above (its exit status was {status}); mend them")
        return status

    def _with_places(self, words: Sequence[str]) -> list[str]:
        """Return the words with our store, reports and configs.

        Raises:
            BadInput: they name others, or hold what belongs before ``--``.
        """
        settings = self._gating.settings
        gates = {spelling for option in GATE_OPTIONS for spelling in option.spellings}
        for word in words:
            if word.partition("=")[0] in gates:
                raise BadInput(f"{word}: it is an option of the gate; give it before `--`")
        for word in narrowing(words):
            raise BadInput(f"{word}: a gate measures the whole plan; take it out")
        for part, suite in parts_of_suites(words, settings.root).items():
            raise BadInput(f"{part}: a gate measures the whole plan; give {suite} instead")
        placed = list(words)
        for option, path in zip(_PLACES, (settings.store_file, settings.reports_folder, settings.configs), strict=True):
            given = value_of(words, option)
            if given is not None and (path is None or Path(given).absolute() != path.absolute()):
                raise BadInput(f"{option}={given}: the gate looks at {path}; give {option}={given} before `--`")
            if path is not None:
                placed = [*without(placed, option), *unambiguous([f"{option}={path.absolute()}"])]
        return placed

    def _as_before(self) -> list[str]:
        """Return the words that measure as the newest session did.

        Raises:
            BadInput: they cannot be told from the store alone.
        """
        session = self._newest()
        if trouble := self._not_told(session):
            raise BadInput(
                f"{self._gating.settings.store_file}: how its newest session measured cannot be told ({trouble}); "
                "give pytest's arguments after `--`"
            )
        return self._with_places([*suite_words(), *unambiguous(words_again(session.options))])

    def _not_told(self, session: Session) -> str | None:
        """Return why a session's options are not enough to measure again, None where they make its very plan."""
        if "command" in session.options:
            return "it only judged"
        here = self._gating.settings
        try:
            settings = read_settings(parsed(words_again(session.options)), here.root, here.root)
        except BadInput as error:
            return str(error)
        plan = build_plan(replace(settings, configs=here.configs))
        return None if plan.digest == session.plan_digest else "its configs or its version are not those found here"


def _incomplete(result: GateResult) -> bool:
    return any(each.estimate is None for model in result.models for each in model.criteria)


def _for_reader(words: Sequence[str]) -> list[str]:
    """Return the words without the places that the command itself names."""
    for option in _PLACES:
        words = without(words, option)
    return list(words)
