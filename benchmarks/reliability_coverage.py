"""Coverage and width of the intervals of reliability in simulated fields. Run by hand; pytest collects nothing here.

    python benchmarks/reliability_coverage.py [--fields=1000]

Fields have the variances of the published answers and the weights of edition v2, five runs. ``normal``: normal models,
interactions and runs. ``uneven``: scenarios of unequal spread. ``skewed``: unequal, and falls as they are near the ceiling.
Beside the project's jackknife stand the F intervals of normal theory (Feldt 1965; Shrout and Fleiss 1979).
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from scipy.special import fdtri

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CHECKOUT / "plugin"), str(CHECKOUT / "unit_tests" / "scoring" / "uncertainty")]

from uncertainty_samples import LIKE_V2, sample_of  # noqa: E402

from independence_bench.scoring.uncertainty import Sample, reliability  # noqa: E402

MODEL, SCENARIO, BOTH, RUN = 62.9e-4, 122.0e-4, 173.2e-4, 184.3e-4
RUNS, ITEMS = 5, 15
WEIGHTS = LIKE_V2 / LIKE_V2.sum()
SIZE = 1 / (WEIGHTS**2).sum()


def field(world: str, models: int, chance: np.random.Generator) -> tuple[list[Sample], dict[str, float]]:
    """Return a field, and the coefficients that are true of it."""

    def drawn(shape: float, *size: int) -> np.ndarray:
        if world == "skewed":
            return (shape - chance.gamma(shape, 1, size)) / np.sqrt(shape)
        return chance.normal(0, 1, size)

    spread = np.ones(ITEMS) if world == "normal" else np.sqrt(chance.gamma(1, 1, ITEMS))
    own = drawn(1.35, models) * np.sqrt(MODEL)
    items = chance.normal(0, np.sqrt(SCENARIO), (ITEMS, 1))
    samples = [
        sample_of(
            0.6
            + own[at]
            + items
            + drawn(0.5, ITEMS, 1) * np.sqrt(BOTH) * spread[:, None]
            + drawn(0.5, ITEMS, RUNS) * np.sqrt(RUN) * spread[:, None],
            LIKE_V2,
        )
        for at in range(models)
    ]
    these = float((WEIGHTS**2 * spread**2).sum())
    signal = MODEL + BOTH * these
    true = {
        "items_random": MODEL / (MODEL + (BOTH + RUN / RUNS) / SIZE),
        "items_fixed": signal / (signal + RUN / RUNS * these),
    }
    return samples, true


def by_normal_theory(name: str, estimate: float, models: int) -> tuple[float, float]:
    """Return the F interval around an estimate of these models."""
    scale = ITEMS / SIZE if name == "items_random" else 1.0
    ratio = 1 + scale * estimate / (1 - estimate)
    rest = (models - 1) * (ITEMS - 1) if name == "items_random" else models * (RUNS - 1)
    ends = (ratio / float(fdtri(models - 1, rest, tail)) for tail in (0.975, 0.025))
    low, high = ((end - 1) / (end - 1 + scale) for end in ends)
    return low, high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", type=int, default=1000)
    fields = parser.parse_args().fields
    print(f"{'world':8}{'models':>7}  {'coefficient':13}{'jackknife':>16}{'normal theory':>16}")
    for world in ("normal", "uneven", "skewed"):
        for models in (10, 30, 80):
            chance = np.random.default_rng([models, len(world)])
            seen: dict[tuple[str, str], list[tuple[bool, float]]] = {}
            for _ in range(fields):
                samples, true = field(world, models, chance)
                found = reliability(samples)
                assert found is not None
                for name, value in true.items():
                    each = getattr(found, name)
                    for how, (low, high) in (
                        ("jackknife", each.interval),
                        ("normal", by_normal_theory(name, each.estimate, models)),
                    ):
                        seen.setdefault((name, how), []).append((low <= value <= high, high - low))
            for name in true:
                cells = [np.mean(seen[name, how], axis=0) for how in ("jackknife", "normal")]
                shown = "".join(f"{f'{100 * held:.1f} % ({width:.2f})':>16}" for held, width in cells)
                print(f"{world:8}{models:7}  {name:13}{shown}", flush=True)


if __name__ == "__main__":
    main()
