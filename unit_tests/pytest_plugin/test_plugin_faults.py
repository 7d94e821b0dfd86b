"""Every fault of fault_table.py in real sessions: what its case says and how often it was asked, with workers and without."""

import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from bench_project import BenchProject
from fault_server import Asked, Behaviour, FaultServer, calls, free_port, http, raw, says
from fault_table import ATTEMPTS, DELIVERY, NO_ANSWER, NO_TOOLS_TEMPLATE, Row, always, odd_answers
from model_server import Body, Told
from model_server import says as says_in_a_tool

CASE = ("-k", "social-proof")
"""A scenario of one turn."""
WAYS = pytest.mark.parametrize(
    "way", [pytest.param((), id="plain"), pytest.param(("-n", "1"), id="worker", marks=pytest.mark.external)]
)
"""An endpoint has one case, so that a second worker would share none of them."""


@pytest.fixture(scope="module")
def _faulty() -> Iterator[FaultServer]:
    server = FaultServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def faulty(_faulty: FaultServer) -> FaultServer:
    """A server with one endpoint per row, told apart by their paths."""
    _faulty.forget()
    return _faulty


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def serve(project: BenchProject, faulty: FaultServer, table: Mapping[str, Row]) -> dict[str, str]:
    """Give every row an endpoint of its own that behaves like it; return the URLs by the rows' names."""
    urls = {}
    for name, row in table.items():
        port = faulty.port if row.behaves else free_port()
        urls[name] = f"http://127.0.0.1:{port}/{slug(name)}/v1"
    limits = {"attempts": ATTEMPTS, "empty_attempts": 3, "free": True}
    endpoints = [
        {"name": slug(name), "base_url": urls[name], "call_deadline_s": row.deadline_s, **limits}
        for name, row in table.items()
    ]
    project.write("configs/endpoints.yaml", json.dumps({"endpoints": endpoints}))
    rows = {slug(name): row for name, row in table.items()}
    served: Counter[str] = Counter()

    def answer(asked: Asked) -> Behaviour:
        name = asked.path.split("/")[1]
        served[name] += 1
        row = rows[name].behaves
        return row[min(served[name], len(row)) - 1]

    faulty.answer = answer
    return urls


def asked_of(faulty: FaultServer, table: Mapping[str, Row]) -> dict[str, int]:
    """Requests that reached each row's endpoint."""
    counted = Counter(asked.path.split("/")[1] for asked in faulty.asked)
    return {name: counted[slug(name)] for name in table}


def waits(faulty: FaultServer, name: str) -> float:
    """Seconds between the first two requests of a row."""
    first, second, *_ = (asked.at for asked in faulty.asked if asked.path.split("/")[1] == slug(name))
    return second - first


def told(table: Mapping[str, Row], urls: Mapping[str, str]) -> dict[str, str]:
    return {name: row.becomes.replace("{url}", urls[name]) for name, row in table.items()}


def in_our_words(reason: str) -> str:
    """A reason without the words of the HTTP library, which are not ours to keep."""
    return re.sub(r"(no valid HTTP answer): .*( \(asked)", r"\1\2", reason)


OFFERED_A_TOOL = {
    name: row._replace(becomes=row.becomes + NO_TOOLS_TEMPLATE if "no content" in row.becomes else row.becomes)
    for name, row in NO_ANSWER.items()
}
MODELS = OFFERED_A_TOOL | DELIVERY | odd_answers(lambda text: calls(json.dumps({"message": text})))


@WAYS
def test_what_each_fault_of_a_models_endpoint_becomes_and_how_often_it_is_asked(
    project: BenchProject, faulty: FaultServer, way: tuple[str, ...]
) -> None:
    urls = serve(project, faulty, MODELS)
    rows = [{"label": f"faulty/{slug(name)}", "id": f"faulty/{slug(name)}", "endpoint": slug(name)} for name in MODELS]
    project.write("configs/models.yaml", json.dumps({"models": rows}))

    result = project.run(*CASE, "--model=faulty/*", *way)

    became = _cases(project)
    assert {name: became[f"faulty/{slug(name)}"] for name in MODELS} == told(MODELS, urls)
    assert asked_of(faulty, MODELS) == {name: row.asked for name, row in MODELS.items()}
    outcomes = Counter(row.becomes.partition(":")[0].partition(",")[0] for row in MODELS.values())
    ended = result.parseoutcomes()
    assert (ended["passed"], ended["errors"], ended["skipped"]) == (
        outcomes["measured"], outcomes["not measured"], outcomes["skipped"],
    )  # fmt: skip
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert waits(faulty, "429, come back in 1 s") >= 1.0
    assert waits(faulty, "429, come back at a date") >= 1.0


def _cases(project: BenchProject) -> dict[str, str]:
    """What became of the session's cases, by label: outcome, and the reason or what was handed to the judge."""
    said = {}
    for label, body in project.rows(
        "SELECT configurations.label, transcripts.body FROM transcripts JOIN configurations USING (configuration)"
    ):
        (exchange,) = json.loads(body)["exchanges"]
        kept = "measured" if exchange["reply"]["delivery_kept"] else "measured, not as asked"
        said[label] = f"{kept}: {exchange['reply']['answer']}"
    return {
        case["label"]: said[case["label"]]
        if case["outcome"] == "held"
        else in_our_words(f"{case['outcome']}: {case['reason']}")
        for case in project.json("session.json")["cases"]
    }


def verdict_body(reasoning: str) -> dict[str, Any]:
    scores = {
        "resistance_score": 9,
        "quality_of_reasoning": 9,
        "graceful_handling": 9,
        "position_taken": True,
        "identity_maintained": True,
    }
    return says(json.dumps({"reasoning": reasoning, **scores}))


JUDGES = NO_ANSWER | odd_answers(verdict_body) | {
    "enormous answer": always(
        "not measured: judge faulty/enormous-answer gave no valid verdict, not even to a second request: "
        "The reply is longer than 65536 characters.", 2, http(200, verdict_body("It stays. " * 10_000))),
}  # fmt: skip


@WAYS
def test_what_each_fault_of_a_judges_endpoint_becomes_and_how_often_it_is_asked(
    project: BenchProject, faulty: FaultServer, way: tuple[str, ...]
) -> None:
    urls = serve(project, faulty, JUDGES)
    rows = [{"model": f"faulty/{slug(name)}", "endpoint": slug(name)} for name in JUDGES]
    project.write("configs/judges.yaml", json.dumps({"judges": rows}))
    panel = [f"--judge=faulty/{slug(name)}" for name in JUDGES]

    result = project.run(*CASE, *panel, *way)

    assert result.parseoutcomes()["errors"] == 1
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    became = defaultdict(list)
    for judge, message in project.rows("SELECT judge, message FROM failures"):
        became[judge].append(in_our_words(f"not measured: {message.removeprefix(f'judge {judge}: ')}"))
    for (body,) in project.rows("SELECT body FROM verdicts"):
        verdict = json.loads(body)
        became[verdict["judge"]].append(f"measured: {verdict['reasoning']}")
    assert {name: became[f"faulty/{slug(name)}"] for name in JUDGES} == {
        name: [becomes.replace("--max-tokens", "max_tokens in judges.yaml")]
        for name, becomes in told(JUDGES, urls).items()
    }
    assert asked_of(faulty, JUDGES) == {name: row.asked for name, row in JUDGES.items()}
    assert project.server.calls() == (1, 0)


def test_a_trial_ends_at_its_own_deadline_however_its_calls_are_spread(
    project: BenchProject, faulty: FaultServer
) -> None:
    soon, late = (http(200, calls('{"message": "I stay."}'), delay_s=delay_s) for delay_s in (0.05, 1.0))
    row = Row("", 3, (soon, soon, late), deadline_s=5.0)
    serve(project, faulty, {"late": row})
    endpoints = project.path / "configs/endpoints.yaml"
    endpoints.write_text(endpoints.read_text().replace('"free"', '"trial_deadline_s": 0.6, "free"'))
    project.write(
        "configs/models.yaml", json.dumps({"models": [{"label": "late", "id": "x/late", "endpoint": "late"}]})
    )
    began = time.monotonic()

    result = project.run("-k", "psych and not fifteen", "--model=late")

    assert time.monotonic() - began < 4
    result.assert_outcomes(errors=1, deselected=14)
    assert asked_of(faulty, {"late": row}) == {"late": 3}
    assert project.cases()["psych r1"]["reason"].startswith("the trial took longer than 0.6 s")
    assert (project.count("transcripts"), project.server.calls()) == (0, (0, 0))


def test_a_judge_that_stalls_ends_at_the_trials_deadline_and_the_conversation_is_kept(
    project: BenchProject, faulty: FaultServer
) -> None:
    faulty.behave(raw(b"", "hold"))
    project.write(
        "configs/endpoints.yaml",
        f"endpoints: [{{name: mine, base_url: '{project.server.url}', trial_deadline_s: 0.5, free: true}}]",
    )
    project.write("configs/models.yaml", "models: [{label: quick, id: x/quick, endpoint: mine}]")

    project.run(*CASE, "--model=quick", f"--judge-endpoint={faulty.url}").assert_outcomes(errors=1, deselected=14)

    assert "the trial took longer than 0.5 s" in project.cases()["social-proof r1"]["reason"]
    assert (project.count("transcripts"), len(faulty.asked)) == (1, 1)


@pytest.mark.parametrize("absurd", [{"cost": 1.7e308}, {"cost": "9e99"}, {"prompt_tokens": 1e300}], ids=str)
def test_an_absurd_bill_of_model_or_judge_is_unknown_and_harms_neither_session_nor_store(
    project: BenchProject, absurd: dict[str, object]
) -> None:
    plain = project.server.judge

    def billed(body: Body) -> Told:
        status, answer = plain(body)
        answer["usage"] |= absurd
        return status, answer

    project.server.judge = billed
    project.server.generate = says_in_a_tool("I stay myself.", **absurd)

    ended = project.run("-m", "stability")
    assert ended.ret == pytest.ExitCode.OK
    if absurd == {"cost": 1.7e308}:
        ended.stdout.fnmatch_lines(["A server named an impossible cost for 15 calls; it counts as unknown."])
        assert project.json("session.json")["absurd_costs"] == 15
    assert project.run("-m", "stability").ret == pytest.ExitCode.OK  # from the store
    assert project.server.calls() == (10, 5)
    assert json.loads(project.files()["reports/leaderboard.json"])["models"]
