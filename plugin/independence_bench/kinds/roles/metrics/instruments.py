"""The ten basic values, their circle, and the two questionnaires that measure them: item numbers and scales only.

The questionnaires are in ``instruments.json``. Knows nothing of answers or wording.

Source of values and circle: S. H. Schwartz, Advances in Experimental Social Psychology 25 (1992); the item keys are
those of its 40-item portrait questionnaire and its 57-item value survey.
"""

import json
from pathlib import Path

from independence_bench.kinds.roles.design import VALUES as VALUES
from independence_bench.kinds.roles.design import QuestionnaireShape

START_POINTS = {
    "Self-Direction": (-0.34, 0.94),
    "Stimulation": (-0.87, 0.50),
    "Hedonism": (-0.98, -0.17),
    "Achievement": (-0.64, -0.77),
    "Power": (0.0, -1.0),
    "Security": (0.65, -0.77),
    "Conformity": (0.49, -0.09),
    "Tradition": (0.98, -0.17),
    "Benevolence": (0.87, 0.50),
    "Universalism": (0.34, 0.94),
}
"""Where theory puts each value in the plane (Tradition outside Conformity): the start of the published scaling."""

HIGHER_ORDER = {
    "conservation": ("Security", "Conformity", "Tradition"),
    "openness_to_change": ("Self-Direction", "Stimulation", "Hedonism"),
    "self_transcendence": ("Benevolence", "Universalism"),
    "self_enhancement": ("Achievement", "Power"),
}
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


INSTRUMENTS = {
    row["name"]: Instrument(**row)
    for row in json.loads(Path(__file__).with_name("instruments.json").read_text(encoding="utf-8"))
}
"""By the name that an answer file uses.

``pvq``: the portrait questionnaire, 40 items, answers 1 to 6. ``svs``: the value survey, 57 items, answers −1 to 7; 46
of them measure a value.
"""
