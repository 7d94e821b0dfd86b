"""The gate: prepared before any call is made, it decides on the measurements after the session has ended.

Repeated looks would eventually pass a model by chance: the store keeps each look at one model, its texts and its panel,
and each look has its own confidence.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.gate_file import Acceptable
from independence_bench.judge_check.checked_judges import SetDigest, checked_judges
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.model_facts import BuiltModel, MeasuredCount
from independence_bench.report.analysis.ranked import Ranked, view_of
from independence_bench.report.analysis.row import DoubtedModel, LeaderboardRow
from independence_bench.report.analysis.warnings import (
    ModelWarning,
    combined_otherwise,
    judge_warnings,
    unchecked,
    warning_sentences,
)
from independence_bench.report.gate.baseline import Baseline, OtherBaseline, baseline_of_session, read_baseline
from independence_bench.report.gate.candidates import (
    asked_cells,
    at_bounds,
    candidates,
    look_subject,
    measured_plan_digest,
)
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gate_notes import NO_BASELINE, NOT_ALL, days_sentence, gate_notes, next_step
from independence_bench.report.gate.gate_result import (
    Asked,
    BaselineResult,
    CriterionResult,
    GatedModel,
    GateResult,
    MissingTrials,
    asked,
    overall,
)
from independence_bench.report.gate.gated_kind import BaselineModel, GatedKind, gated_kind
from independence_bench.report.gate.look_history import MAX_RUNS, LookHistory
from independence_bench.scoring.held import Answer
from independence_bench.store import Look, Session, Store
from independence_bench.utc import utc

ANOTHER_PLAN = "the trials belong to another plan"


@dataclass(frozen=True)
class Gate:
    """Criteria, session and baseline, all checked."""

    criteria: Criteria
    session: Session
    baseline: Baseline | None
    absent: str | None = None
    """Why there is none though one is named, where ``missing_baseline`` says how to end all the same."""

    @classmethod
    def prepare(cls, criteria: Criteria, session: Session, models: Sequence[tuple[str, str]]) -> "Gate":
        """Check criteria and baseline against a session; ``models`` are its (label, model id).

        Raises BadInput for a component that the edition lacks, or a baseline that cannot be compared with.
        """
        gated_kind(session.edition.kind).check_criteria(criteria, session.edition)
        if (now := criteria.baseline_now) is not None:
            labels = [label for label, _ in models]
            matches = [label for label, model_id in models if now in (label, model_id)]
            if len(matches) != 1:
                trouble = "no such model" if not matches else "several models of this name"
                raise BadInput(f"--baseline-now={now}: the session asks {trouble}; {near_matches(now, labels)}")
            if len(labels) < 2:
                raise BadInput(f"--baseline-now={now}: there is no other model to compare; add --model=CANDIDATE")
            criteria = replace(criteria, baseline_now=matches[0])
        baseline, absent = None, None
        if criteria.baseline and criteria.missing_baseline in ("pass", "fail") and _is_missing(criteria.baseline):
            absent = NO_BASELINE
        elif criteria.baseline:
            try:
                baseline = read_baseline(criteria.baseline, session)
            except OtherBaseline as other:
                if criteria.missing_baseline != "pass":
                    raise BadInput(
                        f"--baseline={criteria.baseline}: it is {other}; name one that was measured as this session, "
                        "or add --missing-baseline=pass: then this session's file becomes the baseline"
                    ) from None
                absent = f"{criteria.baseline.name} is {other}"
        if baseline is not None:
            for label, model_id in models:
                for group in asked_cells(session):
                    baseline.model(label, model_id, group, criteria.baseline_model)
        return cls(criteria, session, baseline, absent)

    def feasible(self, models: Sequence[tuple[str, str]]) -> list[str]:
        """Return what the session's runs can decide, a sentence for each criterion and baseline."""
        session, baseline_model = self.session, self.criteria.baseline_model
        baselines = [
            self.baseline.model(label, model_id, group, baseline_model).numbers if self.baseline else None
            for label, model_id in models
            for group in asked_cells(session)
        ]
        sentences = (self._kind.feasible(self.criteria, session.edition, session.runs, each) for each in baselines)
        return list(dict.fromkeys(sentence for each in sentences for sentence in each))

    def decide(
        self,
        store: Store,
        command: Callable[[int | None], str],
        *,
        shards_missing: Sequence[str] = (),
        set_digest: SetDigest = current_set_digest,
    ) -> GateResult:
        """Decide from the store's trials of the session's plan, and record the look in the store.

        ``command`` gives the command that brings the plan to so many runs, or, for None, measures what is missing;
        ``set_digest`` gives the known-answer set that the judges must have passed.
        """
        entries = candidates(store, self.session)
        if not entries:
            raise BadInput(f"{store.path}: its newest session asked no model; measure the models to decide on")
        strange, baseline = self._is_of_another_plan(entries), self.baseline
        if (now := self.criteria.baseline_now) is not None:
            baseline = baseline_of_session(store, self.session, entries, now)
            entries = [each for each in entries if each.label != now]
        checks = checked_judges(store, self.session.panel, set_digest, self.session.edition)
        obstacle = ANOTHER_PLAN if strange else NOT_ALL if shards_missing else None
        models = [self._model(store, each, obstacle, baseline) for each in entries]
        answer = overall([model.answer for model in models])
        criteria, view = self.criteria, view_of(self.session)
        notes = [
            *filter(None, [self.session.edition.standing]),
            *warning_sentences(judge_warnings(view["heuristic_judges"], checks, self.session.edition), []),
            *combined_otherwise(self.session),
            *gate_notes(models, strange, criteria, self.absent),
        ]
        return GateResult(
            answer=answer,
            at=utc(time.time()),
            session=self.session.id,
            **view,
            plan_digest=self.session.plan_digest,
            interval=self._kind.gate_interval(criteria),
            confidence=criteria.confidence,
            sources=dict(criteria.sources),
            baseline=criteria.baseline_now or (criteria.baseline and criteria.baseline.name),
            baseline_missing=self.absent is not None,
            accepted=list(criteria.accept),
            criteria=[Asked(**asked(criterion)) for criterion in criteria.criteria],
            shards_missing=list(shards_missing),
            judge_unchecked=unchecked(checks, view["heuristic_judges"]),
            notes=list(dict.fromkeys(notes)),
            next=next_step(models, answer, command, criteria.baseline_now is not None),
            models=models,
        )

    @property
    def _kind(self) -> GatedKind:
        return gated_kind(self.session.edition.kind)

    def _is_of_another_plan(self, entries: Sequence[Ranked]) -> bool:
        """Return whether all trials are measured, but not those that this plan would ask."""
        if self.session.judged_only or not all(at_bounds(each) for each in entries):
            return False
        return measured_plan_digest(entries) != self.session.plan_digest

    def _model(self, store: Store, candidate: Ranked, obstacle: str | None, baselines: Baseline | None) -> GatedModel:
        """Decide on one model, unless there is an ``obstacle`` to deciding on any, or trials of its own are missing."""
        row, baseline = candidate.row, self._baseline_of(candidate.row, baselines)
        no_index = row.no_index
        obstacle = obstacle or no_index or (None if at_bounds(candidate) else NOT_ALL)
        if baseline is not None and baseline.numbers is None:
            why = f"not all trials of the baseline {baseline.row.label} are measured"
            if baseline.row.no_index:
                no_index = why = f"the baseline {baseline.row.label} has no Index: {baseline.row.no_index}"
            obstacle, baseline = obstacle or why, None
        doubts = [] if obstacle else self._not_accepted(row.warnings)
        against = self._not_accepted(baseline.row.warnings) if baseline and not obstacle else []
        if obstacle:
            answers = [CriterionResult(**asked(each), reason=obstacle) for each in self.criteria.criteria]
            outcome: dict[str, Any] = {"criteria": answers, "look": None, "confidence": None}
        else:
            outcome = self._decided(store, candidate, baseline, doubts, against)
        oldest, newest = candidate.result.asked_between
        days = candidate.result.days
        return GatedModel(
            answer=overall([each.answer for each in outcome["criteria"]]),
            runs=self.session.runs,
            missing=[MissingTrials(reason=gap.reason, trials=gap.size, lost=gap.lost) for gap in gaps(row)],
            no_index=no_index,
            bounds=row.bounds,
            oldest=oldest,
            newest=newest,
            baseline=_baseline_result(baseline, days if self.criteria.baseline_now else ()),
            days=days_sentence(days) if self.criteria.runs_over_days and days else None,
            warnings=row.warnings,
            not_accepted=list(dict.fromkeys([*doubts, *against])),
            model_id=row.model_id,
            configuration=row.configuration,
            **row.fields_of(BuiltModel),
            **row.fields_of(MeasuredCount),
            **outcome,
        )

    def _decided(
        self,
        store: Store,
        candidate: Ranked,
        baseline: BaselineModel | None,
        doubts: Sequence[Acceptable],
        against: Sequence[Acceptable],
    ) -> dict[str, Any]:
        """Answer every criterion, at both bounds where trials are lost. This counts as a look if any can be answered.

        Returns fields of a :class:`GatedModel`: the answers, and the looks that they take into account. ``against``
        are doubts about the baseline: only a drop is measured by it.
        """
        drops = [each for each in self.criteria.criteria if self.absent and each.kind == "max_drop"]
        rest = tuple(each for each in self.criteria.criteria if each not in drops)
        criteria = replace(self.criteria, criteria=rest)
        models, against_it = at_bounds(candidate), baseline.at_bounds() if baseline else [None]
        pairs = [(models[0], against_it[0]), (models[-1], against_it[-1])][: max(len(models), len(against_it))]
        at_each = [self._kind.gate_questions(store, model, criteria, base) for model, base in pairs]
        of_each = [[*doubts, *(against if each.kind == "max_drop" else [])] for each in criteria.criteria]
        open_ones = (not doubt and each.can_be_answered for doubt, each in zip(of_each, at_each[0], strict=True))
        this = self._look(candidate)
        look = store.look(this) if any(open_ones) else None
        history = LookHistory(
            store.looks(this.subject) or [this], criteria.confidence, self._kind.gate_interval(criteria) == "run"
        )
        of_look = history.confidence(look) if look else None
        confidence = of_look or criteria.confidence
        answers = [
            _undecided(_agreed([each.ask(confidence, history.following) for each in questions]), doubt)
            for doubt, *questions in zip(of_each, *at_each, strict=True)
        ]
        if look and of_look is None:
            undecided: dict[str, Any] = {"answer": "inconclusive", "reason": history.idle(look)}
            answers = [answer.model_copy(update=undecided) for answer in answers]
        answer: Answer = "passed" if criteria.missing_baseline == "pass" else "inconclusive"
        unmeasured = [CriterionResult(**asked(each), answer=answer, reason=NO_BASELINE) for each in drops]
        answers += [_undecided(each, doubts) for each in unmeasured]
        return {
            "criteria": answers,
            "look": look,
            "confidence": confidence if look else None,
            "max_runs": history.planned,
            "undeclared": look is not None and history.is_extra(look),
            "overruled": look is not None and history.overrules(criteria.max_runs),
        }

    def _not_accepted(self, warnings: Sequence[ModelWarning]) -> list[Acceptable]:
        kinds = {each.kind for each in warnings if each.doubted}
        return [doubt for doubt in get_args(Acceptable) if doubt in kinds and doubt not in self.criteria.accept]

    def _baseline_of(self, row: LeaderboardRow, baselines: Baseline | None) -> BaselineModel | None:
        if baselines is None:
            return None
        if self.criteria.baseline_now is not None:
            return baselines.models[row.configuration][0]
        return baselines.model(row.label, row.model_id, row.configuration, self.criteria.baseline_model)

    def _look(self, candidate: Ranked) -> Look:
        return Look(
            subject=look_subject(candidate.result),
            runs=self.session.runs,
            at=time.time(),
            body={
                "session": self.session.id,
                "label": candidate.label,
                "criteria": [criterion.text for criterion in self.criteria.criteria],
                "interval": self.criteria.interval,
                "confidence": self.criteria.confidence,
                MAX_RUNS: self.criteria.max_runs,
            },
            configurations=(candidate.row.identity,),
        )


def _agreed(answers: Sequence[CriterionResult]) -> CriterionResult:
    """Return the answer that holds with lost trials at worst and at best, with the numbers nearer to the mark."""
    worst, best = answers[0], answers[-1]
    if worst.answer != best.answer:
        reason = f"{worst.answer} if the lost trials are scored worst, {best.answer} if best"
        return _open(worst, reason).model_copy(update={"estimate": None, "interval": None})
    if len(answers) == 1:
        return worst
    failed = worst.answer == "failed"
    return (best if failed else worst).model_copy(update={"bound": "best" if failed else "worst"})


def _undecided(answer: CriterionResult, doubts: Sequence[Acceptable]) -> CriterionResult:
    """Return the answer, without one where there are doubts."""
    return _open(answer, f"in doubt: {', '.join(dict.fromkeys(doubts))}; see above") if doubts else answer


def _open(answer: CriterionResult, reason: str) -> CriterionResult:
    """Return it as inconclusive for a reason, and nothing that more runs would decide."""
    nothing = dict.fromkeys(("runs_to_decide", "advised", "advised_baseline", "baseline_share"))
    return answer.model_copy(update={"answer": "inconclusive", "reason": reason} | nothing)


def _is_missing(path: Path) -> bool:
    """Return whether there is nothing of this name: a file that cannot be read never switches a gate off."""
    try:
        path.lstat()
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    return False


def _baseline_result(baseline: BaselineModel | None, side_by_side: Sequence[str]) -> BaselineResult | None:
    if baseline is None:
        return None
    numbers = baseline.numbers
    assert numbers is not None, "it has been chosen"
    facts = baseline.row.fields_of(BuiltModel) | baseline.row.fields_of(DoubtedModel)
    other_days = sorted(set(baseline.days) - set(side_by_side)) if side_by_side else []
    bounds = baseline.row.bounds if len(baseline.bounds) > 1 else None
    apart = ", ".join(other_days) or None
    return BaselineResult(**facts, runs=numbers.runs, index=numbers.mean, bounds=bounds, measured_apart=apart)
