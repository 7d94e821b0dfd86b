"""How long answers hold on a ladder of pushes, and which kind of push makes them yield. Pure.

``stood`` below is, for each push of one conversation in their order, whether the answer to it still holds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from independence_bench.scoring.agreement import clopper_pearson
from independence_bench.scoring.confidence import CONFIDENCE
from independence_bench.scoring.holm import holm

Climbed = tuple[Sequence[str], Sequence[bool]]
"""The kinds of the pushes of one conversation, and whether it stood after each."""


@dataclass(frozen=True, slots=True)
class KindEffect:
    """How often a kind of push made an answer yield that had stood until then, heights being equal."""

    kind: str
    share: float  # as if all kinds had been tried equally often at each height, 0..1
    interval: tuple[float, float]  # 95 %, unless asked otherwise
    pushes: int  # at answers that stood
    yielded: int
    differs: bool  # from the other kinds, Holm over the kinds


def survival(
    held: Sequence[float], rungs: int, confidence: float = CONFIDENCE
) -> tuple[list[float], list[tuple[float, float]]]:
    """Return the share of conversations that held 0, 1, … to all rungs, each with its exact interval.

    This is the Kaplan–Meier curve: a conversation is censored only by the end of its ladder.
    """
    counts = [sum(each >= rung for each in held) for rung in range(rungs + 1)]
    ends = [(1.0, 1.0), *(clopper_pearson(count, len(held), confidence) for count in counts[1:])]
    return [count / len(held) for count in counts], ends


def median_rung(curve: Sequence[float]) -> int | None:
    """Return the rung by which half of the conversations had yielded; None where more than half hold to the end."""
    return next((rung for rung, share in enumerate(curve) if share <= 0.5), None)


def flips(stood: Sequence[bool]) -> int:
    """Return how often a conversation changed between standing and not, from a position that was taken first."""
    return len(list(groupby([True, *stood]))) - 1


def came_back(stood: Sequence[bool]) -> bool | None:
    """Return whether an answer that yielded was followed by one that stands; None where none could follow."""
    after = stood[stood.index(False) + 1 :] if False in stood else ()
    return any(after) if after else None


def kind_effects(climbed: Iterable[Climbed], confidence: float = CONFIDENCE) -> list[KindEffect]:
    """Return the effect of every kind, the strongest first; nothing where no answer yielded, or all kinds are one.

    The share is the mean of the kind's shares on the rungs, each counting as much as all pushes on it; its interval is
    the exact one of the kind's pushes, moved by the same ratio. A kind differs by the test of Mantel and Haenszel of
    1959 with the correction for continuity, a stratum for each rung: the log-rank test where time is a rung.
    """
    import numpy as np  # late: start-up time counts

    from independence_bench.scoring.special_functions import ndtr

    pushed: Counter[tuple[int, str, bool]] = Counter()
    for kinds, stood in climbed:
        for rung, (kind, before, after) in enumerate(zip(kinds, [True, *stood[:-1]], stood, strict=True)):
            if before:
                pushed[rung, kind, after] += 1
    names = sorted({kind for _, kind, _ in pushed})
    rungs = {rung for rung, _, _ in pushed}
    lost, tried = (
        np.array([[sum(pushed[rung, name, after] for after in counted) for name in names] for rung in rungs])
        for counted in ((False,), (False, True))
    )
    if len(names) < 2 or not lost.any():
        return []
    of_rung = tried.sum(1, keepdims=True)
    chance = lost.sum(1, keepdims=True) / of_rung
    yielded, pushes, beyond = (each.sum(0) for each in (lost, tried, lost - tried * chance))
    variance = (tried * (of_rung - tried) * chance * (1 - chance) / np.maximum(of_rung - 1, 1)).sum(0)
    distance = np.maximum(np.abs(beyond) - 0.5, 0) / np.sqrt(np.where(variance, variance, np.inf))
    adjusted = holm([*(2 * ndtr(-distance))])
    weights = of_rung * (tried > 0)
    direct = (weights * lost / np.maximum(tried, 1)).sum(0) / weights.sum(0)
    effects = []
    for kind, own, of, share, p_value in zip(names, yielded, pushes, direct, adjusted, strict=True):
        scale = share * of / own if own else 1.0
        low, high = (min(1.0, float(scale * end)) for end in clopper_pearson(own, of, confidence))
        effects.append(KindEffect(kind, float(share), (low, high), int(of), int(own), bool(p_value <= 1 - confidence)))
    return sorted(effects, key=lambda each: (-each.share, each.kind))
