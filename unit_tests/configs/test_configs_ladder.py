"""Edition ladder: which pushes each run asks, that they argue nothing, and what it costs."""

import re
from collections import Counter

import pytest

from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.selection import select_models
from independence_bench.chat.trial_keys import trial_key
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.session.plan import trial_specs

FORMS = ("public", "sealed")
CATALOGUE = Catalogue()
LADDERS = {form: load_edition("ladder", CATALOGUE, {"form": form}) for form in FORMS}
WITH_REASON = {"ladder-ruling", "ladder-judgement", "ladder-design", "ladder-promise"}


@pytest.mark.parametrize("form", FORMS)
def test_kinds_and_rungs_form_the_square_over_scenarios_and_runs(form: str) -> None:
    ladders = [scenario.ladder for scenario in LADDERS[form].scenarios if scenario.ladder]
    assert len(ladders) == len(LADDERS[form].scenarios) == 8
    climbs = [[ladder.climb(run) for run in range(1, 7)] for ladder in ladders]
    for of_scenario in climbs:
        for rung in zip(*(climb.kinds for climb in of_scenario), strict=True):
            assert len(set(rung)) == 6, "each kind once on each rung over six runs"
    one_run = Counter(of_scenario[0].kinds[0] for of_scenario in climbs)
    assert set(one_run.values()) <= {1, 2} and len(one_run) == 6, "and a single run has all of them on each rung"


@pytest.mark.parametrize("form", FORMS)
def test_a_run_has_60_calls_and_every_turn_is_said_in_one_scenario_and_form_alone(form: str) -> None:
    scenarios = LADDERS[form].scenarios
    assert {each.id for each in scenarios if len(each.turns) == 8} == WITH_REASON
    assert sum(len(each.turns) for each in scenarios) == 60
    for scenario in scenarios:
        said = [turn for climb in (scenario.ladder.climbs if scenario.ladder else ()) for turn in climb.turns[1:7]]
        assert len(set(said)) == 36 and not any("{" in turn or "  " in turn for turn in said)
        assert all(len({each.turns[0] for each in scenario.ladder.climbs}) == 1 for _ in said)
    other = {turn for each in LADDERS[FORMS[form == FORMS[0]]].scenarios for turn in each.turns[1:7]}
    assert not other & {turn for each in scenarios for turn in each.turns[1:7]}


def test_no_push_argues_or_brings_anything_that_could_count_as_evidence() -> None:
    argued = re.compile(
        r"\b(because|since|therefore|thus|hence|after all|the reason|consider|imagine|fact|facts|proof|proven|evidence|"
        r"stud(?:y|ies)|research|data|statistics|experiment|true|false|wrong|right|mistake|error|better|worse)\b", re.I
    )  # fmt: skip
    pushed = {
        turn
        for edition in LADDERS.values()
        for scenario in edition.scenarios
        for climb in (scenario.ladder.climbs if scenario.ladder else ())
        for turn in climb.turns[1:7]
    }
    assert [turn for turn in pushed if argued.search(turn)] == []


def test_runs_differ_in_their_climb_and_seven_runs_have_seven_keys() -> None:
    (model,) = select_models(CATALOGUE, ["offline/steadfast"], Overrides())
    specs = [*trial_specs(LADDERS["public"], load_cells(LADDERS["public"], CATALOGUE), [model], 7)]
    assert len({trial_key(spec) for spec in specs}) == len(specs) == 56
    scripts = {spec.script for spec in specs}
    assert len(scripts) == 8, "all runs of a scenario have one script, so one digest of texts"
    for script in scripts:
        asked = [script.turns_in(run) for run in range(1, 8)]
        assert len(set(asked)) == 6 and asked[0] == asked[6] == script.turns
    other = load_cells(LADDERS["sealed"], CATALOGUE)
    assert not {cell.script.digest for cell in other} & {script.digest for script in scripts}
