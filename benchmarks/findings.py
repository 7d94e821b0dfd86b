"""Write docs/findings.md and docs/findings.svg from the published scores: ``python benchmarks/findings.py``.

Everything comes from configs/published_scores. Index, intervals, ranks, reliability and differences are what every
store is reported with; rank moves, flips, single runs and prices are computed here, with percentile bootstraps over
model configurations and a fixed seed: the page is the same on every machine.
"""

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
from scipy.stats import rankdata, spearmanr

import independence_bench as ib
from independence_bench.cli import main as command
from independence_bench.kinds.edition_files import load_edition

HERE = Path(__file__).parents[1]
SCORES = HERE / "configs" / "published_scores"
PAGE, FIGURE = HERE / "docs" / "findings.md", HERE / "docs" / "findings.svg"
DRAWS = 2000
SETTLED = 5
"""Runs from which a configuration counts where spread between runs is the question."""
PLAIN, UNCENSORED = "gemma-4-26b-a4b+q4-k-m@low-t0.7", "gemma-4-26b-a4b-it-uncensored-heretic@low-t0.7"
THINKING = (
    ("gemini-2.5-flash-lite@low-t0.7", "gemini-2.5-flash-lite@none-t0.7"),
    ("gemini-2.5-flash-lite-preview-09-2025@low-t0.7", "gemini-2.5-flash-lite-preview-09-2025@none-t0.7"),
    ("mistral-small-2603@low-t0.7", "mistral-small-2603@none-t0.7"),
)
"""The same model with effort asked, and without."""
HOSTS = (
    ("gemma-4-26b-a4b-it+novita@none-t0.7", "gemma-4-26b-a4b-it:free@none-t0.7"),
    ("gemma-4-31b-it+akashml@none-t0.7", "gemma-4-31b-it:free@none-t0.7"),
    ("minimax-m2.5+minimax@low-t0.7", "minimax-m2.5@low-t0.7"),
    ("kimi-k2.5+moonshot@none-t0.7", "kimi-k2.5+nvidia-nim@none-t0.7"),
    ("qwen3-coder+alibaba-opensource@none-t0.7", "qwen3-coder@none-t0.7"),
    ("glm-5+z-ai@none-t0.7", "glm-5@none-t0.7"),
)
"""The same model, effort and temperature, on two hosts."""
Range = tuple[float, float, float]
"""Estimate, lower and upper end of its 95 % interval."""
Means = Mapping[tuple[str, str], float]
"""Score and scenario → mean over a model's runs."""


class Published:
    """The published scores, reported."""

    def __init__(self, folder: Path) -> None:
        store, reports = folder / "published.sqlite", folder / "reports"
        command(["import", str(SCORES), f"--store={store}"])
        command(["report", f"--store={store}", f"--reports={reports}"])
        self.report = json.loads((reports / "leaderboard.json").read_text("utf-8"))
        self.board = [row for row in self.report["models"] if row["rank"]]
        with ib.open(store) as results:
            self.numbers = {row["label"]: row for row in results.leaderboard().to_dicts()}
            self.trials = results.trials().to_dicts()
            self.runs = results.table("runs").to_dicts()
            self.pairs = {pair: results.compare(*pair).data for pair in [(PLAIN, UNCENSORED), *THINKING, *HOSTS]}
            self.means = self._means(results.verdicts().to_dicts())

    def _means(self, verdicts: Iterable[Mapping[str, Any]]) -> dict[str, Means]:
        found: defaultdict[str, defaultdict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in verdicts:
            found[row["label"]][row["score"], row["scenario"]].append(row["value"])
        ranked = [row["label"] for row in self.board]
        return {label: {what: fmean(values) for what, values in found[label].items()} for label in ranked}


def bootstrap(groups: Sequence[Any], number: Callable[[Sequence[Any]], float]) -> Range:
    """Return a number of groups with its percentile interval over resampled groups."""
    draw = np.random.default_rng(0)
    found = [number([groups[place] for place in draw.integers(len(groups), size=len(groups))]) for _ in range(DRAWS)]
    low, high = np.quantile(found, [0.025, 0.975])
    return number(groups), float(low), float(high)


def index_of(means: Means, weights: Mapping[str, float], without: str | None = None) -> float:
    """Return the Index, 0..100, under other weights or without a scenario; what is left of a component is its whole."""
    edition = load_edition("v2")
    total = 0.0
    for name, weight in weights.items():
        component = edition.components[name]
        kept = [(part.score, [each for each in part.scenarios if each != without]) for part in component.parts]
        kept = [(score, scenarios) for score, scenarios in kept if scenarios]
        best = sum(edition.score_fields[scenarios[0], score].ends[1] for score, scenarios in kept)
        value = sum(fmean(means[score, scenario] for scenario in scenarios) for score, scenarios in kept) / best
        total += weight * (value if component.good == "high" else 1 - value)
    return 100 * total / sum(weights.values())


def ranks_of(values: Iterable[float]) -> np.ndarray:
    """Return ranks, 1 for the greatest value, equal values sharing the best."""
    return rankdata([-round(value, 9) for value in values], method="min")


def told(found: Range, digits: int = 2, unit: str = "") -> str:
    """Return an estimate with its interval."""
    estimate, low, high = (f"{value:.{digits}f}{unit}".replace("-", "−") for value in found)
    return f"{estimate} [{low}, {high}]"


def table(rows: Iterable[Sequence[object]], heads: Sequence[str]) -> str:
    """Return a Markdown table; its second column and those after it are numbers."""
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def difference(data: Mapping[str, Any]) -> str:
    """Return the difference of two models by run, with interval and p-value."""
    found = data["by_run"]
    p = "< .001" if found["p_value"] < 0.001 else f"= {found['p_value']:.2f}".replace("0.", ".", 1)
    return f"{told((found['estimate'], found['low'], found['high']), 1)}, p {p}".replace("--", "−")


def pairs_table(published: Published, pairs: Sequence[tuple[str, str]], heads: Sequence[str]) -> str:
    """Return a table of the differences of pairs by run."""
    return table(
        ((f"`{one}`", f"`{other}`", difference(published.pairs[one, other])) for one, other in pairs),
        [*heads, "Difference by run"],
    )


def first_places(published: Published) -> str:
    """How many could be first."""
    could = sum(row["rank_interval"][0] == 1 for row in published.board if row["interval_by_run"])
    single = sum(not row["interval_by_run"] for row in published.board)
    tiers = max(row["tier"] or 0 for row in published.board)
    top = next(part for part in published.report["reliability"]["parts"] if part["part"] == "top 10")
    random, fixed = top["items_random"], top["items_fixed"]
    low = "≤ 0" if random["interval"][0] < 0 else f"{random['interval'][0]:.2f}"
    return f"""\
## No one can say who is first

{could} of {len(published.board)} models could be first if the same scenarios were asked again (ranks with 95 % confidence, by run;
{single} more have a single run, which has no interval). They form {tiers} tiers. Among the first ten, the share of the variance that
is the models' own is {fixed["estimate"]:.2f} [{fixed["interval"][0]:.2f}, {fixed["interval"][1]:.2f}] for these scenarios and {random["estimate"]:.2f} [{low}, {random["interval"][1]:.2f}] for other
scenarios of the same kinds. *Not shown:* that the first ten are equal, only that these data cannot rank them.

`independence-bench leaderboard --detailed`; `leaderboard.json`, `rank_interval` and `reliability`
"""


def scenario_moves(published: Published) -> str:
    """What leaving a scenario out does to ranks."""
    weights = load_edition("v2").weights
    base = ranks_of(index_of(means, weights) for means in published.means.values())
    scenarios = [scenario.id for scenario in load_edition("v2").scenarios]
    moves = np.array(
        [abs(ranks_of(index_of(m, weights, each) for m in published.means.values()) - base) for each in scenarios]
    )
    typical = bootstrap(list(moves.T), lambda models: float(np.mean(models)))
    widest = bootstrap(list(moves.T), lambda models: median(float(max(model)) for model in models))
    most = int(np.argmax(moves.mean(axis=1)))
    one = bootstrap(list(moves[most]), lambda models: float(np.mean(models)))
    return f"""\
## One scenario moves a rank by several places

Without one of the 15 scenarios a model's rank changes by {told(typical, 1)} places on average over scenarios and models, and by
{told(widest, 1)} places for the scenario that matters most to it (median model). *{scenarios[most]}* matters most: {told(one, 1)};
it has most of the drift. *Not shown:* which scenario is the wrong one. Each asks something else.

`python benchmarks/findings.py`, `scenario_moves`
"""


def engaged(published: Published) -> str:
    """The Index against Engaged."""
    numbers = [published.numbers[row["label"]] for row in published.board]
    values = [(row["index"], row["engaged"]) for row in numbers]
    found = bootstrap(values, lambda rows: float(spearmanr(*zip(*rows, strict=True)).statistic))
    moves = abs(ranks_of(index for index, _ in values) - ranks_of(engaged for _, engaged in values))
    return f"""\
## These models do not win by refusing

[Engaged](methodology.md#engaged) counts only what engaging with the human earns. It correlates with the Index by ρ = {told(found, 3)},
and moves a model by {median(moves):.0f} places in the median, by {int(max(moves))} at most. *Not shown:* what it would be under rubrics written for it.

`python benchmarks/engaged_figures.py configs/published_scores/scores.csv`
"""


def uncensored(published: Published) -> str:
    """One pair."""
    found = published.pairs[PLAIN, UNCENSORED]
    other = found["by_scenario"]
    return f"""\
## An uncensored model is less firm, in one pair

`{PLAIN}` against `{UNCENSORED}`: {difference(found)} points
by run. On other scenarios of the same kinds the difference could be anything from {other["low"]:.1f} to {other["high"]:.1f} (by scenario). *Not shown:*
that removing refusals makes models less independent: this is one pair of one model.

`independence-bench compare {PLAIN} {UNCENSORED}`
""".replace("from -", "from −")


def thinking(published: Published) -> str:
    """Three pairs."""
    found = [published.pairs[pair]["by_run"]["estimate"] for pair in THINKING]
    error = float(np.std(found, ddof=1) / np.sqrt(len(found)))
    reach = 4.303 * error  # Student's t with two degrees of freedom
    mean = (fmean(found), fmean(found) - reach, fmean(found) + reach)
    return f"""\
## Thinking makes no visible difference

{pairs_table(published, THINKING, ("Effort asked", "Not asked"))}

Mean over the three models: {told(mean, 1)} points. *Not shown:* that thinking does nothing. Three models leave room for several
points either way, and what was asked is not always what was done: some models think unasked.

`independence-bench compare A B`
"""


def hosts(published: Published) -> str:
    """The same model on two hosts."""
    clear = sum(published.pairs[pair]["by_run"]["p_value"] < 0.05 / len(HOSTS) for pair in HOSTS)
    return f"""\
## Hosts of one model differ by up to a few points, none of them surely

{pairs_table(published, HOSTS, ("One host", "Another"))}

{clear} of {len(HOSTS)} differences are significant with Bonferroni's correction. *Not shown:* the cause. Hosts differ in quantisation,
templates and dates, and a free route may be several hosts.

`independence-bench compare A B`
"""


def prices(published: Published) -> str:
    """Cost of a run against the Index."""
    paid = [
        (row["cost"]["generation"] / len(row["runs"]), row["index"])
        for row in published.board
        if row["cost"]["generation"]
    ]
    found = bootstrap(paid, lambda rows: float(spearmanr(*zip(*rows, strict=True)).statistic))
    return f"""\
## A higher price buys no firmness

Over the {len(paid)} configurations whose answers cost anything, cost of a run and Index correlate by ρ = {told(found)} (Spearman).
*Not shown:* anything about quality in other respects.

`leaderboard.json`, `cost` and `index`
"""


def flips(published: Published) -> str:
    """Cells that hold in some runs and yield in others."""
    cells: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for trial in published.trials:
        if trial["held"] is not None:
            cells[trial["label"]][trial["scenario"]].append(trial["held"])
    models = [
        [len(set(held)) == 2 for held in scenarios.values()]
        for scenarios in cells.values()
        if min(map(len, scenarios.values())) >= SETTLED
    ]
    share = bootstrap(models, lambda drawn: 100 * fmean(each for model in drawn for each in model))
    runs: defaultdict[str, list[float]] = defaultdict(list)
    for row in published.runs:
        if row["index"] is not None:
            runs[row["label"]].append(row["index"])
    spread = [np.var(values, ddof=1) for values in runs.values() if len(values) >= SETTLED]
    error = bootstrap(spread, lambda drawn: float(np.sqrt(np.mean(drawn))))
    return f"""\
## What a single run is worth

{told(share, 0, " %")} of the cells (a model's scenario with {SETTLED} runs or more, {len(models)} models) hold in some runs and yield in others, by the
pass marks of edition v2. The Index of a single run misses the model's mean by a standard deviation of {told(error, 1)} points: two
models that were asked once must differ by about {2.8 * error[0]:.0f} points before chance is an unlikely reason. *Not shown:* how much of this is
the judge's and how much the model's, since each answer was judged once.

`python benchmarks/findings.py`, `flips`
"""


def weights(published: Published) -> str:
    """Other weights of the same components."""
    base = [index_of(means, load_edition("v2").weights) for means in published.means.values()]
    rows = []
    for name, others in (
        ("lite", load_edition("lite").weights),
        ("all equal", dict.fromkeys(load_edition("v2").weights, 1.0)),
    ):
        other = [index_of(means, others) for means in published.means.values()]
        moves = abs(ranks_of(other) - ranks_of(base))
        found = bootstrap(
            list(zip(base, other, strict=True)), lambda rows: float(spearmanr(*zip(*rows, strict=True)).statistic)
        )
        rows.append((name, told(found, 3), f"{median(moves):.0f}", int(max(moves))))
    return f"""\
## The weights matter less than chance

{table(rows, ("Weights", "ρ with v2", "Rank moves, median", "most"))}

The median move is within what chance moves anyway: see the ranges of ranks on the board. No interval for a rank's move: it
belongs to these models, not to a sample. *Not shown:* that v2's weights are right.

`python benchmarks/findings.py`, `weights`
"""


CLAIMS = """\
## What the original project claimed

What else it promised, and what is here: [The original project](original.md).

| Claim | Here | Verdict |
| --- | --- | --- |
| the best reach 99.7, 99.7 and 99.4 | {top} | reproduced; their order is chance |
| the uncensored Gemma loses 10.7 points | {gemma} | reproduced, for this pair |
| uncensored is not independent, in general | one pair | not supported |
| thinking does not help, and brings more accommodation | three pairs, above | half: no effect seen; more accommodation is not shown |
| the host matters: Kimi K2.5 98.6 official, 95.8 on Fireworks | official {kimi}; Fireworks lacks trials, so no Index | half |
| 114 configurations, 10,800 runs | {models} with an Index of {all}, {trials} conversations | counted otherwise |
"""


def claims(published: Published) -> str:
    """The original's sentences, repeated."""
    of = {row["label"]: row["index"] for row in published.board}
    return CLAIMS.format(
        top=", ".join(f"{row['index']:.1f}" for row in published.board[:3]),
        gemma=f"{published.pairs[PLAIN, UNCENSORED]['by_run']['estimate']:.1f}",
        kimi=f"{of['kimi-k2.5+moonshot@none-t0.7']:.1f}",
        models=len(published.board),
        all=len(published.report["models"]),
        trials=f"{sum(trial['measured'] for trial in published.trials):,}",
    )


def board(published: Published) -> str:
    """The board as a table."""
    rows = []
    for row in published.board:
        run, ranks, number = row["interval_by_run"], row["rank_interval"], published.numbers[row["label"]]
        rows.append(
            (
                f"`{row['label']}`",
                f"{row['index']:.1f}",
                f"{run[0]:.1f}–{run[1]:.1f}" if run else "one run",
                f"{number['engaged']:.1f}",
                f"{ranks[0]}–{ranks[1]}",
                len(row["runs"]),
            )
        )
    return f"""\
## The board

![Index of {len(published.board)} models with 95 % intervals by run](findings.svg)

{table(rows, ("Model", "Index", "95 % by run", "Engaged", "Ranks", "Runs"))}
"""


HEAD = """\
# Findings

What {models} models get on edition v2 of the earlier AI Independence Bench, re-computed from its published verdicts with this
project's intervals. One judge, `google/gemini-3-flash-preview`, gave all of them, under a system prompt that orders the model to be
itself and to resist. Texts and rubrics were the earlier project's: compare these numbers with nothing that you measure here.

Source: `configs/published_scores` ([mikhailsal/ai-independence-bench](https://github.com/mikhailsal/ai-independence-bench) at
`fc919342`, MIT licence; numbers only). `python benchmarks/findings.py` writes this page. Brackets are 95 % intervals.

"""


def figure(published: Published) -> str:
    """Return the board as an SVG: models from left to right by rank, each a point with its interval by run."""
    rows, left, top, height, step = published.board, 40, 30, 220, 7
    width = step * len(rows)
    low = 10 * int(min(row["index"] for row in rows) // 10)

    def at(value: float) -> float:
        return top + height * (100 - max(value, low)) / (100 - low)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 16} {top + height + 34}"'
        ' font-family="sans-serif" font-size="11" fill="#333">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{left}" y="16">Index of {len(rows)} models, with 95 % intervals by run (hollow: a single run)</text>',
    ]
    for value in range(low, 101, 10):
        lines.append(f'<path d="M{left} {at(value):.1f}H{left + width}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 6}" y="{at(value) + 4:.1f}" text-anchor="end">{value}</text>')
    for place, row in enumerate(rows):
        x, run = left + step * (place + 0.5), row["interval_by_run"]
        if run:
            lines.append(f'<path d="M{x} {at(run[0]):.1f}V{at(run[1]):.1f}" stroke="#9dbfe0" stroke-width="3"/>')
        fill = "#1f5a94" if run else "#fff"
        title = f"<title>{row['label']}: {row['index']:.1f}</title>"
        lines.append(
            f'<circle cx="{x}" cy="{at(row["index"]):.1f}" r="2.5" fill="{fill}" stroke="#1f5a94">{title}</circle>'
        )
    for text, x, anchor in (("rank 1", left, "start"), (f"rank {len(rows)}", left + width, "end")):
        lines.append(f'<text x="{x}" y="{top + height + 22}" text-anchor="{anchor}">{text}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


SECTIONS = (first_places, scenario_moves, engaged, uncensored, thinking, hosts, prices, flips, weights, claims, board)


def written() -> dict[Path, str]:
    """Return the files as they should be."""
    with tempfile.TemporaryDirectory() as folder:
        published = Published(Path(folder))
    head = HEAD.format(models=len(published.board))
    return {PAGE: head + "\n".join(section(published) for section in SECTIONS), FIGURE: figure(published)}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
        print(path.relative_to(HERE), len(text), file=sys.stderr)
