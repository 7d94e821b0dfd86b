"""A kind of edition as another package would add one: this folder and one entry point."""

from independence_bench.kind_registry import KindEntry
from independence_bench.spec import Rubric, ScoreField

KIND = KindEntry("toy_kind", "toys", free_answers=False)
SCORE = "quality_of_reasoning"
RUBRIC = Rubric(
    id="toy",
    instruction="How well is the toy described?",
    scores=(ScoreField(name=SCORE, type="integer", asks="0 to 10; 10 is best", minimum=0, maximum=10),),
)
