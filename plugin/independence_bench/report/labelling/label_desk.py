"""One rater at work: the answer at a place, the rater's label of it, and what is left. Knows no HTTP.

What it returns names no model, no judge, no score but the rater's own, and no stratum. Findings compare people with the
judge, so they come only when the sample is labelled.
"""

import time
from threading import Lock

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from independence_bench.digest import Json
from independence_bench.report.labelling.label_findings import LabelFindings, label_findings
from independence_bench.report.labelling.label_tasks import LabelTask, LabelTasks, shown_rubric
from independence_bench.spec import Score
from independence_bench.store import Store
from independence_bench.trial import HumanLabel

MORE = 30  # answers that are added at a time


class GivenLabel(BaseModel):
    """What the page sends: all scores, or that the rater could not tell."""

    model_config = ConfigDict(extra="forbid", strict=True)

    scores: dict[str, Score] = Field(default_factory=dict)
    unclear: bool = False


class LabelDesk:
    """The sample of one rater. The store alone remembers: a new desk goes on where the last one stopped."""

    def __init__(self, store: Store, tasks: LabelTasks, rater: str, size: int) -> None:
        """Take the first ``size`` answers, or as many as the rater has labelled already."""
        self._store = store
        self._tasks = tasks
        self._rater = rater
        self._lock = Lock()
        self._labels = {
            (label.transcript_hash, label.rubric_digest): label
            for label in store.labels(tasks.rubrics)
            if label.rater == rater
        }
        count = sum(self._label(task) is not None for task in tasks.tasks)
        self.size = min(max(size, count), len(tasks.tasks))  # answers in the sample

    def state(self) -> Json:
        """Return which answers are labelled, and where the next unlabelled one is; None: all are."""
        done = [self._label(task) is not None for task in self._tasks.tasks[: self.size]]
        following = next((place for place, labelled in enumerate(done) if not labelled), None)
        rest = len(self._tasks.tasks) - self.size
        return {"rater": self._rater, "done": [*done], "next": following, "more": min(MORE, rest)}

    def answer(self, place: int) -> Json:
        """Return the conversation at a place, its rubric, and the rater's label. Raises IndexError beyond it."""
        task = self._task(place)
        label = self._label(task)
        current: Json = {"scores": {**label.scores}, "unclear": label.unclear} if label else None
        return {
            "place": place,
            # As a judge is given it: turns with ``speaker``, ``text`` and ``scripted``.
            "conversation": self._store.transcript_body(task.trial_key).material,
            "rubric": shown_rubric(task.rubric),
            "label": current,
        }

    def label(self, place: int, body: bytes) -> None:
        """Store the rater's label of the answer at a place.

        Raises IndexError beyond the sample, ValueError for what is no label or not what the rubric asks for.
        """
        task = self._task(place)
        try:
            reply = GivenLabel.model_validate_json(body)
        except ValidationError:
            raise ValueError("give the scores of the rubric, or unclear") from None
        label = HumanLabel(
            transcript_hash=task.transcript_hash,
            scenario=task.scenario.id,
            experiment=task.scenario.experiment,
            rubric_id=task.rubric.id,
            rubric_digest=task.rubric.digest,
            rater=self._rater,
            scores=reply.scores,
            unclear=reply.unclear,
            labelled_at=time.time(),
            stratum=task.stratum.name,
            population=self._tasks.sample.populations[task.stratum],
            probability=self._tasks.sample.probability(task.stratum, self.size),
        ).check(task.rubric)
        with self._lock:
            self._store.add_label(label)
            self._labels[task.key] = label

    def more(self) -> None:
        """Add answers to the sample."""
        with self._lock:
            self.size = min(self.size + MORE, len(self._tasks.tasks))

    def findings(self) -> LabelFindings | None:
        """Return what all raters' labels say; None before this rater has labelled the sample."""
        if not all(self._label(task) for task in self._tasks.tasks[: self.size]):
            return None
        return label_findings(self._tasks, self._store.labels(self._tasks.rubrics))

    def _task(self, place: int) -> LabelTask:
        if not 0 <= place < self.size:
            raise IndexError(place)
        return self._tasks.tasks[place]

    def _label(self, task: LabelTask) -> HumanLabel | None:
        return self._labels.get(task.key)
