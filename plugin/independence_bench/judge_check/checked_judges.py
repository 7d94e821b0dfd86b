"""Which judges have passed the judge check, and the refusal of those that have not. Counts no verdict itself."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Literal, Protocol

from pydantic import ConfigDict, JsonValue

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.grouping import group_values
from independence_bench.judge_check.known_sets import HALVES, PARTS, SET, Part, known_set
from independence_bench.spec import Frozen, Model, PanelJudge
from independence_bench.store import JudgeCheck, Store
from independence_bench.utc import utc

CheckState = Literal["passed", "not passed", "outdated", "not checked"]
"""``outdated``: every check was made with another set, another rubric or another way of judging."""


class CheckedJudge(Frozen):
    """One judge of the panel, and the result of the check that counts."""

    model_config = ConfigDict(extra="ignore")  # like everything that is read from report files

    judge: str
    configuration: str  # digest of the judge as it is asked
    state: CheckState
    passed: bool | None  # the result of that check, outdated or not; None without a check
    at: str | None  # time of the check, ISO 8601, UTC
    set_digest: str | None
    half: str | None = None  # ``a``, ``b`` or ``both`` of the set; None without a check
    cases: int | None
    errors: int | None  # cases judged to the wrong side of the pass mark
    compared: int | None  # changed versions of cases: injected, padded, with score fields in another order
    flips: int | None  # those among them that were judged to another side than the case as it is
    unjudged: int | None  # questions without a verdict

    @property
    def remark(self) -> str:
        """The remark in brackets after the judge's name."""
        if self.state == "not checked" or self.at is None:
            return "not checked"
        day = self.at[:10]
        if self.state == "outdated":
            return f"judge-check of {day} outdated"
        parts = []
        if self.errors is not None and self.cases is not None:
            half = f" on half {self.half.upper()}" if self.half in HALVES else ""
            parts.append(f"{self.errors}/{self.cases} errors{half}")
        if self.flips is not None and self.compared:
            parts.append(f"{100 * self.flips / self.compared:.1f} % flips")
        if self.unjudged:
            parts.append(f"{self.unjudged} unjudged")
        numbers = f": {', '.join(parts)}" if parts else ""
        return f"judge-check {self.state} {day}{numbers}"


class SetDigest(Protocol):
    """Known-answer sets as they are now."""

    def __call__(self, *, name: str) -> str:
        """Return the digest of the set of this name; called only to compare a check."""


JudgeChecks = Callable[[Sequence[PanelJudge]], Sequence[CheckedJudge]]  # how each of these did on its known answers


def checked_judges(
    store: Store, panel: Sequence[PanelJudge], set_digest: SetDigest, edition: Edition
) -> list[CheckedJudge]:
    """Return the check that counts of each judge of a panel, in the panel's order: on the known answers that go with
    the edition.
    """
    name = known_set(edition.scenarios)
    current = cache(partial(set_digest, name=name))
    stored = store.judge_checks([judge.configuration for judge in panel])
    checks = group_values((check.configuration, check) for check in stored if set_of(check) == name)
    return [_checked_judge(judge, checks.get(judge.configuration, ()), current) for judge in panel]


def _counting(checks: Sequence[JudgeCheck], current: str) -> JudgeCheck:
    """Return the check that counts, of one judge's, oldest first: the newest failed one of those that stand. On the
    current set one stands unless a newer one covers its half.
    """
    standing: list[JudgeCheck] = []
    for check in reversed([each for each in checks if each.set_digest == current] or checks[-1:]):
        if not any(part_of(newer) in ("both", part_of(check)) for newer in standing):
            standing.append(check)
    return next((check for check in standing if not check.passed), standing[0])


def refuse_unchecked(judges: Iterable[CheckedJudge]) -> None:
    """Raise BadInput, with the remedy, for the first judge that has not passed the current known-answer set."""
    remedies = {
        "not checked": "it has never been checked in this store",
        "outdated": "its check was made with another set or other rubrics",
        "not passed": "it did not pass its check, so its verdicts must not be published",
    }
    for judge in judges:
        if judge.state != "passed":
            raise BadInput(
                f"--require-judge-check: {judge.judge}: {remedies[judge.state]}; run `independence-bench judge-check` "
                "with the same --judge and --edition options on this store, or name another judge"
            )


def refuse_unchecked_panel(file: Path, judges: Iterable[Model], set_digest: SetDigest, edition: Edition) -> None:
    """Refuse unchecked judges as :func:`refuse_unchecked`; reads the store's file if it exists and makes none."""
    with Store.open(file, read_only=True) if file.exists() else Store.empty() as store:
        refuse_unchecked(checked_judges(store, [*map(PanelJudge.of, judges)], set_digest, edition))


def _checked_judge(judge: PanelJudge, checks: Sequence[JudgeCheck], current: Callable[[], str]) -> CheckedJudge:
    check = _counting(checks, current()) if checks else None
    body = check.body if check else {}
    errors = body.get("errors")
    by_class = [_count(each) for each in errors.values()] if isinstance(errors, dict) else [None]
    counts = {name: _count(body.get(name)) for name in ("cases", "compared", "flips", "unjudged")}
    return CheckedJudge(
        judge=judge.label,
        configuration=judge.configuration,
        state=_state(check, current),
        passed=check.passed if check else None,
        at=utc(check.at) if check else None,
        set_digest=check.set_digest if check else None,
        half=part_of(check),
        errors=None if None in by_class else sum(each or 0 for each in by_class),
        **counts,
    )


def set_of(check: JudgeCheck) -> JsonValue:
    """Return the name of the set that a check was made on; earlier versions had a single one."""
    return check.body.get("set", SET)


def part_of(check: JudgeCheck | None) -> Part | None:
    """Return what of the set a check was made on; None without a check."""
    return next((part for part in PARTS if check and check.body.get("half") == part), None)


def _state(check: JudgeCheck | None, current: Callable[[], str]) -> CheckState:
    if check is None:
        return "not checked"
    if check.set_digest != current():
        return "outdated"
    return "passed" if check.passed else "not passed"


def _count(value: JsonValue) -> int | None:
    """Return a count of a check's body; a merged store may bring one of another version."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
