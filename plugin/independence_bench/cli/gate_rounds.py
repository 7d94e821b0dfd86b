"""The command ``gate``: looks at the newest session, or measures with growing runs and looks after each session."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from independence_bench.bad_input import BadInput
from independence_bench.cli.gating import Gating
from independence_bench.cli.newest import newest_session
from independence_bench.cli.pytest_rounds import ALL_RAN, PLAN, run_pytest, with_places, without_places
from independence_bench.cli.terminal import remark, say
from independence_bench.option_table import rerun_arguments
from independence_bench.report.gate.gate_files import gate_json, gate_markdown
from independence_bench.report.gate.gate_result import FEW_RUNS, GateResult
from independence_bench.report.job_summary import append_summary
from independence_bench.session.command_line import unambiguous_words, value_of, with_suite
from independence_bench.session.options import parse_options, read_settings
from independence_bench.session.plan import build_plan
from independence_bench.store import Session, Store


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
    if trouble := append_summary(lambda: gate_markdown(result)):
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
        # In the spelling that is ours alone.
        self._words = with_places(with_suite(words), gating.settings) if words else self._as_before()
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
            advised_runs = result.next.runs if result.next is not None else None
            runs = min(max(advised_runs or most, runs + 1), most)
            result = self._round(runs)
        return result

    def _round(self, runs: int) -> GateResult:
        status = self._status = run_pytest(self._words, runs, "--no-gate", quiet=self._quiet)
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
        result = self._gating.look(without_places(self._words))
        self._models = frozenset(self._newest().configurations)
        if not self._quiet:
            self._gating.tell(result)
        return result

    def _newest(self) -> Session:
        with Store.open(self._gating.settings.store_file, read_only=True) as store:
            return newest_session(store, own=True)

    def _checked_runs(self) -> int:
        runs = value_of(self._words, "--runs") or str(min(FEW_RUNS, self._most))
        if not runs.isdecimal() or not 1 <= int(runs) <= self._most:
            raise BadInput(f"--runs={runs}: it must be from 1 to {self._most}, the number of --max-runs")
        run_pytest(self._words, int(runs), *self._gating.options.words, PLAN, quiet=self._quiet)
        return int(runs)

    def _as_before(self) -> list[str]:
        session = self._newest()
        if trouble := self._not_told(session):
            raise BadInput(
                f"{self._gating.settings.store_file}: it lacks the arguments of its newest session ({trouble}); "
                "give pytest's arguments after `--`"
            )
        words = unambiguous_words(rerun_arguments(session.options))
        return with_places(with_suite(words, session.edition.function_files), self._gating.settings)

    def _not_told(self, session: Session) -> str | None:
        if session.judged_only or session.merged:
            return "it only judged" if session.judged_only else "it was merged from elsewhere"
        here = self._gating.settings
        try:
            settings = read_settings(parse_options(rerun_arguments(session.options)), here.root, here.root)
        except BadInput as error:
            return str(error)
        plan = build_plan(replace(settings, configs=here.configs))
        return None if plan.digest == session.plan_digest else "its configs or its version differ from those here"


def _incomplete(result: GateResult) -> bool:
    return any(each.estimate is None for model in result.models for each in model.criteria)
