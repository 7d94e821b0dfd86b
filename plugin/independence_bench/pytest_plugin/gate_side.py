"""The gate of a session: reads the criteria before any call; at the end gives its answer as exit status and reports.

Runs only in the process that writes the session: a plain process, or xdist's controller.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.pytest_plugin.bench import Bench, usage_errors
from independence_bench.pytest_plugin.late_options import SUITE_OPTIONS
from independence_bench.pytest_plugin.writing import WritingSide, junit_logs, junit_notes, shown_path
from independence_bench.safe_text import safe_text
from independence_bench.session.command_line import command_to_copy, on_whole_suite, value_of, with_runs
from independence_bench.session.options import read_gate_options
from independence_bench.session.recorder import planned_configurations, planned_session
from independence_bench.session.shards import Shard
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.report.gate.criteria import GateOptions
    from independence_bench.report.gate.deciding import Gate
    from independence_bench.report.gate.gate_result import GateResult

CASE = ("independence_bench", "gate")  # class and name of the gate's case in JUnit XML
_NOT_OF_THE_BENCHMARK = (None, "held", "measured")  # of other tests, or no failure: the gate decides on all others


class GateSide:
    """One session's gate, if it has one."""

    def __init__(self, bench: Bench, writing: WritingSide) -> None:
        """Read no option until the session starts, so that --help stays fast."""
        self.bench = bench
        self._writing = writing
        self._gate: Gate | None = None
        self._result: GateResult | None = None
        self._remarks: list[str] = []
        self._foreign_failure = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Refuse bad input before the store is opened and before anything is asked."""
        with usage_errors():
            self._gate = self._prepared()

    @cached_property
    def _options(self) -> "GateOptions":
        return read_gate_options(self.bench.config.option, self.bench.config.invocation_params.dir)

    def _prepared(self) -> "Gate | None":
        from independence_bench.catalog.gate_file import read_gate_file

        bench = self.bench
        file = None if self._options.no_gate else read_gate_file(bench.settings.overlay)
        if file is None and not self._options.words and not self._options.no_gate:
            return None
        from independence_bench.report.gate.criteria import read_criteria
        from independence_bench.report.gate.deciding import Gate

        criteria = read_criteria(self._options, file)
        if criteria is None:
            return None
        for model in bench.plan.models:
            if model.endpoint.ad_hoc and not model.offline and model.build is None:
                raise BadInput(
                    f"--endpoint: a gate on {model.label} needs --build=ID, the name of the build served there: "
                    "without it, stored verdicts of an earlier build would pass"
                )
        models = [(model.label, model.id) for model in bench.plan.models]
        gate = Gate.prepare(criteria, planned_session(bench.settings, bench.plan), models)
        self._writing.feasible = [f"gate: {sentence}" for sentence in gate.feasible(models)]
        return gate

    def pytest_report_header(self) -> list[str]:
        """Say what the runs can decide, before anything is asked; with --plan it is a part of the plan."""
        return [] if self.bench.shows_only else self._writing.feasible

    # --- what else fails in the session -----------------------------------------------------------------------------

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure that is not the benchmark's: no gate may turn it into success."""
        if report.failed and getattr(report, "bench_word", None) in _NOT_OF_THE_BENCHMARK:
            self._foreign_failure = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember a module that could not be collected."""
        self._foreign_failure = self._foreign_failure or report.failed

    # --- the session ends -------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
        """Decide and set the exit status, before JUnit XML and the reports are written."""
        opened = self._writing.session
        if self._gate is None or int(exitstatus) not in (0, 1) or self.bench.shows_only:
            return
        if self.bench.settings.shard is not None or (opened is not None and opened.failure is not None):
            return
        with usage_errors():
            with self._store() as (store, begun):
                gate = replace(self._gate, session=begun)
                checked = partial(current_set_digest, self.bench.settings.overlay)
                self._result = store.reading(lambda there: gate.decide(there, self._command, set_digest=checked))
            self._write(self._result)
        if self._result.answer != "passed" or not self._foreign_failure:
            session.exitstatus = self._result.exit_status
        else:
            self._remarks.append("the exit status stays 1: something other than a measurement failed")

    @contextmanager
    def _store(self) -> Iterator[tuple[Store, Session]]:
        opened, bench = self._writing.session, self.bench
        if opened is not None:
            yield opened.store, opened.recorder.session
            return
        path, session = bench.settings.store_file, planned_session(bench.settings, bench.plan)
        with Store.open(path) if path.exists() else Store.empty() as store:
            if store.configurations():
                yield store, session
                return
        with Store.empty() as store:  # no session has begun on that file
            store.begin_session(session, planned_configurations(bench.plan))
            yield store, session

    def _command(self, runs: int | None) -> str:
        bench, config = self.bench, self.bench.config
        spelling = config.stash[SUITE_OPTIONS]
        invocation = config.invocation_params
        named = config.args_source is not pytest.Config.ArgsSource.INVOCATION_DIR
        words = on_whole_suite(
            spelling.swapped(map(str, invocation.args)), config.args if named else (), invocation.dir
        )
        if runs is not None or value_of(words, "--runs") is not None:
            words = with_runs(words, runs or bench.settings.runs)
        return command_to_copy("pytest", spelling.swapped(words), bench.settings.environment, _key_variables(bench))

    def _write(self, result: "GateResult") -> None:
        from independence_bench.report.gate.gate_files import gate_markdown, write_gate
        from independence_bench.report.job_summary import append_summary

        write_gate(self.bench.settings.reports_folder, result)
        trouble = append_summary(lambda: gate_markdown(result))
        if trouble:
            self._remarks.append(trouble)
        for log in junit_logs(self.bench.config):
            for report in _junit_reports(result):
                log.pytest_runtest_logreport(report)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the answer, below the leaderboard."""
        if self._gate is None:
            return
        if self._result is None:
            if (shard := self.bench.settings.shard) is not None:
                terminalreporter.section("gate")
                terminalreporter.write_line(self._undecided(shard))
            return
        from independence_bench.report.gate.gate_files import NAME
        from independence_bench.report.gate.gate_text import gate_headline, gate_text
        from independence_bench.report.views.text import output_width

        if self.bench.config.get_verbosity() < -1:
            notes = [f"Note: {safe_text(note, 2000)}" for note in self._result.notes]
            terminalreporter.write_line("\n".join([*notes, gate_headline(self._result)]))
        else:
            terminalreporter.section("gate")
            terminalreporter.write_line(gate_text(self._result, output_width()))
            here = self.bench.config.invocation_params.dir
            terminalreporter.write_line(shown_path(here, self.bench.settings.reports_folder / NAME))
        # Pytest's last line has what its stats count, and its colour from them: a CI log shows its end first.
        if self._result.answer != "passed":
            terminalreporter.stats[f"gate {self._result.answer}"] = [self._result]
        if self._result.answer == "failed":
            terminalreporter.stats.setdefault("failed", [])
        for remark in self._remarks:
            terminalreporter.write_line(f"gate: {remark}")

    def _undecided(self, shard: Shard) -> str:
        bench = self.bench
        typed = bench.config.stash[SUITE_OPTIONS].swapped(map(str, bench.config.invocation_params.args))
        configs = value_of(typed, "--configs")
        words = ["--store=all.sqlite", *([f"--configs={configs}"] if configs else []), *self._options.words]
        command = command_to_copy("independence-bench gate", words, bench.settings.environment, _key_variables(bench))
        return (
            f"gate: not decided on shard {shard}: merge the stores of all {shard.count} shards, then decide:\n"
            f"  independence-bench merge SHARD.sqlite … --store=all.sqlite\n  {command}"
        )


def _key_variables(bench: Bench) -> list[str]:
    asked = (*bench.plan.models, *bench.plan.panel)
    return [model.endpoint.key_env for model in asked if model.endpoint.key_env]


def _junit_reports(result: "GateResult") -> Iterator[pytest.TestReport]:
    from independence_bench.report.gate.gate_text import gate_text

    node_id, location = "::".join(CASE), (CASE[0], None, CASE[1])
    text = None if result.answer == "passed" else gate_text(result)
    # JUnit counts what fails before a call as an error.
    when: Literal["call", "setup"] = "call" if result.answer in ("passed", "failed") else "setup"
    yield pytest.TestReport(node_id, location, {}, "failed" if text else "passed", text, when)
    yield pytest.TestReport(
        node_id, location, {}, "passed", None, "teardown", user_properties=junit_notes(result.notes)
    )
