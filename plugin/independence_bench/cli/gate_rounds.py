"""The command ``gate``: looks at the newest session, or measures with growing runs and looks after each session."""

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
from independence_bench.option_table import rerun_arguments
from independence_bench.report.gate.gate_files import gate_json, gate_markdown
from independence_bench.report.gate.gate_result import FEW_RUNS, GateResult
from independence_bench.report.job_summary import VARIABLE, append_summary
from independence_bench.session.command_line import (
    narrowing_words,
    parts_of_suites,
    suite_words,
    unambiguous_words,
    value_of,
    without_option,
)
from independence_bench.session.options import GATE_OPTIONS, parse_options, read_settings
from independence_bench.session.plan import build_plan
from independence_bench.store import Session, Store

ALL_RAN = (0, 1)  # exit statuses of pytest after which the look says what is missing
REFUSED = (4, 5)  # pytest ran nothing: bad input, or no case
PLAN = "--plan"
_PLACES = ("--store", "--reports", "--configs")


def decide(arguments: argparse.Namespace) -> int:
    """Decide, print the result, and return its exit status."""
    if arguments.pytest_arguments and not arguments.until_decided:
        raise BadInput(f"{arguments.pytest_arguments[0]}: arguments of pytest go with --until-decided --max-runs=N")
    gating = Gating.of(arguments)
    if arguments.until_decided:
        if gating.criteria.max_runs is None:
            raise BadInput("--until-decided: it also needs --max-runs=N")
        rounds = Rounds(gating, arguments.pytest_arguments, gating.criteria.max_runs, quiet=arguments.json)
        result = rounds.until_decided()
    else:
        result = gating.look()
        if not arguments.json:
            gating.tell(result)
    trouble = append_summary(lambda: gate_markdown(result))
    if trouble:
        remark(f"gate: {trouble}")
    if arguments.json:
        say(gate_json(result).rstrip("\n"))
    return result.exit_status


class Rounds:
    """Sessions, one after another."""

    def __init__(self, gating: Gating, words: Sequence[str], most: int, quiet: bool) -> None:
        """``words`` are pytest's arguments, empty for the newest session's; ``most`` is the highest number of runs.
        Raises BadInput: a word is not allowed, or there are none and the store does not hold them.
        """
        self._gating = gating
        self._most = most
        self._quiet = quiet
        self._given = bool(words)
        self._words = self._with_places(words) if words else self._as_before()  # in the spelling that is ours alone
        self._models: frozenset[str] | None = None  # configurations of the sessions so far
        self._status = 0  # pytest's last exit status

    def until_decided(self) -> GateResult:
        """Measure and look until the gate decides, the runs are used up, or a session fails; return the last look.
        Raises BadInput: pytest refuses its arguments, or measures something else than before.
        """
        if self._given:
            result = self._round(self._checked_runs())
        else:
            result = self._look()
            if _incomplete(result):
                result = self._round(self._newest().runs)
        runs = self._newest().runs
        while result.answer == "inconclusive":
            if self._status not in ALL_RAN or _incomplete(result):
                failed = "the session failed, see above; fix the cause and run the same command again to continue"
                skipped = "pytest skipped a part of the plan, though no test failed; look for an option that narrows it"
                remark(f"gate: {failed if self._status else skipped}")
                break
            if result.not_accepted:
                remark("gate: more runs would not settle the doubts, see the notes")
                break
            # Past the end that a first look planned nothing could be decided.
            most = min(self._most, max(model.max_runs or self._most for model in result.models))
            if runs >= most:
                break
            wanted = result.next.runs if result.next is not None else None
            runs = min(max(wanted or most, runs + 1), most)
            result = self._round(runs)
        return result

    def _round(self, runs: int) -> GateResult:
        status = self._status = self._pytest(runs, "--no-gate")
        newest = self._newest()
        if newest.runs != runs or self._models not in (None, frozenset(newest.configurations)):
            raise BadInput(
                f"{self._gating.settings.store_file}: pytest (its exit status was {status}) did not measure {runs} "
                "runs of the same models into this store; correct its arguments after `--`"
            )
        if status not in ALL_RAN:
            remark(f"gate: pytest ended with status {status}")
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
        asked = value_of(self._words, "--runs") or str(min(FEW_RUNS, self._most))
        if not asked.isdecimal() or not 1 <= int(asked) <= self._most:
            raise BadInput(
                f"--max-runs={self._most}: --runs={asked} is no number from 1 to {self._most}; change one of them"
            )
        self._pytest(int(asked), *self._gating.options.words, PLAN)
        return int(asked)

    def _pytest(self, runs: int, *options: str) -> int:
        words = [*without_option(self._words, "--runs"), *unambiguous_words([f"--runs={runs}", *options])]
        flush()  # our output comes before pytest's
        # With --json standard output holds only the result.
        process = subprocess.Popen(  # noqa: S603  # the user's arguments
            [sys.executable, "-m", "pytest", *words],
            stdout=sys.stderr.fileno() if self._quiet else None,
            env={name: value for name, value in os.environ.items() if name != VARIABLE},  # the summary gets the answer
        )
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise
        if status in REFUSED and not (PLAN in options and status == REFUSED[1]):
            raise BadInput(f"pytest refused its arguments, see above (exit status {status}); correct them")
        return status

    def _with_places(self, words: Sequence[str]) -> list[str]:
        settings = self._gating.settings
        gates = {spelling for option in GATE_OPTIONS for spelling in option.spellings}
        for word in words:
            if word.partition("=")[0] in gates:
                raise BadInput(f"{word}: this is an option of the gate; give it before `--`")
        for word in narrowing_words(words):
            raise BadInput(f"{word}: a gate measures the whole plan; take it out")
        for part, suite in parts_of_suites(words, settings.root).items():
            raise BadInput(f"{part}: a gate measures the whole plan; give {suite} instead")
        placed = list(words)
        for option, path in zip(_PLACES, (settings.store_file, settings.reports_folder, settings.configs), strict=True):
            given = value_of(words, option)
            if given is not None and (path is None or Path(given).absolute() != path.absolute()):
                raise BadInput(f"{option}={given}: the gate looks at {path}; give {option}={given} before `--`")
            if path is not None:
                placed = [*without_option(placed, option), *unambiguous_words([f"{option}={path.absolute()}"])]
        return placed

    def _as_before(self) -> list[str]:
        session = self._newest()
        if trouble := self._not_told(session):
            raise BadInput(
                f"{self._gating.settings.store_file}: it lacks the arguments of its newest session ({trouble}); "
                "give pytest's arguments after `--`"
            )
        return self._with_places(
            [*suite_words(session.edition.function_files), *unambiguous_words(rerun_arguments(session.options))]
        )

    def _not_told(self, session: Session) -> str | None:
        if session.judged_only:
            return "it only judged"
        here = self._gating.settings
        try:
            settings = read_settings(parse_options(rerun_arguments(session.options)), here.root, here.root)
        except BadInput as error:
            return str(error)
        plan = build_plan(replace(settings, configs=here.configs))
        return None if plan.digest == session.plan_digest else "its configs or its version differ from those here"


def _incomplete(result: GateResult) -> bool:
    return any(each.estimate is None for model in result.models for each in model.criteria)


def _for_reader(words: Sequence[str]) -> list[str]:
    for option in _PLACES:
        words = without_option(words, option)
    return list(words)
