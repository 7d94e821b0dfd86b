"""What no repetition mends stops that model, or that judge, at once, and nothing else; it is told in one line."""

import json
import re
import time
from collections import Counter
from collections.abc import Container
from itertools import count

import pytest
from bench_project import BenchProject
from fault_server import free_port
from model_server import Answer, Body, Told, error, says

HOPELESS: dict[str, Answer] = {
    "key": error(401, "wrong key"),
    "credit": error(402, "no credit"),
    "forbidden": error(403, "not for you"),
    "address": error(404, "nothing here"),
    "unknown": error(400, "unknown is not a valid model ID"),
}
"""What is wrong, by the name of the model that it is wrong with."""
REASONS = {
    "key": "HTTP 401: wrong key",
    "credit": "HTTP 402: no credit",
    "forbidden": "HTTP 403: not for you",
    "address": "HTTP 404: nothing here",
    "unknown": "HTTP 400: unknown is not a valid model ID",
}
WAYS = pytest.mark.parametrize(
    "way", [(), pytest.param(("-n", "2"), marks=pytest.mark.external)], ids=["plain", "two workers"]
)


def by_model(body: Body) -> Told:
    return HOPELESS.get(body["model"], says("I stay."))(body)


def lines_with(result: pytest.RunResult, text: str) -> list[str]:
    """Lines of the output, the leaderboard's rows left out."""
    return [line for line in result.outlines if text in line and not re.match(r"\S+ +\d+/\d+ ", line)]


@WAYS
def test_a_hopeless_model_is_asked_no_more_while_the_others_are_measured(
    project: BenchProject, way: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("independence_bench.chat.throttle.ALONE_S", 60.0)  # not in workers
    project.server.generate = by_model
    rows = [
        {"label": name, "id": f"test/{name}", "served_id": name, "endpoint": "mine"} for name in (*HOPELESS, "good")
    ]
    project.write("configs/models.yaml", json.dumps({"models": rows}))
    project.write("configs/endpoints.yaml", f"endpoints: [{{name: mine, base_url: '{project.server.url}'}}]")

    result = project.run(
        "-m", "stability", "--runs=3", f"--model={','.join(HOPELESS)},good", "--concurrency-per-model=8", *way
    )

    told = result.parseoutcomes()
    assert (told["passed"], told["errors"]) == (15, 15 * len(HOPELESS))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    asked = Counter(asked.body["model"] for asked in project.server.generations)
    # In a worker on a busy machine: what was in flight when the first answer came.
    assert all(1 <= asked[name] <= (8 if way else 1) for name in HOPELESS)
    reasons = {(case["label"], case["reason"]) for case in project.json("session.json")["cases"] if case["reason"]}
    asked_at = f"; the URL asked is {project.server.url}/chat/completions"
    expected = {**REASONS, "address": REASONS["address"] + asked_at}
    assert reasons == set(expected.items())
    for name, reason in expected.items():
        shown = [line for line in lines_with(result, reason) if line.startswith(("ERROR ", f"{name}: "))]
        assert len(shown) == 2
        assert shown[0].endswith(f"not measured: {reason}")
        assert shown[1] == f"{name}: 14 more cases not measured for the same reason: {reason}"


@WAYS
def test_a_hopeless_judge_is_asked_no_more_and_nothing_is_generated_that_nobody_would_read(
    project: BenchProject, way: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("independence_bench.chat.throttle.ALONE_S", 60.0)  # not in workers
    project.server.judge = error(401, "wrong key")

    result = project.run("-m", "stability", "--runs=8", "--concurrency=8", *way)

    assert result.parseoutcomes()["errors"] == 40
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    generated, judged = project.server.calls()
    assert 1 <= judged <= (8 if way else 1)
    assert generated <= 24  # a conversation that has begun is finished and kept, to be judged another time
    assert len(lines_with(result, "wrong key")) <= 4
    (more,) = lines_with(result, "more cases not measured for the same reason: judge test/judge+")
    assert more.endswith("HTTP 401: wrong key")


PAGE: Answer = lambda body: (404, {"detail": "Not Found"})  # noqa: E731 - of a gateway, not of a chat server


@pytest.mark.parametrize(
    ("page_at", "reruns", "measured", "requests"),
    [
        ({4}, 0, 5, 11),  # after a good answer
        ({1}, 0, 0, 1),
        ({1}, 2, 5, 11),
        (range(1, 9999), 2, 0, 3),  # one probe for each repetition
        (range(4, 9999), 0, None, None),
    ],
)
def test_a_page_that_is_no_chat_servers_ends_nothing_for_good(
    project: BenchProject,
    page_at: Container[int],
    reruns: int,
    measured: int | None,
    requests: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("independence_bench.chat.throttle.ALONE_S", 60.0)
    sent = count(1)
    project.server.generate = lambda body: (PAGE if next(sent) in page_at else says("I stay."))(body)

    result = project.run(
        "-m", "stability", "--concurrency=4", "--call-attempts=2", *([f"--reruns={reruns}"] if reruns else [])
    )

    told = result.parseoutcomes()
    passed = told.get("passed", 0)
    assert told.get("errors", 0) == 5 - passed
    assert passed == measured if measured is not None else passed <= 1
    assert requests in (None, len(project.server.generations))
    reasons = {case["reason"] for case in project.cases().values()} - {None}
    assert all(reason.startswith("HTTP 404: Not Found") for reason in reasons)
    assert bool(reasons) is (passed < 5)


def test_a_used_up_quota_of_a_day_stops_the_model_also_for_repetitions_and_the_same_command_asks_again(
    project: BenchProject,
) -> None:
    project.server.generate = error(429, "Rate limit reached on requests per day (RPD). Please try again in 7m12s.")
    for asked in (1, 2):
        result = project.run("-m", "stability", "--reruns=2")
        assert result.parseoutcomes()["errors"] == 5
        assert len(project.server.generations) == asked
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_server_that_never_was_there_is_told_soon_and_in_one_line(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("independence_bench.chat.retrying.PATIENCE_S", 0.2)
    url = f"http://127.0.0.1:{free_port()}/v1"
    began = time.monotonic()

    result = project.run(f"--endpoint={url}", "--model=test/model", "--runs=5")

    assert time.monotonic() - began < 10  # five attempts of a call take 20 seconds
    result.assert_outcomes(errors=75)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    reason = f"no connection to {url}: refused; no answer so far. Is the server running, and is its URL right (--endpoint, --judge-endpoint)?"
    assert {case["reason"] for case in project.cases().values()} == {reason}
    result.stdout.fnmatch_lines([f"*: 74 more cases not measured for the same reason: {reason}"])
    assert project.server.calls() == (0, 0)


def test_errors_of_other_tests_and_other_reasons_are_each_told(project: BenchProject) -> None:
    project.write(
        "bench_tests/test_own.py",
        """
        import pytest

        @pytest.fixture
        def broken():
            raise OSError("no such device")

        @pytest.mark.parametrize("number", [1, 2])
        def test_something(broken, number): pass
        """,
    )
    project.server.generate = error(401, "wrong key")

    result = project.run("-k", "creativity or direct or something", "--concurrency=1")

    result.assert_outcomes(errors=4, deselected=13)
    assert len([line for line in result.outlines if line.startswith("ERROR bench_tests/test_own.py")]) == 2
    result.stdout.fnmatch_lines(["*: 1 more case not measured for the same reason: HTTP 401: wrong key"])


def test_v_and_the_machine_readable_reports_hold_every_case(project: BenchProject) -> None:
    project.server.generate = error(401, "wrong key")

    project.run("-m", "stability", "--junitxml=junit.xml")
    loud = project.run("-m", "stability", "-v")
    assert len([line for line in loud.outlines if line.startswith("ERROR bench_tests")]) == 5
    for result in (loud, project.run("-m", "stability", "-qq")):
        result.stdout.no_fnmatch_line("*for the same reason*")

    assert (project.path / "junit.xml").read_text().count("HTTP 401: wrong key") >= 5
    assert len(project.cases()) == 5
    project.server.generate = says("I stay.")
    project.run("--lf").assert_outcomes(passed=5)
