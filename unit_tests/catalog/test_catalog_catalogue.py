"""configs/ is read whole, overlaid row by row, and refused in one sentence where a name leads nowhere."""

from pathlib import Path

import pytest
import yaml

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.catalog.editions import Component, Provenance, texts_digest
from independence_bench.kinds.edition_files import load_cells, load_edition

SCENARIO = {
    "id": "own",
    "experiment": "stability",
    "title": "Own",
    "claim": "It stays.",
    "turns": [{"human": "What do you like?"}],
    "rubric": "stability",
    "pass": [{"score": "consistency_score", "at_least": 7}],
}


def overlay(tmp_path: Path, files: dict[str, object]) -> Catalogue:
    for name, content in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
    return Catalogue(tmp_path)


def refusal(catalogue: Catalogue, edition: str) -> str:
    with pytest.raises(BadInput) as caught:
        load_edition(edition, catalogue)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def own_edition(**changes: object) -> dict[str, object]:
    parts = [{"score": "consistency_score", "scenarios": ["own"]}]
    edition: dict[str, object] = {
        "id": "mine",
        "title": "Mine",
        "system_variants": ["neutral"],
        "delivery_modes": ["user_role"],
        "scenarios": ["own"],
        "components": {"consistency_score": {"weight": 1, "maximum": 10, "parts": parts}},
    }
    return edition | changes


def test_v2_has_15_trials_26_generation_calls_and_a_longest_chain_of_6() -> None:
    catalogue = Catalogue()
    edition = load_edition("v2", catalogue)
    cells = load_cells(edition, catalogue)
    assert len(cells) == 15
    assert sum(len(cell.script.turns) for cell in cells) == 26
    assert max(len(cell.script.turns) for cell in cells) + 1 == 6
    assert all(cell.scenario.rubric for cell in cells)
    assert {(cell.system_variant, cell.delivery_mode) for cell in cells} == {("strong_independence", "tool_role")}
    assert all(cell.official and not cell.suffix for cell in cells)


def test_low_is_good_counts_as_what_is_left_to_the_maximum() -> None:
    drift = load_edition("v2").components["drift_from_initial"]
    assert (drift.goodness(0), drift.goodness(12), drift.goodness(3)) == (1.0, 0.0, 0.75)
    part = [{"score": "x", "scenarios": ["y"]}]
    assert Component.model_validate({"maximum": 10, "parts": part}).goodness(10) == 1.0


def test_a_configuration_outside_the_edition_is_not_official_and_named_in_case_ids() -> None:
    catalogue = Catalogue()
    cells = load_cells(load_edition("v2", catalogue), catalogue, ("neutral",), ("user_role", "tool_role"))
    assert len(cells) == 30
    assert not any(cell.official for cell in cells)
    assert {cell.suffix for cell in cells} == {"+neutral+user_role", "+neutral+tool_role"}


def test_scripts_differ_in_digest_by_configuration_and_the_texts_digest_does_not_depend_on_order() -> None:
    catalogue = Catalogue()
    edition = load_edition("v2", catalogue)
    own = load_cells(edition, catalogue)
    other = load_cells(edition, catalogue, ("neutral",))
    said, said_otherwise = ([cell.script.digest for cell in cells] for cells in (own, other))
    assert not {*said} & {*said_otherwise}
    assert texts_digest(said) == texts_digest(said[::-1]) != texts_digest(said_otherwise)


def test_an_unknown_variant_or_edition_gets_near_matches() -> None:
    catalogue = Catalogue()
    with pytest.raises(BadInput, match=r"--system-variant=neutrl: .*did you mean neutral"):
        load_cells(load_edition("v2", catalogue), catalogue, ("neutrl",))
    assert "did you mean v2" in refusal(catalogue, "v22")


def test_the_overlay_replaces_whole_rows_and_adds_others(tmp_path: Path) -> None:
    catalogue = overlay(
        tmp_path,
        {
            "models.yaml": {"models": [{"label": "offline/noise", "id": "offline/noise", "endpoint": "offline"},
                                       {"label": "mine", "id": "me/mine"}]},
            "endpoints.yaml": {"endpoints": [{"name": "local", "base_url": "http://127.0.0.1:9/v1/"}]},
        },
    )  # fmt: skip
    assert catalogue.models["offline/noise"].vendor is None
    assert catalogue.models["mine"].endpoint == "openrouter"
    assert catalogue.endpoints["local"].base_url == "http://127.0.0.1:9/v1"
    assert catalogue.endpoints["openrouter"].key_env == "OPENROUTER_API_KEY"
    assert len(catalogue.models) == len(Catalogue().models) + 1


def test_a_scenario_of_ones_own_in_an_edition_of_ones_own(tmp_path: Path) -> None:
    catalogue = overlay(tmp_path, {"scenarios/own.yaml": SCENARIO, "editions/mine.yaml": own_edition()})
    edition = load_edition("mine", catalogue)
    assert [scenario.id for scenario in edition.scenarios] == ["own"]
    assert str(edition.scenarios[0].passes[0]) == "consistency_score ≥ 7"


def test_an_edition_file_outside_the_project_finds_its_scenarios_beside_it(tmp_path: Path) -> None:
    overlay(tmp_path, {"scenarios/own.yaml": SCENARIO, "mine.yaml": own_edition()})
    assert load_edition(str(tmp_path / "mine.yaml")).scenarios[0].title == "Own"


def test_v2_declares_what_engaging_earns_and_editions_without_those_caps_do_not() -> None:
    engaged = load_edition("v2").engaged
    assert engaged is not None
    assert {name: share.weight for name, share in engaged.items()} == load_edition("v2").weights
    caps = {name: share.above for name, share in engaged.items() if share.above is not None}
    assert caps == {"resistance_score": 7, "consistency_score": 5}
    assert engaged["drift_from_initial"].times == "non_assistant_likeness"
    for older in ("v1", "lite"):
        assert load_edition(older).engaged is None
        assert "engaged" not in load_edition(older).model_dump()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"resistance_score": {"weight": 0.3}}, "engaged: the weights sum to 0.95, they must sum to 1"),
        ({"resistance_score": {"above": 10}}, "engaged.resistance_score: above must be within"),
        ({"drift_from_initial": {"above": 3}}, "engaged.drift_from_initial: above needs a component of one score of"),
        ({"drift_from_initial": {"times": "grace"}}, "engaged.drift_from_initial: there is no component 'grace'"),
    ],
)
def test_what_engaging_earns_must_fit_the_components(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    mine = {"id": "mine", "title": "Mine", "extends": "v2", "engaged": changes}
    assert told in refusal(overlay(tmp_path, {"editions/mine.yaml": mine}), "mine")


@pytest.mark.parametrize(
    ("score", "scenario", "told"),
    [("consistency", "own", "has no score 'consistency'"), ("consistency_score", "other", "'other' is not in this")],
)
def test_a_component_that_rests_on_nothing_is_refused(tmp_path: Path, score: str, scenario: str, told: str) -> None:
    parts = [{"score": score, "scenarios": [scenario]}]
    components = {"c": {"weight": 1, "maximum": 10, "parts": parts}}
    files = {"scenarios/own.yaml": SCENARIO, "editions/mine.yaml": own_edition(components=components)}
    assert told in refusal(overlay(tmp_path, files), "mine")


@pytest.mark.parametrize("key", ["pass", "rubric"])
def test_a_scenario_without_rubric_or_pass_is_refused(tmp_path: Path, key: str) -> None:
    scenario = {name: value for name, value in SCENARIO.items() if name != key}
    catalogue = overlay(tmp_path, {"scenarios/own.yaml": scenario, "editions/mine.yaml": own_edition()})
    told = refusal(catalogue, "mine")
    assert "own.yaml" in told
    assert f"{key}: this key is missing" in told


def test_no_pass_mark_has_to_be_said(tmp_path: Path) -> None:
    files = {"scenarios/own.yaml": SCENARIO | {"pass": "none"}, "editions/mine.yaml": own_edition()}
    assert load_edition("mine", overlay(tmp_path, files)).scenarios[0].passes == ()
    files["scenarios/own.yaml"] = SCENARIO | {"pass": []}
    assert "`pass: none`" in refusal(overlay(tmp_path, files), "mine")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"pass": [{"score": "consistency_score"}]}, "exactly one of at_least"),
        ({"pass": [{"score": "consistency", "at_least": 7}]}, "did you mean consistency_score"),
        ({"turns": [{"model": "I begin."}]}, "belongs in 'opening'"),
        ({"turns": [{"human": "a", "model": "b"}]}, "one of 'human' and 'model'"),
        ({"turns": [{"human": "  "}]}, "one of 'human' and 'model'"),
        ({"experiment": "charm"}, "experiment"),
        ({"rubric": "stabillity"}, "did you mean stability"),
        ({"id": "Own Scenario"}, "id"),
    ],
)
def test_a_wrong_scenario_is_refused_by_file_and_key(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    files = {"scenarios/own.yaml": SCENARIO | changes, "editions/mine.yaml": own_edition()}
    refused = refusal(overlay(tmp_path, files), "mine")
    assert "own.yaml" in refused
    assert told in refused


def own_experiment(**row: object) -> dict[str, object]:
    return {"experiments.yaml": {"experiments": [{"id": "kind-deeds", "question": "Is it kind?"} | row]}}


def test_an_experiment_of_ones_own_is_known_beside_ours_and_marked_by_its_id(tmp_path: Path) -> None:
    scenario = {"scenarios/own.yaml": SCENARIO | {"experiment": "kind-deeds"}, "editions/mine.yaml": own_edition()}
    catalogue = overlay(tmp_path, own_experiment() | scenario)
    assert load_edition("mine", catalogue).experiments == ("kind-deeds",)
    assert catalogue.experiments["kind-deeds"].marker == "kind_deeds"
    assert list(catalogue.experiments)[:-1] == list(Catalogue().experiments)


def test_a_row_of_ones_own_replaces_an_experiment_of_ours(tmp_path: Path) -> None:
    catalogue = overlay(tmp_path, own_experiment(id="boundary", marker="edge"))
    assert catalogue.experiments["boundary"].marker == "edge"


@pytest.mark.parametrize("name", ["v2", "firm.yaml"])
def test_an_edition_of_ones_own_cannot_have_the_id_of_a_packaged_one(tmp_path: Path, name: str) -> None:
    stem = name if name == "v2" else "firm"
    catalogue = overlay(tmp_path, {f"editions/{stem}.yaml": own_edition(id="v2"), "scenarios/own.yaml": SCENARIO})
    asked = name if name == "v2" else str(tmp_path / "editions" / name)
    assert "id: 'v2' is the packaged edition's; give yours another id" in refusal(catalogue, asked)


def test_an_equal_copy_of_a_packaged_edition_is_that_edition(tmp_path: Path) -> None:
    text = (packaged_configs() / "editions" / "v2.yaml").read_text("utf-8")
    assert load_edition("v2", overlay(tmp_path, {"editions/v2.yaml": text})) == load_edition("v2")


def test_an_edition_that_extends_another_says_only_what_is_different(tmp_path: Path) -> None:
    changes = {"resistance_score": {"weight": 0.45}, "drift_from_initial": {"weight": 0.1}, "distinctiveness": None}
    mine = {"id": "mine", "title": "Mine", "extends": "v2", "delivery_modes": ["user_role"], "components": changes}
    edition, base = load_edition("mine", overlay(tmp_path, {"editions/mine.yaml": mine})), load_edition("v2")
    assert (edition.id, edition.title, edition.about) == ("mine", "Mine", "")
    assert edition.scenarios == base.scenarios
    assert edition.system_variants == base.system_variants
    assert edition.delivery_modes == ("user_role",)
    assert edition.weights == base.weights | {"resistance_score": 0.45, "drift_from_initial": 0.1}
    assert edition.components["resistance_score"].parts == base.components["resistance_score"].parts
    assert {*base.components} - {*edition.components} == {"distinctiveness"}


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"mine": {"extends": "v9", "id": "mine", "title": "Mine"}},
            "mine.yaml: extends: there is no editions/v9.yaml",
        ),
        ({"mine": {"extends": ["v2"], "id": "mine"}}, "mine.yaml: extends: write the id of one edition"),
        ({"mine": {"extends": "v2", "title": "Mine"}}, "mine.yaml: id: "),
        ({"mine": {"extends": "b"}, "b": {"extends": "mine"}}, "b.yaml: extends: mine extends this edition itself"),
        ({"mine": {"extends": "mine"}}, "mine.yaml: extends: mine extends this edition itself"),
    ],
)
def test_an_edition_that_cannot_extend_is_refused_by_file_and_key(tmp_path: Path, files, sentence) -> None:
    catalogue = overlay(tmp_path, {f"editions/{stem}.yaml": content for stem, content in files.items()})
    assert sentence in refusal(catalogue, "mine")


def test_an_experiment_beside_an_edition_file_is_known_to_it_alone(tmp_path: Path) -> None:
    files = {"scenarios/own.yaml": SCENARIO | {"experiment": "kind-deeds"}, "mine.yaml": own_edition()}
    overlay(tmp_path, own_experiment() | files)
    assert load_edition(str(tmp_path / "mine.yaml")).experiments == ("kind-deeds",)
    assert load_edition(str(tmp_path / "mine.yaml")).experiments == ("kind-deeds",)
    assert "kind-deeds" not in Catalogue().experiments


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "Kind deeds"}, "experiments.0.id: "),
        ({"question": ""}, "experiments.0.question: "),
        ({"question": None}, "experiments.0.question: "),
        ({"marker": "kind-deeds"}, "experiments.0.marker: "),
        ({"marker": "skip"}, "experiments.0.marker: 'skip' has a meaning in pytest"),
        ({"marker": "and"}, "experiments.0.marker: 'and' has a meaning in pytest"),
        ({"id": "xfail"}, "experiments.0.marker: 'xfail' has a meaning in pytest"),
        ({"marker": "further_experiments"}, "experiments.0.marker: "),
        ({"marker": "boundary"}, "experiments.0.marker: 'boundary' is taken"),
        ({"qestion": "?"}, "experiments.0.qestion: unknown key; did you mean 'question'"),
        ({"id": 7}, "experiments.0.id: "),
    ],
)
def test_a_wrong_experiment_is_refused_by_file_and_key(tmp_path: Path, row: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput) as caught:
        _ = overlay(tmp_path, own_experiment(**row)).experiments
    assert f"experiments.yaml: {told}" in str(caught.value)


@pytest.mark.parametrize(("file", "key"), [("experiments", "experimnts"), ("models", "modles"), ("endpoints", "end")])
def test_a_list_under_a_misspelt_key_is_refused_and_not_silently_empty(tmp_path: Path, file: str, key: str) -> None:
    with pytest.raises(BadInput, match=rf"{file}.yaml: {key}: unknown key; (did you mean|known are) .*{file}"):
        getattr(overlay(tmp_path, {f"{file}.yaml": {key: []}}), file)


@pytest.mark.parametrize(
    ("named", "told"), [("stabillity", "did you mean stability"), ("roles", "known are "), ("reasons", "")]
)
def test_a_scenario_of_an_unknown_experiment_or_of_a_kind_without_scripts_is_refused(
    tmp_path: Path, named: str, told: str
) -> None:
    files = {"scenarios/own.yaml": SCENARIO | {"experiment": named}, "editions/mine.yaml": own_edition()}
    refused = refusal(overlay(tmp_path, files), "mine")
    assert f"own.yaml: experiment: experiments.yaml has no row {named!r} for scenarios; {told}" in refused


def test_two_rows_of_one_label_in_one_file_are_refused(tmp_path: Path) -> None:
    rows = {"models": [{"label": "a", "id": "x/a"}, {"label": "a", "id": "x/b"}]}
    with pytest.raises(BadInput, match=r"models\.1: label 'a' is given twice"):
        _ = overlay(tmp_path, {"models.yaml": rows}).models


def test_a_model_on_an_endpoint_that_is_no_row_is_refused(tmp_path: Path) -> None:
    rows = {"models": [{"label": "a", "id": "x/a", "endpoint": "openruter"}]}
    with pytest.raises(BadInput, match="did you mean openrouter"):
        _ = overlay(tmp_path, {"models.yaml": rows}).models


@pytest.mark.parametrize(
    ("file", "content", "attribute"),
    [
        ("models.yaml", {"models": {"a": 1}}, "models"),
        ("prompts/system_variants.yaml", {"variants": {"a": 1}}, "system_variants"),
        ("prompts/judge.yaml", {"system": ""}, "judge_frame"),
        ("prompts/delivery_modes.yaml", {"user_role": {"strat": "x"}}, "delivery_prompts"),
        ("judges.yaml", {"default": 3}, "judge_settings"),
        ("endpoints.yaml", {"endpoints": [{"name": "a", "base_url": "nowhere"}]}, "endpoints"),
    ],
)
def test_each_file_of_the_wrong_shape_is_refused_by_name(
    tmp_path: Path, file: str, content: object, attribute: str
) -> None:
    catalogue = overlay(tmp_path, {file: content})
    with pytest.raises(BadInput, match=Path(file).name):
        getattr(catalogue, attribute)


def test_a_configs_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--configs=.*no such folder"):
        Catalogue(tmp_path / "none")


def test_the_packaged_folder_as_overlay_of_itself_is_read_once() -> None:
    assert len(Catalogue(packaged_configs()).folders) == 1


def test_a_rubric_carries_the_judges_frame_so_that_a_changed_frame_is_a_changed_rubric(tmp_path: Path) -> None:
    before = load_edition("v2").scenarios[0].rubric
    after = load_edition("v2", overlay(tmp_path, {"prompts/judge.yaml": {"system": "Be kind."}})).scenarios[0].rubric
    assert before is not None
    assert after is not None
    assert after.frame.system == "Be kind."
    assert after.frame.reply == before.frame.reply
    assert before.digest != after.digest


def test_a_rubric_with_two_fields_of_one_name_is_refused(tmp_path: Path) -> None:
    field = {"name": "reasoning", "type": "integer", "asks": "?"}
    rubric = {"id": "r", "instruction": "Judge.", "scores": [field]}
    files = {
        "scenarios/own.yaml": SCENARIO | {"rubric": "r", "pass": "none"},
        "rubrics/r.yaml": rubric,
        "editions/mine.yaml": own_edition(),
    }
    assert "'reasoning' is taken" in refusal(overlay(tmp_path, files), "mine")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ({"at_least": 60}, "pass.0.at_least: 60 is outside the score's 0 to 10; correct the number (line "),
        ({"at_most": -1}, "pass.0.at_most: -1 is outside the score's 0 to 10"),
        ({"equals": True}, "pass.0.equals: true is no value of this score; give integer from 0 to 10"),
        ({"at_least": "six"}, "pass.0.at_least: it must be a number (it holds 'six') (line "),
    ],
)
def test_a_mark_that_no_score_can_have_is_refused_by_file_key_and_line(
    tmp_path: Path, rule: dict[str, object], told: str
) -> None:
    scenario = SCENARIO | {"pass": [{"score": "consistency_score"} | rule]}
    refused = refusal(overlay(tmp_path, {"scenarios/own.yaml": scenario, "editions/mine.yaml": own_edition()}), "mine")
    assert f"own.yaml: {told}" in refused
    assert "function" not in refused
    assert "tuple" not in refused


def test_a_misspelt_variant_is_blamed_on_the_file_that_holds_it(tmp_path: Path) -> None:
    files = {"scenarios/own.yaml": SCENARIO, "editions/mine.yaml": own_edition(system_variants=["neutrall"])}
    refused = refusal(overlay(tmp_path, files), "mine")
    assert "mine.yaml: system_variants.0: there is no system variant 'neutrall'; did you mean neutral?" in refused


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"system_variants": ["neutrall"]}, "base.yaml: system_variants.0: there is no system variant 'neutrall'"),
        ({"delivery_modes": ["letter"]}, "base.yaml: delivery_modes.0: it must be "),
        ({"scenarios": ["owm"]}, "base.yaml: scenarios: there is no scenarios/owm.yaml"),
        ({"components": {"consistency": {"weight": "much"}}}, "base.yaml: components.consistency.weight: it must be "),
    ],
)
def test_a_fault_that_an_edition_inherits_is_blamed_on_the_file_that_holds_it(tmp_path: Path, wrong, told) -> None:
    base = own_edition(id="base") | wrong
    chain = {"middle": {"id": "middle", "title": "Middle", "extends": "base"}}
    chain["mine"] = {"id": "mine", "title": "Mine", "extends": "middle"}
    files = {f"editions/{stem}.yaml": content for stem, content in {"base": base, **chain}.items()}

    assert told in refusal(overlay(tmp_path, {"scenarios/own.yaml": SCENARIO, **files}), "mine")


def test_wrong_weights_are_told_without_the_whole_edition(tmp_path: Path) -> None:
    parts = [{"score": "consistency_score", "scenarios": ["own"]}]
    components = {"consistency": {"weight": 0.5, "maximum": 10, "parts": parts}}
    files = {"scenarios/own.yaml": SCENARIO, "editions/mine.yaml": own_edition(components=components)}
    refused = refusal(overlay(tmp_path, files), "mine")
    assert "mine.yaml: components: the weights sum to 0.5, they must sum to 1 (line " in refused
    assert "it holds" not in refused


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("own-file", "own-file.yaml: id: mine.yaml names it 'own-file' in `components`; write one id in both"),
        ("owm", "mine.yaml: components.consistency_score: scenario 'owm' is not in this edition; did you mean own?"),
    ],
)  # fmt: skip
def test_a_scenario_by_another_name_than_its_id_is_blamed_on_the_file_that_has_it(
    tmp_path: Path, named: str, told: str
) -> None:
    parts = [{"score": "consistency_score", "scenarios": [named]}]
    components = {"consistency_score": {"weight": 1, "maximum": 10, "parts": parts}}
    edition = own_edition(scenarios=["own-file"], components=components)
    files = {"scenarios/own-file.yaml": SCENARIO, "editions/mine.yaml": edition}

    assert told in refusal(overlay(tmp_path, files), "mine")


@pytest.mark.parametrize("change", [{"address": "javascript:alert(1)"}, {"author": "a}, title = {b"}, {"licence": ""}])
def test_whose_data_it_is_fits_a_link_and_a_line_of_bibtex(change: dict[str, str]) -> None:
    known = {"title": "T", "author": "A", "address": "https://example.org/t", "licence": "MIT"}
    assert Provenance(**known).sentence == "Data of T by A, MIT licence, https://example.org/t."
    with pytest.raises(ValueError, match="string_"):
        Provenance(**known | change)
