"""The plan: every trial of a session's options under its key, the same in every process."""

from dataclasses import replace
from pathlib import Path

import pytest
from session_samples import one, plan

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.session import plan as plans


def test_a_plan_holds_every_scenario_of_every_model_and_run() -> None:
    made = plan(models=("test/a", "test/b"), runs=2)

    assert len(made.specs) == len(made.by_key) == 2 * 2 * 15
    assert {experiment: len(specs) for experiment, specs in made.by_experiment.items()} == {
        "identity": 20,
        "boundary": 20,
        "stability": 20,
    }


def test_keys_find_their_specs_and_specs_their_keys() -> None:
    made = plan()

    for spec in made.specs:
        assert made.by_key[made.keys[spec]] is spec


def test_the_same_options_make_the_same_plan() -> None:
    first, second = plan(runs=2), plan(runs=2)

    assert list(first.by_key) == list(second.by_key)
    assert first.digest == second.digest
    assert [cell.script.digest for cell in first.cells] == [cell.script.digest for cell in second.cells]


@pytest.mark.parametrize(
    "other",
    [
        {"runs": 2},
        {"models": ("test/b",)},
        {"judges": ("test/other",)},
        {"build": "b1"},
        {"max_tokens": 7},
        {"temperature": 0.1},
        {"endpoint": "http://127.0.0.1:10/v1"},
        {"system_variants": ("neutral",)},
        {"delivery_modes": ("user_role",)},
        {"edition": "lite"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_every_option_that_shapes_what_is_asked_or_judged_changes_the_plans_digest(other: dict[str, object]) -> None:
    assert plan(**other).digest != plan().digest


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("rubrics/stability.yaml", "10: ", "10 points: "),
        ("scenarios/creativity.yaml", "at_least: 8", "at_least: 9"),
        ("prompts/judge.yaml", "JSON", "json"),
    ],
)
def test_every_text_that_shapes_how_it_is_judged_changes_the_plans_digest(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    text = (packaged_configs() / file).read_text(encoding="utf-8")
    assert old in text
    own = tmp_path / "configs" / file
    own.parent.mkdir(parents=True)
    own.write_text(text.replace(old, new), encoding="utf-8")

    assert plan(root=tmp_path).digest != plan().digest


@pytest.mark.parametrize(
    "other",
    [
        {"call_attempts": 9},
        {"call_timeout_s": 5.0},
        {"concurrency": 2},
        {"concurrency_per_model": 1},
        {"reports": Path("out")},
    ],
    ids=lambda other: next(iter(other)),
)
def test_how_patiently_it_is_asked_changes_no_key(other: dict[str, object]) -> None:
    assert plan(**other).digest == plan().digest


def test_timeout_and_attempts_reach_the_endpoints_of_models_and_judges() -> None:
    made = plan(call_timeout_s=7.0, call_attempts=2)

    for model in (*made.models, *made.panel):
        assert (model.endpoint.call_deadline_s, model.endpoint.attempts) == (7.0, 2)


def test_a_key_does_not_hang_on_the_edition_or_on_a_label() -> None:
    v2, lite = plan(), plan(edition="lite")

    assert one(v2, "creativity")[0] == one(lite, "creativity")[0]


def test_the_judges_read_what_has_a_rubric() -> None:
    made = plan(judges=("test/x", "test/y"))
    _, spec = one(made)

    assert [judge.label.partition("+")[0] for judge in made.judges_of(spec)] == ["test/x", "test/y"]
    bare = replace(spec, cell=replace(spec.cell, scenario=spec.scenario.model_copy(update={"rubric": None})))
    assert made.judges_of(bare) == ()


def test_what_is_asked_outside_the_edition_is_added_to_what_the_reports_look_at() -> None:
    made = plan(delivery_modes=("user_role",))

    assert len(made.cells) == 15
    assert not any(cell.official for cell in made.cells)
    assert [cell.official for cell in made.all_cells] == [True] * 15 + [False] * 15


def test_two_texts_that_are_one_are_refused_before_one_trial_stands_for_two(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "system_variants.yaml").write_text("variants: {neutral: Same., strong_independence: Same.}")
    made = plan(configs=tmp_path, system_variants=("neutral", "strong_independence"))

    with pytest.raises(BadInput, match="would be asked exactly the same; keep one of them"):
        _ = made.by_key


def test_labels_whose_case_ids_are_equal_are_refused(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text("models: [{label: x@1, id: t/x}, {label: x#1, id: t/y}]")

    with pytest.raises(BadInput, match="x@1 and x#1 differ only in characters that case ids cannot show"):
        plan(configs=tmp_path, models=("x@1", "x#1"), endpoint=None)


def test_a_case_is_found_by_its_id_among_other_parameters_ids() -> None:
    made = plan(runs=2)
    spec = made.specs[-1]

    for params in (spec.case_id, f"user_role-{spec.case_id}", f"{spec.case_id}-2", f"a-b-{spec.case_id}-http://x"):
        assert made.of_case(params) is spec
    assert made.of_case("user_role") is None


def test_a_plan_too_big_is_refused_before_it_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "trial_specs", lambda *_: pytest.fail("expanded"))
    with pytest.raises(BadInput, match=r"1 model, 150,000 runs and 15 cells make 2,250,000 cases; .*--huge"):
        plan(runs=150_000)


def test_a_plan_too_big_is_made_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MOST_CASES", 29)
    assert len(plan(runs=2, huge=True).specs) == 30
    with pytest.raises(BadInput, match="30 cases"):
        plan(runs=2)
