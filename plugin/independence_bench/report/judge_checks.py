"""Which judges have stood the known-answer set, and the refusal to go on without it. Counts no verdict itself."""

from collections.abc import Callable, Iterable, Sequence

from pydantic import JsonValue

from independence_bench.bad_input import BadInput
from independence_bench.report.findings.checked_judges import CheckedJudge, CheckState
from independence_bench.report.utc import utc
from independence_bench.store import JudgeCheck, PanelJudge, Store

SetDigest = Callable[[], str]
"""Gives the digest of the known-answer set as it stands now; called only where a check is to be held against it."""


def packaged_set_digest() -> str:
    """Return the digest of the set that came with the package."""
    # Late: a store without checks needs no configs.
    from independence_bench.catalog.judge_questions import current_set_digest

    return current_set_digest()


def checked_judges(store: Store, panel: Sequence[PanelJudge], set_digest: SetDigest) -> list[CheckedJudge]:
    """Return how each judge of a panel did in its newest check, in the panel's order."""
    checks = store.judge_checks(judge.configuration for judge in panel)
    current = set_digest() if checks else ""
    return [_checked(judge, checks.get(judge.configuration), current) for judge in panel]


def refuse_unchecked(judges: Iterable[CheckedJudge]) -> None:
    """Let a panel pass only if every judge has passed the known-answer set as it stands now.

    Raises:
        BadInput: the first judge that has not, and what to do about it.
    """
    remedies = {
        "not checked": "it has never been checked in this store",
        "outdated": "its check was made with another set or other rubrics",
        "not passed": "its check was not passed, so its verdicts are not to be published",
    }
    for judge in judges:
        if judge.state != "passed":
            raise BadInput(
                f"--require-judge-check: {judge.judge}: {remedies[judge.state]}; run `independence-bench judge-check` "
                "with the same --judge options on this store, or name another judge"
            )


def _checked(judge: PanelJudge, check: JudgeCheck | None, current: str) -> CheckedJudge:
    body = check.body if check else {}
    errors = body.get("errors")
    by_class = [_count(each) for each in errors.values()] if isinstance(errors, dict) else [None]
    return CheckedJudge(
        judge=judge.label,
        configuration=judge.configuration,
        state=_state(check, current),
        passed=check.passed if check else None,
        at=utc(check.at) if check else None,
        set_digest=check.set_digest if check else None,
        cases=_count(body.get("cases")),
        errors=None if None in by_class else sum(each or 0 for each in by_class),
        compared=_count(body.get("compared")),
        flips=_count(body.get("flips")),
        unjudged=_count(body.get("unjudged")),
    )


def _state(check: JudgeCheck | None, current: str) -> CheckState:
    if check is None:
        return "not checked"
    if check.set_digest != current:
        return "outdated"
    return "passed" if check.passed else "not passed"


def _count(value: JsonValue) -> int | None:
    """Return a count of a check's body; a merged store may bring one of another version."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
