"""Options and gate.yaml become criteria: options win, both are named, and nothing contradictory passes."""

from pathlib import Path
from typing import get_args

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog.gate_file import Acceptable, GateFile
from independence_bench.kinds.edition_files import load_edition
from independence_bench.option_table import GATE_OPTIONS
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.gated_kind import gated_kind

V2 = load_edition("v2")


def refusal(options: GateOptions, file: tuple[Path, GateFile] | None = None) -> str:
    with pytest.raises(BadInput) as refused:
        criteria = read_criteria(options, file)
        assert criteria is not None
        gated_kind("index").check_criteria(criteria, V2)
    return str(refused.value)


def read(options: GateOptions, **file: object) -> Criteria:
    written = (Path("configs/gate.yaml"), GateFile.model_validate(file)) if file else None
    criteria = read_criteria(options, written)
    assert criteria is not None
    gated_kind("index").check_criteria(criteria, V2)
    return criteria


def test_without_an_option_and_without_a_file_there_is_no_gate():
    assert read_criteria(GateOptions(), None) is None


def test_every_criterion_says_where_it_comes_from_and_options_win_over_the_file():
    criteria = read(
        GateOptions(min_index=85, min_components=("resistance_score:7.5",), confidence=0.9),
        min_index=60,
        min_components={"resistance_score": 5, "consistency_score": 6},
        max_components={"drift_from_initial": 3},
        interval="scenario",
        confidence=0.99,
    )

    assert [(each.text, each.source) for each in criteria.criteria] == [
        ("Index ≥ 85", "--min-index"),
        ("resistance_score ≥ 7.5", "--min-component"),
        ("consistency_score ≥ 6", "configs/gate.yaml: min_components.consistency_score"),
        ("drift_from_initial ≤ 3", "configs/gate.yaml: max_components.drift_from_initial"),
    ]
    assert (criteria.confidence, criteria.interval) == (0.9, "scenario")
    assert criteria.sources == {"confidence": "--gate-confidence", "interval": "configs/gate.yaml: interval"}


def test_a_component_is_named_as_the_board_calls_it_too():
    criteria = read(GateOptions(min_components=("stability:7", "non-assistant:5")), max_components={"drift": 3})

    assert [each.text for each in criteria.criteria] == ["stability ≥ 7", "non-assistant ≥ 5", "drift ≤ 3"]
    assert "--min-component=drift:3: low is good in drift" in refusal(GateOptions(min_components=("drift:3",)))


def test_a_baseline_of_the_file_lies_beside_the_file_and_its_drop_may_be_an_option():
    criteria = read(GateOptions(max_drop=2), baseline="old.json", baseline_model="a/b")

    assert criteria.baseline == Path("configs/old.json")
    assert criteria.baseline_model == "a/b"
    assert [each.text for each in criteria.criteria] == ["drop ≤ 2"]


def test_the_file_is_named_as_seen_from_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    criteria = read_criteria(GateOptions(), (tmp_path / "configs" / "gate.yaml", GateFile(min_index=1)))

    assert criteria is not None
    assert criteria.criteria[0].source == "configs/gate.yaml: min_index"


def test_defaults_are_95_per_cent_by_run():
    criteria = read(GateOptions(min_index=85))

    assert (criteria.confidence, criteria.interval) == (0.95, "run")
    assert criteria.sources == {"confidence": "default", "interval": "default"}


def test_no_gate_switches_the_file_off():
    assert read_criteria(GateOptions(no_gate=True), (Path("gate.yaml"), GateFile(min_index=85))) is None


def test_no_gate_beside_a_criterion_is_refused():
    assert refusal(GateOptions(no_gate=True, min_index=85)).startswith("--no-gate: it is given together with --min-in")


@pytest.mark.parametrize(
    "options, told",
    [
        (GateOptions(confidence=0.9), "--gate-confidence: there is no criterion; add --min-index"),
        (GateOptions(interval="run"), "--gate-interval: there is no criterion"),
        (GateOptions(baseline_model="a/b"), "--baseline-model: there is no criterion"),
        (GateOptions(min_index=85, baseline_model="a/b"), "--baseline-model: there is no file of a baseline; add"),
        (GateOptions(min_index=85, missing_baseline="fail"), "--missing-baseline: there is no file of a baseline; add"),
        (GateOptions(max_drop=2), "--max-drop: there is no baseline to compare with; add --baseline=FILE"),
        (GateOptions(baseline=Path("old.json")), "--baseline: it does not say how far a model may drop"),
        (GateOptions(min_index=101), "--min-index=101: the mark is outside 0 to 100; correct the number"),
        (GateOptions(min_index=-1), "--min-index=-1: the mark is outside"),
        (GateOptions(min_components=("resistance_score:11",)), "--min-component=resistance_score:11: the mark is out"),
        (GateOptions(min_components=("resistance_score",)), "--min-component=resistance_score: write NAME:VALUE, for"),
        (GateOptions(min_components=(":7",)), "--min-component=:7: write NAME:VALUE"),
        (GateOptions(max_components=("drift_from_initial:nan",)), "--max-component=drift_from_initial:nan: write NAME"),
        (
            GateOptions(min_components=("resistance_score:7", "resistance_score:8")),
            "--min-component=resistance_score:8: resistance_score is asked for twice with different marks; keep one",
        ),
        (
            GateOptions(min_components=("drift_from_initial:3",)),
            "--min-component=drift_from_initial:3: low is good in drift_from_initial; "
            "give --max-component=drift_from_initial:3 instead",
        ),
        (
            GateOptions(max_components=("resistance_score:3",)),
            "--max-component=resistance_score:3: high is good in resistance_score; "
            "give --min-component=resistance_score:3 instead",
        ),
        (
            GateOptions(min_components=("resistence_score:7",)),
            "--min-component=resistence_score:7: edition v2 has no such number; did you mean resistance_score",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_meant_is_refused_by_option(options, told):
    assert refusal(options).startswith(told)


def test_a_wrong_component_of_the_file_is_refused_by_file_and_key():
    file = (Path("configs/gate.yaml"), GateFile(min_components={"drift_from_initial": 3}))

    assert refusal(GateOptions(), file) == (
        "configs/gate.yaml: min_components.drift_from_initial: low is good in drift_from_initial; "
        "give it under max_components instead"
    )


def test_an_edition_that_weighs_nothing_has_nothing_to_ask_for():
    criteria = read_criteria(GateOptions(min_index=85), None)
    assert criteria is not None

    with pytest.raises(BadInput, match="--min-index=85: edition v2 has no number to ask for"):
        gated_kind("index").check_criteria(criteria, V2.model_copy(update={"components": {}}))


def test_options_stand_on_a_command_line_as_they_were_given():
    options = GateOptions(
        min_index=85.5,
        min_components=("resistance_score:7",),
        max_components=("drift_from_initial:3",),
        baseline=Path("old.json"),
        max_drop=2,
        baseline_model="a/b",
        confidence=0.9,
        interval="scenario",
    )

    assert options.words == [
        "--min-index=85.5",
        "--min-component=resistance_score:7",
        "--max-component=drift_from_initial:3",
        "--baseline=old.json",
        "--max-drop=2",
        "--baseline-model=a/b",
        "--gate-confidence=0.9",
        "--gate-interval=scenario",
    ]


def test_a_doubt_that_does_not_exist_cannot_be_accepted_and_the_option_beats_the_file():
    told = refusal(GateOptions(min_index=85.0, accept=("speed",)))
    assert told == "--accept=speed: there is no such doubt; name delivery, self-judge"

    file = (Path("configs/gate.yaml"), GateFile(min_index=85.0, accept=("self-judge",)))
    written = read_criteria(GateOptions(), file)
    given = read_criteria(GateOptions(accept=("delivery",)), file)
    assert written is not None and given is not None
    assert (written.accept, written.sources["accept"]) == (("self-judge",), "configs/gate.yaml: accept")
    assert (given.accept, given.sources["accept"]) == (("delivery",), "--accept")


def test_the_options_help_names_every_doubt():
    (option,) = (option for option in GATE_OPTIONS if option.field == "accept")
    assert all(doubt in option.help for doubt in get_args(Acceptable))
