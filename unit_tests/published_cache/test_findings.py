"""docs/findings.md is what its command writes, and each of its numbers follows from the table by other code."""

import re
from collections.abc import Callable, Iterable
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
    return [could, len(models()), 95, single, max(by_hand.tiers().values()), *shares]


def scenario_moves() -> list[object]:
    base = ranks(model.index() for model in models().values())
    moves = np.array(
        [abs(ranks(model.index(without=each) for model in models().values()) - base) for each in by_hand.SCENARIOS]
    )
    most = by_hand.SCENARIOS[int(moves.mean(axis=1).argmax())]
    assert f"*{most}*" in sections()["One scenario moves a model by several places"]
    mean = percentiles(list(moves.T), lambda drawn: float(np.mean(drawn)))
    worst = percentiles(list(moves.T), lambda drawn: float(np.median(np.max(drawn, axis=1))))
    one = percentiles(list(moves[by_hand.SCENARIOS.index(most)]), lambda drawn: float(np.mean(drawn)))
    return [15, *bootstrapped(mean, 1), *bootstrapped(worst, 1), *bootstrapped(one, 1)]


def engaged() -> list[object]:
    values = [(model.index(), model.engaged()) for model in models().values()]
    moves = abs(ranks(index for index, _ in values) - ranks(engaged for _, engaged in values))
    return [*bootstrapped(percentiles(values, correlation), 3), median(moves), max(moves)]


def uncensored() -> list[object]:
    pair = (findings.PLAIN, findings.UNCENSORED)
    return [*paired(*pair), *rounded([difference(*pair)[0], *by_hand.by_scenario(*pair)], 1)]


def thinking() -> list[object]:
    gaps = [difference(*pair)[0] for pair in findings.THINKING.values()]
    half = t.ppf(0.975, 2) * np.std(gaps, ddof=1) / np.sqrt(3)
    each = [number for pair in findings.THINKING.values() for number in paired(*pair)]
    return [*each, *rounded([fmean(gaps), fmean(gaps) - half, fmean(gaps) + half], 1)]


def hosts() -> list[object]:
    pairs = findings.HOSTS.values()
    return [
        *(number for pair in pairs for number in paired(*pair)),
        sum(p_value(*pair) < 0.05 / 6 for pair in pairs),
        6,
    ]


def prices() -> list[object]:
    paid = [(model.cost / len(model.runs), model.index()) for model in models().values() if model.cost]
    low, middle, high = np.quantile([cost for cost, _ in paid], [0.05, 0.5, 0.95])
    return [len(paid), *bootstrapped(percentiles(paid, correlation), 2), *rounded([middle, low, high], 3)]


def flips() -> list[object]:
    often = [model for model in models().values() if len(model.runs) >= 5]
    cells = [
        [len({model.holds(each, run) for run in range(len(model.runs))}) == 2 for each in by_hand.SCENARIOS]
        for model in often
    ]
    share = percentiles(cells, lambda drawn: 100 * float(np.mean(drawn)))
    spread = [model.points().sum(axis=0).var(ddof=1) for model in often]
    error = percentiles(spread, lambda drawn: float(np.sqrt(np.mean(drawn))))
    return [len(often), 5, *bootstrapped(share, 0), *bootstrapped(error, 1), *rounded([2.8 * error[0]], 0), 2.8]


def weights() -> list[object]:
    base = [model.index() for model in models().values()]
    expected: list[object] = []
    for others in (by_hand.LITE, dict.fromkeys(by_hand.V2, 1.0)):
        other = [model.index(others) for model in models().values()]
        moves = abs(ranks(other) - ranks(base))
        found = percentiles(list(zip(base, other, strict=True)), correlation)
        expected += [*bootstrapped(found, 3), median(moves), max(moves)]
    surely = [
        by_hand.significantly_better(label, 0.025) + by_hand.significantly_worse(label, 0.025) for label in settled()
    ]
    return [*expected, median(len(models()) - len(others) for others in surely)]


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
    "One scenario moves a model by several places": scenario_moves,
    "These models do not win by refusing": engaged,
    "An uncensored model is less firm, in one pair": uncensored,
    "Thinking makes no visible difference": thinking,
    "Hosts of one model may differ by a few points": hosts,
    "A higher price buys no firmness": prices,
    "What a single run is worth": flips,
    "The weights matter less than chance": weights,
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
        ("README.md", ["30 models", "deviation of 3.4 [2.9, 3.8] points", "18 % [14 %, 21 %]", "10.7 [7.0, 14.4]"]),
        ("docs/guide/cost.md", ["cost 0.03 US dollars", "76 published"]),
    ],
)
def test_what_other_pages_repeat_is_on_the_page(page: str, repeated: list[str]) -> None:
    text = " ".join((findings.HERE / page).read_text("utf-8").split())
    assert [each for each in repeated if each not in text] == []
    of_the_page = " ".join(sections().values())
    figures = [each for phrase in repeated for each in re.findall(r"\d[\d.]*", phrase)]
    assert [each for each in figures if each not in of_the_page] == []
