"""The gate: prepared before any call is made, it decides on the measurements after the session has ended.

Repeated looks would eventually pass a model by chance: the store keeps each look at one model, its texts and its panel,
and each look has its own confidence.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from independence_bench.bad_input import BadInput
from independence_bench.catalog.gate_file import Acceptable
from independence_bench.judge_check.checked_judges import SetDigest, checked_judges
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.kind_registry import kind_entry
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.model_facts import BuiltModel, MeasuredCount
from independence_bench.report.analysis.ranked import view_of
from independence_bench.report.analysis.row import REPLACED, DoubtedModel, LeaderboardRow
from independence_bench.report.analysis.warnings import (
    ModelWarning,
    combined_otherwise,
    judge_warnings,
    warning_sentences,
)
from independence_bench.report.gate.baseline import Baseline, read_baseline
from independence_bench.report.gate.candidates import (
    Candidate,
    asked_cells,
    candidates,
    measured_plan_digest,
    warnings_about,
)
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gate_result import (
    Asked,
    BaselineResult,
    CriterionResult,
    GatedModel,
    GateResult,
    MissingTrials,
    Next,
    asked,
    overall,
)
from independence_bench.report.gate.gated_kind import BaselineModel, GatedKind, gated_kind
from independence_bench.report.gate.look_history import MAX_RUNS, LookHistory
from independence_bench.report.presented import reported_kind
from independence_bench.scoring.held import Answer
from independence_bench.spec import is_embedded
from independence_bench.store import Look, Session, Store
from independence_bench.utc import utc

NOT_ALL = "not all planned trials are measured"
ANOTHER_PLAN = "the trials belong to another plan"


class _Decided(NamedTuple):
    """The answers on one model, and the looks that they take into account."""

    answers: list[CriterionResult]
    history: LookHistory | None = None  # none where nothing could be asked
    look: int | None = None  # number of this look; None where it is none
    confidence: float | None = None


@dataclass(frozen=True)
class Gate:
    """Criteria, session and baseline, all checked."""

    criteria: Criteria
    session: Session
    baseline: Baseline | None

    @classmethod
    def prepare(cls, criteria: Criteria, session: Session, models: Sequence[tuple[str, str]]) -> "Gate":
        """Check criteria and baseline against a session; ``models`` are its (label, model id).

        Raises BadInput for a component that the edition lacks, or a baseline that cannot be compared with.
        """
        gated_kind(session.edition.kind).check_criteria(criteria, session.edition)
        baseline = read_baseline(criteria.baseline, session) if criteria.baseline else None
        if baseline is not None:
            for label, model_id in models:
                for group in asked_cells(session):
                    baseline.model(label, model_id, group, criteria.baseline_model)
        return cls(criteria, session, baseline)

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
        found = candidates(store, self.session)
        if not found:
            raise BadInput(f"{store.path}: its newest session asked no model; measure the models to decide on")
        strange = self._is_of_another_plan(found)
        checks = checked_judges(store, self.session.panel, set_digest)
        judges = judge_warnings(self.session, checks)
        warnings = warnings_about(store, found)
        obstacle = ANOTHER_PLAN if strange else NOT_ALL if shards_missing else None
        models = [self._model(store, each, obstacle, own, judges) for each, own in zip(found, warnings, strict=True)]
        answer = overall([model.answer for model in models])
        criteria = self.criteria
        return GateResult(
            answer=answer,
            at=utc(time.time()),
            session=self.session.id,
            **view_of(self.session),
            plan_digest=self.session.plan_digest,
            interval=self._interval,
            confidence=criteria.confidence,
            sources=dict(criteria.sources),
            baseline=None if criteria.baseline is None else str(criteria.baseline),
            accepted=list(criteria.accept),
            criteria=[Asked(**asked(criterion)) for criterion in criteria.criteria],
            shards_missing=list(shards_missing),
            notes=[
                *filter(None, [kind_entry(self.session.edition.kind).experimental]),
                *warning_sentences(judges, []),
                *combined_otherwise(self.session),
                *_notes(models, strange, criteria.max_runs if self._interval == "run" else None),
            ],
            next=_next(models, answer, command),
            models=models,
        )

    @property
    def _interval(self) -> str:
        return self._kind.gate_interval(self.criteria)

    @property
    def _kind(self) -> GatedKind:
        return gated_kind(self.session.edition.kind)

    def _is_of_another_plan(self, found: Sequence[Candidate]) -> bool:
        """Return whether all trials are measured, but not those that this plan would ask."""
        if self.session.judged_only or not all(each.result.complete for each in found):
            return False
        return measured_plan_digest(found) != self.session.plan_digest

    def _model(
        self,
        store: Store,
        candidate: Candidate,
        obstacle: str | None,
        warnings: list[ModelWarning],
        judges: Sequence[ModelWarning],
    ) -> GatedModel:
        """Decide on one model, unless there is an ``obstacle`` to deciding on any, or trials of its own are missing."""
        row, baseline = candidate.row, self._baseline_of(candidate.row)
        obstacle = obstacle or (None if candidate.result.complete else NOT_ALL)
        doubts = [] if obstacle else self._not_accepted(candidate, [*warnings, *judges])
        against = self._not_accepted(candidate, baseline.row.warnings) if baseline and not obstacle else []
        if obstacle:
            nothing: dict[str, Any] = {"estimate": None, "interval": None, "answer": "inconclusive", "reason": obstacle}
            decided = _Decided([CriterionResult(**asked(each), **nothing) for each in self.criteria.criteria])
        else:
            decided = self._decided(store, candidate, baseline, doubts, against)
        answers, history, look = decided.answers, decided.history, decided.look
        seen = history if look else None
        oldest, newest = candidate.asked_between
        return GatedModel(
            answer=overall([each.answer for each in answers]),
            runs=self.session.runs,
            missing=[MissingTrials(reason=gap.reason, trials=gap.size) for gap in gaps(row)],
            bounds=row.bounds if reported_kind(self.session.edition.kind).has_index else None,
            oldest=oldest,
            newest=newest,
            look=look,
            confidence=decided.confidence if look else None,
            baseline=_shown(baseline),
            criteria=answers,
            max_runs=history.planned if history else None,
            spent=seen.spent if seen else None,
            next_look=seen.cost(_runs_to_decide(answers)) if seen else None,
            warnings=warnings,
            not_accepted=list(dict.fromkeys([*doubts, *against])),
            model_id=row.model_id,
            configuration=row.configuration,
            **row.fields_of(BuiltModel),
            **row.fields_of(MeasuredCount),
        )

    def _decided(
        self,
        store: Store,
        candidate: Candidate,
        baseline: BaselineModel | None,
        doubts: Sequence[Acceptable],
        against: Sequence[Acceptable],
    ) -> _Decided:
        """Put the criteria to a model that is measured; that is a look unless nothing can come of it.

        ``against`` are doubts about the baseline: only a drop is measured by it.
        """
        criteria = self.criteria
        questions = self._kind.gate_questions(store, candidate, criteria, baseline)
        of_each = [[*doubts, *(against if each.kind == "max_drop" else [])] for each in criteria.criteria]
        open_ones = (not doubt and each.can_be_answered for doubt, each in zip(of_each, questions, strict=True))
        look = self._look(store, candidate) if any(open_ones) else None
        looks = store.looks(candidate.subject)
        history = LookHistory(looks, criteria.confidence, criteria.max_runs, by_run=self._interval == "run")
        of_look = history.confidence(look) if look else None
        confidence = of_look or criteria.confidence
        answers = [
            _undecided(question.ask(confidence, history.following), doubt)
            for doubt, question in zip(of_each, questions, strict=True)
        ]
        if look and of_look is None:
            undecided: dict[str, Any] = {"answer": "inconclusive", "reason": history.idle(look)}
            answers = [answer.model_copy(update=undecided) for answer in answers]
        return _Decided(answers, history, look, confidence)

    def _not_accepted(self, candidate: Candidate, warnings: Sequence[ModelWarning]) -> list[Acceptable]:
        embedded = is_embedded(candidate.facts.model_id)
        found = {each.kind for each in warnings if each.doubted or (each.kind == "offline-judge" and not embedded)}
        return [doubt for doubt in get_args(Acceptable) if doubt in found and doubt not in self.criteria.accept]

    def _baseline_of(self, row: LeaderboardRow) -> BaselineModel | None:
        if self.baseline is None:
            return None
        return self.baseline.model(row.label, row.model_id, row.configuration, self.criteria.baseline_model)

    def _look(self, store: Store, candidate: Candidate) -> int:
        return store.look(
            Look(
                subject=candidate.subject,
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
                configurations=(candidate.facts.configuration,),
            )
        )


def _undecided(answer: CriterionResult, doubts: Sequence[Acceptable]) -> CriterionResult:
    """Return the answer; where there are doubts, as inconclusive, and nothing that more runs would decide."""
    if not doubts:
        return answer
    reason = f"in doubt: {', '.join(dict.fromkeys(doubts))}; see above"
    return answer.model_copy(update={"answer": "inconclusive", "reason": reason, "runs_to_decide": None})


def _shown(baseline: BaselineModel | None) -> BaselineResult | None:
    if baseline is None:
        return None
    numbers = baseline.numbers
    assert numbers is not None, "it has been chosen"
    facts = baseline.row.fields_of(BuiltModel) | baseline.row.fields_of(DoubtedModel)
    return BaselineResult(**facts, runs=numbers.runs, index=numbers.mean)


def _next(models: Sequence[GatedModel], answer: Answer, command: Callable[[int | None], str]) -> Next | None:
    """Return what would decide: first the missing trials, then as many runs as the slowest undecided model needs."""
    if answer != "inconclusive":
        return None
    open_ones = [each for model in models for each in model.criteria if each.answer == "inconclusive"]
    reasons = {missing.reason for model in models for missing in model.missing}
    if reasons == {REPLACED}:
        return None  # the same suite would replace them again
    if any(each.estimate is None for each in open_ones):
        return Next(runs=None, command=command(None))
    runs = _runs_to_decide(open_ones)
    return None if runs is None else Next(runs=runs, command=command(runs))


def _runs_to_decide(answers: Sequence[CriterionResult]) -> int | None:
    """Return the runs that would probably decide all open ones; None where that is unknown of one, or none is open."""
    runs = [each.runs_to_decide for each in answers if each.answer == "inconclusive"]
    return max((each for each in runs if each is not None), default=None) if None not in runs else None


def _notes(models: Sequence[GatedModel], strange: bool, max_runs: int | None) -> Iterator[str]:
    if strange:
        yield (
            "the trials in the store are not those of this plan: another version of the package or another protocol "
            "asked them; run the session's command again"
        )
    for model in models:
        against = [(f"{model.label}'s baseline {base.label}", base.warnings)] if (base := model.baseline) else []
        yield from warning_sentences([], [(model.label, model.warnings), *against])
        if model.not_accepted:
            doubts = ",".join(model.not_accepted)
            yield f"{model.label}: not decided for this reason; add --accept={doubts} to decide all the same."
    for model in models:
        if any(missing.reason == REPLACED for missing in model.missing):
            yield f"{model.label}: what overridden fixtures replace is measured only by a suite without them"
        if model.look is not None and max_runs not in (None, model.max_runs):
            end = f"an end at {model.max_runs} runs" if model.max_runs else "no end"
            yield (
                f"{model.label}: the first look planned {end}, and that stays in force; --max-runs={max_runs} does not "
                "change how the error is spent"
            )
        if model.baseline is not None and model.baseline.identity == model.identity:
            yield (
                f"{model.label} is compared with itself: the baseline is the same model, sampling, endpoint and build; "
                "a difference shows what changed under one name, if the baseline was measured separately"
            )
