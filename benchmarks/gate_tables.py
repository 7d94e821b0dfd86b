"""What gates and ``watch`` decide, simulated: ``python benchmarks/gate_tables.py [MODELS]`` (default 2,000 of a kind).

A simulated model is one of the published configurations: in each scenario its runs are drawn from those that were
recorded, weighed at random (Bayesian bootstrap), with one run's worth of its neighbours on the leaderboard. A fallen
model gives in, in a share of its trials, as the lowest of all published models do. Every decision is made by the
functions of the package. Prints the tables of docs/methodology/gates.md.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from engaged_figures import published
from numpy.typing import NDArray

from independence_bench.kinds.edition_files import load_edition
from independence_bench.kinds.index.reporting.index_numbers import index_drop
from independence_bench.report.gate.criteria import Criterion
from independence_bench.report.gate.gate_result import CriterionResult
from independence_bench.report.gate.look_history import LookHistory
from independence_bench.report.numbers.number_questions import NumberQuestion
from independence_bench.scoring.uncertainty import GATE_DEPTH, Sample, difference_interval, index_sample, interval
from independence_bench.scoring.uncertainty.spending import Spending, look_levels
from independence_bench.scoring.uncertainty.watching import ERROR, log_evidence
from independence_bench.store import Look

SCORES = Path(__file__).resolve().parent / "published_scores" / "scores.csv"
MODELS = 2_000
NEIGHBOURS, NEIGHBOURS_WORTH = 8, 1.0
LOWEST = 0.05
"""A trial that has fallen gets this quantile of all published trials of its scenario."""
RUNS, DROP, FALL = 5, 8.0, 15.0
"""The example workflow: runs of the model and of its baseline, the drop it accepts; and the fall it must not miss."""
KINDS = ("ordinary", "mid", "high", "ceiling")

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class SimulatedModel:
    """Points of each scenario that a run may have, and how probable each is."""

    values: Numbers
    shares: Numbers
    template: Sample

    @property
    def truth(self) -> float:
        """Its true Index."""
        return float((self.values * self.shares).sum())

    def sample(self, runs: int, chance: np.random.Generator, days: Sequence[float] = ()) -> Sample:
        """Return so many runs; ``days`` shifts each by as many points, spread over the scenarios."""
        reached = chance.random((len(self.values), runs, 1)) > self.shares.cumsum(axis=1)[:, None, :]
        places = reached.sum(axis=-1).clip(0, self.values.shape[1] - 1)
        points = np.take_along_axis(self.values, places, axis=1)
        if len(days):
            points = points + self.template.worth[:, None] / self.template.worth.sum() * np.asarray(days)
        return replace(self.template, points=points)


class Published:
    """The published configurations with five runs or more."""

    def __init__(self) -> None:
        edition = load_edition("v2")
        self.samples = [index_sample(edition, runs) for runs in published(SCORES, edition).values()]
        self.samples.sort(key=lambda sample: sample.mean)
        every = np.concatenate([sample.points for sample in self.samples], axis=1)
        self._lowest = np.quantile(every, LOWEST, axis=1, keepdims=True)

    @cached_property
    def kinds(self) -> dict[str, list[int]]:
        """The places of each kind's configurations; ordinary ones have about the mean standard deviation of a run."""
        spread = [float(sample.points.var(axis=1, ddof=1).sum() ** 0.5) for sample in self.samples]
        means = [sample.mean for sample in self.samples]
        return {
            "ordinary": [place for place, each in enumerate(spread) if 3.4 < each < 4.8],
            "mid": [place for place, each in enumerate(means) if each < 90],
            "high": [place for place, each in enumerate(means) if 90 <= each < 96.5],
            "ceiling": [place for place, each in enumerate(means) if each >= 96.5],
        }

    def model(self, kind: str, chance: np.random.Generator) -> SimulatedModel:
        """Draw a model of a kind."""
        place = int(chance.choice(self.kinds[kind]))
        own, low = self.samples[place].points, max(0, place - NEIGHBOURS // 2)
        near = [
            each.points for at, each in enumerate(self.samples[low : place + NEIGHBOURS // 2 + 1], low) if at != place
        ]
        values = np.concatenate([own, *near], axis=1)
        others = values.shape[1] - own.shape[1]
        weights = np.r_[np.ones(own.shape[1]), np.full(others, NEIGHBOURS_WORTH / others)]
        drawn = chance.gamma(np.broadcast_to(weights, values.shape))
        return SimulatedModel(values, drawn / drawn.sum(axis=1, keepdims=True), self.samples[place])

    def fallen(self, model: SimulatedModel, points: float) -> SimulatedModel:
        """Return a model whose true Index is so many points lower."""
        share = points / (model.truth - float(self._lowest.sum()))
        values = np.concatenate([model.values, self._lowest], axis=1)
        shares = np.concatenate([model.shares * (1 - share), np.full((len(values), 1), share)], axis=1)
        return SimulatedModel(values, shares, model.template)


def history(*runs: int) -> LookHistory:
    """Return looks at these runs, of which none after the first was declared."""
    return LookHistory([Look(subject="", runs=each, at=place, body={}) for place, each in enumerate(runs)], 0.95)


def drop_answer(baseline: Sample, model: Sample, drop: float, seen: LookHistory) -> CriterionResult:
    """Decide on a drop as the gate does."""
    found, after = index_drop(baseline, model, "run")
    asked = Criterion("max_drop", drop, "--max-drop")
    question = NumberQuestion(asked, found, model.runs, "", "", None, baseline.runs, after)
    level = seen.confidence(len(seen.looks))
    assert level is not None
    return question.ask(level, seen.following)


@dataclass
class Example:
    """The example workflow: per cent of pull requests."""

    passed: float
    failed: float
    advised: float
    """Of those that stay inconclusive, for which runs are advised; the others are too close to the mark."""
    decided: float
    """Of those that are advised, when the advice is followed once."""


def example(data: Published, kind: str, fall: float, models: int, chance: np.random.Generator) -> Example:
    """Return how pull requests end that change nothing, or let the model fall."""
    answers: list[str] = []
    followed: list[bool] = []
    for _ in range(models):
        before = data.model(kind, chance)
        after = data.fallen(before, fall) if fall else before
        base, now = before.sample(100, chance), after.sample(100, chance)

        def first(sample: Sample, runs: int) -> Sample:
            return replace(sample, points=sample.points[:, :runs])

        found = drop_answer(first(base, RUNS), first(now, RUNS), DROP, history(RUNS))
        answers.append(found.answer)
        if found.advised is not None and found.advised_baseline is not None:
            runs, baseline = found.advised, found.advised_baseline
            seen = history(RUNS, runs) if runs > RUNS else history(RUNS)
            again = drop_answer(first(base, baseline), first(now, runs), DROP, seen)
            followed.append(again.answer != "inconclusive")
    count = {answer: answers.count(answer) for answer in ("passed", "failed", "inconclusive")}
    advised = 100 * len(followed) / max(1, count["inconclusive"])
    decided = 100 * float(np.mean(followed)) if followed else 100.0
    return Example(100 * count["passed"] / models, 100 * count["failed"] / models, advised, decided)


def unchanged(data: Published, kind: str, runs: int, drops: Sequence[float], models: int, seed: int) -> list[float]:
    """Return the per cent of unchanged models that pass, by drop, with so many runs on both sides."""
    chance = np.random.default_rng([37, seed, runs])
    highs = []
    for _ in range(models):
        model = data.model(kind, chance)
        ends = difference_interval(model.sample(runs, chance), model.sample(runs, chance), "run", 0.95)
        assert ends is not None
        highs.append(ends.high)
    return [100 * float(np.mean(np.array(highs) <= drop)) for drop in drops]


PLANS: dict[str, tuple[int | None, tuple[int, ...]]] = {
    "5, one look": (None, (5,)),
    "3 5 8 12 16 20, none declared": (None, (3, 5, 8, 12, 16, 20)),
    "3 5 8 12 16 20 of --max-runs=20": (20, (3, 5, 8, 12, 16, 20)),
}


def passing(data: Published, kind: str, above: Sequence[float], models: int, seed: int) -> dict[str, list[float]]:
    """Return the per cent that pass of models so many points above --min-index, by how they are looked at."""
    chance = np.random.default_rng([38, seed])
    passed = {plan: np.zeros(len(above)) for plan in PLANS}
    levels = {plan: look_levels(Spending.of(0.95, looks[0], most), looks)[0] for plan, (most, looks) in PLANS.items()}
    for _ in range(models):
        model = data.model(kind, chance)
        runs, marks = model.sample(20, chance), model.truth - np.array(above)
        for plan, (_, looks) in PLANS.items():
            open_ = np.ones(len(above), dtype=bool)
            for count, level in zip(looks, levels[plan], strict=True):
                seen = replace(runs, points=runs.points[:, :count])
                ends = interval(seen, "run", 1 - 2 * level, depth=GATE_DEPTH)
                assert ends is not None
                passed[plan] += open_ & (ends.low >= marks)
                open_ &= (ends.low < marks) & (ends.high >= marks)
    return {plan: list(100 * found / models) for plan, found in passed.items()}


DAYS: dict[str, tuple[int, int, bool]] = {
    "5 runs on one day": (5, 1, False),
    "9 runs on three days": (9, 3, False),
    "9 runs on three days, --runs-over-days": (9, 3, True),
    "10 runs on five days, --runs-over-days": (10, 5, True),
    "8 runs on eight days, --runs-over-days": (8, 8, True),
}


def over_days(data: Published, kind: str, models: int, seed: int, size: float = 0.5) -> dict[str, float]:
    """Return the per cent of models at --min-index that pass where days shift all runs, by ``size`` of a run's sd."""
    chance = np.random.default_rng([39, seed])
    found = dict.fromkeys(DAYS, 0)
    for _ in range(models):
        model = data.model(kind, chance)
        spread = float(model.template.points.var(axis=1, ddof=1).sum() ** 0.5)
        for name, (runs, days, clusters) in DAYS.items():
            day = np.arange(runs) * days // runs
            sample = model.sample(runs, chance, (size * spread * chance.standard_normal(days))[day])
            sample = replace(sample, days=tuple(f"{each}" for each in day) if clusters else ())
            ends = interval(sample, "run", 0.95, depth=GATE_DEPTH)
            found[name] += ends is not None and ends.low >= model.truth
    return {name: 100 * count / models for name, count in found.items()}


RECIPES: dict[float, dict[str, int]] = {
    10.0: {"mid": 5, "high": 3, "ceiling": 3},
    8.0: {"mid": 5, "high": 5, "ceiling": 5},
    5.0: {"mid": 16, "high": 8, "ceiling": 4},
    3.0: {"mid": 39, "high": 18, "ceiling": 9},
}
"""By accepted drop: the runs of both sides of each kind."""
SHIFTS = (0.0, 1.0, 2.0)
"""Standard deviations between days, Index points."""


def recipe(drop: float) -> str:
    """Return the head of a row."""
    return f"{drop:g} points; {', '.join(map(str, RECIPES[drop].values()))} runs"


def false_passes(data: Published, drop: float, kind: str, models: int, seed: int) -> list[float]:
    """Return the per cent of models fallen by exactly the accepted drop that pass, each side measured on one day.

    By :data:`SHIFTS` with a stored baseline of another day. With ``--baseline-now`` both have one shift, which counts for
    nothing.
    """
    runs = RECIPES[drop][kind]
    chance = np.random.default_rng([40, seed, int(drop), runs])
    passed = np.zeros(len(SHIFTS))
    for _ in range(models):
        model = data.model(kind, chance)
        before, after = model.sample(runs, chance), data.fallen(model, drop).sample(runs, chance)
        own, others = chance.standard_normal(2)
        for place, sd in enumerate(SHIFTS):
            ends = difference_interval(shifted(before, sd * own), shifted(after, sd * others), "run", 0.95)
            passed[place] += ends is not None and ends.high <= drop
    return list(100 * passed / models)


def shifted(sample: Sample, points: float) -> Sample:
    """Return a sample of a day on which every run has so many points more, spread over the scenarios."""
    return replace(sample, points=sample.points + (sample.worth * points / sample.worth.sum())[:, None])


NIGHTS: dict[str, tuple[float, int]] = {
    "nights alike": (0.0, 1),
    "one look a night": (1.0, 1),
    "two looks a night": (1.0, 2),
    "nights of 2 points": (2.0, 1),
}
"""Standard deviation of nights that hang together, Index points, and looks at each."""
HANG_TOGETHER = 0.9
"""Correlation of a night with the next one."""
REFERENCE, WATCH_DROP, DAY_SD = 10, 2.0, 1.0
"""The defaults of ``watch``."""
FALLS = (2.0, 4.0, 8.0, 10.0)
LOOKS = 100
"""Looks at an unchanged model."""
FALLEN_LOOKS = 60


def nights(count: int, sd: float, looks: int, chance: np.random.Generator) -> Numbers:
    """Return the shift of each run in points, of so many runs a night."""
    shifts = [chance.standard_normal()]
    for step in chance.standard_normal(-(-count // looks) - 1):
        shifts.append(HANG_TOGETHER * shifts[-1] + (1 - HANG_TOGETHER**2) ** 0.5 * step)
    return sd * np.repeat(shifts, looks)[:count]


def first_report(before: Sequence[float], since: Sequence[float], drop: float) -> int | None:
    """Return the look at which a model is reported first; None where it never is."""
    counts = range(1, len(since) + 1)
    return next((n for n in counts if log_evidence(before, since[:n], drop, DAY_SD) >= -np.log(ERROR)), None)


def watching(
    data: Published, kind: str, fall: float, drop: float, how: str, looks: int, models: int, seed: int
) -> tuple[float, float | None]:
    """Return the per cent of models that are reported, and the look at which half of all have been; None: fewer are."""
    chance = np.random.default_rng([42, seed, int(fall)])
    sd, a_night = NIGHTS[how]
    first = []
    for _ in range(models):
        model = data.model(kind, chance)
        shifts = nights(REFERENCE + looks, sd, a_night, chance)
        fallen = data.fallen(model, fall) if fall else model
        before = (model.sample(REFERENCE, chance).by_run + shifts[:REFERENCE]).clip(0, 100).tolist()
        since = (fallen.sample(looks, chance).by_run + shifts[REFERENCE:]).clip(0, 100).tolist()
        first.append(first_report(before, since, drop) or np.inf)
    median = float(np.median(first))
    return 100 * float(np.isfinite(first).mean()), median if np.isfinite(median) else None


def delay(found: tuple[float, float | None]) -> str:
    """Return the per cent that are found, and the median look."""
    share, median = found
    return f"{share:.0f}" if median is None else f"{share:.0f}, look {median:.0f}"


def tables(models: int) -> Iterator[str]:
    """Yield the lines of all tables."""
    data, drops = Published(), (3.0, 5.0, 8.0, 10.0)
    yield "| kind | runs | " + " | ".join(f"--max-drop={drop:g}" for drop in drops) + " |"
    for seed, kind in enumerate(KINDS):
        for runs in (3, 5, 10, 20):
            passed = unchanged(data, kind, runs, drops, models, seed)
            yield f"| {kind} | {runs} | " + " | ".join(f"{each:.0f}" for each in passed) + " |"
    yield f"| kind | change ({RUNS} runs each, --max-drop={DROP:g}) | passed | failed | of the rest advised | decided by it |"
    for seed, kind in enumerate(KINDS):
        for fall in (0.0, DROP, FALL):
            found = example(data, kind, fall, models, np.random.default_rng([41, seed, int(fall)]))
            yield f"| {kind} | {f'−{fall:g}' if fall else 'none'} | {found.passed:.1f} | {found.failed:.1f} | {found.advised:.0f} | {found.decided:.0f} |"
    above = (0.0, 5.0)
    yield "| kind | looks | " + " | ".join(f"+{each:g}" for each in above) + " |"
    for seed, kind in enumerate(KINDS):
        for plan, shares in passing(data, kind, above, models, seed).items():
            yield f"| {kind} | {plan} | " + " | ".join(f"{share:.1f}" for share in shares) + " |"
    yield "| kind | days that shift runs by half a run's sd | pass at the mark |"
    for seed, kind in enumerate(KINDS[:3]):
        for name, share in over_days(data, kind, models, seed).items():
            yield f"| {kind} | {name} | {share:.1f} |"
    yield "| accepted drop, runs of both | " + " | ".join(f"{shift:g}" for shift in SHIFTS) + " |"
    for drop in RECIPES:
        by_kind = [false_passes(data, drop, kind, models, seed) for seed, kind in enumerate(RECIPES[drop])]
        cells = (", ".join(f"{share:.0f}" for share in shares) for shares in zip(*by_kind, strict=True))
        yield f"| {recipe(drop)} | " + " | ".join(cells) + " |"
    yield "| | " + " | ".join(KINDS) + " |"
    for how in NIGHTS:
        shares = [watching(data, kind, 0.0, 0.0, how, LOOKS, models, seed)[0] for seed, kind in enumerate(KINDS)]
        yield f"| {how} | " + " | ".join(f"{share:.1f}" for share in shares) + " |"
    for fall in FALLS:
        found = [
            watching(data, kind, fall, WATCH_DROP, "nights alike", FALLEN_LOOKS, models, seed)
            for seed, kind in enumerate(KINDS)
        ]
        yield f"| fell by {fall:g} | " + " | ".join(map(delay, found)) + " |"


if __name__ == "__main__":
    for line in tables(int(sys.argv[1]) if len(sys.argv) > 1 else MODELS):
        print(line, flush=True)
