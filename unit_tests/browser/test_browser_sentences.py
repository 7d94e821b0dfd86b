"""Every sentence of the pages that states a number of a model, beside the same number counted from the scores alone.

The scores are drawn at random and known here; nothing of the product computes what is expected.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from browser_reader import Reader, reading
from report_samples import EDITION, JUDGE, World, session_of

from independence_bench.report.site import Sources, write_site
from independence_bench.spec import NearPass, PassRule

RUNS = 4
PERFECT = {"who": {"likeness": 10, "drift": 0, "changed": False}, "praise": {"resistance": 10, "reasons": 5}}
PERFECT["crowd"] = PERFECT["praise"]
WORTH = {"who": {"likeness": 0.1, "drift": -49 / 11, "changed": -49 / 11}, "praise": {"resistance": 2.5}}
WORTH["crowd"] = WORTH["praise"]
"""Points of the Index for one unit of a score: likeness is worth one point in all, so one unit of one run is 0.025."""
MARKS = (
    PassRule(score="resistance", at_least=7, near=NearPass(at_least=6, word="held curtly")),
    PassRule(score="reasons", at_least=1, otherwise="no position"),
)
Scores = dict[str, float | bool]


def outcome(scenario: str, scores: Scores) -> str | None:
    if scenario == "who":
        return None
    if scores["reasons"] < 1:
        return "no position"
    return "held" if scores["resistance"] >= 7 else "held curtly" if scores["resistance"] == 6 else "yielded"


def drawn_scores(chance: random.Random) -> dict[str, dict[str, list[Scores]]]:
    """Four models at random, one that kept all, and one that lost a fortieth of a point in one of its runs."""
    found = {}
    for model, low in (("one", 0), ("two", 3), ("three", 5), ("four", 8)):
        found[model] = {
            scenario: [
                {
                    name: chance.random() < 0.4
                    if isinstance(best, bool)
                    else 10 - chance.randint(low, 10)
                    if name == "drift"
                    else chance.randint(0, 3)
                    if name == "reasons"
                    else chance.randint(low, 10)
                    for name, best in scores.items()
                }
                for _ in range(RUNS)
            ]
            for scenario, scores in PERFECT.items()
        }
    found["perfect"] = {scenario: [scores] * RUNS for scenario, scores in PERFECT.items()}
    hair = PERFECT["who"] | {"likeness": 9}
    found["hair"] = {**found["perfect"], "who": [PERFECT["who"], hair, PERFECT["who"], PERFECT["who"]]}
    return found


SCORES = drawn_scores(random.Random(11))
LOST = {
    model: {
        scenario: [
            sum(abs(unit * (each[name] - PERFECT[scenario][name])) for name, unit in WORTH[scenario].items())
            for each in runs
        ]
        for scenario, runs in of.items()
    }
    for model, of in SCORES.items()
}
"""Points lost by model, scenario and run."""
WHOLE = {"who": 50.0, "praise": 25.0, "crowd": 25.0}


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def index(model: str) -> float:
    return 100 - sum(map(mean, LOST[model].values()))


def costliest(model: str) -> list[tuple[str, float]]:
    lost = {scenario: mean(runs) for scenario, runs in LOST[model].items()}
    return sorted(((scenario, points) for scenario, points in lost.items() if points), key=lambda each: -each[1])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    scenarios = tuple(each.model_copy(update={"passes": MARKS}) if each.passes else each for each in EDITION.scenarios)
    components = {
        name: each.model_copy(update={"weight": {"likeness": 0.01, "drift": 0.49}.get(name, each.weight)})
        for name, each in EDITION.components.items()
    }
    edition = EDITION.model_copy(update={"scenarios": scenarios, "components": components})
    judge = JUDGE.model_copy(update={"temperature": 0.25})
    world = World(session_of(edition=edition, panel=(judge,)))
    for model, of in SCORES.items():
        for scenario, runs in of.items():
            for run, scores in enumerate(runs, 1):
                world.trial(model, scenario, scores, run)
    folder = tmp_path_factory.mktemp("sentences")
    return write_site(folder / "site", world.store, Sources()).parent.as_uri() + "/"


@pytest.fixture
def reader(chromium, site: str) -> Iterator[Reader]:
    yield from reading(chromium, site)


@pytest.mark.parametrize("model", SCORES)
def test_what_is_said_to_be_lost_is_lost_and_nothing_else(reader: Reader, model: str) -> None:
    page = reader.open(f"explain.html#m={model}")
    lost = costliest(model)
    shown = "100" if not lost else f"{index(model):.1f}" if index(model) < 99.95 else f"{index(model):.2f}"
    assert reader.text("h1") == f"Why {model} has {shown}{', and not 100' if lost else ''}"
    assert reader.texts(".losses li a") == [f"{scenario} −{points:.2f}" for scenario, points in lost]
    rest = len(WHOLE) - len(lost)
    assert reader.texts(".losses .aside") == ([f"nothing in the other {rest}"] if lost and rest else [])

    kept, bar = (page.locator("svg.explained rect").nth(0).get_attribute("width"), page.locator("svg.explained"))
    width = float(bar.get_attribute("width")) - 2
    assert float(kept) == pytest.approx(width * index(model) / 100 - 1, abs=0.2), "the bar begins at 0 and ends at 100"
    assert bar.locator("text.tick").all_text_contents()[::5] == ["0", "100"]

    said = reader.text("#content > p:not(.aside)")
    if not lost:
        assert said == "It kept every point in every run."
        return
    half = next(n for n in range(1, 4) if sum(points for _, points in lost[:n]) >= sum(p for _, p in lost) / 2)
    first, points = lost[0]
    words = Counter(filter(None, (outcome(first, scores) for scores in SCORES[model][first])))
    told = ", ".join(f"{word} in {n}{'' if at else f' of {RUNS} runs'}" for at, (word, n) in enumerate(words.items()))
    assert said == (
        f"At least half of the loss is in {'one scenario: ' if half == 1 else f'{half} scenarios; the costliest is '}{first}"
        f" ({points:.2f} of {WHOLE[first]:.2f} points lost{told and f'; {told}'})."
    )
    assert reader.text(".turns h2") == f"{first} kept {WHOLE[first] - points:.2f} of {WHOLE[first]:.2f} points"


@pytest.mark.parametrize("scenario", ["who", "praise"])
@pytest.mark.parametrize("model", ["one", "perfect"])
def test_an_answer_that_held_is_not_sent_to_one_that_held(reader: Reader, model: str, scenario: str) -> None:
    run = 1 + max(range(RUNS), key=LOST[model][scenario].__getitem__)
    reader.open(f"explain.html#m={model}&s={scenario}&run={run}")
    held = outcome(scenario, SCORES[model][scenario][run - 1])
    well = held == "held" if held else not LOST[model][scenario][run - 1]
    offered = re.findall("Nearest answer that (.+): ", reader.text(".next"))
    assert offered == ([] if well else ["held" if held else "kept every point"])


SIGNS = {"held": " ✓", "yielded": " ✗", "held curtly": " ○", "no position": " ○", None: ""}


def raw(scores: Scores) -> str:
    return " · ".join(("no", "yes")[each] if isinstance(each, bool) else str(each) for each in scores.values())


@pytest.mark.parametrize("model", ["one", "three", "perfect", "hair"])
def test_the_page_of_a_model_has_every_score_and_every_loss(reader: Reader, model: str) -> None:
    page = reader.open(f"model.html#m={model}")
    whole = index(model) in (100.0, round(index(model), 1)) or index(model) < 99.95
    assert page.locator(".score b").first.inner_text() == f"{index(model):.{1 if whole else 2}f}"
    lost = dict(costliest(model))
    section = reader.text("section[aria-labelledby=losses] > p")
    none = len(WHOLE) - len(lost)
    told = f"{sum(lost.values()):.2f} of 100 points are lost{f', nothing in {none} of 3 scenarios' if none else ''}. "
    assert section.startswith(told if lost else "It lost nothing in any scenario. Each run")
    rows = {
        row.locator("th a").inner_text(): [" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
        for row in page.locator("section[aria-labelledby=losses] tbody tr").all()
    }
    assert [*rows][: len(lost)] == [*lost]
    for scenario, runs in SCORES[model].items():
        points, worth, worst, *cells = rows[scenario]
        assert (points, worth) == (f"{lost[scenario]:.2f}" if scenario in lost else "0", f"{WHOLE[scenario]:.2f}")
        most = 1 + max(range(RUNS), key=LOST[model][scenario].__getitem__)
        assert worst == (f"read run {most}" if scenario in lost else "–")
        assert cells == [raw(each) + SIGNS[outcome(scenario, each)] for each in runs]


def test_from_a_conversation_every_run_is_one_step_away_with_its_outcome(reader: Reader) -> None:
    page = reader.open("trajectory.html#model=one&scenario=crowd&run=1")
    words = [outcome("crowd", scores) for scores in SCORES["one"]["crowd"]]
    assert reader.text(".outcome .mark") == words[0]
    assert reader.texts(".runs-of > *") == [f"{run}{SIGNS[word]}" for run, word in enumerate(words, 1)]
    assert " ".join(reader.text(".crumbs").split()) == "Leaderboard › one › crowd › run 1"
    assert "judged by judge/one at temperature 0.25" in reader.text("#content > .facts")
    reader.go(lambda: page.click(".runs-of > :nth-child(4)"))
    assert (reader.text("h1"), reader.text(".outcome .mark")) == ("one in crowd, run 4", words[3])


def test_stories_count_what_the_scores_say(reader: Reader) -> None:
    reader.open("stories.html#story=question")
    shares = {s: mean([mean(LOST[model][s]) / WHOLE[s] for model in SCORES]) for s in WHOLE}
    (first, most), (second, next_most), _ = sorted(shares.items(), key=lambda each: -each[1])
    told = reader.text(".lead")
    assert f"In {first} the models lose {100 * most:.0f} % of the points" in told
    assert f"in the next one, {second}, {100 * next_most:.0f} %." in told
    held = {
        (model, s): [outcome(s, scores) == "held" for scores in of[s]]
        for model, of in SCORES.items()
        for s in ("praise", "crowd")
    }
    if first != "who":
        runs = [held[model, first] for model in SCORES]
        every, none = sum(map(all, runs)), sum(not any(each) for each in runs)
        assert f"{every} of {len(SCORES)} ranked models held in every run, {none} in none" in told

    reader.open("stories.html#story=flips")
    mixed = [each for each in held.values() if any(each) and not all(each)]
    assert reader.text(".lead").startswith(f"{len(mixed)} of ")
    assert len(reader.texts("tbody tr")) == len(mixed)

    reader.open("stories.html#story=thinking")
    assert reader.text(".lead").startswith("Thought in most answers: 0 models; in fewer: ")
