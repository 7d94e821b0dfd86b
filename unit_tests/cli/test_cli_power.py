"""The command ``power``: what runs can tell, and what a question needs, in runs, scenarios, calls and money."""

import json
import random

import pytest
from cli_samples import CATALOGUE, EDITION, GOOD, configuration, fill, session, trial

from independence_bench.kinds.edition_files import load_edition
from independence_bench.session.plan import Plan
from independence_bench.session.precision import known_models, precision_sentence
from independence_bench.store import Store


def cells(out: str, kind: str) -> list[str]:
    """The cells of a kind of models; a number and its unit are one cell."""
    (line,) = [line for line in out.splitlines() if line.startswith(f"{kind} ")]
    return [cell.strip() for cell in line.split("  ") if cell.strip()]


def test_a_difference_needs_runs_by_run_and_scenarios_by_scenario(tell):
    told = tell("power", "--edition=v2", "--difference=3", "--runs=5")
    assert (told.status, told.err) == (0, "")
    _, power, runs, by_scenario, scenarios = cells(told.out, "ordinary")
    number = int(runs.removesuffix(" runs"))
    assert 0 < int(power.removesuffix(" %")) < 80
    assert int(scenarios.removesuffix(" scenarios")) > 100 and by_scenario.endswith("%")
    assert cells(told.out, "ceiling")[3:] == ["–", "–"]
    assert "Simulated: published answers of the predecessor, 81 configurations × 5 runs." in told.out
    assert "5 runs of each model: 205 calls, name it with --model for a price." in told.out
    assert f"{number} runs of each model: {41 * number} calls" in told.out
    for runs, least, most in ((number, 77, 84), (number // 2, 20, 70)):
        found = cells(tell("power", "--difference=3", f"--runs={runs}").out, "ordinary")[1]
        assert least <= int(found.removesuffix(" %")) <= most


def test_fewer_than_three_runs_are_never_advised(tell):
    out = tell("power", "--difference=40").out
    assert [cells(out, kind)[2] for kind in ("ordinary", "mid", "high", "ceiling")] == ["3 runs"] * 4


def test_more_power_needs_more_runs(tell):
    needed = [cells(tell("power", "--difference=3", f"--power={p}").out, "ordinary")[2] for p in (0.7, 0.9)]
    assert int(needed[0].removesuffix(" runs")) < int(needed[1].removesuffix(" runs"))


def test_a_width_has_its_own_question_and_the_models_named_their_price(tell):
    told = tell("power", "--width=4", "--model=openai/gpt-5-nano", "--judge=offline/lexical")
    assert "Needed for an interval 4 points wide" in told.out
    assert "US dollars at list prices." in told.out
    assert float(cells(told.out, "ordinary")[1]) > 4


def test_what_so_many_runs_can_tell_is_answered_without_a_question_and_one_run_tells_nothing_by_run(tell):
    told = tell("power", "--runs=1")
    assert cells(told.out, "ordinary")[1:3] == ["–", "–"]
    assert "Needed" not in told.out


@pytest.mark.parametrize(
    ("question", "asked"),
    [((), {"difference", "width"}), (("--difference=3",), {"power", "needed"}), (("--width=4",), {"width", "needed"})],
)
def test_the_answer_as_json_holds_what_the_text_says(tell, question, asked):
    argv = ("power", *question, "--model=openai/gpt-5-nano", "--judge=offline/lexical")
    text, found = tell(*argv).out, json.loads(tell(*argv, "--format=json").out)
    ordinary, *others = found["kinds"]
    assert (found["schema"], found["edition"], found["runs"], found["scenarios"]) == (1, "v2", 5, 15)
    assert [kind["models"] for kind in found["kinds"]] == ["ordinary", "mid", "high", "ceiling"]
    assert {name for name, value in ordinary["by_run"].items() if value is not None} == asked
    assert all(kind["by_scenario"] is None for kind in others)
    for basis, unit in (("run", "runs"), ("scenario", "scenarios")):
        told = ordinary[f"by_{basis}"]
        if told["needed"]:
            assert f"{told['needed']} {unit}" in cells(text, "ordinary")
        if told["width"]:
            assert f"{told['width']:.1f}" in cells(text, "ordinary")
    for cost in found["costs"]:
        assert f"{cost['runs']} runs of gpt-5-nano@low-t1.0: {cost['calls']} calls, about " in text


def test_what_no_number_reaches_is_said_and_null_in_json(tell):
    assert "> 1000" in cells(tell("power", "--difference=0.01").out, "ordinary")
    found = json.loads(tell("power", "--difference=0.01", "--runs=1", "--format=json").out)
    assert (found["most"], found["kinds"][0]["by_run"]) == (
        1000,
        {"power": 0.0, "difference": None, "width": None, "needed": None},
    )


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--difference=3", "--width=4"], "--width: it asks another question than --difference"),
        (["--edition=roles-mini"], "--edition=roles-mini: it has no Index to plan for"),
        (["--difference=-1"], "is not a number of points above 0"),
        (["--power=0.5"], "is not a probability above 0.5"),
    ],
)
def test_what_cannot_be_planned_is_one_sentence(tell, argv, words):
    told = tell("power", *argv)
    assert (told.status, words in told.err) == (2, True)


def test_without_an_edition_it_plans_that_of_the_newest_session_and_says_that_models_are_known_in_others_only(
    tell, folder
):
    assert tell("init", "bench").status == 0
    options = {"edition": str(folder / "bench" / "edition.yaml")}
    fill(folder / "own.sqlite", begun=session().model_copy(update={"options": options}))

    out = tell("power", "--difference=30", "--store=own.sqlite").out

    assert out == tell("power", "--difference=30", "--edition=bench/edition.yaml").out
    assert out.startswith("Edition our-product, 5 runs of 1 scenario ")
    assert "× 5 runs, in other scenarios." in out


def varied(store, runs: int = 3, name: str = "some/m{}"):
    chance = random.Random(2)
    records = []
    for place in range(3):
        for run in range(1, runs + 1):
            for scenario, score in (("social-proof", "resistance_score"), ("creativity", "consistency_score")):
                label = name.format(place)
                record = trial(label, scenario, run=run)
                scores = {**GOOD[scenario], score: chance.randint(3, 9)}
                records.append(
                    record.model_copy(update={"verdicts": (record.verdicts[0].model_copy(update={"scores": scores}),)})
                )
    return fill(store, *records, models=[configuration(name.format(place)) for place in range(3)], begun=session())


def test_the_stores_own_models_come_before_the_published_ones_but_embedded_ones_do_not(folder):
    with Store.open(varied(folder / "own.sqlite"), read_only=True) as store:
        known = known_models(store, EDITION)
    assert (list(known.kinds), known.source) == (["ordinary"], "this store, 3 models × 3 runs")
    assert len(known.samples[0].worth) == 2
    with Store.open(varied(folder / "embedded.sqlite", name="offline/m{}"), read_only=True) as store:
        assert known_models(store, EDITION).source.startswith("published answers")


@pytest.mark.parametrize(("runs", "words"), [(5, "points by run"), (1, "none by run (that needs two runs)")])
def test_a_plan_tells_in_one_line_what_its_runs_can_tell(runs, words):
    edition = load_edition("v2", CATALOGUE)
    plan = Plan(edition=edition, cells=(), all_cells=(), models=(), panel=(), runs=runs, specs=())
    sentence = precision_sentence(Store.empty(), plan)
    assert words in sentence and "\n" not in sentence
    none = Plan(load_edition("roles-mini", CATALOGUE), (), (), (), (), 1, ())
    assert precision_sentence(Store.empty(), none) is None
