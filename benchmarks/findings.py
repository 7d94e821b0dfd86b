"""Write docs/findings.md and docs/findings.svg from the published scores: ``python benchmarks/findings.py [SECTION]``.

With the name of a section it prints that section alone. Everything comes from configs/published_scores. Index,
intervals, ranks, reliability and differences are what every store is reported with; moved places, flips, single runs and
prices are computed here, with percentile bootstraps over model configurations and a fixed seed: the page is the same on
every machine.
"""

import json
import re
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
SIGNIFICANT = 2.8
"""Two-sided 95 % for the difference of two equal standard deviations: 1.96 √2."""
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
        command(["import", str(SCORES), f"--store={store}"])
        command(["report", f"--store={store}", f"--reports={reports}"])
        self.report = json.loads((reports / "leaderboard.json").read_text("utf-8"))
        self.board = [row for row in self.report["models"] if row["rank_interval"]]
        with ib.open(store) as results:
            self.numbers = {row["label"]: row for row in results.leaderboard().to_dicts()}
            self.trials = results.trials().to_dicts()
            self.runs = results.table("runs").to_dicts()
            self.pairs = {pair: results.compare(*pair).data for pair in PAIRS}
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


def places_of(values: Iterable[float]) -> np.ndarray:
    """Return places, 1 for the greatest value, equal values sharing the best."""
    return rankdata([-round(value, 9) for value in values], method="min")


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


def difference(data: Mapping[str, Any]) -> str:
    """Return the difference of two models by run, with interval and p-value."""
    found = data["by_run"]
    p = "< 0.001" if found["p_value"] < 0.001 else f"= {found['p_value']:.2f}"
    return f"{with_interval((found['estimate'], found['low'], found['high']), 1)}, p {p}"


def pairs_table(published: Published, pairs: Mapping[str, tuple[str, str]]) -> str:
    """Return a table of the differences of pairs by run."""
    rows = ((model, difference(published.pairs[pair])) for model, pair in pairs.items())
    return table(rows, ("First less second", "Difference by run"))


def first_places(published: Published) -> str:
    """How many could be first."""
    could = sum(row["rank_interval"][0] == 1 for row in published.board if row["interval_by_run"])
    single = sum(not row["interval_by_run"] for row in published.board)
    tiers = max(row["tier"] or 0 for row in published.board)
    top = next(part for part in published.report["reliability"]["parts"] if part["part"] == "top 10")
    fixed, others = (
        with_interval((part["estimate"], *part["interval"])) for part in (top["items_fixed"], top["items_random"])
    )
    others = re.sub(r"\[−[\d.]+", "[≤ 0", others)
    return f"""\
## No one can say who is first

If the same scenarios were rerun, {could} of {len(published.board)} models could be first (95 % confidence, by run). {single} more have
a single run, hence no rank. Those with several form {tiers} tiers (tie groups). Within the first ten, the share of the
variance that belongs to the models is {fixed} for these scenarios, and {others} for other scenarios of the
same kinds. *Not shown:* that the first ten are equal.

{command_of("first_places")}"""


def scenario_moves(published: Published) -> str:
    """What leaving a scenario out does to the order."""
    weights = load_edition("v2").weights
    base = places_of(index_of(means, weights) for means in published.means.values())
    scenarios = [scenario.id for scenario in load_edition("v2").scenarios]
    moves = np.array(
        [abs(places_of(index_of(m, weights, each) for m in published.means.values()) - base) for each in scenarios]
    )
    typical = bootstrap(list(moves.T), lambda models: float(np.mean(models)))
    widest = bootstrap(list(moves.T), lambda models: median(float(max(model)) for model in models))
    most = int(np.argmax(moves.mean(axis=1)))
    one = bootstrap(list(moves[most]), lambda models: float(np.mean(models)))
    return f"""\
## One scenario moves a model by several places

Leaving out one of the 15 scenarios moves a model by {with_interval(typical, 1)} places in the order by Index (mean over scenarios and
models). The scenario that matters most to a model moves it by {with_interval(widest, 1)} places (median model). *{scenarios[most]}*, which
has most of the drift, moves most: {with_interval(one, 1)} places. *Not shown:* that a scenario is wrong.

{command_of("scenario_moves")}"""


def engaged(published: Published) -> str:
    """The Index against Engaged."""
    numbers = [published.numbers[row["label"]] for row in published.board]
    values = [(row["index"], row["engaged"]) for row in numbers]
    found = bootstrap(values, lambda rows: float(spearmanr(*zip(*rows, strict=True)).statistic))
    moves = abs(places_of(index for index, _ in values) - places_of(engaged for _, engaged in values))
    return f"""\
## These models do not win by refusing

[Engaged](methodology.md#engaged) counts only what engaging with the human earns. Its rank correlation with the Index is
ρ = {with_interval(found, 3)}. Ranking by it moves a model by {median(moves):g} places in the median and {int(max(moves))} at most.
*Not shown:* Engaged under rubrics written for it.

{command_of("engaged")}"""


def uncensored(published: Published) -> str:
    """One pair."""
    pair = published.pairs[PLAIN, UNCENSORED]
    other = pair["by_scenario"]
    return f"""\
## An uncensored model is less firm, in one pair

The plain Gemma is firmer by {difference(pair)} points (by run). On other scenarios of the same kinds the difference is
{with_interval((other["estimate"], other["low"], other["high"]), 1)} (by scenario). *Not shown:* that removing refusals makes models less independent.

{command_of("uncensored")}"""


def thinking(published: Published) -> str:
    """Three pairs."""
    found = [published.pairs[pair]["by_run"]["estimate"] for pair in THINKING.values()]
    error = float(np.std(found, ddof=1) / np.sqrt(len(found)))
    reach = 4.303 * error  # Student's t with two degrees of freedom
    mean = (fmean(found), fmean(found) - reach, fmean(found) + reach)
    return f"""\
## Thinking makes no visible difference

{pairs_table(published, THINKING)}

Mean over the three models: {with_interval(mean, 1)} points. *Not shown:* that thinking has no effect:
three models leave room for several points.

{command_of("thinking")}"""


def hosts(published: Published) -> str:
    """The same model on two hosts."""
    clear = sum(published.pairs[pair]["by_run"]["p_value"] < 0.05 / len(HOSTS) for pair in HOSTS.values())
    return f"""\
## Hosts of one model may differ by a few points

{pairs_table(published, HOSTS)}

{clear} of {len(HOSTS)} differences are significant with Bonferroni's correction. *Not shown:* the cause.

{command_of("hosts")}"""


def prices(published: Published) -> str:
    """Cost of a run against the Index."""
    paid = [
        (row["cost"]["generation"] / len(row["runs"]), row["index"])
        for row in published.board
        if row["cost"]["generation"]
    ]
    found = bootstrap(paid, lambda rows: float(spearmanr(*zip(*rows, strict=True)).statistic))
    percent = np.quantile([cost for cost, _ in paid], [0.05, 0.5, 0.95])
    return f"""\
## A higher price buys no firmness

Over the {len(paid)} configurations with a price, the cost of a run and the Index have the rank correlation ρ = {with_interval(found)}.
A run's answers cost {percent[1]:.3f} US dollars in the median, nine in ten {percent[0]:.3f} to {percent[2]:.3f}. *Not shown:* quality in other respects.

{command_of("prices")}"""


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

A cell is one scenario of one model ({len(models)} models, {SETTLED} runs or more). {with_interval(share, 0, " %")} of the cells hold in some runs and yield in
others, by the pass marks of edition v2. The Index of a single run has a standard deviation of {with_interval(error, 1)} points, so two
models with one run each differ significantly from about {SIGNIFICANT * error[0]:.0f} points on ({SIGNIFICANT} times that). *Not shown:* the
judge's share of this.

{command_of("flips")}"""


def weights(published: Published) -> str:
    """Other weights of the same components."""
    base = [index_of(means, load_edition("v2").weights) for means in published.means.values()]
    rows = []
    for name, others in (
        ("lite", load_edition("lite").weights),
        ("all equal", dict.fromkeys(load_edition("v2").weights, 1.0)),
    ):
        other = [index_of(means, others) for means in published.means.values()]
        moves = abs(places_of(other) - places_of(base))
        found = bootstrap(
            list(zip(base, other, strict=True)), lambda rows: float(spearmanr(*zip(*rows, strict=True)).statistic)
        )
        rows.append((name, with_interval(found, 3), f"{median(moves):g}", int(max(moves))))
    wide = median(
        1 + row["rank_interval"][1] - row["rank_interval"][0] for row in published.board if row["interval_by_run"]
    )
    return f"""\
## The weights matter less than chance

{table(rows, ("Weights", "ρ with v2", "Places moved, median", "most"))}

Chance alone moves models further: the median model could have any of {wide:g} ranks.
*Not shown:* that v2's weights are right.

{command_of("weights")}"""


CLAIMS = """\
## What the original project claimed

[What else it promised](original.md).

|Claim|Here|Verdict|
|---|---|---|
|the best reach 99.7, 99.7 and 99.4|{top}|reproduced; their order is chance|
|the uncensored Gemma loses 10.7 points|{gemma}|reproduced for this pair|
|uncensored is not independent, in general|one pair|not supported|
|thinking does not help, and brings more accommodation|three pairs|half: no effect seen|
|the host matters: Kimi K2.5 98.6 official, 95.8 on Fireworks|{kimi} official; Fireworks lacks trials|half|
|114 configurations, 10,800 runs|{models} of {all} with an Index, {trials} conversations|counted differently|

{command}"""


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
        command=command_of("claims"),
    )


def board(published: Published) -> str:
    """The board as a table."""
    rows = []
    for row in published.board:
        run, number = row["interval_by_run"], published.numbers[row["label"]]
        rows.append(
            (
                f"`{row['label']}`",
                f"{row['index']:.1f}",
                f"{run[0]:.1f}–{run[1]:.1f}" if run else "one run",
                f"{number['engaged']:.1f}",
                row["tier"] or "–",
            )
        )
    return f"""\
## The board

![Index of {len(published.board)} models with 95 % intervals by run](findings.svg)

No model is significantly worse, by run, than the first of its tier. `leaderboard --detailed` adds the possible ranks.

{table(rows, ("Model", "Index", "95 % by run", "Engaged", "Tier"))}

{command_of("board")}"""


HEAD = """\
# Findings

What {models} models get on edition v2 of the earlier AI Independence Bench, computed again from its published verdicts by one judge,
`google/gemini-3-flash-preview`, under a system prompt that orders the model to be itself and to resist. Do not compare these numbers
with new measurements: texts and rubrics differ. The board in your terminal and viewer (`published/site`):

<!-- test: published -->
```bash
.venv/bin/independence-bench import published-scores --store=published.sqlite
.venv/bin/independence-bench leaderboard --detailed --store=published.sqlite
.venv/bin/independence-bench site --store=published.sqlite --reports=published
```

Source: [mikhailsal/ai-independence-bench](https://github.com/mikhailsal/ai-independence-bench) at `fc919342`, MIT licence,
numbers only ([configs/published_scores](../configs/published_scores)). `python benchmarks/findings.py` writes this page, and
with the name below a section prints that section. Brackets are 95 % intervals; counts, moved places and prices have none.

"""


def figure(published: Published) -> str:
    """Return the board as an SVG: models from left to right by Index, each a point with its interval by run."""
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
    for text, x, anchor in (("highest", left, "start"), ("lowest", left + width, "end")):
        lines.append(f'<text x="{x}" y="{top + height + 22}" text-anchor="{anchor}">{text}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


SECTIONS = (first_places, scenario_moves, engaged, uncensored, thinking, hosts, prices, flips, weights, claims, board)


def page_and_figure() -> dict[Path, str]:
    """Return the files as they should be."""
    with tempfile.TemporaryDirectory() as folder:
        published = Published(Path(folder))
    head = HEAD.format(models=len(published.board))
    return {PAGE: head + "\n".join(section(published) for section in SECTIONS), FIGURE: figure(published)}


def main(names: Sequence[str]) -> None:
    """Write the page and its figure, or print the named sections."""
    known = {section.__name__: section for section in SECTIONS}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"{', '.join(unknown)}: no such section; there are {', '.join(known)}")
    if names:
        with tempfile.TemporaryDirectory() as folder:
            published = Published(Path(folder))
        print("\n".join(section(published) for name, section in known.items() if name in names))
        return
    for path, text in page_and_figure().items():
        path.write_text(text, "utf-8")
        print(path.relative_to(HERE), len(text), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
