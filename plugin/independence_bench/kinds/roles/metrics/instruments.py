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


INSTRUMENTS = {row["name"]: QuestionnaireShape(**row) for row in _CONTENT["questionnaires"]}
"""By the name that an answer file uses.

``pvq``: the portrait questionnaire, 40 items, answers 1 to 6. ``svs``: the value survey, 57 items, answers −1 to 7; 46
of them measure a value.
"""
