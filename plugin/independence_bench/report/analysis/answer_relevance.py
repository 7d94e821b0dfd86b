"""The relevance of one model's answers, read from its transcripts in the store. Decides nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from independence_bench.aggregation import mean, mean_known
from independence_bench.grouping import group_values
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.store import Store

if TYPE_CHECKING:
    from independence_bench.scoring.relevance import Relevance

TEXTS_WITHHELD = "its texts are withheld"
_Questions = list[tuple[str, str | None]]  # what was asked, and the answer to it; None where its text is withheld


@dataclass(frozen=True)
class AnswerRelevance:
    """How far a model's answers depend on the questions, all runs together."""

    overall: "Relevance | None" = None  # None where there are too few answers, or no texts
    unknown: str | None = None  # why it cannot be known, however many answers there were
    shares: Mapping[str, Sequence[float | None]] = field(default_factory=dict)
    """By trial key: the share of each answer, in order; None of a withheld one. Trials that were not read have none."""
    runs: Mapping[int, float] = field(default_factory=dict)  # mean share by run, of runs with enough answers

    def share(self, key: str, answer: int) -> float | None:
        """Return the share of a trial's answer, counted from 0; None where it is not known."""
        shares = self.shares.get(key, ())
        return shares[answer] if answer < len(shares) else None

    def of_trial(self, key: str) -> float | None:
        """Return the mean share of a trial's answers; None where none is known."""
        return mean_known(self.shares.get(key, ()))


def answer_relevance(store: Store, trials: Sequence[PlannedTrial]) -> AnswerRelevance:
    """Return the relevance of the answers in these trials; of very many, of the first and the last ones."""
    import independence_bench.scoring.special_functions  # noqa: F401  late, and first: it loads numpy without threads
    from independence_bench.scoring.relevance import LEAST_ANSWERS, MOST_ANSWERS, relevance

    rows = [trial.transcript for trial in trials if trial.transcript]
    run_of = {trial.transcript.key: trial.run for trial in trials if trial.transcript}
    before = [*accumulate((row.answers for row in rows), initial=0)]
    half = MOST_ANSWERS / 2
    keys = [row.key for row, place in zip(rows, before, strict=False) if place < half or before[-1] - place <= half]
    texts = store.read_transcripts(keys, _questions)
    pairs = [(asked, answer) for key in keys for asked, answer in texts[key] if answer is not None]
    if keys and not pairs:
        return AnswerRelevance(unknown=TEXTS_WITHHELD)
    overall = relevance(pairs)
    if overall is None:
        return AnswerRelevance()
    left = iter(overall.shares)
    shares = {key: [None if answer is None else next(left) for _, answer in texts[key]] for key in keys}
    by_run = group_values((run_of[key], share) for key in keys for share in shares[key] if share is not None)
    runs = {run: mean(own) for run, own in by_run.items() if len(own) >= LEAST_ANSWERS}
    return AnswerRelevance(overall, shares=shares, runs=runs)


def _questions(transcript: Any) -> _Questions:
    return [
        (exchange["asked"], None if exchange["reply"].get("withheld") else exchange["reply"]["answer"])
        for exchange in transcript["exchanges"]
    ]
