"""--max-cost: never exceeded, whatever fails and however many work; what it does not reach is left to the next session."""

from itertools import count
from threading import Lock
from typing import Any

import pytest
from bench_project import BenchProject
from model_server import Answer, Body, Told, error, says, slow, verdict
from test_plugin_bad_input import refused

PRICE_IN, PRICE_OUT = 1.0, 100.0
"""US dollars per million tokens: a call of 100 and 20 tokens costs 0.0021, and at worst some ten times that."""
CALL = 0.0021


NUMBERS = count()


def speaks(body: Body) -> Told:
    """Never the same answer twice: equal conversations would share their verdict."""
    return says(f"I am someone, and I stay it; I have said so {next(NUMBERS)} times.")(body)


class Till:
    """What the server earns: it charges for what it did, whether or not it says so in its answer."""

    def __init__(self) -> None:
        self.taken = 0.0
        self._lock = Lock()

    def charge(self, answer: Answer, usd: float = CALL) -> Answer:
        def charged(body: Body) -> Told:
            with self._lock:
                self.taken += usd
            return answer(body)

        return charged


@pytest.fixture
def till(project: BenchProject) -> Till:
    """A model and a judge at prices of our own, on a server that counts its money."""
    url = project.server.url
    project.write("configs/endpoints.yaml", f"endpoints: [{{name: paid, base_url: '{url}', attempts: 3}}]")
    prices = f"price_in: {PRICE_IN:g}, price_out: {PRICE_OUT:g}"
    project.write(
        "configs/models.yaml",
        "models:\n"
        f"  - {{label: test/paid, id: test/paid, endpoint: paid, max_tokens: 200, {prices}}}\n"
        "  - {label: test/unpriced, id: test/unpriced, endpoint: paid, max_tokens: 200}\n",
    )
    project.write(
        "configs/judges.yaml", f"judges: [{{model: test/judge, endpoint: paid, max_tokens: 100, {prices}}}]\n"
    )
    project.impatient_workers()
    till = Till()
    project.server.generate = till.charge(speaks)
    project.server.judge = till.charge(verdict())
    return till


PAID = ("--model=test/paid", "--judge=test/judge")


def spent(project: BenchProject) -> float:
    charged: float = project.json("session.json")["budget"]["charged_usd"]
    return charged


def broken_off(project: BenchProject) -> list[Any]:
    """Conversations that were begun and left for want of money."""
    return project.rows("SELECT scenario, attempts FROM failures WHERE kind = 'budget' AND attempts > 0")


def test_what_the_budget_does_not_reach_is_left_to_the_next_session(project: BenchProject, till: Till) -> None:
    result = project.run(*PAID, "--max-cost=0.2", "--runs=3")

    told = result.parseoutcomes()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert 10 < told["passed"] < 45
    assert told["passed"] + told["errors"] == 45
    assert 0.05 < till.taken <= 0.2
    assert spent(project) == pytest.approx(till.taken)
    assert project.json("session.json")["options"]["max_cost"] == 0.2
    assert broken_off(project) == []
    assert len(project.server.asked) == project.rows("SELECT sum(answers) FROM transcripts")[0][0] + told["passed"]

    again = project.run(*PAID, "--max-cost=0.2", "--runs=3")
    assert again.parseoutcomes() == {"passed": 45}
    assert till.taken == pytest.approx(3 * 41 * CALL)


def test_the_terminal_says_it_once_and_other_errors_one_by_one(project: BenchProject, till: Till) -> None:
    result = project.run(*PAID, "--max-cost=0.1", "-rE")

    errors = result.parseoutcomes()["errors"]
    result.stdout.fnmatch_lines([f"not measured: budget: {errors} cases; $0.0* of $0.1 are spent, *"])
    output = result.stdout.str()
    assert "ERROR at setup" not in output
    assert "ERROR bench_tests" not in output
    reasons = {case["reason"] for case in project.json("session.json")["cases"]} - {None}
    assert reasons == {"too little is left of the budget of $0.1; the same command measures the rest"}

    assert project.run(*PAID, "--max-cost=5", "--lf").parseoutcomes()["passed"] == errors
    before = till.taken
    project.run(*PAID, "--max-cost=0.1", "--assume-price=0,0", "--store=other.sqlite")  # known prices hold
    assert till.taken - before <= 0.1

    project.server.generate = till.charge(error(400, "not like this"))
    others = project.run(*PAID, "--max-cost=5", "-k", "creativity", "-rE", "--store=third.sqlite")
    others.stdout.fnmatch_lines(["*ERROR at setup of *", "ERROR bench_tests*not like this*"])
    assert "not measured: budget" not in others.stdout.str()


@pytest.mark.slow
def test_reruns_repeat_nothing_for_want_of_money(project: BenchProject, till: Till) -> None:
    told = project.run(*PAID, "--max-cost=0.1", "--reruns=2").parseoutcomes()
    assert "rerun" not in told
    assert till.taken <= 0.1
    assert project.count("failures") == told["errors"]


HALVES: list[dict[str, Any]] = [
    {},
    {"prompt_tokens": None},
    {},
    {"completion_tokens": "many", "total_tokens": -1},
    {"prompt_tokens": None, "completion_tokens": None, "cost": 1e-300},
]
"""What a server may report of what it charges for."""


@pytest.mark.slow
def test_three_workers_spend_no_more_than_the_budget_whatever_fails_or_is_not_reported(
    project: BenchProject, till: Till
) -> None:
    numbers, lock = count(), Lock()

    def sometimes(bad: Answer, good: Answer) -> Answer:
        def answer(body: Body) -> Told:
            with lock:
                number = next(numbers)
            return (bad if number % 9 == 8 else good)(body)

        return answer

    def reports_halves(body: Body) -> Told:
        number = next(NUMBERS)
        return says(f"I stay who I am; I have said so {number} times.", **HALVES[number % len(HALVES)])(body)

    project.server.generate = till.charge(sometimes(error(500), reports_halves))
    project.server.judge = till.charge(sometimes(error(502), verdict()))
    short = project.path / "configs" / "models.yaml"
    short.write_text(short.read_text().replace("max_tokens: 200", "max_tokens: 30"))  # or one worker would get it all
    result = project.run(*PAID, "-n", "3", "-v", "--reruns=1", "--max-cost=0.45", "--runs=6")

    told = result.parseoutcomes()
    assert 0.15 < till.taken <= spent(project) + 1e-9 <= 0.45 + 1e-6
    assert told["passed"] + told["errors"] == 90
    for worker in ("gw0", "gw1", "gw2"):
        result.stdout.fnmatch_lines([f"[[]{worker}[]]*HELD*"])
    result.stdout.fnmatch_lines(["not measured: budget: * cases; *"])


KILLER = """
    import os
    import signal
    from pathlib import Path

    import pytest

    MARK = Path(__file__).with_name("killed")
    independence_bench_suite = True


    @pytest.hookimpl(trylast=True)
    def pytest_runtest_setup(item):
        if os.environ.get("PYTEST_XDIST_WORKER") and not MARK.exists() and "-r4-" in item.name:
            MARK.touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_worker_that_replaces_a_dead_one_has_the_rest_of_its_share(project: BenchProject, till: Till) -> None:
    project.server.generate = till.charge(slow(0.02, speaks))
    short = project.path / "configs" / "models.yaml"
    short.write_text(short.read_text().replace("max_tokens: 200", "max_tokens: 30"))
    project.write("bench_tests/conftest.py", KILLER)
    result = project.run(*PAID, "-n", "2", "-v", "--max-cost=0.45", "--runs=6")
    assert (project.path / "bench_tests" / "killed").exists()
    assert 0.15 < till.taken <= spent(project) + 1e-9 <= 0.45 + 1e-6
    assert result.parseoutcomes()["passed"] > 30
    result.stdout.fnmatch_lines(["[[]gw2[]]*HELD*"])  # the one that replaces it


# --- prices ---------------------------------------------------------------------------------------------------------


def test_an_unknown_price_is_refused_before_any_call(project: BenchProject, till: Till) -> None:
    told = refused(project, "--max-cost=1", "--model=test/unpriced", "--judge=test/judge", "-p", "no:cacheprovider")
    assert "--max-cost: the price of test/unpriced is not known" in told and "--assume-price=IN,OUT" in told


@pytest.mark.parametrize(
    "workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.external)]
)  # of which one gets it all: it is too little to be shared
def test_an_assumed_price_serves_the_budget_and_is_shown_as_no_cost(
    project: BenchProject, till: Till, workers: tuple[str, ...]
) -> None:
    price = f"--assume-price={PRICE_IN},{PRICE_OUT}"
    result = project.run("--max-cost=0.1", "--model=test/unpriced", "--judge=test/judge", price, *workers)
    assert 3 < result.parseoutcomes()["passed"] < 15
    assert spent(project) == pytest.approx(till.taken)
    assert till.taken <= 0.1
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["label"], row["cost_usd"]) == ("test/unpriced", None)
    assert project.json("session.json")["totals"]["cost_usd"] is None
    assert project.json("session.json")["options"]["assume_price"] == [PRICE_IN, PRICE_OUT]


def test_what_is_free_needs_no_money(project: BenchProject) -> None:
    result = project.run("--model=offline/mirror", "--judge=offline/lexical", "--max-cost=0.000001", "-m", "stability")
    assert "errors" not in result.parseoutcomes()
    assert spent(project) == 0.0


def test_a_server_that_charges_more_than_its_list_price_ends_the_asking(project: BenchProject, till: Till) -> None:
    project.server.generate = till.charge(says("I am someone.", cost=0.05), 0.05)
    result = project.run(*PAID, "--max-cost=0.08")
    assert len(project.server.asked) == 1
    assert spent(project) == pytest.approx(0.05)
    assert result.parseoutcomes()["errors"] == 15
    reasons = {case["reason"].partition(",")[0] for case in project.json("session.json")["cases"]}
    assert "a call to test/paid cost $0.050000" in reasons


def test_judging_is_paid_from_the_budget_too_and_transcripts_are_kept(project: BenchProject, till: Till) -> None:
    project.run("--model=test/paid", "--judge=offline/lexical")
    before = till.taken
    told = project.run(*PAID, "--max-cost=0.02").parseoutcomes()
    assert 0 < told["errors"] < 15
    assert 0 < till.taken - before <= 0.02
    assert len(project.server.generations) == 26


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--max-cost=1", "--assume-price=1"), "--assume-price=1: write two prices"),
        (("--max-cost=1", "--assume-price=1,-2"), "--assume-price=1,-2: write two prices"),
        (("--max-cost=1", "--assume-price="), "--assume-price: it is empty"),
        (("--assume-price=1,2",), "--assume-price: it needs --max-cost"),
    ],
)
def test_amounts_that_are_none_are_refused(project: BenchProject, options: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(project, *options)
