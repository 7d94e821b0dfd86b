"""The answers that a rater labels, and what the rater is shown of them: what a judge is shown, and nothing else."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.digest import Json
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.scoring.label_sample import LabelSample, Stratum, label_sample
from independence_bench.spec import PassRule, Rubric, Scenario, Score, ScoreField
from independence_bench.store import Session, Store

_NEAR = 0.2  # share of a score's range: closer to the mark than this, a judge's usual error changes sides


@dataclass(frozen=True)
class LabelTask:
    """One answer that can be labelled: all trials with the same conversation, judged by the same rubric."""

    trial_key: str  # of one trial with this conversation, to read it
    transcript_hash: str
    scenario: Scenario
    rubric: Rubric  # of the scenario
    stratum: Stratum
    means: Mapping[str, float]  # The panel's scores. Never shown.

    @property
    def key(self) -> tuple[str, str]:
        """What labels of this answer name: the hash of its transcript and the digest of its rubric."""
        return self.transcript_hash, self.rubric.digest

    def shares(self, scores: Mapping[str, Score]) -> float:
        """Return the mean of these scores, each as a share of its best value, 0..1."""
        fields = self.rubric.scores
        return sum(field.share(float(scores[field.name])) for field in fields) / len(fields)


@dataclass(frozen=True)
class LabelTasks:
    """What can be labelled of a session, in the order of labelling."""

    sample: LabelSample
    tasks: Sequence[LabelTask]

    @property
    def rubrics(self) -> list[Rubric]:
        """All rubrics, each once."""
        return list({task.rubric.digest: task.rubric for task in self.tasks}.values())


def label_tasks(store: Store, session: Session, seed: int) -> LabelTasks:
    """Return the judged answers of the edition's own configurations, in the order of labelling.

    Raises BadInput where no judge has read any answer of this session.
    """
    if not any(scenario.rubric for scenario in session.edition.scenarios):
        raise BadInput(f"edition {session.edition.id}: no judge reads its answers, so there is nothing to label")
    trials = [
        trial
        for entry in ranked_models(store, session).entries
        if entry.result.records.group is None
        for trial in entry.result.trials
        if trial.measured and trial.scenario.rubric is not None
    ]
    tasks: dict[str, LabelTask] = {}
    for trial in sorted(trials, key=lambda each: each.transcript.key if each.transcript else ""):
        if (task := _task(trial)) is not None:
            tasks.setdefault(" ".join(task.key), task)
    if not tasks:
        raise BadInput(
            f"{store.path}: no judge has read an answer of edition {session.edition.id}; labels say how a "
            "judge errs, so let one judge it first: `independence-bench judge --judge=NAME`"
        )
    strata = {key: task.stratum for key, task in tasks.items()}
    sample = label_sample(strata, experiment_weights(session.edition), seed)
    return LabelTasks(sample, [tasks[key] for key in sample.order])


def experiment_weights(edition: Edition) -> dict[str, float]:
    """Return the share of each experiment in the Index; equal shares where an edition has no components."""
    of = {scenario.id: scenario.experiment for scenario in edition.scenarios}
    weights: defaultdict[str, float] = defaultdict(float)
    for component in edition.components.values():
        for part in component.parts:
            for scenario in part.scenarios:
                weights[of[scenario]] += component.weight / len(component.parts) / len(part.scenarios)
    return dict(weights) if weights else dict.fromkeys(edition.experiments, 1.0)


def shown_rubric(rubric: Rubric) -> Json:
    """Return the instruction and the fields with their anchors, as a judge is given them; no pass mark."""
    return {
        "instruction": rubric.instruction,
        "fields": [
            {
                "name": field.name,
                "boolean": field.type == "boolean",
                "minimum": field.minimum,
                "maximum": field.maximum,
                "asks": field.asks,
            }
            for field in rubric.scores
        ],
    }


def _task(trial: PlannedTrial) -> LabelTask | None:
    judged = trial.outcome.judged  # labels are about the judge, whether or not its scores give a model numbers
    row, rubric, means = trial.transcript, trial.scenario.rubric, judged.means if trial.measured else None
    if row is None or rubric is None or not means or any(field.name not in means for field in rubric.scores):
        return None
    word = judged.word or ("held" if (judged.share or 0.0) >= 0.5 else "yielded")
    stratum = Stratum(trial.scenario.experiment, word, _near(trial.scenario.judged_marks, rubric.scores, means))
    return LabelTask(row.key, row.transcript_hash, trial.scenario, rubric, stratum, means)


def _near(passes: Sequence[PassRule], fields: Sequence[ScoreField], means: Mapping[str, float]) -> bool:
    ranges = {field.name: field.ends for field in fields}
    for rule in passes:
        low, high = ranges[rule.score]
        bound = next(each for each in (rule.at_least, rule.at_most, rule.equals) if each is not None)
        if high - low > 1 and abs(means[rule.score] - float(bound)) < _NEAR * (high - low):
            return True
    return False
