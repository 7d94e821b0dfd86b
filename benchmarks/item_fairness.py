"""Whether scenarios treat groups of models alike: ``python benchmarks/item_fairness.py STORE``. Asks nobody anything.

For every scenario of the newest session's edition and both kinds of groups, by vendor and by thinking, it prints the group of
ranked models that differs most from models that do equally well in the other scenarios: uniform differential item
functioning. P-values are adjusted for all scenarios and both kinds of groups (Holm 1979).
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "plugin")]

from independence_bench.report.analysis.model_ids import vendor_of  # noqa: E402
from independence_bench.report.analysis.row import LeaderboardRow  # noqa: E402
from independence_bench.report.analysis.tidy import tabled_kind  # noqa: E402
from independence_bench.scoring.holm import holm  # noqa: E402
from independence_bench.store import Store  # noqa: E402

LEAST_GROUP = 3  # models of a group, and outside it, below which nothing is said of it
_FLAT = 1e-12  # residual variance, of shares, that is rounding error alone


class Functioning(NamedTuple):
    """What groups of models that do equally well elsewhere do in one scenario."""

    group: str  # the group that differs most from all others
    difference: float
    """Its mean residual minus that of the others, in standard deviations of the residuals; above 0 it does better."""
    p_value: float  # of all groups together; not adjusted
    models: int


def functioning(shares: Sequence[float], rest: Sequence[float], groups: Sequence[str | None]) -> Functioning | None:
    """Test whether groups differ in a scenario after matching on the rest of the Index: uniform DIF.

    F test of the groups in a linear regression on the rest score (Swaminathan and Rogers 1990, for graded items).
    Groups below three models are one group, "others"; models of no group are left out. None where fewer than two groups
    remain, one of them a named one, or where nothing is left to explain.
    """
    known = [place for place, group in enumerate(groups) if group is not None]
    names = np.array([groups[place] for place in known], dtype=object)
    large = sorted(name for name in set(names.tolist()) if (names == name).sum() >= LEAST_GROUP)
    tested = [name for name in large if (names != name).sum() >= LEAST_GROUP]
    if not tested:
        return None
    own, matched = (np.asarray(values, dtype=float)[known] for values in (shares, rest))
    plain = np.column_stack([np.ones(len(known)), matched])
    marks = np.column_stack([names == name for name in tested]).astype(float)
    residuals, rank = _residuals(plain, own)
    left, full = _residuals(np.column_stack([plain, marks]), own)
    before, after, df = float(residuals @ residuals), float(left @ left), len(known) - full
    if full == rank or df < 1 or before / len(known) < _FLAT:
        return None
    spread = (before / (len(known) - rank)) ** 0.5
    apart = [float(residuals[names == name].mean() - residuals[names != name].mean()) / spread for name in tested]
    most = max(range(len(tested)), key=lambda place: abs(apart[place]))
    p_value = float(fdtrc(full - rank, df, (before - after) / (full - rank) / (after / df))) if after else 0.0
    return Functioning(tested[most], apart[most], p_value, len(known))


def _residuals(design: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, int]:
    found, _, rank, _ = np.linalg.lstsq(design, own, rcond=None)
    return own - design @ found, int(rank)


def thinking(row: LeaderboardRow) -> str | None:
    """Return whether a model reasons before most of its answers."""
    return None if row.thinking is None else "thinks" if row.thinking else "does not think"


def vendor(row: LeaderboardRow) -> str | None:
    """Return who made a model."""
    return vendor_of(row.model_id, row.vendor)


def rows(store: Store) -> Iterator[tuple[str, Functioning]]:
    """Yield every scenario with what groups of models do in it, where there are groups; p-values not adjusted."""
    session = store.newest_session()
    models = tabled_kind(session.edition.kind).samples(store, session) if session else []
    for place, scenario in enumerate(models[0][1].scenarios if models else ()):
        points = [float(sample.by_scenario[place]) for _, sample in models]
        rests = [sample.mean - own for (_, sample), own in zip(models, points, strict=True)]
        for group_of in (vendor, thinking):
            if found := functioning(points, rests, [group_of(row) for row, _ in models]):
                yield scenario, found


def main(path: str) -> None:
    """Print one line for every scenario and kind of groups, the most certain difference first."""
    with Store.open(Path(path), read_only=True) as store:
        found = [*rows(store)]
    if not found:
        print(f"There are not {LEAST_GROUP} ranked models of any vendor, nor such that think, beside as many others.")
    adjusted = holm([each.p_value for _, each in found])
    for (scenario, each), p_value in sorted(zip(found, adjusted, strict=True), key=lambda row: row[1]):
        print(f"{scenario:30} {each.group:20} {each.difference:+.2f} SD, p {p_value:.3f}, {each.models} models")


if __name__ == "__main__":
    main(sys.argv[1])
