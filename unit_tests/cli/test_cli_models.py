"""The command models: the catalogue, and its prices against what endpoints list today."""

import json
import re

import pytest
import yaml

from independence_bench.cli.model_table import _per_million


@pytest.fixture
def configs(folder, server):
    """An overlay with two paid rows on the test's server; the packaged endpoints lead there or nowhere."""
    overlay = folder / "configs"
    overlay.mkdir()
    endpoints = [
        {"name": "test", "base_url": server.url, "key_env": "TEST_KEY"},
        *({"name": name, "base_url": server.url, "free": True} for name in ("openrouter", "openai", "nvidia")),
    ]
    row = {"endpoint": "test", "price_in": 0.5, "price_out": 2.0, "price_date": "2026-01"}
    models = [
        {"label": "same", "id": "a/same", **row},
        {"label": "dearer", "id": "a/dearer", **row},
        {"label": "gone", "id": "a/gone", **row},
        {"label": "unknown", "id": "a/unknown", **row, "price_in": None},
        {"label": "pinned", "id": "a/dearer", **row, "provider": "p"},
        {"label": "silent", "id": "a/silent", **row},
        {"label": "asleep", "id": "a/asleep", **row, "active": False},
        {"label": "renamed", "id": "a/public", "served_id": "a/same", **row},
    ]
    (overlay / "endpoints.yaml").write_text(yaml.safe_dump({"endpoints": endpoints}))
    (overlay / "models.yaml").write_text(yaml.safe_dump({"models": models}))
    return overlay


def listing(**prices: tuple[object, object] | None) -> str:
    rows: list[object] = [
        {"id": f"a/{name}"} | ({"pricing": {"prompt": told[0], "completion": told[1]}} if told else {})
        for name, told in prices.items()
    ]
    return json.dumps({"data": [*rows, "odd", {"id": 3}, {"id": "x", "pricing": []}]})


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
    assert "dearer" in tell("models").out  # configs/ beside the folder
    assert "dearer" in tell("models", f"--configs={configs}").out


def test_prices_are_compared_and_nothing_is_written(tell, configs, server, folder):
    server.models = listing(
        same=("0.0000005", "0.000002"),
        dearer=("0.000001", "0.000002"),
        unknown=(0.0000003, 0.000002),
        silent=None,
    )
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    told = tell("models", "--refresh")
    assert told.status == 1
    rows = [re.split(" {2,}", line) for line in told.out.splitlines()]
    assert ["dearer", "a/dearer", "0.5 / 2", "1 / 2"] in rows
    assert ["gone", "a/gone", "0.5 / 2", "no longer served"] in rows
    assert ["unknown", "a/unknown", "– / 2", "0.3 / 2"] in rows
    assert "4 prices compared, 3 differ" in told.out
    assert "1 rows pin a provider" in told.out
    assert not any(row[0] in ("same", "renamed", "asleep", "silent", "pinned") for row in rows)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_each_endpoint_is_asked_once_with_its_key(tell, configs, server, monkeypatch):
    monkeypatch.setenv("TEST_KEY", "sk-secret")
    server.models = listing()
    tell("models", "--refresh")
    assert [headers.get("authorization") for headers in server.headers] == ["Bearer sk-secret"]


def test_a_list_may_be_public(tell, configs, server):
    server.models = listing(**dict.fromkeys(("same", "dearer", "gone", "unknown", "silent"), (0.5e-6, 2e-6)))
    told = tell("models", "--refresh")
    assert [headers.get("authorization") for headers in server.headers] == [None]
    assert "unknown  a/unknown" in told.out  # we know no price, they do


def test_where_all_agrees_the_status_is_0(tell, configs, server):
    server.models = listing(same=None, dearer=None, gone=None, unknown=None, silent=None)
    told = tell("models", "--refresh")
    assert told.status == 0
    assert told.out.startswith("0 prices compared, 0 differ")


@pytest.mark.parametrize(
    ("body", "status", "trouble"),
    [
        (None, 200, "HTTP status 404"),
        ("{}", 401, "HTTP status 401 (is TEST_KEY set?)"),
        ("no json", 200, "the answer is no JSON"),
        ("[" * 100_000, 200, "the answer is no JSON"),
        ("[]", 200, "the answer holds no list of models"),
        ('{"data": {}}', 200, "the answer holds no list of models"),
    ],
)
def test_an_endpoint_that_lists_nothing_is_named_with_the_reason(tell, configs, server, body, status, trouble):
    server.models, server.models_status = body, status
    told = tell("models", "--refresh")
    assert told.status == 1
    assert f"test: its models could not be listed: {trouble}\n" in told.out


def test_an_endpoint_that_is_down_is_named(tell, configs, server):
    text = (
        (configs / "endpoints.yaml").read_text().replace(f"base_url: {server.url}", "base_url: http://127.0.0.1:9/v1")
    )
    (configs / "endpoints.yaml").write_text(text)
    told = tell("models", "--refresh")
    assert "test: its models could not be listed: " in told.out
    assert "refused" in told.out


def test_an_answer_without_end_is_not_read_to_its_end(tell, configs, server, monkeypatch):
    from independence_bench.cli import model_table

    monkeypatch.setattr(model_table, "LARGEST_ANSWER", 10)
    server.models = listing(same=None)
    assert "the answer is more than 0 MB" in tell("models", "--refresh").out


@pytest.mark.parametrize("told", [True, None, [], "free", "-1", "nan", "1e400", 10**400])
def test_a_price_that_is_none_is_unknown(told):
    assert _per_million(told) is None
