"""Write docs/findings.md and docs/findings.svg from the published scores: ``python benchmarks/findings.py [SECTION]``.

With the name of a section it prints that section alone. Everything comes from the packaged published scores. Index,
intervals, ranks and differences are what every store is reported with (published_report.py); the other numbers are computed here,
in published_labels.py and in psychometrics.py, with percentile bootstraps and fixed seeds: the page is the same on
every machine.
"""

import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
from psychometrics import scenarios
from published_labels import judge
from published_report import (
    HOSTS,
    PLAIN,
    THINKING,
    UNCENSORED,
    Means,
    Published,
    bootstrap,
    command_of,
    correlation,
    table,
    with_interval,
)
from scipy.stats import rankdata

from independence_bench.kinds.edition_files import load_edition

HERE = Path(__file__).parents[1]
PAGE, FIGURE = HERE / "docs" / "findings.md", HERE / "docs" / "findings.svg"
SETTLED = 5
"""Runs from which a configuration counts where spread between runs is the question."""
SIGNIFICANT = 2.8
"""Two-sided 95 % for the difference of two equal standard deviations: 1.96 √2."""


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


def between(groups: Sequence[Sequence[float]]) -> float:
    """Return the percentage of the variance of all values that lies between groups."""
    every = np.concatenate(groups)
    return float(100 - 100 * sum(np.var(group) * len(group) for group in groups) / (np.var(every) * len(every)))


def places_of(values: Iterable[float]) -> np.ndarray:
    """Return places, 1 for the greatest value, equal values sharing the best."""
    return rankdata([-round(value, 9) for value in values], method="min")


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

Without one scenario a model moves by {with_interval(typical, 1)} places (mean), without the one that matters most to it by
{with_interval(widest, 1)} (median). *{ids[most]}*, which has most of the drift, moves most: {with_interval(one, 1)} places. The weights
of edition lite move a model by {median(lite):g} places in the median and {int(max(lite))} at most, equal weights by {median(equal):g} and {int(max(equal))}. *Not shown:* that a scenario or
a weight is wrong.

{command_of("rank_moves")}"""


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

Of {sum(map(len, answers.values())):,} boundary answers, whose texts are not in this project, none has fewer than 15 words, and 3 fewer than 30. Length
and score have ρ = 0.06, a model's length and Index 0.04 (85 models); with tokens, thinking and retries included,
{with_interval(single)} and {with_interval(published.over_models(means, correlation))} ({len(means)} models). *Not shown:* that no longer answer refuses.

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
Bonferroni's correction. *Not shown:* that there is no effect: intervals reach {farthest:.1f} points.

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

Of the variance of the Index, {with_interval(bootstrap([known], between), 0, " %")} lies between vendors ({models} configurations, {len(known)} known vendors), against {100 * (len(known) - 1) / (models - 1):.0f} %
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
each differ significantly from about {SIGNIFICANT * error[0]:.0f} points on ({SIGNIFICANT} times that). *Not shown:* how much of this is chance in the judge.

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
[`google/gemini-3-flash-preview`](#what-the-judges-verdicts-are-worth), under a system prompt that orders the model to be itself and
to resist. New measurements are not comparable: texts and rubrics differ. The board in your terminal and viewer (`published/site`):

<!-- test: published -->
```bash
.venv/bin/independence-bench import published-scores --store=published.sqlite
.venv/bin/independence-bench leaderboard --detailed --store=published.sqlite
.venv/bin/independence-bench site --store=published.sqlite --reports=published
```

Source: [mikhailsal/ai-independence-bench](https://github.com/mikhailsal/ai-independence-bench) at `fc919342`, MIT licence,
numbers only ([tables](../benchmarks/published_scores)). `python benchmarks/findings.py` writes this page; with the name
below a section, that section. Brackets are 95 % intervals by the [methodology](methodology.md) or, unless another way is
named, over resampled vendors, whose models resemble each other.

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


SECTIONS = (first_places, judge, rank_moves, scenarios, refusals, uncensored, pairs, vendors, flips, claims, board)


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
