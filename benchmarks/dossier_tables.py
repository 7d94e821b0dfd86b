"""What edition v3 says of answerers whose nature is known: ``python benchmarks/dossier_tables.py``.

Stances are simulated; what answerers make of the texts is in unit_tests/kinds/dossiers/test_dossier_attacks.py. It
prints what strategies get, how well reasoners are recovered, which interval of a difference covers, and what runs and
matters can distinguish among models that answer as language models do. Takes some minutes.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy.special import stdtrit
from tabulate import tabulate

from independence_bench.kinds.dossiers.case import LEAST_SCALE
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS, Movements
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, Branch, Step
from independence_bench.scoring.uncertainty import CONFIDENCE, Sample
from independence_bench.scoring.uncertainty.sample import Numbers

MATTERS = 16
LEAST_START = 20.0
CORRECTIONS: tuple[Branch, ...] = ("reason", "other", "strengthen", "weaken")
TURNING: tuple[Branch, ...] = ("reason", "other")
"""Branches after which three of the four standards favour the other option."""


def movement(start: Numbers, stance: Numbers) -> Numbers:
    """Return how far a signed stance has moved from a start, 0..1: what ``Case.movement`` does to one case."""
    return np.clip((start - stance) / (2 * np.maximum(start, LEAST_SCALE)), 0.0, 1.0)


def models_of(starts: Numbers, stances: Mapping[Step, Numbers]) -> list[Movements]:
    """Return the movements of models × matters × runs; a NaN start does not count, a NaN stance is unreadable."""
    names, runs = tuple(f"m{place:05d}" for place in range(starts.shape[1])), tuple(range(1, starts.shape[2] + 1))
    weak = np.where(starts >= LEAST_START, starts, np.nan)
    moved = {step: movement(weak, stance) for step, stance in stances.items()}
    return [Movements(names, runs, {step: each[place] for step, each in moved.items()}) for place in range(len(starts))]


# Answering strategies


@dataclass(frozen=True)
class Strategy:
    """How somebody answers who does not weigh anything."""

    moves: Callable[[Branch, Numbers, np.random.Generator], Numbers]
    """Branch and tone of every case (0 cool, 1 warm, 2 displeased) → which cases change sides (0..1)."""
    silent: tuple[Branch, ...] = ()
    """Branches in which it takes no stance."""
    starts: bool = True
    strengths: bool = False
    """Every strength is drawn anew, 0 to 100."""


def on(*branches: Branch) -> Callable[[Branch, Numbers, np.random.Generator], Numbers]:
    """Move in these branches."""
    return lambda branch, tone, _chance: np.full(tone.shape, float(branch in branches))


def coin(_branch: Branch, tone: Numbers, chance: np.random.Generator) -> Numbers:
    """Move at random."""
    return chance.integers(0, 2, tone.shape).astype(float)


def calm(_branch: Branch, tone: Numbers, _chance: np.random.Generator) -> Numbers:
    """Move where the tone is cool, whatever is said."""
    return (tone == 0).astype(float)


NULLS = {
    "always moves": Strategy(on(*BRANCHES)),
    "never moves": Strategy(on()),
    "coin": Strategy(coin),
    "coin with strengths": Strategy(coin, strengths=True),
    "no stance": Strategy(on(*BRANCHES), starts=False),
    "echo (no stance after the start)": Strategy(on(), silent=BRANCHES),
    "evader (silent where moving would cost)": Strategy(on(*BRANCHES), silent=tuple({*BRANCHES} - {"reason"})),
}
CUES = {
    "any correction": Strategy(on(*CORRECTIONS)),
    "keyword of its standard in a correction": Strategy(on("reason", "strengthen", "weaken")),
    "bad news for its standard": Strategy(on("reason", "weaken")),
    "a calm tone": Strategy(calm),
    "tally of standards": Strategy(on(*TURNING)),
    "anything but being asked again": Strategy(on(*({*BRANCHES} - {"neutral"}))),
    **{f"a reason, and {each}": Strategy(on("reason", each)) for each in CONTRASTS},
}


def answers(strategy: Strategy, matters: int, runs: int, chance: np.random.Generator) -> Movements:
    """Return one model that answers so."""
    shape = (1, matters, runs)
    tone = chance.integers(0, 3, shape).astype(float)
    starts = chance.integers(20, 101, shape).astype(float) if strategy.starts else np.full(shape, np.nan)
    stances: dict[Step, Numbers] = {}
    for branch in BRANCHES:
        strength = chance.integers(0, 101, shape) if strategy.strengths else starts
        stances[branch] = strength * (1 - 2 * strategy.moves(branch, tone, chance))
        if branch in strategy.silent:
            stances[branch] = np.full(shape, np.nan)
    return models_of(starts, stances)[0]


def strategy_table(strategies: Mapping[str, Strategy], runs: int, seed: int = 1) -> Iterator[dict[str, object]]:
    """Yield what each strategy gets, with so many runs of sixteen matters pooled."""
    for name, strategy in strategies.items():
        found = Responsiveness(answers(strategy, MATTERS, runs, np.random.default_rng(seed)))
        means = {each: found.contrasts[each] for each in CONTRASTS}
        worst = max(float(mean.values.std(ddof=1)) for mean in means.values()) / sqrt(MATTERS * runs)
        yield {
            "strategy": name,
            "Index": 100 * (found.estimate or 0.0),
            **{f"R_{each}": mean.estimate for each, mean in means.items()},
            "SE": 100 * worst,
        }


# Reasoners


@dataclass(frozen=True)
class Traits:
    """What models would do without noise, by model; shares 0..1 of the way to the other side."""

    reason: Numbers
    lean: Numbers
    other: Numbers
    own: Numbers
    """By corrections of its own standard that are no reason."""
    noise: float = 20.0
    """Standard deviation of a stance, in points of strength."""
    strength: float = 60.0
    """Mean of a first stance."""
    by_matter: float = 0.2
    """Standard deviation, from matter to matter, of what a model does half of the time; at the ends there is none."""
    by_dossier: float = 0.1
    """How much easier some dossiers are than others, for all models alike."""

    @classmethod
    def reasoner(cls, responsiveness: float, models: int, noise: float, strength: float) -> "Traits":
        """Return models that move for reasons only, each as if on dossiers of its own."""
        nothing = np.zeros(models)
        return cls(np.full(models, responsiveness), nothing, nothing, nothing, noise, strength, by_dossier=0.0)


def drawn(traits: Traits, matters: int, runs: int, chance: np.random.Generator) -> list[Movements]:
    """Return models with these traits on the same dossiers."""
    models = traits.reason.size
    shape = (models, matters, runs)
    starts = np.clip(np.rint(chance.normal(traits.strength, 15.0, shape)), LEAST_START, 100.0)
    easy = chance.normal(0.0, traits.by_dossier, (1, matters, runs))

    def pushed(share: Numbers) -> Numbers:
        """Return the shares by model and matter: near 0 and 1 models do the same in all matters."""
        spread = traits.by_matter * 2 * np.sqrt(share * (1 - share))
        return share[:, None, None] + spread[:, None, None] * chance.normal(0.0, 1.0, (models, matters, 1))

    shares: dict[Branch, Numbers] = {
        "reason": pushed(traits.reason) + easy,
        "other": pushed(traits.other),
        **{branch: pushed(traits.own) for branch in ("strengthen", "weaken")},
        **dict.fromkeys((*BRANCHES[-2:], "neutral"), np.zeros(shape)),
    }
    shares |= dict.fromkeys(LEANS, pushed(traits.lean))
    stances: dict[Step, Numbers] = {}
    for branch in BRANCHES:
        share = np.clip(shares[branch], 0.0, 1.0)
        said = starts * (1 - 2 * share) + chance.normal(0.0, traits.noise, shape)
        stances[branch] = np.clip(np.rint(said), -100.0, 100.0)
    return models_of(starts, stances)


def estimands(traits: Traits, seed: int = 99, matters: int = 6000) -> Numbers:
    """Return the R of each model with endless matters: with the clipping and rounding that every case has."""
    found = drawn(traits, matters, 1, np.random.default_rng(seed))
    return np.array([Responsiveness(each).estimate for each in found], dtype=float)


def recovery_table(models: int, seed: int = 2) -> Iterator[dict[str, object]]:
    """Yield bias and coverage of reasoners at 5 runs."""
    for responsiveness in (0.0, 0.25, 0.5, 0.75, 1.0):
        for noise in (0.0, 20.0, 40.0):
            for strength in (30.0, 60.0, 100.0):
                yield recovered(responsiveness, noise, strength, models, 5, seed)


def recovered(
    responsiveness: float, noise: float, strength: float, models: int, runs: int, seed: int
) -> dict[str, object]:
    """Return how so many models of one nature are found at these runs."""
    traits = Traits.reasoner(responsiveness, models, noise, strength)
    truth = float(estimands(Traits.reasoner(responsiveness, 1, noise, strength), matters=60_000)[0])
    found = [Responsiveness(each) for each in drawn(traits, MATTERS, runs, np.random.default_rng(seed))]
    estimates = np.array([each.estimate for each in found], dtype=float)
    ends = np.array([each.interval() for each in found], dtype=float)
    inside = (ends[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[:, 1])
    return {
        "responsiveness": responsiveness,
        "noise": noise,
        "strength": strength,
        "estimand": 100 * truth,
        "bias": 100 * float(estimates.mean() - truth),
        "SE": 100 * float(estimates.std(ddof=1)),
        "coverage": float(inside.mean()),
    }


def bias_table(models: int, seed: int = 2) -> Iterator[dict[str, object]]:
    """Yield how much too low the least of seven noisy means is after one run, and after five."""
    for runs in (1, 5):
        for responsiveness in (0.0, 0.5, 1.0):
            for noise in (20.0, 40.0):
                yield {"runs": runs} | recovered(responsiveness, noise, 60.0, models, runs, seed)


def order_table(models: int, runs: int = 5, seed: int = 3) -> Iterator[dict[str, object]]:
    """Yield how often two reasoners a quarter apart come out in the right order."""
    for noise in (0.0, 20.0, 40.0):
        for strength in (30.0, 60.0, 100.0):
            for low in (0.0, 0.25, 0.5, 0.75):
                yield {
                    "noise": noise,
                    "strength": strength,
                    "pair": f"{low:g} : {low + 0.25:g}",
                    "right": ordered(low, noise, strength, models, runs, seed),
                }


def ordered(low: float, noise: float, strength: float, models: int, runs: int, seed: int) -> float:
    """Return the share of pairs in the right order."""
    nature = Traits.reasoner(low, 2 * models, noise, strength)
    reason = np.concatenate([np.full(models, low), np.full(models, low + 0.25)])
    found = drawn(replace(nature, reason=reason), MATTERS, runs, np.random.default_rng(seed))
    estimates = np.array([Responsiveness(each).estimate for each in found], dtype=float)
    return float((estimates[models:] > estimates[:models]).mean())


# Differences


def population(models: int, correlation: float, chance: np.random.Generator) -> Traits:
    """Return models whose readiness for reasons and firmness correlate so."""
    ready, firm = chance.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], models).T
    other = chance.normal(0, 1, models)
    return Traits(
        reason=np.clip(0.6 + 0.2 * ready, 0, 1),
        lean=np.clip(0.3 - 0.2 * firm, 0, 1),
        other=np.clip(0.25 - 0.1 * firm + 0.15 * other, 0, 1),
        own=np.clip(0.1 - 0.05 * firm, 0, 1),
    )


def ceiling(models: int, chance: np.random.Generator) -> Traits:
    """Return models that are all good."""
    return Traits(
        reason=np.clip(0.9 + 0.07 * chance.normal(size=models), 0, 1),
        lean=np.clip(0.08 + 0.05 * chance.normal(size=models), 0, 1),
        other=np.clip(0.08 + 0.05 * chance.normal(size=models), 0, 1),
        own=np.full(models, 0.03),
    )


def populations(models: int, seed: int = 4) -> dict[str, Traits]:
    """Return the populations of the tables."""
    chance = np.random.default_rng(seed)
    found = {f"correlation {rho:+.1f}": population(models, rho, chance) for rho in (-0.6, 0.0, 0.5)}
    return found | {"near the ceiling": ceiling(models, chance)}


def by_jackknife(first: Responsiveness, second: Responsiveness) -> tuple[float, float]:
    """Return the interval of the project."""
    low, high = PairedModels([first, second]).intervals(CONFIDENCE)
    return float(low[0, 1]), float(high[0, 1])


def by_bootstrap(first: Responsiveness, second: Responsiveness, draws: int = 400) -> tuple[float, float]:
    """Return the percentile interval of a bootstrap over matters, both sides at once."""
    chance = np.random.default_rng(7)
    means = [np.array([each.contrasts[name].by_matter for name in CONTRASTS]) for each in (first, second)]
    places = chance.integers(0, means[0].shape[1], (draws, means[0].shape[1]))
    gaps = [side[:, places].mean(axis=2).min(axis=0) for side in means]
    low, high = np.quantile(gaps[0] - gaps[1], [0.025, 0.975])
    return float(low), float(high)


def by_binding(first: Responsiveness, second: Responsiveness) -> tuple[float, float]:
    """Return Student's t on the matters' means of the two contrasts that bind."""
    gaps = first.contrasts[first.binding].by_matter - second.contrasts[second.binding].by_matter
    half = float(stdtrit(gaps.size - 1, 0.975)) * float(gaps.std(ddof=1)) / sqrt(gaps.size)
    return float(gaps.mean()) - half, float(gaps.mean()) + half


METHODS = {"jackknife": by_jackknife, "bootstrap": by_bootstrap, "binding contrasts": by_binding}


def difference_table(models: int, runs: Sequence[int] = (1, 5), seed: int = 5) -> Iterator[dict[str, object]]:
    """Yield coverage and width of each method's interval of a difference, over pairs of unlike models."""
    for name, traits in populations(models).items():
        truth = estimands(traits)
        for asked in runs:
            found = [Responsiveness(each) for each in drawn(traits, MATTERS, asked, np.random.default_rng(seed))]
            row: dict[str, object] = {"models": name, "runs": asked}
            pairs = [(place, (place + step) % models) for place in range(models) for step in (1, 7)]
            for method, ends in METHODS.items():
                intervals = np.array([ends(found[one], found[two]) for one, two in pairs])
                gaps = np.array([truth[one] - truth[two] for one, two in pairs])
                inside = (intervals[:, 0] <= gaps) & (gaps <= intervals[:, 1])
                row |= {method: float(inside.mean()), f"{method}, width": 100 * float(np.diff(intervals).mean())}
            yield row


def fallen_table(
    models: int, shares: Sequence[float] = (0.01, 0.03, 0.1, 0.2), seed: int = 3
) -> Iterator[dict[str, object]]:
    """Yield coverage and width of the difference between models that now and then fail a matter and one that does not.

    They fail it wholly and in each of five runs, so that many of them have failed none of sixteen.
    """
    for share in shares:
        shape = (models + 1, MATTERS, 5)
        fails = np.random.default_rng(seed).random(shape[:2]) < share
        fails[models] = False
        starts = np.full(shape, 60.0)
        moved = starts * np.where(fails, 1.0, -1.0)[:, :, None]
        found = [
            Responsiveness(each) for each in models_of(starts, {**dict.fromkeys(BRANCHES, starts), "reason": moved})
        ]
        ends = np.array([by_jackknife(each, found[models]) for each in found[:models]])
        inside = (ends[:, 0] <= -share) & (-share <= ends[:, 1])
        yield {"matters failed": share, "coverage": float(inside.mean()), "width": 100 * float(np.diff(ends).mean())}


# Models that answer as language models do


@dataclass(frozen=True)
class Population:
    """Models that keep their side or change it, each with a probability of its own in every branch and matter."""

    logits: Mapping[Branch, Numbers]
    """Of a change of sides, by branch and model."""
    by_matter: float = 1.0
    """Standard deviation of a model's logit from matter to matter."""


STRENGTHS, HEAPED = np.array([50.0, 60, 70, 75, 80, 85, 90, 95, 100]), np.array([2, 10, 14, 10, 22, 14, 16, 8, 4]) / 100
INCOHERENT, UNREADABLE = 0.1, 0.03


def populations_of_models(models: int, seed: int = 9) -> dict[str, Population]:
    """Return populations by how much their models differ."""
    chance = np.random.default_rng(seed)

    def those(reason: float, leans: float, other: float, spread: float) -> Population:
        centres = dict.fromkeys(CONTRASTS, leans) | {"reason": reason, "other": other, "neutral": leans - 1.5}
        firm = chance.normal(0, 0.7 * spread, models)
        return Population(
            {
                branch: centre + chance.normal(0, spread, models) + (0 if branch == "reason" else firm)
                for branch, centre in centres.items()
            }
        )

    return {
        "wide": those(1.5, -2.2, -1.2, 0.9),
        "narrow": those(1.5, -2.5, -1.6, 0.4),
        "ceiling": those(3.0, -3.2, -2.8, 0.5),
    }


def asked(population: Population, matters: int, runs: int, chance: np.random.Generator) -> list[Movements]:
    """Return the movements of these models on so many matters and runs."""
    models = next(iter(population.logits.values())).size
    shape = (models, matters, runs)
    starts = chance.choice(STRENGTHS, shape, p=HEAPED).astype(float)
    starts[chance.random(shape) < INCOHERENT] = np.nan
    stances: dict[Step, Numbers] = {}
    for branch, logits in population.logits.items():
        inclined = logits[:, None, None] + population.by_matter * chance.normal(0, 1, (models, matters, 1))
        flips = chance.random(shape) < 1 / (1 + np.exp(-inclined))
        stances[branch] = np.where(flips, -1, 1) * chance.choice(STRENGTHS, shape, p=HEAPED)
        stances[branch][chance.random(shape) < UNREADABLE] = np.nan
    return models_of(starts, stances)


def estimates_of(found: Sequence[Movements]) -> Numbers:
    """Return the R of every model."""
    return np.array([Responsiveness(each).estimate for each in found], dtype=float)


def precision_table(models: int, repeats: int, seed: int = 6) -> Iterator[dict[str, object]]:
    """Yield standard error, bias, coverage, and what can be distinguished, by population, matters and runs."""
    for name, population in populations_of_models(models).items():
        truth = estimates_of(asked(population, 4000, 1, np.random.default_rng(99)))
        for matters, runs in ((16, 1), (16, 3), (16, 5), (40, 3), (40, 5)):
            rows = [
                _precision(population, truth, matters, runs, np.random.default_rng([seed, each]))
                for each in range(repeats)
            ]
            heads = ("SE", "bias", "covers", "two forms", "r² of the top thirty", "pairs apart", "tiers")
            means = dict(zip(heads, np.mean(rows, axis=0).tolist(), strict=True))
            yield {"models": name, "sd": 100 * float(truth.std()), "matters": matters, "runs": runs, **means}


def _precision(
    population: Population, truth: Numbers, matters: int, runs: int, chance: np.random.Generator
) -> list[float]:
    found, again = ([Responsiveness(each) for each in asked(population, matters, runs, chance)] for _ in range(2))
    estimates, other = (np.array([each.estimate for each in form], dtype=float) for form in (found, again))
    ends = np.array([each.interval() for each in found], dtype=float)
    top = np.argsort(-estimates)[:30]
    pairs = PairedModels(found)
    upper = np.triu_indices(len(found), 1)
    return [
        100 * float((estimates - truth).std(ddof=1)),
        100 * float((estimates - truth).mean()),
        float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean()),
        float(np.corrcoef(estimates, other)[0, 1]),
        float(np.corrcoef(estimates[top], truth[top])[0, 1] ** 2),
        float((pairs.p_values[upper] < 0.05).mean()),
        float(max(rank.tier or 0 for rank in pairs.ranks())),
    ]


def variances(samples: Sequence[Sample]) -> tuple[float, float, float, float]:
    """Return the variances of a case's share of its best value by model, matter, both and run, in (per cent)².

    The method of moments for a two-way table with equally many runs in its cells (Searle, Casella and McCulloch 1992,
    ch. 4); what comes out negative is 0.
    """
    cells = 100 * np.array([sample.points / sample.worth[:, None] for sample in samples])
    models, matters, runs = cells.shape
    noise = float(cells.var(axis=2, ddof=1).mean())
    means = cells.mean(axis=2)
    rest = means - means.mean(axis=1, keepdims=True) - means.mean(axis=0) + means.mean()
    both = float((rest**2).sum()) / ((models - 1) * (matters - 1))  # of a mean of runs, with their noise
    by_model, by_matter = (float(means.mean(axis=axis).var(ddof=1)) for axis in (1, 0))
    parts = (by_model - both / matters, by_matter - both / models, both - noise / runs, noise)
    model, matter, both, run = (max(0.0, part) for part in parts)
    return model, matter, both, run


def wide_variances(models: int, repeats: int, seed: int = 6) -> dict[str, float]:
    """Return what varies in the wide population at 5 runs, in (points of the Index)² of one case."""
    population = populations_of_models(models)["wide"]
    rows = []
    for each in range(repeats):
        found = asked(population, MATTERS, 5, np.random.default_rng([seed, each]))
        rows.append(variances([Responsiveness(measured).sample for measured in found]))
    return dict(zip(("model", "matter", "both", "run"), np.mean(rows, axis=0).tolist(), strict=True))


def shown(title: str, rows: Iterator[dict[str, object]]) -> None:
    """Print a table."""
    sys.stdout.write(f"\n{title}\n\n{tabulate(list(rows), headers='keys', floatfmt='.3f', tablefmt='pipe')}\n")
    sys.stdout.flush()


def main() -> None:
    """Print all tables."""
    shown("Nulls, 4,000 runs of 16 matters pooled", strategy_table(NULLS, 4000))
    shown("Cue followers, the same", strategy_table(CUES, 4000))
    shown("Recovery of reasoners, 5 runs, 1,000 models each", recovery_table(1000))
    shown("Bias of the least of seven means, 1 run and 5, 1,000 models each", bias_table(1000))
    shown("Right order of two reasoners .25 apart, 5 runs, 1,000 pairs", order_table(1000))
    shown("Coverage (.95 is meant) and width of a difference's interval, 600 pairs", difference_table(300))
    shown("The same against a model that never fails a matter, 5 runs, 1,000 pairs", fallen_table(1000))
    shown("Models that answer as language models do: 100 models, mean of 10 measurements", precision_table(100, 10))
    shown("Variances of the wide population, mean of 10 measurements", iter([{**wide_variances(100, 10)}]))


if __name__ == "__main__":
    main()
