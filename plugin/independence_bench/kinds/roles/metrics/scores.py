"""From item answers to value scores: raw, and centred within each persona.

Raw value score = mean of the value's items; centred = raw − the persona's mean over all items of the questionnaire (no
division by a standard deviation). Missing answers are left out of both means.
"""

import zlib
from dataclasses import dataclass

import numpy as np

from independence_bench.kinds.roles.design import VALUES, QuestionnaireShape
from independence_bench.kinds.roles.metrics.answers import ContextAnswers
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.scoring.uncertainty.sample import mean_of_known


@dataclass(frozen=True, slots=True, eq=False)
class ContextScores:
    """One context's numbers, personas in rows."""

    name: str
    instrument: QuestionnaireShape
    items: Array  # (personas, items) as answered; NaN where there is no answer
    centred_scores: Array
    """(personas, 10) centred value scores in the order of VALUES; NaN where a persona answered none of the items."""
    centred_items: Array  # (personas, items) answers minus the persona's mean

    @property
    def n_missing(self) -> int:
        """Answers that are not there."""
        return int(np.isnan(self.items).sum())


def score(context: ContextAnswers) -> ContextScores:
    """Score one context's answers."""
    items = np.array(context.answers, dtype=np.float64)  # None becomes NaN
    return score_items(context.name, context.instrument, items)


def score_items(name: str, instrument: QuestionnaireShape, items: Array) -> ContextScores:
    """Score a matrix of answers (personas, items)."""
    persona = mean_of_known(items, axis=1)
    raw = np.stack([mean_of_known(items[:, instrument.columns(value)], axis=1) for value in VALUES], axis=1)
    return ContextScores(name, instrument, items, raw - persona[:, None], items - persona[:, None])


def impute_missing(scores: ContextScores) -> ContextScores:
    """Put a random option in place of every missing answer, as published; seeded by the context's name.

    Only numbers by the published rules (the Cardinal score and what it is made of) may use this. A context with
    more answers missing than there are stays as it is: noise must not earn the chance level.
    """
    if not 0 < scores.n_missing <= scores.items.size / 2:
        return scores
    rng = np.random.default_rng(zlib.crc32(scores.name.encode("utf-8", "backslashreplace")))
    fills = rng.integers(scores.instrument.lowest, scores.instrument.highest + 1, scores.items.shape).astype(np.float64)
    return score_items(scores.name, scores.instrument, np.where(np.isnan(scores.items), fills, scores.items))
