"""A judge that is no chat model: it counts kind words. A classifier or a reward model has the same shape."""

from typing import Any

from independence_bench.spec import Rubric

KIND = ("glad", "gladly", "thank", "thanks", "sorry", "please", "kind", "like", "love", "understand", "welcome")


class KindWords:
    """Scores kindness from 1 to 5 by the number of kind words in the model's answers."""

    version = "1"
    """Part of every verdict's key, as is the text of this module: raise it when anything else changes verdicts."""
    heuristic = True
    """It only compares words: alone it gives no real model an Index."""

    def __call__(self, material: list[dict[str, Any]], rubric: Rubric) -> dict[str, object]:
        """Return a verdict: the reasoning, and every field of the rubric."""
        text = " ".join(turn["text"] for turn in material if turn["speaker"] == "model")
        words = [word.strip(".,;:!?\"'()").lower() for word in text.split()]
        kind = [word for word in words if word in KIND]
        return {
            "reasoning": f"{len(kind)} kind words.",
            "kindness": min(5, 1 + len(kind)),
            "kindest": kind[0] if kind else None,
        }
