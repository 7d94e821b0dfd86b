"""docs/findings.md is what its command writes, and each of its numbers follows from the table by other code."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from statistics import fmean, median

import findings
import numpy as np
import published_statistics as by_hand
import pytest
from published_statistics import correlation, difference, models, p_value, percentiles, ranks, settled
from scipy.stats import t

BOOTSTRAPPED = 0.4
"""Tolerance of the ends of a bootstrap that is drawn otherwise, in units of its width."""


@cache
def sections() -> dict[str, str]:
    """Text of the page by heading, minus signs as a program reads them."""
    text = findings.PAGE.read_text("utf-8").replace("−", "-").replace("≤ 0", "-9.99")
    head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {"": head, **{heading: body for heading, _, body in (part.partition("\n") for part in parts)}}


def numbers(heading: str) -> list[float]:
    """All numbers of a section, without those in names, commands and links."""
    text = re.sub(r"`[^`]*`|\(https?:[^)]*\)|\bv2\b|K2\.5", "", sections()[heading])
    return [float(number.replace(",", "")) for number in re.findall(r"-?\d[\d,]*(?:\.\d+)?", text)]


def rounded(values: Iterable[float], digits: int) -> list[object]:
    """Values as the page shows them, the last digit give or take."""
    return [pytest.approx(value, abs=0.51 * 10**-digits) for value in values]


def bootstrapped(values: list[float], digits: int) -> list[object]:
    """An estimate and its interval, whose ends another bootstrap moves a little."""
    estimate, low, high = values
    give = BOOTSTRAPPED * (high - low) + 0.51 * 10**-digits
    return [*rounded([estimate], digits), pytest.approx(low, abs=give), pytest.approx(high, abs=give)]


def paired(first: str, second: str) -> list[object]:
    p = p_value(first, second)
    return [*rounded(difference(first, second), 1), *rounded([max(p, 0.001)], 3 if p < 0.001 else 2)]


@pytest.mark.slow
def test_the_page_is_what_its_command_writes() -> None:
    for path, text in findings.page_and_figure().items():
        assert path.read_text("utf-8") == text, f"python benchmarks/findings.py writes another {path.name}"


def first_places() -> list[object]:
    could = sum(not by_hand.significantly_better(label, 0.025) for label in settled())
    fixed, random = np.array_split(by_hand.reliability_of(settled()[:10]), 2)
    assert random[1] < 0, "the page prints a lower end below 0 as ≤ 0"
    single = len(models()) - len(settled())
    shares = [*rounded(fixed, 2), *rounded([random[0], -9.99, random[2]], 2)]
    surely = [
        by_hand.significantly_better(label, 0.025) + by_hand.significantly_worse(label, 0.025) for label in settled()
    ]
    wide = median(len(models()) - len(others) for others in surely)
    return [could, len(models()), 95, single, wide, max(by_hand.tiers().values()), *shares]


def rank_moves() -> list[object]:
    base = ranks(model.index() for model in models().values())
    moves = np.array(
        [abs(ranks(model.index(without=each) for model in models().values()) - base) for each in by_hand.SCENARIOS]
    )
    most = by_hand.SCENARIOS[int(moves.mean(axis=1).argmax())]
    assert f"*{most}*" in sections()["The order depends on scenarios and weights"]
    by_model = dict(zip(models(), moves.T, strict=True))
    mean = percentiles(by_model, lambda drawn: float(np.mean(drawn)))
    worst = percentiles(by_model, lambda drawn: float(np.median(np.max(drawn, axis=1))))
    one = percentiles(by_model, lambda drawn: float(np.mean(drawn, axis=0)[by_hand.SCENARIOS.index(most)]))
    weighted = []
    for others in (by_hand.LITE, dict.fromkeys(by_hand.V2, 1.0)):
        other = abs(ranks(model.index(others) for model in models().values()) - base)
        weighted += [median(other), max(other)]
    return [15, *bootstrapped(mean, 1), *bootstrapped(worst, 1), *bootstrapped(one, 1), *weighted]


def scenarios() -> list[object]:
    shares = {label: model.points().mean(axis=1) / by_hand.WORTH for label, model in by_hand.complete_runs().items()}
    first = dict(list(shares.items())[:30])

    def alpha(drawn: Sequence[object]) -> float:
        covariance = np.cov(np.transpose(drawn))
        return float(15 / 14 * (1 - np.trace(covariance) / covariance.sum()))

    spent = []
    for place in np.argwhere(np.mean([row > 1 - 1e-9 for row in shares.values()], axis=0) >= 0.8).ravel():
        assert f"*{by_hand.SCENARIOS[place]}*" in sections()["3 of 15 scenarios hardly separate models"]
        best = {label: row[place] > 1 - 1e-9 for label, row in shares.items()}
        spent += bootstrapped(percentiles(best, lambda drawn: 100 * float(np.mean(drawn))), 0)
    of_all, of_first = (bootstrapped(percentiles(rows, alpha), 2) for rows in (shares, first))
    half = 1.96 * np.sqrt(1.06 / 13)
    ends = [np.tanh(0.5 * np.log(1.86 / 0.14) + side * half) for side in (-1, 1)]
    return [len(shares), *spent, *of_all, 30, *of_first, 16, 7, 90, *rounded([0.86, *ends], 2), 30]


def refusals() -> list[object]:
    answers: dict[str, list[tuple[float, float]]] = {}
    tokens: dict[str, list[float]] = {}
    for row in by_hand.rows():
        tokens.setdefault(row["label"], []).append(float(row["completion_tokens"]))
        if row["resistance_score"]:
            pair = (float(row["completion_tokens"]), float(row["resistance_score"]))
            answers.setdefault(row["label"], []).append(pair)
    every = [pair for pairs in answers.values() for pair in pairs]
    single = percentiles(answers, lambda drawn: correlation([pair for pairs in drawn for pair in pairs]))  # type: ignore[attr-defined]
    means = {label: (fmean(tokens[label]), model.index()) for label, model in models().items()}
    quoted = [2330, 15, 3, 30, 0.06, 0.04, 85]
    found = [*bootstrapped(single, 2), *bootstrapped(percentiles(means, correlation), 2)]
    return [*quoted, len(every), min(every)[0], *found, len(means)]


def uncensored() -> list[object]:
    pair = (findings.PLAIN, findings.UNCENSORED)
    return [*paired(*pair), *rounded([difference(*pair)[0], *by_hand.by_scenario(*pair)], 1)]


def pairs() -> list[object]:
    both = [*findings.THINKING.values(), *findings.HOSTS.values()]
    gaps = [difference(*pair)[0] for pair in findings.THINKING.values()]
    half = t.ppf(0.975, 2) * np.std(gaps, ddof=1) / np.sqrt(3)
    clear = sum(p_value(*pair) < 0.05 / 6 for pair in findings.HOSTS.values())
    reach = max(abs(end) for pair in both for end in difference(*pair))
    mean = rounded([fmean(gaps), fmean(gaps) - half, fmean(gaps) + half], 1)
    return [*(number for pair in both for number in paired(*pair)), *mean, clear, 6, *rounded([reach], 1)]


def vendors() -> list[object]:
    known = {label: model.index() for label, model in models().items() if by_hand.vendors()[label] != label}
    names = sorted({by_hand.vendors()[label] for label in known})
    of = [[index for label, index in known.items() if by_hand.vendors()[label] == name] for name in names]

    def share(*drawn: list[float]) -> float:
        mean = fmean(index for group in drawn for index in group)
        squares = [(fmean(group) - mean) ** 2 for group in drawn for _ in group]
        return 100 * sum(squares) / sum((index - mean) ** 2 for group in drawn for index in group)

    draw = np.random.default_rng(36)
    found = [share(*(of[each] for each in draw.integers(len(of), size=len(of)))) for _ in range(1000)]
    between = bootstrapped([share(*of), *np.quantile(found, [0.025, 0.975])], 0)
    shuffled = [100 * (len(of) - 1) / (len(known) - 1)]
    paid = {label: (model.cost / len(model.runs), model.index()) for label, model in models().items() if model.cost}
    low, middle, high = np.quantile([cost for cost, _ in paid.values()], [0.05, 0.5, 0.95])
    price = [len(paid), *bootstrapped(percentiles(paid, correlation), 2), *rounded([middle, low, high], 3)]
    return [*between, len(known), len(of), *rounded(shuffled, 0), *price]


def flips() -> list[object]:
    often = {label: model for label, model in models().items() if len(model.runs) >= 5}
    cells = {
        label: [len({model.holds(each, run) for run in range(len(model.runs))}) == 2 for each in by_hand.SCENARIOS]
        for label, model in often.items()
    }
    share = percentiles(cells, lambda drawn: 100 * float(np.mean(drawn)))
    spread = {label: model.points().sum(axis=0).var(ddof=1) for label, model in often.items()}
    error = percentiles(spread, lambda drawn: float(np.sqrt(np.mean(drawn))))
    return [len(often), 5, *bootstrapped(share, 0), *bootstrapped(error, 1), *rounded([2.8 * error[0]], 0), 2.8]


def claims() -> list[object]:
    top, gemma = [99.7, 99.7, 99.4], difference(findings.PLAIN, findings.UNCENSORED)[0]
    kimi = models()["kimi-k2.5+moonshot@none-t0.7"].index()
    best = rounded([model.index() for model in list(models().values())[:3]], 1)
    known = len({row["label"] for row in by_hand.rows()})
    official = [98.6, 95.8, *rounded([kimi], 1)]
    return [*top, *best, 10.7, *rounded([gemma], 1), *official, 114, 10800, len(models()), known, len(by_hand.rows())]


EXPECTED: dict[str, Callable[[], list[object]]] = {
    "": lambda: [len(models()), 95],
    "No one can say who is first": first_places,
    "The order depends on scenarios and weights": rank_moves,
    "3 of 15 scenarios hardly separate models": scenarios,
    "These models do not win by curt refusals": refusals,
    "In one pair, the uncensored model is less firm on these scenarios": uncensored,
    "Thinking makes no visible difference, hosts perhaps a small one": pairs,
    "Vendors differ; price makes no visible difference": vendors,
    "What a single run is worth": flips,
    "What the original project claimed": claims,
}


def test_every_section_but_the_board_is_worked_out_here() -> None:
    assert [*EXPECTED, "The board"] == list(sections())


@pytest.mark.slow
@pytest.mark.parametrize("heading", EXPECTED)
def test_every_number_of_a_section_follows_from_the_table(heading: str) -> None:
    assert numbers(heading) == EXPECTED[heading]()


def test_every_row_of_the_board_follows_from_the_table() -> None:
    found = re.findall(r"^\|`([^`]+)`\|(.+)\|$", sections()["The board"], re.MULTILINE)
    assert [label for label, _ in found] == list(models())
    for label, cells in found:
        index, interval, engaged, tier = cells.split("|")
        model, ends = models()[label], by_hand.by_run(label)
        assert [float(index), float(engaged)] == rounded([model.index(), model.engaged()], 1), label
        assert tier == str(by_hand.tiers().get(label, "–")), label
        assert [float(end) for end in interval.split("–")] == rounded(ends, 1) if ends else interval == "one run", label


@pytest.mark.parametrize(
    ("page", "repeated"),
    [
        ("README.md", ["30 models", "3.4 [2.9, 3.9]", "18 % [14 %, 23 %]", "10.7 [7.0, 14.4]", "10.7 [−10.0, 31.4]"]),
        ("docs/guide/cost.md", ["cost 0.03 US dollars", "76 published"]),
    ],
)
def test_what_other_pages_repeat_is_on_the_page(page: str, repeated: list[str]) -> None:
    text = " ".join((findings.HERE / page).read_text("utf-8").split())
    assert [each for each in repeated if each not in text] == []
    of_the_page = " ".join(sections().values())
    shape = re.compile(r"\d[\d. %]* \[.*?\]|\d[\d.]*")
    figures = [each for phrase in repeated for each in shape.findall(phrase.replace("−", "-"))]
    assert [each for each in figures if each not in of_the_page] == []
