"""From item answers to value scores: raw, and centred within each persona.

Raw value score = mean of the value's items; centred = raw − the persona's mean over all items of the questionnaire (no
division by a standard deviation). Missing answers are left out of both means.
"""

import zlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from independence_bench.kinds.roles.design import VALUES, QuestionnaireShape
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.scoring.uncertainty.sample import mean_of_known


@dataclass(frozen=True)
class ContextAnswers:
    """What the personas answered in one context; arrays have personas in rows."""

    name: str
    instrument: QuestionnaireShape
    answers: tuple[tuple[int | None, ...], ...]  # persona × item; None where there is no answer that could be read
    retest_of: str | None = None
    """The context that this one repeats with another option order; a retest counts for the noise ceiling only."""

    @cached_property
    def items(self) -> Array:
        """(personas, items) as answered; NaN where there is no answer."""
        return np.array(self.answers, dtype=np.float64)  # None becomes NaN

    @property
    def n_missing(self) -> int:
        """Answers that are not there."""
        return int(np.isnan(self.items).sum())

    @cached_property
    def centred_items(self) -> Array:
        """(personas, items) answers minus the persona's mean."""
        return self.items - mean_of_known(self.items, axis=1)[:, None]

    @cached_property
    def centred_scores(self) -> Array:
        """(personas, 10) centred value scores in the order of VALUES; NaN where none of the items was answered."""
        columns = map(self.instrument.columns, VALUES)
        raw = np.stack([mean_of_known(self.items[:, each], axis=1) for each in columns], axis=1)
        return raw - mean_of_known(self.items, axis=1)[:, None]

    def filled(self) -> "ContextAnswers":
        """Put a random option in place of every missing answer, as published; seeded by the context's name.

        Only numbers by the published rules (the Cardinal score and what it is made of) may use this. A context with
        more answers missing than there are stays as it is: noise must not earn the chance level.
        """
        if not 0 < self.n_missing <= self.items.size / 2:
            return self
        rng = np.random.default_rng(zlib.crc32(self.name.encode("utf-8", "backslashreplace")))
        fills = rng.integers(self.instrument.lowest, self.instrument.highest + 1, self.items.shape)
        items = np.where(np.isnan(self.items), fills, self.items).astype(int)
        return replace(self, answers=tuple(map(tuple, items.tolist())))
