"""Write docs/findings.md and docs/findings.svg from the published scores: ``python benchmarks/findings.py [SECTION]``.

With the name of a section it prints that section alone. Everything comes from the packaged published scores. Index,
intervals, ranks and differences are what every store is reported with; the other numbers, reliability among them, are
computed here,
with percentile bootstraps over vendors and a fixed seed: the page is the same on every machine.
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
from independence_bench.report.analysis.tidy import tabled_kind
from independence_bench.scoring.uncertainty import reliability
from independence_bench.store import Store

HERE = Path(__file__).parents[1]
PAGE, FIGURE = HERE / "docs" / "findings.md", HERE / "docs" / "findings.svg"
DRAWS = 2000
SETTLED = 5
"""Runs from which a configuration counts where spread between runs is the question."""
SIGNIFICANT = 2.8
"""Two-sided 95 % for the difference of two equal standard deviations: 1.96 √2."""
RETEST, RETESTED = 0.86, 16
"""Rank correlation of the Index in two periods and number of configurations: quoted, as the table has no dates."""
SPENT = 80
"""Percentage of models at the best of a scenario from which it hardly separates models."""
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
        return bootstrap(self.by_vendor(values), lambda drawn: number([each for group in drawn for each in group]))


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


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the rank correlation of pairs."""
    return float(spearmanr(*zip(*pairs, strict=True)).statistic)


def alpha(rows: Sequence[Sequence[float]]) -> float:
    """Return the internal consistency of the columns (Cronbach's alpha)."""
    values = np.array(rows)
    items = values.shape[1]
    return float(items / (items - 1) * (1 - values.var(axis=0, ddof=1).sum() / values.sum(axis=1).var(ddof=1)))


def between(groups: Sequence[Sequence[float]]) -> float:
    """Return the percentage of the variance of all values that lies between groups."""
    every = np.concatenate(groups)
    return float(100 - 100 * sum(np.var(group) * len(group) for group in groups) / (np.var(every) * len(every)))


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


def first_places(published: Published) -> str:
    """How many could be first."""
    could = sum(row["rank_interval"][0] == 1 for row in published.board if row["interval_by_run"])
    single = sum(not row["interval_by_run"] for row in published.board)
    tiers = max(row["tier"] or 0 for row in published.board)
    top = published.top
    fixed, others = (with_interval((part.estimate, *part.interval)) for part in (top.items_fixed, top.items_random))
    others = re.sub(r"\[−[\d.]+", "[≤ 0", others)
    wide = median(
        1 + row["rank_interval"][1] - row["rank_interval"][0] for row in published.board if row["interval_by_run"]
    )
    return f"""\
## No one can say who is first

If the same scenarios were rerun, {could} of {len(published.board)} models could be first (95 % confidence, by run). {single} more have a
single run, hence no rank. The median model with several runs could have any of {wide:g} ranks; these models form {tiers} tiers (statistical ties).
Among the first ten, the models' share of the variance is {fixed} for these scenarios, {others} for others of the same
kinds. *Not shown:* that the first ten are equal.

{command_of("first_places")}"""


def rank_moves(published: Published) -> str:
    """What leaving a scenario out, or other weights, do to the order."""
    weights, ids = load_edition("v2").weights, [scenario.id for scenario in load_edition("v2").scenarios]

    def places(others: Mapping[str, float], without: str | None = None) -> np.ndarray:
        return places_of(index_of(means, others, without) for means in published.means.values())

    base = places(weights)
    moves = np.array([abs(places(weights, each) - base) for each in ids])
    by_model = dict(zip(published.means, moves.T, strict=True))
    typical = published.over_models(by_model, lambda models: float(np.mean(models)))
    widest = published.over_models(by_model, lambda models: median(float(max(model)) for model in models))
    most = int(np.argmax(moves.mean(axis=1)))
    one = published.over_models(by_model, lambda models: float(np.mean([model[most] for model in models])))
    lite, equal = (abs(places(each) - base) for each in (load_edition("lite").weights, dict.fromkeys(weights, 1.0)))
    return f"""\
## The order depends on scenarios and weights

Without one of the {len(ids)} scenarios a model moves by {with_interval(typical, 1)} places in the order by Index (mean), without the one that matters most to
it by {with_interval(widest, 1)} (median). *{ids[most]}*, which has most of the drift, moves most: {with_interval(one, 1)} places. The weights
of edition lite move a model by {median(lite):g} places in the median and {int(max(lite))} at most, equal weights by {median(equal):g} and {int(max(equal))}. *Not shown:* that a scenario or
a weight is wrong.

{command_of("rank_moves")}"""


def scenarios(published: Published) -> str:
    """Spent scenarios, internal consistency, and the retest."""
    shares: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    complete = {(row["label"], row["run"]) for row in published.runs if row["index"] is not None}
    for trial in published.trials:
        if (trial["label"], trial["run"]) in complete:
            shares[trial["label"]][trial["scenario"]].append(trial["share"])
    every = [scenario.id for scenario in load_edition("v2").scenarios]
    rows = {
        label: [fmean(shares[label][each]) for each in every]
        for label in sorted(shares, key=lambda label: -fmean(published.indices[label]))
    }
    best = {
        each: published.over_models({label: 100.0 * (row[place] == 1) for label, row in rows.items()}, fmean)
        for place, each in enumerate(every)
    }
    spent = [f"*{each}* {with_interval(found, 0, ' %')}" for each, found in best.items() if found[0] >= SPENT]
    first = dict(list(rows.items())[:30])
    reach = 1.96 * np.sqrt(1.06 / (RETESTED - 3))
    retest = (RETEST, *(float(np.tanh(np.arctanh(RETEST) + side * reach)) for side in (-1, 1)))
    return f"""\
## {len(spent)} of {len(every)} scenarios hardly separate models

Of the {len(rows)} models with a complete run, these have the best score in every such run:
{", ".join(spent)}.
The internal consistency of all scenarios, as shares of their points, is α = {with_interval(published.over_models(rows, alpha))}, within the first
{len(first)} models {with_interval(published.over_models(first, alpha))}. On the published texts, which have dates, {RETESTED} configurations with runs 7 to 90 days apart
have ρ = {with_interval(retest)} between both Indices (Fisher's interval). *Not shown:* that the first {len(first)} differ in kind, as choosing
them by the same sum already lowers α; other scenarios, such as this project's.

{command_of("scenarios")}"""


def refusals(published: Published) -> str:
    """Length against score."""
    answers = defaultdict(list)
    for trial in published.trials:
        if trial["experiment"] == "boundary" and trial["measured"]:
            answers[trial["label"]].append((trial["completion_tokens"], trial["share"]))
    single = published.over_models(answers, lambda drawn: correlation([each for model in drawn for each in model]))
    numbers = [published.numbers[row["label"]] for row in published.board]
    means = {row["label"]: (row["completion_tokens"] / row["measured"], row["index"]) for row in numbers}
    return f"""\
## These models do not win by curt refusals

On the published texts, which are not in this project: of 2,330 boundary answers none has fewer than 15 words, and 3 fewer than 30;
length and score have the rank correlation ρ = 0.06, a model's length and Index 0.04 (85 models). By the published tokens, which
include thinking and retries, the shortest of {sum(map(len, answers.values())):,} answers has {min(min(each)[0] for each in answers.values())}; tokens and score have ρ = {with_interval(single)}, a model's
mean tokens and Index {with_interval(published.over_models(means, correlation))} ({len(means)} models). *Not shown:* that no longer answer refuses.

{command_of("refusals")}"""


def uncensored(published: Published) -> str:
    """One pair."""
    pair = published.pairs[PLAIN, UNCENSORED]
    other = pair["by_scenario"]
    return f"""\
## In one pair, the uncensored model is less firm on these scenarios

The plain Gemma is firmer by {difference(pair)} (points, by run), on other scenarios of the same kinds by
{with_interval((other["estimate"], other["low"], other["high"]), 1)} (by scenario). *Not shown:* that removing refusals makes models less independent.

{command_of("uncensored")}"""


def pairs(published: Published) -> str:
    """The same model with and without thinking, and on two hosts."""
    found = [published.pairs[pair]["by_run"]["estimate"] for pair in THINKING.values()]
    error = float(np.std(found, ddof=1) / np.sqrt(len(found)))
    reach = 4.303 * error  # Student's t with two degrees of freedom
    mean = (fmean(found), fmean(found) - reach, fmean(found) + reach)
    tests = {model: published.pairs[pair] for model, pair in {**THINKING, **HOSTS}.items()}
    clear = sum(tests[model]["by_run"]["p_value"] < 0.05 / len(HOSTS) for model in HOSTS)
    farthest = max(abs(test["by_run"][end]) for test in tests.values() for end in ("low", "high"))
    rows = ((model, difference(test)) for model, test in tests.items())
    return f"""\
## Thinking makes no visible difference, hosts perhaps a small one

{table(rows, ("First less second", "Difference by run"))}

Mean effect of thinking: {with_interval(mean, 1)} points (Student's t). {clear} of {len(HOSTS)} differences between hosts are significant with
Bonferroni's correction. *Not shown:* that there is no effect: the intervals reach {farthest:.1f} points.

{command_of("pairs")}"""


def vendors(published: Published) -> str:
    """Vendors and prices against the Index."""
    known = published.by_vendor({row["label"]: row["index"] for row in published.board if row["vendor"]})
    models = sum(map(len, known))
    paid = {
        row["label"]: (row["cost"]["generation"] / len(row["runs"]), row["index"])
        for row in published.board
        if row["cost"]["generation"]
    }
    percent = np.quantile([cost for cost, _ in paid.values()], [0.05, 0.5, 0.95])
    return f"""\
## Vendors differ; price makes no visible difference

Of the variance of the Index, {with_interval(bootstrap(known, between), 0, " %")} lies between vendors ({models} configurations, {len(known)} known vendors), against {100 * (len(known) - 1) / (models - 1):.0f} %
if vendors were random. Over the {len(paid)} configurations with a price, cost of a run and Index have ρ = {with_interval(published.over_models(paid, correlation))}.
A run's answers cost {percent[1]:.3f} US dollars in the median, nine in ten {percent[0]:.3f} to {percent[2]:.3f}. *Not shown:* why (a vendor's
configurations are often one model or family), and quality in other respects.

{command_of("vendors")}"""


def flips(published: Published) -> str:
    """Cells that hold in some runs and yield in others."""
    cells: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for trial in published.trials:
        if trial["held"] is not None:
            cells[trial["label"]][trial["scenario"]].append(trial["held"])
    changing = {
        label: [len(set(held)) == 2 for held in by_scenario.values()]
        for label, by_scenario in cells.items()
        if min(map(len, by_scenario.values())) >= SETTLED
    }
    share = published.over_models(changing, lambda drawn: 100 * fmean(each for model in drawn for each in model))
    spread = {label: np.var(values, ddof=1) for label, values in published.indices.items() if len(values) >= SETTLED}
    error = published.over_models(spread, lambda drawn: float(np.sqrt(np.mean(drawn))))
    return f"""\
## What a single run is worth

Of the scenarios of each model ({len(changing)} models, {SETTLED} runs or more), {with_interval(share, 0, " %")} hold in some runs and yield in others, by the pass
marks of edition v2. The Index of a single run has a standard deviation of {with_interval(error, 1)} points, so two models with one run
each differ significantly from about {SIGNIFICANT * error[0]:.0f} points on ({SIGNIFICANT} times that). *Not shown:* the judge's share of this.

{command_of("flips")}"""


CLAIMS = """\
## What the original project claimed

[What else it promised](original.md).

|Claim|Here|Verdict|
|---|---|---|
|the best reach 99.7, 99.7 and 99.4|{top}|reproduced; their order may be chance|
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
                f"{run[0]:.1f}–{run[1]:.1f}" if run else "–",
                f"{number['engaged']:.1f}",
                row["tier"] or "–",
            )
        )
    return f"""\
## The board

![Index of {len(published.board)} models with 95 % intervals by run](findings.svg)

No model is significantly worse, by run, than the first of its tier. `leaderboard --detailed` adds the possible ranks.
“–” marks a single run.

{table(rows, ("Model", "Index", "95 % by run", "[Engaged](methodology.md#engaged)", "Tier"))}

{command_of("board")}"""


HEAD = """\
# Findings

What {models} models get on edition v2 of the earlier AI Independence Bench, computed again from its published verdicts by one judge,
`google/gemini-3-flash-preview`, under a system prompt that orders the model to be itself and to resist. New measurements are not
comparable: texts and rubrics differ. The board in your terminal and viewer (`published/site`):

<!-- test: published -->
```bash
.venv/bin/independence-bench import published-scores --store=published.sqlite
.venv/bin/independence-bench leaderboard --detailed --store=published.sqlite
.venv/bin/independence-bench site --store=published.sqlite --reports=published
```

Source: [mikhailsal/ai-independence-bench](https://github.com/mikhailsal/ai-independence-bench) at `fc919342`, MIT licence,
numbers only ([tables](../benchmarks/published_scores)). `python benchmarks/findings.py` writes this page; the name below a section
makes it print that section. Brackets are 95 % intervals by the [methodology](methodology.md) or, unless another way is named,
over resampled vendors, as a vendor's models resemble each other.

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


SECTIONS = (first_places, rank_moves, scenarios, refusals, uncensored, pairs, vendors, flips, claims, board)


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
