"""How the fifteen scenarios measure together, on the published scores: a section of docs/findings.md."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np
from published_report import DRAWS, Published, Range, command_of, table, with_interval
from scipy.stats import rankdata

from independence_bench.scoring.worths import index_worths

FIRST = 30
"""Models with the highest Index, whose differences matter most."""
SPENT = 0.8
"""Share of models at the best of a scenario from which it hardly separates models."""
RETEST, RETESTED = 0.86, 16
"""Rank correlation of the Index in two periods and number of configurations: quoted, as the table has no dates."""
SHORT = (5, 10, 15)
SPLITS = 200


def runs_of(published: Published) -> dict[str, np.ndarray]:
    """Return each model's shares of the best, complete runs × scenarios; the model with the highest Index first."""
    shares: defaultdict[str, defaultdict[int, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    complete = {(row["label"], row["run"]) for row in published.runs if row["index"] is not None}
    for trial in published.trials:
        if (trial["label"], trial["run"]) in complete:
            shares[trial["label"]][trial["run"]][trial["scenario"]] = trial["share"]
    every = [scenario.id for scenario in published.edition.scenarios]
    ordered = sorted(shares, key=lambda label: -fmean(published.indices[label]))
    return {
        label: np.array([[run[each] for each in every] for _, run in sorted(shares[label].items())])
        for label in ordered
    }


def alpha(rows: Sequence[Sequence[float]]) -> float:
    """Return the internal consistency of the columns (Cronbach's alpha)."""
    values = np.array(rows)
    items = values.shape[1]
    return float(items / (items - 1) * (1 - values.var(axis=0, ddof=1).sum() / values.sum(axis=1).var(ddof=1)))


def item_rest(points: np.ndarray) -> list[float]:
    """Return the correlation of each column with the sum of the others; NaN for a column of one value."""
    found = []
    for item in points.T:
        rest = points.sum(axis=1) - item
        found.append(float(np.corrcoef(item, rest)[0, 1]) if np.ptp(item) else float("nan"))
    return found


def eigenvalues(values: np.ndarray) -> np.ndarray:
    """Return the eigenvalues of the columns' correlations, the greatest first."""
    return np.linalg.eigvalsh(np.corrcoef(values.T))[::-1]


def parallel(shape: tuple[int, ...]) -> np.ndarray:
    """Return the 95th percentile of each eigenvalue of independent columns (parallel analysis: Horn 1965)."""
    draw = np.random.default_rng(0)
    return np.quantile([eigenvalues(draw.standard_normal(shape)) for _ in range(DRAWS)], 0.95, axis=0)


def rank_correlations(rows: np.ndarray, with_: np.ndarray) -> np.ndarray:
    """Return the rank correlation of each row with one series; rounded first, so that ties are ties on every machine."""
    ranks = (rankdata(np.round(values, 9), axis=-1) for values in (rows, with_))
    one, other = (each - each.mean(axis=-1, keepdims=True) for each in ranks)
    return np.round(one @ other / np.sqrt((one**2).sum(axis=-1) * (other**2).sum()), 9)


def short_forms(runs: Iterable[np.ndarray]) -> list[Range]:
    """Return how well the best short forms predict the Index, ρ: median and 95 % of splits, by number of scenarios.

    Of each model half of the runs, at random, are the form and the others the Index to predict. The best form is chosen
    on half of the models and tested on the others.
    """
    several, draw = [points for points in runs if len(points) > 1], np.random.default_rng(0)
    items = several[0].shape[1]
    forms = {
        size: np.array([[float(item in form) for item in range(items)] for form in combinations(range(items), size)])
        for size in SHORT
    }
    found: defaultdict[int, list[float]] = defaultdict(list)
    for _ in range(SPLITS):
        models, mixed = draw.permutation(len(several)), [draw.permutation(points) for points in several]
        asked = np.array([points[: len(points) // 2].mean(axis=0) for points in mixed])
        index = np.array([points[len(points) // 2 :].mean(axis=0).sum() for points in mixed])
        chosen_on, tested_on = np.array_split(models, 2)
        for size, form in forms.items():
            best = form[np.argmax(rank_correlations(form @ asked[chosen_on].T, index[chosen_on]))]
            found[size].append(float(rank_correlations(asked[tested_on] @ best, index[tested_on])))
    ends = (np.quantile(found[size], (0.5, 0.025, 0.975)) for size in SHORT)
    return [(float(middle), float(low), float(high)) for middle, low, high in ends]


def listed(values: Iterable[float]) -> str:
    """Return numbers in a list, the last after *and*."""
    *others, last = (f"{value:.2f}".replace("-", "−") for value in values)
    return f"{', '.join(others)} and {last}"


def item_table(names: Sequence[str], shares: np.ndarray, worth: np.ndarray) -> str:
    """Return what each scenario shows; ``shares``: models × scenarios, the models with the highest Index first."""
    lost = (1 - shares).mean(axis=0) * worth
    columns = zip(
        names,
        item_rest(shares * worth),
        item_rest(shares[:FIRST] * worth),
        100 * (shares == 1).mean(axis=0),
        100 * shares.mean(axis=0),
        100 * lost / lost.sum(),
        strict=True,
    )
    rows = [
        (
            name,
            *("–" if np.isnan(r) else f"{r:.2f}".replace("-", "−") for r in both),
            *(f"{each:.0f}" for each in parts),
        )
        for name, *both, parts in ((name, all_, first, parts) for name, all_, first, *parts in columns)
    ]
    return table(rows, ("Scenario", "r", f"r, first {FIRST}", "At best", "Mean", "Lost"))


def scenarios(published: Published) -> str:
    """What each scenario adds, and how all hang together."""
    of = published.edition.scenarios
    ids, worth = [each.id for each in of], np.array([index_worths(published.edition)[each.id].worth for each in of])
    runs = runs_of(published)
    means = {label: points.mean(axis=0) for label, points in runs.items()}
    shares = np.array([*means.values()])
    first = dict([*means.items()][:FIRST])
    sums = {
        name: (shares * worth)[:, [each.experiment == name for each in of]].sum(axis=1)
        for name in dict.fromkeys(each.experiment for each in of)
    }
    pairs = [*combinations(sums, 2)]
    together, at_top = (
        listed(float(rank_correlations(sums[one][:among], sums[other][:among])) for one, other in pairs)
        for among in (len(shares), FIRST)
    )
    reach = 1.96 * np.sqrt(1.06 / (RETESTED - 3))
    retest = (RETEST, *(float(np.tanh(np.arctanh(RETEST) + side * reach)) for side in (-1, 1)))
    five, ten, all_ = map(with_interval, short_forms(points * worth for points in runs.values()))
    spent = [f"*{name}*" for name, best in zip(ids, (shares == 1).mean(axis=0), strict=True) if best >= SPENT]
    return f"""\
## {len(spent)} of {len(of)} scenarios hardly separate models

{item_table(ids, shares, worth)}

Of {len(shares)} models with a complete run: item–rest correlation of points of the Index, % of models at the best score in every run, mean %,
% of all lost points. The eigenvalues {listed(eigenvalues(shares)[:3])} exceed chance ({listed(parallel(shares.shape)[:3])}: parallel analysis, 95th
percentile) once, perhaps twice. {", ".join(f"{one}–{other}" for one, other in pairs)}: ρ = {together},
within the first {FIRST} {at_top}. α = {with_interval(published.over_models(means, alpha))}, within the first {FIRST} {with_interval(published.over_models(first, alpha))}. Retest
(quoted): {RETESTED} configurations, 7 to 90 days apart, ρ = {with_interval(retest)} (Fisher). The best five scenarios, chosen on half of the models,
predict other runs of the others with ρ = {five}, ten with {ten}, all with {all_} (95 % of {SPLITS} splits).

For a successor of v2:

1. Replace {", ".join(spent)} by harder scenarios.
2. Stability depends on *creativity*, where [the judge errs most](#what-the-judges-verdicts-are-worth): add hard scenarios.
3. *helpful-reframing* and *gradual-erosion*, which separate best, are the patterns.
4. Among the first {FIRST} the Index is not one thing: show experiments beside it.
5. Ten would order all models almost as well; five lose more.

*Not shown:* this project's scenarios; that the first {FIRST} differ in kind, as choosing them by the same sum lowers α.

{command_of("scenarios")}"""
