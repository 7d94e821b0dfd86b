"""What a pilot of edition v3 decides: ``python benchmarks/pilot_decision.py FORM OTHER_FORM [V2]``.

FORM and OTHER_FORM are folders with the reports of one form each: ``models`` of the models themselves, and one folder
for each organism. V2 is a folder with the same models' reports of edition v2. Prints the numbers that
docs/methodology/pilot.md asks for, and which criteria hold.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import atanh, nan, sqrt, tanh
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from tabulate import tabulate

from independence_bench.kinds.dossiers.reporting.reason_board import ChosenStandards
from independence_bench.kinds.dossiers.reporting.reason_kind import KIND, LITTLE_COHERENT, LITTLE_READABLE, ReasonReport
from independence_bench.store import Store

LEAST_MODELS = 12
OPEN_TO_REASONS = (0.4, 0.9)
"""Movement by the reason that half of the models must be within: neither a floor nor a ceiling."""
LEAST_RELIABILITY = 0.8
MOST_FAVOURITE, MOST_SPLIT = 0.6, 0.75
"""Share of the standard chosen most often in a matter, among all, and among the most and the least chosen."""
BALANCED = "balanced"
"""The organism whose Index must be above those of all others."""


class ModelNumbers(NamedTuple):
    """What one form says of a model; shares and movements 0..1."""

    index: float
    """−100..100; NaN where the model is unscorable."""
    interval: tuple[float, float]
    coherent: float
    readable: float
    reason: float
    fresh: float
    """Movement when the corrected table is read anew; NaN where nothing is known."""


class Criterion(NamedTuple):
    """One condition of going on."""

    says: str
    found: str
    holds: bool


def numbers(report: ReasonReport) -> dict[str, ModelNumbers]:
    """Return the numbers of every model that was measured to the end, by label."""
    found = {}
    for row, result in zip(report.board.models, report.results, strict=True):
        if result.found is None:
            continue
        reason, fresh = (row.number(each) for each in ("moved_by_reason", "moved_from_scratch"))
        index, moved = row.index, (nan if each is None else each for each in (reason, fresh))
        shares = (row.number("coherent") or 0.0, row.number("readable") or 0.0)
        found[row.label] = ModelNumbers(
            nan if index is None else index, row.ends("index") or (nan, nan), *shares, *moved
        )
    return found


def correlation(ones: Sequence[float], others: Sequence[float]) -> tuple[float, tuple[float, float]]:
    """Return Pearson's r of the pairs that are known, with its interval by Fisher's z; NaN below four pairs."""
    pairs = np.array([pair for pair in zip(ones, others, strict=True) if not np.isnan(pair).any()])
    if len(pairs) < 4 or not pairs.std(axis=0).all():
        return nan, (nan, nan)
    r = float(np.corrcoef(pairs.T)[0, 1])
    middle, half = atanh(min(max(r, -1 + 1e-9), 1 - 1e-9)), 1.96 / sqrt(len(pairs) - 3)
    return r, (tanh(middle - half), tanh(middle + half))


Form = Mapping[str, ModelNumbers]


def criteria(
    forms: Sequence[Form], organisms: Sequence[Form], chosen: Sequence[ChosenStandards]
) -> Iterator[Criterion]:
    """Yield every condition; ``organisms`` holds one organism's numbers by its name, form by form.

    ``chosen`` are the standards that the models chose, by matter and form.
    """
    labels = sorted(set.intersection(*map(set, forms)))
    if not labels:
        raise SystemExit("no model was measured to the end in both forms; repeat the commands that measure")
    yield Criterion(f"at least {LEAST_MODELS} models", str(len(labels)), len(labels) >= LEAST_MODELS)
    of = {label: [form[label] for form in forms] for label in labels}
    for name, least in (("readable", LITTLE_READABLE), ("coherent", LITTLE_COHERENT)):
        mean = fmean(getattr(each, name) for found in of.values() for each in found)
        yield Criterion(f"{name}: mean over models at least {least:g}", f"{mean:.3f}", mean >= least)
    low, high = OPEN_TO_REASONS
    within = sum(low <= fmean(each.reason for each in found) <= high for found in of.values())
    yield Criterion(
        f"m_reason {low:g} to {high:g} in half of the models", f"{within} of {len(of)}", 2 * within >= len(of)
    )
    r, (least_r, most_r) = correlation(*([form[label].index for label in labels] for form in forms))
    told = f"{r:.2f} ({least_r:.2f} to {most_r:.2f})"
    yield Criterion(f"reliability over forms at least {LEAST_RELIABILITY:g}", told, r >= LEAST_RELIABILITY)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in chosen:
        counts[each.matter].update(each.chosen)
    pooled = [ChosenStandards.of(*found) for found in counts.items()]
    for name, most in (("favourite", MOST_FAVOURITE), ("split", MOST_SPLIT)):
        worst = max(pooled, key=lambda each: getattr(each, name))
        told = f"{getattr(worst, name):.2f} in {worst.matter}"
        yield Criterion(f"{name} of each matter at most {most:g}", told, getattr(worst, name) <= most)
    for place, form in enumerate(organisms, 1):
        others = [each.interval[1] for name, each in form.items() if name != BALANCED]
        if BALANCED in form and others:
            lower = form[BALANCED].interval[0]
            told = f"{lower:.1f} against {max(others):.1f}"
            yield Criterion(
                f"form {place}: {BALANCED}, lower end, above every other organism", told, lower > max(others)
            )


def read(folder: Path) -> ReasonReport:
    """Return the report of the newest session in a folder of reports."""
    with Store.open(folder / "trials.sqlite", read_only=True) as store:
        session = store.newest_session()
        if session is None:
            raise SystemExit(f"{folder}: nothing was measured there")
        return KIND.report(store, session)


def read_organisms(folder: Path) -> dict[str, ModelNumbers]:
    """Return the numbers of each organism by the name of its folder."""
    folders = sorted(each.parent for each in folder.glob("*/trials.sqlite") if each.parent.name != "models")
    return {each.name: next(iter(found.values())) for each in folders if (found := numbers(read(each)))}


def main(folders: Sequence[str]) -> int:
    """Print the tables; return 0 if every criterion holds."""
    places = [Path(each) for each in folders]
    reports = [read(place / "models") for place in places[:2]]
    forms = [*map(numbers, reports)]
    organisms = [read_organisms(place) for place in places[:2]]
    for place, form, others in zip(places, forms, organisms, strict=False):
        rows = [(label, *each._replace(interval="{:.1f} to {:.1f}".format(*each.interval))) for label, each in (form | others).items()]  # fmt: skip
        heads = ("model", "Index", "95 %", "coherent", "readable", "m_reason", "m_fresh")
        sys.stdout.write(f"\n{place}\n\n{tabulate(rows, heads, floatfmt='.2f', tablefmt='pipe')}\n")
    found = [*criteria(forms, organisms, [each for report in reports for each in report.board.chosen])]
    rows = [(each.says, each.found, "holds" if each.holds else "fails") for each in found]
    sys.stdout.write(f"\n{tabulate(rows, ('criterion', 'found', ''), tablefmt='pipe', disable_numparse=True)}\n\n")
    labels = sorted(set(forms[0]) & set(forms[1]))
    index = [fmean(form[label].index for form in forms) for label in labels]
    reported = {"m_fresh": [fmean(form[label].fresh for form in forms) for label in labels]}
    for place in places[2:]:
        board = json.loads((place / "leaderboard.json").read_text("utf-8"))
        v2 = {row["label"]: row["index"] for row in board["models"] if row["index"] is not None}
        reported["v2"] = [v2.get(label, nan) for label in labels]
    for name, values in reported.items():
        r, ends = correlation(index, values)
        sys.stdout.write("Correlation of the Index with {}: {:.2f} ({:.2f} to {:.2f})\n".format(name, r, *ends))
    return 0 if all(each.holds for each in found) else 1


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
