"""Models, endpoints, judges and the key variables: rows that agree with each other and with the published facts."""

import re
from collections import Counter
from pathlib import Path

from independence_bench.spec import Endpoint, Model

ROOT = Path(__file__).parents[2]


def served(row) -> str:
    return row["served_id"] or row["id"].removeprefix("local/")


def test_every_row_states_every_fact_or_says_that_it_is_unknown(models):
    keys = [
        *(set(Model.model_fields) - {"build", "chosen_as", "chosen_max_tokens", "heuristic", "keeps_label", "retired"}),
        "active",
    ]
    assert [row["label"] for row in models if set(row) - {"default_in", "retired"} != set(keys)] == []


def test_every_row_is_a_model_of_the_vocabulary(models, endpoints):
    by_name = {row["name"]: Endpoint.model_validate(row) for row in endpoints}
    for row in models:
        facts = {key: value for key, value in row.items() if key not in ("active", "default_in")}
        model = Model.model_validate({**facts, "served_id": served(row), "endpoint": by_name[row["endpoint"]]})
        assert (model.label, model.id, model.endpoint.name) == (row["label"], row["id"], row["endpoint"])


def test_no_two_rows_are_asked_alike(models):
    asked = Counter(
        (row["endpoint"], served(row), row["temperature"], row["reasoning_effort"], row["provider"], row["max_tokens"])
        for row in models
    )
    assert [alike for alike, times in asked.items() if times > 1] == []


def test_an_id_that_starts_with_nvidia_and_another_maker_is_served_by_nvidias_own_endpoint(models):
    rows = [row for row in models if row["id"].startswith("nvidia/") and row["id"].count("/") == 2]
    assert rows
    for row in rows:
        assert row["endpoint"] == "nvidia"
        assert f"nvidia/{row['served_id']}" == row["id"]
        assert row["label"].split("@")[0].endswith("+nvidia-nim")
        assert row["vendor"] != "NVIDIA"


def test_only_rows_of_a_local_id_use_the_local_endpoint(models):
    assert {row["id"] for row in models if row["endpoint"] == "local"} == {
        row["id"] for row in models if row["id"].startswith("local/")
    }


def test_the_offline_models_are_free_and_without_thinking(models):
    for row in (row for row in models if row["endpoint"] == "offline"):
        assert (row["id"], row["price_in"], row["price_out"], row["thinking"]) == (row["label"], 0, 0, False)


def test_only_free_models_are_asked_where_none_is_named(models):
    assert {row["endpoint"] for row in models if row.get("default_in")} == {"offline"}


def test_a_price_has_a_date_and_both_sides(models):
    for row in models:
        if row["endpoint"] != "offline":
            known = {row[key] is not None for key in ("price_in", "price_out", "price_date")}
            assert len(known) == 1, row["label"]


def test_the_lexical_judge_is_no_model_to_be_measured(judges, models):
    assert judges["offline_default"] not in {row["id"] for row in models}


def test_a_judge_costs_what_the_same_model_costs_as_a_contestant(judges, models):
    prices = {row["id"]: (row["price_in"], row["price_out"], row["price_date"]) for row in models}
    row = next(row for row in judges["judges"] if row["model"] == judges["default"])
    assert (row["price_in"], row["price_out"], row["price_date"]) == prices[judges["default"]]


def test_the_example_environment_names_every_key_variable_with_a_comment_and_no_key(endpoints):
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    variables = [line for line in lines if line and not line.startswith("#")]
    assert variables == [f"{row['key_env']}=" for row in endpoints if row.get("key_env")]
    assert all(lines[lines.index(variable) - 1].startswith("# ") for variable in variables)


def test_labels_hold_no_character_that_would_break_a_command_line(models):
    assert [row["label"] for row in models if not re.fullmatch(r"[\w./:+@-]+", row["label"], re.ASCII)] == []
