"""The published scores as every store is reported, and how the sections of docs/findings.md show numbers of them."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import spearmanr

import independence_bench as ib
from independence_bench.cli import main as command
from independence_bench.report.analysis.tidy import tabled_kind
from independence_bench.scoring.uncertainty import reliability
from independence_bench.store import Store

DRAWS = 2000
PLAIN, UNCENSORED = "gemma-4-26b-a4b+q4-k-m@low-t0.7", "gemma-4-26b-a4b-it-uncensored-heretic@low-t0.7"
THINKING = {
    f"`{model}`, `low` less `none`": (f"{model}@low-t0.7", f"{model}@none-t0.7")
    for model in ("gemini-2.5-flash-lite", "gemini-2.5-flash-lite-preview-09-2025", "mistral-small-2603")
}
"""The same model with effort asked, and without."""
HOSTS = {
    f"`{model}`, {one.strip('+')} less {other.strip('+:') or 'unpinned'}": (
        f"{model}{one}@{sampling}",
        f"{model}{other}@{sampling}",
    )
    for model, one, other, sampling in (
        ("gemma-4-26b-a4b-it", "+novita", ":free", "none-t0.7"),
        ("gemma-4-31b-it", "+akashml", ":free", "none-t0.7"),
        ("minimax-m2.5", "+minimax", "", "low-t0.7"),
        ("kimi-k2.5", "+moonshot", "+nvidia-nim", "none-t0.7"),
        ("qwen3-coder", "+alibaba-opensource", "", "none-t0.7"),
        ("glm-5", "+z-ai", "", "none-t0.7"),
    )
}
"""The same model, effort and temperature, on two hosts."""
PAIRS = ((PLAIN, UNCENSORED), *THINKING.values(), *HOSTS.values())
Range = tuple[float, float, float]
"""Estimate, lower and upper end of its 95 % interval."""
Means = Mapping[tuple[str, str], float]
"""Score and scenario → mean over a model's runs."""


class Published:
    """The published scores, reported."""

    def __init__(self, folder: Path) -> None:
        store, reports = folder / "published.sqlite", folder / "reports"
        command(["import", "published-scores", f"--store={store}"])
        command(["report", f"--store={store}", f"--reports={reports}"])
        self.report = json.loads((reports / "leaderboard.json").read_text("utf-8"))
        self.board = [row for row in self.report["models"] if row["rank_interval"]]
        with ib.open(store) as results:
            self.numbers = {row["label"]: row for row in results.leaderboard().to_dicts()}
            self.trials = results.trials().to_dicts()
            self.runs = results.table("runs").to_dicts()
            self.pairs = {pair: results.compare(*pair).data for pair in PAIRS}
            self.means = self._means(results.verdicts().to_dicts())
        with Store.open(store, read_only=True) as opened:
            session = [*opened.sessions()][-1]
            samples = [sample for _, sample in tabled_kind(session.edition.kind).samples(opened, session)]
        self.edition = session.edition
        self.top = reliability([sample for sample in samples if sample.runs > 1][:10])
        self.vendors = {row["label"]: row["vendor"] for row in self.report["models"]}
        self.indices: defaultdict[str, list[float]] = defaultdict(list)
        """Index of each complete run."""
        for row in self.runs:
            if row["index"] is not None:
                self.indices[row["label"]].append(row["index"])

    def _means(self, verdicts: Iterable[Mapping[str, Any]]) -> dict[str, Means]:
        found: defaultdict[str, defaultdict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in verdicts:
            found[row["label"]][row["score"], row["scenario"]].append(row["value"])
        ranked = [row["label"] for row in self.board]
        return {label: {what: fmean(values) for what, values in found[label].items()} for label in ranked}

    def by_vendor(self, values: Mapping[str, Any]) -> list[list[Any]]:
        """Return models' values by vendor; a model of an unknown vendor is alone."""
        groups: defaultdict[str, list[Any]] = defaultdict(list)
        for label, value in values.items():
            groups[self.vendors[label] or label].append(value)
        return list(groups.values())

    def over_models(self, values: Mapping[str, Any], number: Callable[[Sequence[Any]], float]) -> Range:
        """Return a number of models' values, with its interval over resampled vendors."""
        return bootstrap([self.by_vendor(values)], lambda drawn: number([each for group in drawn for each in group]))


def bootstrap(strata: Sequence[Sequence[Any]], number: Callable[[Sequence[Any]], float]) -> Range:
    """Return a number of all members of strata with its percentile interval, members resampled within their stratum."""
    draw = np.random.default_rng(0)
    found = [
        number([members[place] for members in strata for place in draw.integers(len(members), size=len(members))])
        for _ in range(DRAWS)
    ]
    low, high = np.quantile(found, [0.025, 0.975])
    return number([each for members in strata for each in members]), float(low), float(high)


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the rank correlation of pairs."""
    return float(spearmanr(*zip(*pairs, strict=True)).statistic)


def with_interval(range_: Range, digits: int = 2, unit: str = "") -> str:
    """Return an estimate with its interval."""
    estimate, low, high = (f"{value:.{digits}f}{unit}".replace("-", "−") for value in range_)
    return f"{estimate} [{low}, {high}]"


def table(rows: Iterable[Sequence[object]], heads: Sequence[str]) -> str:
    """Return a Markdown table without padding; its second column and those after it are numbers."""
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"|{'|'.join(map(str, line))}|" for line in lines)


def command_of(section: str) -> str:
    """Return the line with the name by which the command prints a section."""
    return f"`{section}`\n"
