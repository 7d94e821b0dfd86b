"""Every option's way: to settings, into the store, into the words that ask again, and back to the same settings."""

import argparse
import dataclasses
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from _pytest.config.argparsing import Parser
from hypothesis import given, settings
from hypothesis import strategies as st

from independence_bench.bad_input import BadInput
from independence_bench.catalog.endpoints import Overrides
from independence_bench.chat.prices import Price
from independence_bench.option_table import BY_SPELLING, rerun_arguments
from independence_bench.option_values import EFFORTS, MOST_RUNS, confidence, efforts, positive, runs, seed, temperature
from independence_bench.report.gate.criteria import GateOptions
from independence_bench.session.options import (
    GATE_OPTIONS,
    OPTIONS,
    Option,
    parse_options,
    read_gate_options,
    read_settings,
)
from independence_bench.session.settings import Settings
from independence_bench.session.shards import Shard
from independence_bench.spec import MaxTokensField, ReasoningEffort, ToolHistory

ROOT = Path("/no/such/root")
VARIABLES = {"SOME_KEY": "secret", "OTHER_KEY": "secret too"}
ASKED_AGAIN = tuple(option for option in OPTIONS if option.is_asked_again)
CRITERIA = tuple(option for option in GATE_OPTIONS if option.is_asked_again)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip).filter(lambda text: text != "--")
"""Argparse takes a value of two dashes away, wherever it stands."""
NAME = TEXT.map(lambda text: text.replace(",", "").strip()).filter(bool)


def values(option: Option) -> st.SearchStrategy[Any]:
    """What an option's field may hold."""
    if option.choices:
        return st.sampled_from(option.choices)
    if option.type is efforts:
        return st.lists(st.sampled_from(EFFORTS), unique=True, min_size=1).map(tuple)
    if option.type is temperature:
        return st.just("off") | st.floats(0.001, 2.0)
    if option.type is seed:
        return st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}", fullmatch=True)
    if option.type is not None:
        whole = {positive: 10**9, runs: MOST_RUNS}.get(option.type)
        highest = 0.999 if option.type is confidence else 1e9
        return st.integers(1, whole) if whole else st.floats(0.001, highest)
    return {
        "names": st.lists(NAME, unique=True, min_size=1).map(tuple),
        "each": st.lists(TEXT, min_size=1).map(tuple),
        "switch": st.just(True),
        "path": st.just(Path("/some/where else.json")),
        "edition": st.sampled_from(["lite", "/some/where/firm.yaml"]),
        "variable": st.sampled_from(list(VARIABLES)),
        "shard": st.just(Shard(2, 5)),
        "prices": st.builds(Price, st.floats(0, 1e6), st.floats(0, 1e6)),
    }.get(option.reads, TEXT)


@cache
def pytests_parser() -> Parser:
    parser = Parser(_ispytest=True)
    for option in (*OPTIONS, *GATE_OPTIONS):
        parser.addoption(option.flag, **option.keywords())
    return parser


def parsed_by_pytest(words: list[str]) -> argparse.Namespace:
    return pytests_parser().parse(words)


@pytest.mark.parametrize("option", ASKED_AGAIN, ids=lambda option: option.name)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_what_is_stored_asks_again_for_the_same(option: Option, data: st.DataObject) -> None:
    beside: dict[str, Any] = {"max_cost": 1.5} if option.name == "assume-price" else {}
    asked = Settings(root=ROOT, environment=VARIABLES, **beside, **{option.field: data.draw(values(option))})

    words = rerun_arguments(json.loads(json.dumps(asked.stored_options())))

    for namespace in (parse_options(words), parsed_by_pytest(words)):
        again = read_settings(namespace, ROOT, ROOT)
        assert dataclasses.replace(again, environment=VARIABLES) == asked


@pytest.mark.parametrize("option", CRITERIA, ids=lambda option: option.name)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_the_words_of_a_gate_ask_for_the_same(option: Option, data: st.DataObject) -> None:
    asked = GateOptions(**{option.field: data.draw(values(option))})

    assert read_gate_options(parsed_by_pytest(asked.words), ROOT) == asked


def test_two_prices_are_one_option() -> None:
    asked = Settings(root=ROOT, max_cost=1, assume_price=Price(1.0, 2.5))

    assert rerun_arguments(asked.stored_options())[-2:] == ["--max-cost=1", "--assume-price=1,2.5"]


def test_a_shard_is_stored_and_not_asked_for_again() -> None:
    stored = Settings(root=ROOT, shard=Shard(1, 4)).stored_options()

    assert stored["shard"] == "1/4"
    assert rerun_arguments(stored) == ["--edition=v2", "--runs=1"]


def test_what_an_older_or_newer_version_stored_is_no_trouble() -> None:
    stored = {"models": ["a/b", "c/d"], "warmth": 3, "runs": 5, "delivery_modes": ["user_role"], "command": "judge"}

    assert rerun_arguments(stored) == ["--model=a/b", "--model=c/d", "--runs=5", "--delivery-mode=user_role"]


@pytest.mark.parametrize("stored", [{"runs": "many"}, {"temperature": [1, 2]}, {"reasoning_effort": {"a": 1}}])
def test_stored_values_that_no_option_takes_are_refused_with_a_sentence(stored: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"^--[a-z-]+: "):
        parse_options(rerun_arguments(stored))


def test_every_option_has_its_own_flag_and_field_of_the_settings() -> None:
    names = [option.name for option in (*OPTIONS, *GATE_OPTIONS)]
    assert len(set(names)) == len(names)
    fields = {field.name for field in dataclasses.fields(Settings)} - {"root", "environment"}
    assert {option.field for option in OPTIONS} - {"plan"} == fields
    assert {option.field for option in GATE_OPTIONS} == {field.name for field in dataclasses.fields(GateOptions)}


def test_whatever_changes_a_model_or_its_endpoint_is_asked_for_again() -> None:
    assert {field.name for field in dataclasses.fields(Overrides)} <= {option.field for option in ASKED_AGAIN}


TAKE_ANY_WORDS = [option for option in OPTIONS if not (option.type or option.choices or option.reads == "switch")]


@pytest.mark.parametrize("option", TAKE_ANY_WORDS, ids=lambda option: option.name)
def test_an_empty_value_is_refused_by_name(option: Option) -> None:
    with pytest.raises(BadInput, match=rf"^{option.flag}: it is empty \(an unset variable\?\)"):
        read_settings(parse_options([f"{option.flag}="]), ROOT, ROOT)


def test_relative_paths_lie_in_the_folder_of_the_command(tmp_path: Path) -> None:
    read = read_settings(
        parse_options(["--store=a.sqlite", "--edition=mine/firm.yaml", "--configs=/else"]), ROOT, tmp_path
    )

    assert (read.store, read.configs) == (tmp_path / "a.sqlite", Path("/else"))
    assert read.edition == str(tmp_path / "mine" / "firm.yaml")


def test_a_key_given_instead_of_its_variable_is_not_stored() -> None:
    asked = Settings(root=ROOT, endpoint_key_env="sk0123456789", environment=VARIABLES)

    assert "endpoint_key_env" not in asked.stored_options()


# --- docs/reference.md --------------------------------------------------------------------------------------------------


def test_the_reference_names_every_option_once_by_its_purpose() -> None:
    reference = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
    table = reference.partition("| for | options |\n")[2].partition("\n\n")[0]

    assert sorted(re.findall(r"`(--[a-z-]+)`", table)) == sorted(option.flag for option in (*OPTIONS, *GATE_OPTIONS))


def test_what_an_option_takes_is_what_its_field_holds() -> None:
    choices = {option.field: option.choices for option in OPTIONS}
    assert get_args(ReasoningEffort) == EFFORTS
    assert choices["max_tokens_field"] == get_args(MaxTokensField)
    assert choices["tool_history"] == get_args(ToolHistory)


@pytest.mark.parametrize(
    "option",
    ["--runs=0", "--runs=two", "--runs=99999999", "--temperature=9", "--temperature=warm", "--call-timeout=0", "--call-timeout=inf",
     "--call-timeout=soon", "--call-attempts=0", "--concurrency=-1", "--max-tokens=0", "--reasoning-effort=much", "--rpm=0",
     "--max-cost=0", "--min-index=high", "--gate-confidence=0", "--gate-confidence=95", "--gate-confidence=nan"],
)  # fmt: skip
def test_an_impossible_value_is_refused_by_the_option_itself(option: str) -> None:
    flag, _, value = option.partition("=")
    read = BY_SPELLING[flag].type
    assert read is not None
    with pytest.raises(argparse.ArgumentTypeError, match=f"^'{re.escape(value)}' is not? "):
        read(value)
