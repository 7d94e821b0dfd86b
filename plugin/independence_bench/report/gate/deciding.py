"""The gate: prepared before any call is made, it decides on the measurements after the session has ended.

Repeated looks would eventually pass a model by chance: the store counts each look at one model, its texts and its
panel, and each look has its own confidence.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from independence_bench.kinds import telling
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.ranked import texts_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.gate.baseline import Baseline, BaselineModel, read_baseline
from independence_bench.report.gate.candidates import Candidate, asked_cells, candidates, plan_digest
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gate_result import (
    Answer,
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
from independence_bench.report.report_data import shared
from independence_bench.store import Look, Session, Store
from independence_bench.utc import utc

if TYPE_CHECKING:
    from independence_bench.kinds.protocol import Telling

JUDGING_COMMAND = "judge"
"""``options.command`` of a session that asked no model."""


def confidence_of_look(confidence: float, look: int) -> float:
    """Return the confidence at which the ``look``-th look is judged: 1 − (1 − c) / 2^(look − 1).

    A look passes a model wrongly with (1 − c) / 2 at most; all looks together, however many, then with
    (1 − c) / 2 × (1 + 1/2 + 1/4 + …) = 1 − c at most. This is alpha spending (Lan and DeMets 1983) with a geometric
    spending function, by Bonferroni's inequality instead of the looks' joint distribution: it needs no
    knowledge of when and how often the user will look.
    """
    return float(1 - (1 - confidence) / 2 ** (look - 1))


@dataclass(frozen=True)
class Gate:
    """Criteria, session and baseline, all checked."""

    criteria: Criteria
    session: Session
    baseline: Baseline | None

    @classmethod
    def prepare(cls, criteria: Criteria, session: Session, models: Sequence[tuple[str, str]]) -> "Gate":
        """Check criteria and baseline against a session; ``models`` are its (label, model id).

        Raises:
            BadInput: a component that the edition lacks, or a baseline that cannot be compared with.
        """
        criteria.check(session.edition)
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
    ) -> GateResult:
        """Decide from the store's trials of the session's plan, and record the look in the store.

        ``command`` gives the command that brings the plan to so many runs, or, for None, measures what is missing.
        """
        found = candidates(store, self.session)
        strange = self._is_of_another_plan(found)
        models = [self._model(store, each, bool(shards_missing), strange) for each in found]
        answer = overall([model.answer for model in models])
        criteria = self.criteria
        return GateResult(
            answer=answer,
            at=utc(time.time()),
            session=self.session.id,
            edition=self.session.edition.id,
            texts=texts_of(self.session),
            judges=[judge.label for judge in self.session.panel],
            plan_digest=self.session.plan_digest,
            interval=self._kind.gate_interval(criteria),
            confidence=criteria.confidence,
            sources=dict(criteria.sources),
            baseline=None if criteria.baseline is None else str(criteria.baseline),
            criteria=[Asked(**asked(criterion)) for criterion in criteria.criteria],
            shards_missing=list(shards_missing),
            notes=list(_notes(models, strange)),
            next=_next(models, answer, command),
            models=models,
        )

    @property
    def _kind(self) -> "Telling":
        return telling(self.session.edition.kind)

    def _is_of_another_plan(self, found: Sequence[Candidate]) -> bool:
        """Return whether all trials are measured, but not those that this plan would ask."""
        if self.session.options.get("command") == JUDGING_COMMAND or not all(each.result.complete for each in found):
            return False
        return plan_digest(found) != self.session.plan_digest

    def _model(self, store: Store, candidate: Candidate, shards_missing: bool, strange: bool) -> GatedModel:
        criteria, row = self.criteria, candidate.row
        baseline = self._baseline_of(row)
        look: int | None = None
        confidence: float | None = None
        answers: list[CriterionResult] = []
        if not candidate.result.complete or shards_missing or strange:
            reason = "the trials belong to another plan" if strange else "not all planned trials are measured"
            answers = [
                CriterionResult(**asked(criterion), estimate=None, interval=None, answer="inconclusive", reason=reason)
                for criterion in criteria.criteria
            ]
        else:
            questions = self._kind.gate_questions(store, self.session, candidate, criteria, baseline)
            if any(question.can_be_answered for question in questions):
                look = self._look(store, candidate)
                confidence = confidence_of_look(criteria.confidence, look)
            first = confidence or criteria.confidence
            following = confidence_of_look(criteria.confidence, (look or 0) + 1)
            answers = [question.ask(first, following) for question in questions]
        times = candidate.asked
        return GatedModel(
            answer=overall([each.answer for each in answers]),
            runs=self.session.runs,
            missing=[MissingTrials(reason=gap.reason, trials=gap.size) for gap in gaps(row)],
            bounds=row.bounds if self._kind.has_index else None,
            oldest=utc(times[0]) if times else None,
            newest=utc(times[-1]) if times else None,
            look=look,
            confidence=confidence,
            baseline=_shown(baseline),
            criteria=answers,
            **shared(row, GatedModel, "runs", "missing", "bounds"),
        )

    def _baseline_of(self, row: LeaderboardRow) -> BaselineModel | None:
        if self.baseline is None:
            return None
        return self.baseline.model(row.label, row.model_id, row.configuration, self.criteria.baseline_model)

    def _look(self, store: Store, candidate: Candidate) -> int:
        """Record a look at this model with the session's runs; return the number of the look."""
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
                },
                configurations=(candidate.facts.configuration,),
            )
        )


def _shown(baseline: BaselineModel | None) -> BaselineResult | None:
    if baseline is None:
        return None
    sample = baseline.sample
    return BaselineResult(**shared(baseline.row, BaselineResult, "runs", "index"), runs=sample.runs, index=sample.mean)


def _next(models: Sequence[GatedModel], answer: Answer, command: Callable[[int | None], str]) -> Next | None:
    """Return what would decide: first the missing trials, then as many runs as the slowest undecided model needs."""
    if answer != "inconclusive":
        return None
    open_ones = [each for model in models for each in model.criteria if each.answer == "inconclusive"]
    if any(each.estimate is None for each in open_ones):
        return Next(runs=None, command=command(None))
    known = [each.runs_to_decide for each in open_ones if each.runs_to_decide is not None]
    if len(known) < len(open_ones):
        return None
    return Next(runs=max(known), command=command(max(known)))


def _notes(models: Sequence[GatedModel], strange: bool) -> Iterator[str]:
    if strange:
        yield (
            "the trials in the store are not those of this plan: another version of the package or another protocol "
            "asked them; run the session's command again"
        )
    for model in models:
        if model.baseline is not None and model.baseline.identity == model.identity:
            yield (
                f"{model.label} is compared with itself: the baseline is the same model, sampling, endpoint and build; "
                "a difference shows what changed under one name, if the baseline was measured separately"
            )
