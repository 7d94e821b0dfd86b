"""The ten basic values, their circle, and the two questionnaires that measure them: item numbers and scales only.

Knows nothing of answers or wording. Source of values and circle: S. H. Schwartz, Advances in Experimental Social
Psychology 25 (1992); the item keys are those of its 40-item portrait questionnaire and its 57-item value survey.
"""

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


PORTRAIT = Instrument(
    name="pvq",
    kind="portrait",
    n_items=40,
    lowest=1,
    highest=6,
    items={
        "Conformity": (7, 16, 28, 36),
        "Tradition": (9, 20, 25, 38),
        "Benevolence": (12, 18, 27, 33),
        "Universalism": (3, 8, 19, 23, 29, 40),
        "Self-Direction": (1, 11, 22, 34),
        "Stimulation": (6, 15, 30),
        "Hedonism": (10, 26, 37),
        "Achievement": (4, 13, 24, 32),
        "Power": (2, 17, 39),
        "Security": (5, 14, 21, 31, 35),
    },
)
"""The portrait questionnaire: 40 items, answers 1 to 6."""

SURVEY = Instrument(
    name="svs",
    kind="survey",
    n_items=57,
    lowest=-1,
    highest=7,
    items={
        "Conformity": (11, 20, 40, 47),
        "Tradition": (18, 32, 36, 44, 51),
        "Benevolence": (33, 45, 49, 52, 54),
        "Universalism": (1, 17, 24, 26, 29, 30, 35, 38),
        "Self-Direction": (5, 16, 31, 41, 53),
        "Stimulation": (9, 25, 37),
        "Hedonism": (4, 50, 57),
        "Achievement": (34, 39, 43, 55),
        "Power": (3, 12, 27, 46),
        "Security": (8, 13, 15, 22, 56),
    },
)
"""The value survey: 57 items, answers −1 to 7; 46 of them measure a value."""

INSTRUMENTS = {instrument.name: instrument for instrument in (PORTRAIT, SURVEY)}
"""By the name that an answer file uses."""
