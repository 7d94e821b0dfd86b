"""Write docs/first-board.md from the scores in benchmarks/first_board/: ``python benchmarks/first_board.py``.

``python benchmarks/first_board.py --collect STORE... CHECK.json`` writes these from stores and from what ``judge-check
--json`` printed: scores.csv has every trial's scores by each rater and judge, measured.csv what each model answered,
judge_check.csv what a judge read of the known answers. No text of a model is kept.
"""

import csv
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from published_report import table

import independence_bench as ib
from independence_bench.aggregation import aggregate
from independence_bench.cli import main as command
from independence_bench.digest import digest
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.formatting import shown_bounds
from independence_bench.scoring import RunScores
from independence_bench.scoring.agreement import krippendorff_alpha, light_kappa
from independence_bench.scoring.held import outcome_word
from independence_bench.scoring.uncertainty import (
    CONFIDENCE,
    Sample,
    difference_interval,
    engaged_samples,
    index_sample,
    interval,
)
from independence_bench.store import Store

HERE = Path(__file__).parent
DATA, PAGE = HERE / "first_board", HERE.parent / "docs" / "first-board.md"
RATERS = ("a", "b")
LEXICAL = "offline/lexical"
READER = "qwen2.5-coder-1.5b-instruct"  # the model that also judges
OWN = "strong_independence"  # the system prompt of the edition itself
NAMES = {
    "smollm2-135m-instruct": "SmolLM2-135M-Instruct",
    "qwen2.5-coder-0.5b-instruct": "Qwen2.5-Coder-0.5B-Instruct",
    "qwen2.5-coder-1.5b-instruct": "Qwen2.5-Coder-1.5B-Instruct",
}
GROUPED = "qwen2.5-coder-0.5b-instruct"
PROMPTS = ("pleasing", "refusing", "neutral", "free_self", OWN)
Key = tuple[str, str]  # model and system prompt
Scores = Mapping[str, float]


class Board:
    """All scores by model, prompt and rater: of each run, of each scenario."""

    def __init__(self) -> None:
        self.edition = load_edition("v2-plain")
        self.scenarios = {scenario.id: scenario for scenario in self.edition.scenarios}
        self.scores: defaultdict[tuple[str, str, str], defaultdict[str, dict[str, Scores]]]
        self.scores = defaultdict(lambda: defaultdict(dict))
        for row in rows("scores"):
            names = [field.name for field in self.scenarios[row["scenario"]].fields]
            scores = {name: float(row[name]) for name in names if row[name]}
            self.scores[row["model"], row["prompt"], row["rater"]][row["run"]][row["scenario"]] = scores
        self.measured = {(row["model"], row["edition"], row["prompt"]): row for row in rows("measured")}

    def runs(self, model: str, prompt: str, raters: Sequence[str] = RATERS) -> list[RunScores]:
        """Return each run's scores as those of a panel of raters; none where one of them lacks a scenario."""
        of_raters = [self.scores[model, prompt, rater] for rater in raters]
        names = sorted(of_raters[0])
        if not all(each[run].keys() == self.scenarios.keys() for each in of_raters for run in names):
            return []
        return [
            {scenario: [[each[run][scenario] for each in of_raters]] for scenario in self.scenarios} for run in names
        ]

    def index(self, model: str, prompt: str, raters: Sequence[str] = RATERS) -> Sample | None:
        """Return the Index points; None where a trial is missing."""
        runs = self.runs(model, prompt, raters)
        return index_sample(self.edition, runs) if runs else None

    def engaged(self, model: str, prompt: str) -> str:
        """Return Engaged."""
        runs = self.runs(model, prompt)
        return f"{engaged_samples(self.edition, [runs])[0].mean:.1f}" if runs else "–"

    def words(self, model: str, prompt: str, experiment: str) -> dict[str, int]:
        """Return how many trials of an experiment have each outcome, by the mean of the raters."""
        counts: defaultdict[str, int] = defaultdict(int)
        for run in self.runs(model, prompt):
            for scenario in self.scenarios.values():
                if scenario.experiment == experiment:
                    means = aggregate(run[scenario.id][0], self.edition.aggregation) or {}
                    counts[outcome_word(scenario.passes, means)] += 1
        return counts


def rows(name: str) -> list[dict[str, str]]:
    """Read a table; what is not measured yet has none."""
    if not (path := DATA / f"{name}.csv").exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def ends(sample: Sample, basis: Any) -> str:
    """Return an interval, rounded outwards."""
    return shown_bounds(interval(sample, basis)).replace(" – ", "–")


def board_table(board: Board) -> str:
    """Return the models, best first."""
    cells = []
    for model in NAMES:
        sample = board.index(model, OWN)
        judged = [board.index(model, OWN, [judge]) for judge in (LEXICAL, READER)]
        facts = board.measured[model, "v2-plain", OWN]
        held, kept = board.words(model, OWN, "boundary"), board.words(model, OWN, "stability")
        if sample is None:
            continue
        cells.append(
            (
                sample.mean,
                [
                    NAMES[model],
                    f"**{sample.mean:.1f}**",
                    ends(sample, "run"),
                    ends(sample, "scenario"),
                    board.engaged(model, OWN),
                    f"{held['held'] + held['held curtly']} of {sum(held.values())}",
                    f"{kept['held'] + kept['held curtly']} of {sum(kept.values()) - kept['no position']}",
                    f"{kept['no position']} of {sum(kept.values())}",
                    facts["relevance"],
                    *("–" if each is None else f"{each.mean:.1f}" for each in judged),
                ],
            )
        )
    heads = ["Model", "Index", "95 % by run", "by scenario", "Engaged", "positions held", "preferences kept"]
    heads += ["no preference", "relevance", "by `offline/lexical`", "by the 1.5B"]
    best_first = [each for _, each in sorted(cells)[::-1]]
    if all(each[-1] == "–" for each in best_first):
        heads, best_first = heads[:-1], [each[:-1] for each in best_first]
    return table(best_first, heads)


def delivery_table(board: Board) -> str:
    """Return what was answered, and how."""
    cells = []
    for model, name in NAMES.items():
        facts = [board.measured.get((model, edition, OWN), {}) for edition in ("v2", "v2-plain")]
        cells.append([name, *(each.get(what, "–") for each in facts for what in ("answered", "delivered"))])
    return table(cells, ["Model", "v2: answered", "by the tool", "v2-plain: answered", "as asked"])


def group_table(board: Board) -> str:
    """Return the known groups, as far as they are measured."""
    if not all(board.runs(GROUPED, prompt) for prompt in PROMPTS):
        return "Not measured yet."
    cells = []
    for prompt in PROMPTS:
        sample, held = board.index(GROUPED, prompt), board.words(GROUPED, prompt, "boundary")
        if sample:
            curt = held["held"] + held["held curtly"]
            engaged = board.engaged(GROUPED, prompt)
            cells.append(
                [f"`{prompt}`", f"{sample.mean:.1f}", ends(sample, "run"), engaged, f"{curt} of {sum(held.values())}"]
            )
    groups = table(cells, ["Prompt", "Index", "95 % by run", "Engaged", "positions held"])
    refusing, pleasing = (board.words(GROUPED, prompt, "boundary") for prompt in ("refusing", "pleasing"))
    held, fewer = (each["held"] + each["held curtly"] for each in (refusing, pleasing))
    engaged = sorted((board.engaged(GROUPED, prompt) for prompt in PROMPTS), key=float)
    also = (
        f"All five have an Engaged of\n{engaged[0]} to {engaged[-1]} (expected of `refusing`: at most 10). `refusing` holds "
        f"{held}, `pleasing` {fewer}\n(expected: fewer); no interval is registered for these."
    )
    return f"{groups}\n\n{differences(board)} {also}"


def differences(board: Board) -> str:
    """Return the differences that were registered."""
    cells = []
    for higher, lower in (
        ("neutral", "pleasing"),
        (OWN, "neutral"),
        ("free_self", "pleasing"),
        (OWN, "free_self"),
        (OWN, "refusing"),
    ):
        one, other = board.index(GROUPED, higher), board.index(GROUPED, lower)
        if one and other:
            found = difference_interval(one, other, "run", CONFIDENCE)
            low, high = found if found else (0.0, 0.0)
            verdict = "as expected" if low > 0 else "against it" if high < 0 else "undecided"
            cells.append(
                [f"`{higher}` minus `{lower}`", f"{one.mean - other.mean:.1f} [{low:.1f}, {high:.1f}]", verdict]
            )
    expected = sum(found == "as expected" for *_, found in cells)
    counted = f"{expected or 'None'} of {len(cells)} differences {'is' if expected < 2 else 'are'} shown as expected."
    return f"{table(cells, ['Expected above 0', 'Difference by run', 'Found'])}\n\n{counted}"


def agreement(board: Board, first: str, second: str) -> tuple[list[list[bool]], float | None, dict[str, float | None]]:
    """Return what two raters call held of their common trials, its κ, and α of every score."""
    held, units = [], defaultdict(list)
    for (model, prompt, rater), by_run in list(board.scores.items()):
        if rater != first:
            continue
        for run, by_scenario in by_run.items():
            for name, one in by_scenario.items():
                other = board.scores[model, prompt, second][run].get(name)
                if other is None:
                    continue
                scenario = board.scenarios[name]
                held.append([outcome_word(scenario.passes, each) in ("held", "held curtly") for each in (one, other)])
                for field in scenario.fields:
                    units[field.name, field.level].append([one[field.name], other[field.name]])
    alphas = {name: krippendorff_alpha(values, level) for (name, level), values in units.items()}
    return held, light_kappa(held), alphas


def reader_sentences(board: Board) -> str:
    """Return what the model that also judges makes of the board's answers and of the known answers."""
    held, kappa, alphas = agreement(board, RATERS[0], READER)
    if not held:
        return "The 1.5B as judge is not measured yet."
    alpha = np.median([value for value in alphas.values() if value is not None])
    lost = [read for rated, read in held if not rated]
    sentence = (
        f"The 1.5B judged its own answers only, and calls {sum(lost)} of {len(lost)} *held* that rater a does not: "
        f"κ = {kappa:.2f}, α = {alpha:.2f}."
    )
    checks = rows("judge_check")
    if not checks:
        return f"{sentence} Its `judge-check` is not measured."
    (check,) = checks
    return (
        f"{sentence} It {'passes' if check['passed'] == 'True' else 'fails'} its `judge-check`\n({check['given']} of "
        f"{check['questions']} verdicts on half a, all unchanged texts among them): {check['holds']} holds and {check['yields']} yields are\n"
        f"judged right, and {check['flips']} changed texts get another verdict."
    )


def page(board: Board) -> str:
    """Return the page."""
    held, kappa, alphas = agreement(board, *RATERS)
    found = {name.replace("_", " "): value for name, value in alphas.items() if value is not None}
    lowest = min(found, key=lambda name: found[name])
    _, lexical_kappa, lexical = agreement(board, RATERS[0], LEXICAL)
    known = [value for value in lexical.values() if value is not None]
    first = [board.words(model, OWN, "stability") for model in NAMES]
    asked = sum(sum(each.values()) for each in first)
    text = (DATA / "page.md").read_text("utf-8")
    return text.format(
        board=board_table(board),
        delivery=delivery_table(board),
        chosen=f"{asked - sum(each['no position'] for each in first)} of {asked}",
        engaged=max((board.engaged(model, OWN) for model in NAMES), key=float),
        groups=group_table(board),
        trials=len(held),
        kappa=f"{kappa:.2f}",
        alpha=f"{np.median([*found.values()]):.2f}",
        lowest=f"*{lowest}* {found[lowest]:.2f}",
        lexical_kappa=f"{lexical_kappa:.2f}",
        lexical_alpha=f"{np.median(known):.2f}",
        reader=reader_sentences(board),
    )


def collect(stores: Sequence[str]) -> None:
    """Write the tables from stores, and from the results of judge-check."""
    scores, measured, checks = [], [], []
    fields = sorted({field.name for scenario in load_edition("v2-plain").scenarios for field in scenario.fields})
    for path in stores:
        if path.endswith(".json"):
            checks += list(_checks(path))
            continue
        scores += list(_scores(path, fields))
        measured += list(_measured(path))
    for name, found in (("scores", scores), ("measured", measured), ("judge_check", checks)):
        if not found:
            continue
        with (DATA / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, found[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(sorted(found, key=lambda row: [str(each) for each in row.values()]))


def _checks(path: str) -> Iterator[dict[str, object]]:
    for check in json.loads(Path(path).read_text("utf-8"))["judges"]:
        known = {name: check["whole"][name] for name in ("specificity", "sensitivity")}
        holds, yields = (f"{found['right']} of {found['judged']}" for found in known.values())
        yield {
            "judge": _name(check["judge"]),
            "questions": check["questions"],
            "given": check["questions"] - check["unjudged"],
            "holds": holds,
            "yields": yields,
            "flips": f"{check['flips']} of {check['compared']}",
            "passed": check["passed"],
        }


def _name(label: str) -> str:
    return label.removeprefix("local/").split("+")[0]


def _scores(path: str, fields: Sequence[str]) -> Iterator[dict[str, object]]:
    with Store.open(Path(path), read_only=True) as store:
        panels = {tuple(judge.label for judge in session.panel) for session in store.sessions()}
    with ib.open(path) as results:
        trials = {row["trial"]: row for row in results.trials().to_dicts() if row["measured"]}
        verdicts = [row for panel in sorted(panels) for row in results.verdicts(judges=panel).to_dicts()]
    found: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in verdicts:
        if row["trial"] in trials:
            judge = row["judge"] if row["judge"] == LEXICAL else _name(row["judge"])
            found[row["trial"], judge][row["score"]] = row["value"]
    with Store.open(Path(path), read_only=True) as store:
        session = next(store.sessions())
        labels = store.labels([scenario.rubric for scenario in session.edition.scenarios if scenario.rubric])
        scripts = {cell.script_digest for cell in session.cells}
        for trial in store.trial_rows(scripts):
            for label in labels:
                same = (label.transcript_hash, label.scenario) == (trial.transcript_hash, trial.scenario)
                if same and trial.key in trials and not label.unclear:
                    found[trial.key, label.rater] = {name: float(value) for name, value in label.scores.items()}
    for (key, rater), given in found.items():
        row = trials[key]
        if row["edition"] != "v2":
            where = {"model": _name(row["label"]), "prompt": row["system_variant"], "scenario": row["scenario"]}
            yield (
                where | {"run": row["run"], "rater": rater} | {n: f"{given[n]:g}" if n in given else "" for n in fields}
            )


def _measured(path: str) -> Iterator[dict[str, object]]:
    with tempfile.TemporaryDirectory() as folder:
        command(["report", f"--store={path}", f"--reports={folder}"])
        report = json.loads((Path(folder) / "leaderboard.json").read_text("utf-8"))
    with Store.open(Path(path), read_only=True) as store:
        scripts = {each.edition.id: {cell.script_digest for cell in each.cells} for each in [*store.sessions()][::-1]}
    with ib.open(path) as results:
        trials = results.trials().to_dicts()
    groups: defaultdict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in trials:
        groups[_name(row["label"]), row["edition"], row["system_variant"]].append(row)
    prompts = {row["system_variant"] for row in trials}  # relevance is a model's, not a prompt's
    relevance = {_name(row["label"]): row["relevance"] for row in report["models"] if len(prompts) == 1}
    for (model, edition, prompt), own in groups.items():
        answered = [row for row in own if row["asked_at"]]
        if not answered:  # planned in this store and asked in another
            continue
        trials, asked = ({(row["scenario"], row["run"]) for row in each} for each in (own, answered))
        value = relevance.get(model)
        yield {
            "model": model,
            "edition": edition,
            "prompt": prompt,
            "answered": f"{len(asked)} of {len(trials)}",
            "delivered": f"{100 * fmean(row['delivery_kept'] for row in answered):.0f} %",
            "relevance": "–" if value is None else f"{value:.2f}",
            "asked": min(row["asked_at"] for row in answered)[:10],
            "texts": digest(sorted(scripts[edition]))[:12],
        }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--collect"]:
        collect(sys.argv[2:])
    PAGE.write_text(page(Board()), encoding="utf-8")
