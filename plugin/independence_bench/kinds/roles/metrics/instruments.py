"""The ten basic values, their circle, and the two questionnaires that measure them: item numbers and scales only.

All are in ``instruments.json``. Knows nothing of answers or wording.

Source of values and circle: S. H. Schwartz, Advances in Experimental Social Psychology 25 (1992); the item keys are
those of its 40-item portrait questionnaire and its 57-item value survey.
"""

import json
from pathlib import Path

from independence_bench.kinds.roles.design import VALUES as VALUES
from independence_bench.kinds.roles.design import QuestionnaireShape

_CONTENT = json.loads(Path(__file__).with_name("instruments.json").read_text(encoding="utf-8"))
START_POINTS: dict[str, tuple[float, float]] = {value: (x, y) for value, (x, y) in _CONTENT["circle"].items()}
"""Where theory puts each value in the plane (Tradition outside Conformity): the start of the published scaling."""
HIGHER_ORDER: dict[str, tuple[str, ...]] = {name: tuple(values) for name, values in _CONTENT["higher_order"].items()}
"""The four higher-order values: one factor model each, one factor per value."""


class Instrument(QuestionnaireShape):
    """A questionnaire as it is scored; rank orders are reported apart for pairs of kinds."""

    def columns(self, value: str) -> list[int]:
        """Positions of a value's items in a row of answers, counted from 0."""
        return [item - 1 for item in self.items[value]]

    @property
    def used(self) -> list[tuple[int, str]]:
        """Position and value of every item that measures a value, in the order of the questionnaire."""
        return sorted((item - 1, value) for value in VALUES for item in self.items[value])


INSTRUMENTS = {row["name"]: Instrument(**row) for row in _CONTENT["questionnaires"]}
"""By the name that an answer file uses.

``pvq``: the portrait questionnaire, 40 items, answers 1 to 6. ``svs``: the value survey, 57 items, answers −1 to 7; 46
of them measure a value.
"""
