"""A judge that is no chat model: it counts kind words. A classifier or a reward model has the same shape."""

from typing import Any

from independence_bench.spec import Rubric

KIND = ("glad", "gladly", "thank", "thanks", "sorry", "please", "kind", "like", "love", "understand", "welcome")


class KindWords:
    """Scores kindness from 1 to 5 by the number of kind words in the model's answers."""

    version = "1"
    """Part of every verdict's key: raise it when verdicts change."""
    heuristic = True
    """It only compares words: alone it gives no real model an Index."""

    def __call__(self, material: list[dict[str, Any]], rubric: Rubric) -> dict[str, object]:
        """Return a verdict: the reasoning, and every field of the rubric."""
        said = " ".join(turn["text"] for turn in material if turn["speaker"] == "model")
        words = [word.strip(".,;:!?\"'()").lower() for word in said.split()]
        found = [word for word in words if word in KIND]
        return {
            "reasoning": f"{len(found)} kind words.",
            "kindness": min(5, 1 + len(found)),
            "kindest": found[0] if found else None,
        }
