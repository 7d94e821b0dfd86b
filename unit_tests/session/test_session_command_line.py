"""A session's own command line, given again: other runs, the whole plan, and never a key."""

import shlex

from independence_bench.session.command_line import from_options, shown, value_of, whole, with_runs


def test_runs_are_replaced_however_they_were_given():
    assert with_runs(["bench_tests", "--runs=3", "-q"], 7) == ["bench_tests", "-q", "--runs=7"]
    assert with_runs(["bench_tests", "--runs", "3", "-q"], 7) == ["bench_tests", "-q", "--runs=7"]
    assert with_runs(["bench_tests"], 7) == ["bench_tests", "--runs=7"]


def test_the_last_value_of_an_option_counts():
    assert value_of(["--runs=3", "--runs", "4"], "--runs") == "4"
    assert value_of(["--runs-more=3", "--runs"], "--runs") is None


def test_what_narrows_a_session_is_left_out_of_the_whole_plan():
    words = ["bench_tests", "-k", "creativity", "-m", "stability", "--lf", "-x", "--maxfail=2", "--deselect=a", "-kx"]

    assert whole([*words, "-n", "2", "-q"]) == ["bench_tests", "-n", "2", "-q"]


def test_a_command_is_quoted_and_holds_no_key():
    environment = {"SOME_KEY": "s3cret value", "EMPTY": ""}

    text = shown("pytest", ["a b", "--note=s3cret value"], environment, ["SOME_KEY", "EMPTY", "UNSET"])

    assert shlex.split(text) == ["pytest", "a b", "--note=THE_VALUE_OF_SOME_KEY"]


def test_stored_options_become_words_again_but_for_the_shard():
    options = {
        "models": ["a/b", "c/d"],
        "edition": "v2",
        "runs": 5,
        "judges": ["j"],
        "delivery_modes": ["user_role"],
        "temperature": 0.1,
        "shard": "1/4",
    }

    assert from_options(options) == [
        "bench_tests",
        "--model=a/b",
        "--model=c/d",
        "--edition=v2",
        "--runs=5",
        "--judge=j",
        "--delivery-mode=user_role",
        "--temperature=0.1",
    ]
