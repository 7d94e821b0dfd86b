"""What came of a case: from its trial's outcome and pytest's report to its result. Measures nothing, stores nothing."""

from collections.abc import Iterable

import pytest

from independence_bench.case_result import CaseResult, OverridingCase
from independence_bench.pytest_plugin.bench import Bench, spec_of
from independence_bench.safe_text import REASON, safe_text, text_of
from independence_bench.scoring.held import outcome_word
from independence_bench.session.overriding import where
from independence_bench.session.stored_state import Outcome
from independence_bench.spec import Model, PanelJudge, TrialSpec

_PROPERTY = "independence."  # before the names of a case's properties


def case_result(
    bench: Bench,
    item: pytest.Item,
    spec: TrialSpec,
    outcome: Outcome,
    report: pytest.TestReport,
    call: pytest.CallInfo[None],
) -> CaseResult:
    """Return the result of a case that asked this trial, with what its deciding report says."""
    planned = spec_of(item) or spec
    word, reason = _word(spec, outcome, report, call)
    return CaseResult.of(
        spec,
        item.nodeid,
        word,
        planned,
        scores=outcome.scores,
        reason=reason,
        seconds=outcome.seconds,
        cost_usd=outcome.cost_usd,
        overriding=None if spec is planned else _overriding(bench, item, planned, spec),
    )


def note_numbers(item: pytest.Item, result: CaseResult, judges: Iterable[Model]) -> None:
    """Note a case's numbers, in place of those before, as properties for JUnit XML and other reporters."""
    forget_numbers(item)
    numbers = {
        "outcome": result.outcome,
        "model": result.label,
        "scenario": result.scenario,
        "run": result.run,
        **{f"score.{name}": score for name, score in result.scores.items()},
        **({"judges": ", ".join(judge.label for judge in judges)} if result.scores else {}),
        "cost_usd": "unknown" if result.cost_usd is None else result.cost_usd,
        "seconds": round(result.seconds, 3),
    }
    item.user_properties += ((f"{_PROPERTY}{name}", value) for name, value in numbers.items())


def forget_numbers(item: pytest.Item) -> None:
    """Take back what :func:`note_numbers` has noted; what a test records for itself stays."""
    item.user_properties[:] = [each for each in item.user_properties if not text_of(each[0]).startswith(_PROPERTY)]


def _overriding(bench: Bench, item: pytest.Item, planned: TrialSpec, spec: TrialSpec) -> OverridingCase:
    judges, overrides = bench.plan.judges_of(spec), bench.overridden_fixtures.of(item)
    return OverridingCase(
        replaces=bench.plan.keys[planned],
        planned=planned.name,
        configuration=spec.model.configuration,
        experiment=spec.scenario.experiment,
        script_digest=spec.script.digest,
        judges=() if judges == bench.plan.panel else tuple(map(PanelJudge.of, judges)),
        fixtures=where(overrides.names, overrides.places) if overrides else "",
    )


def _word(
    spec: TrialSpec, outcome: Outcome, report: pytest.TestReport, call: pytest.CallInfo[None]
) -> tuple[str, str | None]:
    if outcome.scores and outcome.failure is None:
        # The pass mark decides, whatever else a user's own test asserts.
        word = outcome_word(spec.scenario.passes, outcome.scores) if spec.scenario.passes else "measured"
        return word, safe_text(text_of(call.excinfo.value)) if call.excinfo is not None else None
    if outcome.failure is not None:
        word = "skipped" if outcome.failure.kind == "unsupported" else "not measured"
        return word, safe_text(outcome.failure.message, REASON)
    if report.skipped and call.excinfo is not None:  # its representation is a tuple
        return "not measured", safe_text(text_of(call.excinfo.value))
    return ("measured", None) if report.passed else ("not measured", safe_text(report.longreprtext))
