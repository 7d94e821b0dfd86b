"""Which answers people should label, so that labels say most about the judge's error. Pure.

Answers are drawn in strata: experiment, the outcome in the judge's eyes, and how near its scores are to the
pass mark. Sample sizes follow Neyman's allocation, answer by answer, so that a larger sample
contains every smaller one. Who is drawn depends on digests and a seed alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean

from independence_bench.digest import digest
from independence_bench.grouping import group_values

RARER = 1 / 3  # least share of labels that should be of the rarer class (held or yielded), as people see it
_AIM = 0.5  # least share of the rarer class as the judge sees it: room for the judge's own errors
_BLOCK = 10
"""Answers are shown in random order within blocks of this size: the order of the allocation would tell the stratum."""
MOST = 1000  # answers that a sample has at most: no one labels more
_PRIOR = 4  # labels that the assumed error of a stratum counts for, next to those that there are
_Z = 1.959964  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of all answers in which the judge is likely to err alike."""

    experiment: str
    word: str  # of the outcome, as the judge sees it, such as ``held`` or ``no position``
    near: bool  # whether a score is so near to the pass mark that the judge's error may change sides

    @property
    def held(self) -> bool:
        """Whether the judge calls it held."""
        return self.word == "held"

    @property
    def name(self) -> str:
        """Name in a label. Never shown to a rater."""
        return f"{self.experiment}, judged {self.word}{', near the mark' if self.near else ''}"

    @property
    def error(self) -> float:
        """Assumed standard deviation of person minus judge, as a share of the best score, before there are labels.

        Judges disagree about twice as much near a mark as elsewhere.
        """
        return 0.35 if self.near else 0.18


@dataclass(frozen=True)
class LabelSample:
    """Answers in the order of labelling: every beginning of it is a sample."""

    order: Mapping[str, Stratum]  # by key
    populations: Mapping[Stratum, int]
    weights: Mapping[Stratum, float]  # share of each stratum in the edition's Index; they sum to 1

    def probability(self, stratum: Stratum, size: int) -> float:
        """Return the probability that an answer of a stratum is in the sample of a size."""
        return self.counts(size)[stratum] / self.populations[stratum]

    def counts(self, size: int) -> Counter[Stratum]:
        """Return how many answers of each stratum the sample of a size has."""
        return Counter([*self.order.values()][:size])

    def half_width(self, differences: Mapping[Stratum, Sequence[float]], further: int = 0) -> float | None:
        """Return half of the expected 95 % interval of the judge's mean error over all answers; None without labels.

        ``differences`` are person minus judge of labelled answers, as shares of the best score (0..1); ``further`` more
        labels are drawn as the allocation would. The variance is that of a stratified mean (Cochran, Sampling
        Techniques, 1977, 5.6). A stratum's own variance is shrunk to the assumed one. Strata without a label take the
        assumed variance of one label.
        """
        label_counts = {stratum: len(values) for stratum, values in differences.items() if values}
        if not label_counts:
            return None
        size = sum(label_counts.values()) + further
        counts = Counter(label_counts)
        if further:
            counts |= Counter(_allocation(self.populations, self.weights, size))
        variance = 0.0
        for stratum, population in self.populations.items():
            labels = max(counts[stratum], 1)
            spread = _variance(stratum, differences.get(stratum, ()))
            variance += self.weights[stratum] ** 2 * spread / labels * (1 - counts[stratum] / population)
        return _Z * sqrt(variance)


def label_sample(answers: Mapping[str, Stratum], weights: Mapping[str, float], seed: int) -> LabelSample:
    """Return at most :data:`MOST` answers in the order of labelling.

    ``answers`` are the strata by key, which is an answer's identity: the order is the same for every rater. ``weights``
    are the shares of experiments in the Index. Every answer has a permanent random number by its key and the seed, so
    that answers which are added later change as little as possible.
    """
    by_stratum = group_values((stratum, key) for key, stratum in answers.items())
    populations = {stratum: len(by_stratum[stratum]) for stratum in sorted(by_stratum, key=lambda each: each.name)}
    of_experiment = Counter(stratum.experiment for stratum in answers.values())
    total = sum(weights.get(experiment, 0.0) for experiment in sorted(of_experiment))
    shares = {
        stratum: (weights.get(stratum.experiment, 0.0) / total if total else 1 / len(of_experiment))
        * population
        / of_experiment[stratum.experiment]
        for stratum, population in populations.items()
    }
    waiting = {stratum: iter(sorted(keys, key=lambda key: digest([seed, key]))) for stratum, keys in by_stratum.items()}
    keys_drawn = [next(waiting[stratum]) for stratum in _allocation(populations, shares, MOST)]
    order = sorted(enumerate(keys_drawn), key=lambda each: (each[0] // _BLOCK, digest([seed, "order", each[1]])))
    return LabelSample({key: answers[key] for _, key in order}, populations, shares)


def _allocation(populations: Mapping[Stratum, int], weights: Mapping[Stratum, float], size: int) -> list[Stratum]:
    """Return the stratum of every answer of a sample, in order, so that each prefix is as good as it can be.

    The next answer goes where it reduces the variance most: T. Wright, The equivalence of Neyman optimum allocation for
    sampling and equal proportions for apportioning the U.S. House of Representatives, Am. Stat. 66, 2012.
    Where that gives the rarer class less than its share, the next answer is of the rarer class.
    """
    counts: Counter[Stratum] = Counter()
    order: list[Stratum] = []
    held = 0
    while len(order) < min(size, sum(populations.values())):
        free = [stratum for stratum, population in populations.items() if counts[stratum] < population]
        for rarer, there in ((True, held), (False, len(order) - held)):
            of_class = [stratum for stratum in free if stratum.held == rarer]
            if there < _AIM * (len(order) + 1) and of_class:
                free = of_class
                break
        best = max(free, key=lambda stratum: (_gain(weights[stratum] * stratum.error, counts[stratum]), stratum.name))
        counts[best] += 1
        held += best.held
        order.append(best)
    return order


def _gain(spread: float, count: int) -> float:
    return inf if count == 0 and spread else spread / sqrt(count * (count + 1)) if count else 0.0


def _variance(stratum: Stratum, differences: Sequence[float]) -> float:
    """Return the variance within a stratum: of its labels, and of as many as the assumed one counts for."""
    squares = sum((each - fmean(differences)) ** 2 for each in differences) if differences else 0.0
    return (_PRIOR * stratum.error**2 + squares) / (_PRIOR + max(len(differences) - 1, 0))
