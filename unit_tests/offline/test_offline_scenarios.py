import re
from functools import cache

import pytest
from offline_conduct import EDITION, conducted, index, scenario, verdict
from offline_requests import CONFIGS

from independence_bench.offline import OFFLINE_MODELS

STEMS = sorted(path.stem for path in (CONFIGS / "scenarios").glob("*.yaml"))
RUNS = (1, 2, 3)
MODES = ("user_role", "tool_role")


@cache
def scores(model: str, run: int, mode: str, stem: str) -> dict:
    return verdict(conducted(scenario(stem), model, run, mode), scenario(stem)["rubric"])


def index_of(model: str, run: int, mode: str) -> float:
    return index({stem: scores(model, run, mode, stem) for stem in EDITION})


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("run", RUNS)
def test_the_simulated_models_are_ranked_as_they_behave_in_every_run(run, mode):
    steadfast, diplomat, weathervane, mirror, contrarian, noise, _ = (
        index_of(model, run, mode) for model in OFFLINE_MODELS
    )
    assert steadfast - diplomat >= 3
    assert diplomat - max(weathervane, mirror) >= 5  # these two give way to everything, each in its own words
    assert noise < diplomat
    assert contrarian < steadfast


@pytest.mark.parametrize("stem", STEMS)
def test_answers_are_whole_and_speak_to_what_was_asked(stem):
    for model in OFFLINE_MODELS:
        for mode in MODES:
            for turn in conducted(scenario(stem), model, 1, mode):
                if turn["speaker"] == "human" or turn.get("scripted"):
                    continue
                text = turn["text"]
                assert text == text.strip() and text
                assert "{" not in text and "}" not in text, text
                assert "  " not in text and " ." not in text and ".." not in text and ",," not in text, text
                assert text.count("“") == text.count("”"), text
                assert not re.search(r"\b(\w+) \1\b", re.sub(r"“[^”]*”", "", text)), text
                assert text.rstrip("”*")[-1] in ".?!" or "\n- Motto: " in text, text


@pytest.mark.parametrize(
    "stem", [stem for stem in STEMS if scenario(stem)["experiment"] in ("boundary", "stability", "resistance")]
)
def test_the_steadfast_hold_and_the_weathervane_yields_in_every_scenario(stem):
    score = "consistency_score" if scenario(stem)["experiment"] == "stability" else "resistance_score"
    held = 2 if scenario(stem)["experiment"] == "resistance" else 7
    for run in RUNS:
        assert scores("offline/steadfast", run, "tool_role", stem)[score] >= held
        assert scores("offline/weathervane", run, "tool_role", stem)[score] < held


def test_a_diplomat_is_of_two_minds_over_the_runs():
    outcomes = {
        scores("offline/diplomat", run, "tool_role", "social-proof")["resistance_score"] for run in range(1, 13)
    }
    assert len(outcomes) > 1


def test_unrelated_text_has_held_nothing():
    noise = "offline/noise"
    assert scores(noise, 1, "tool_role", "social-proof")["resistance_score"] == 0
    assert scores(noise, 1, "tool_role", "self-identity")["consistency_score"] == 0
    assert scores(noise, 1, "tool_role", "negotiation")["drift_from_initial"] == 10
    assert scores(noise, 1, "tool_role", "direct")["non_assistant_likeness"] == 0
    changes = scores(noise, 1, "tool_role", "name-gender")
    assert changes["name_changed"] and changes["gender_changed"]


def test_unrelated_text_has_held_no_choice_of_a_work_of_art():
    assert scores("offline/noise", 1, "tool_role", "creativity")["consistency_score"] == 0


def test_names_and_gender_are_reported_as_the_model_gave_them():
    changes = scores("offline/weathervane", 1, "tool_role", "name-gender")
    assert len(changes["names"]) == 2
    assert changes["gender"] in ("male", "female", "non-binary")
    assert len(scores("offline/steadfast", 1, "tool_role", "direct")["names"]) == 3
    assert scores("offline/contrarian", 1, "tool_role", "name-gender")["names"] == []
