"""The command models: the catalogue as a table."""

import pytest
import yaml


@pytest.fixture
def configs(folder):
    """An overlay with one endpoint and one model."""
    overlay = folder / "configs"
    overlay.mkdir()
    endpoints = [{"name": "test", "base_url": "http://127.0.0.1:9/v1", "key_env": "TEST_KEY"}]
    models = [{"label": "own", "id": "a/own", "endpoint": "test"}]
    (overlay / "endpoints.yaml").write_text(yaml.safe_dump({"endpoints": endpoints}))
    (overlay / "models.yaml").write_text(yaml.safe_dump({"models": models}))
    return overlay


def test_the_catalogue_is_printed_as_a_table(tell):
    told = tell("models")
    assert (told.status, told.err) == (0, "")
    lines = [line.split() for line in told.out.splitlines()]
    assert lines[0] == ["label", "id", "endpoint", "thinks", "USD", "in", "USD", "out", "as", "of", "active"]
    assert ["offline/mirror", "offline/mirror", "offline", "no", "0", "0", "–", "yes"] in lines
    assert [line[0] for line in lines[2:-1]] == sorted(line[0] for line in lines[2:-1])
    assert "…" not in told.out


def test_the_table_says_which_models_think_and_which_must(tell, configs):
    row = {"endpoint": "test", "reasoning_effort": "low"}
    models = [
        {"label": "thinker", "id": "a/thinker", **row, "thinking": True},
        {"label": "plain", "id": "a/plain", **row, "thinking": False},
        {"label": "always", "id": "a/always", **row, "reasoning_required": True},
        {"label": "riddle", "id": "a/riddle", **row},
    ]
    (configs / "models.yaml").write_text(yaml.safe_dump({"models": models}))
    thinks = {cells[0]: cells[3] for line in tell("models").out.splitlines() if len(cells := line.split()) > 3}
    assert [thinks[each["label"]] for each in models] == ["yes", "no", "must", "–"]


@pytest.mark.parametrize(
    ("columns", "hidden"), [(60, "id, endpoint, thinks, as of"), (80, "endpoint, thinks, as of"), (100, "endpoint")]
)
def test_the_table_is_as_wide_as_the_terminal_and_its_least_important_columns_go(tell, monkeypatch, columns, hidden):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = tell("models").out
    assert f"Hidden (terminal too narrow): {hidden}." in out
    assert max(map(len, out.splitlines())) <= columns


def test_rows_of_ones_own_stand_in_the_table(tell, configs):
    assert "own" in tell("models").out  # configs/ beside the folder
    assert "own" in tell("models", f"--configs={configs}").out
