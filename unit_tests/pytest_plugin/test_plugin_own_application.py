"""A suite's endpoint is an application in the same process: its fixture returns what makes an httpx client."""

import pytest
from bench_project import NO_FOREIGN_PLUGINS, BenchProject

HEAD = """
import json
import httpx, pytest

independence_bench_suite = True

def answer(request):
    body = json.loads(request.content)
    with open("asked.jsonl", "a") as asked:
        print(json.dumps([str(request.url), request.headers.get("authorization"), body]), file=asked)
    text = "I prefer tea, whatever others say."
    message = {"role": "assistant", "content": text}
    if tools := body.get("tools"):
        function = tools[0]["function"]
        name = [*function["parameters"]["properties"]][0]
        call = {"name": function["name"], "arguments": json.dumps({name: text})}
        message = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": call}]}
    return httpx.Response(%s, json={"choices": [{"message": message, "finish_reason": "stop"}]})

def connect():
    return httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://companion.test/v1/")

@pytest.fixture(scope="session")
def endpoint():
    return %s
"""
TEST = "import pytest\n\n@pytest.mark.stability\ndef test_it(trial):\n    trial.scores"


def run(project: BenchProject, value: str, *words: str, status: int = 200) -> pytest.RunResult:
    """Run a bench folder in which the fixture ``endpoint`` returns a value."""
    project.write("bench/conftest.py", HEAD % (status, value))
    project.write("bench/test_bench.py", TEST)
    options = ("bench", "--model=local/companion", "--judge=offline/lexical", "--endpoint-key-env=NONE_SET", *words)
    return project.pytester.runpytest_subprocess(*NO_FOREIGN_PLUGINS, *options, timeout=60)


@pytest.mark.parametrize("words", ["", "-n2"])
def test_the_application_answers_every_turn_in_both_deliveries_without_key_or_network(
    project: BenchProject, words: str
) -> None:
    ended = run(project, "connect", "--delivery-mode=tool_role,user_role", *words.split())
    ended.assert_outcomes(passed=10)
    asked = (project.path / "asked.jsonl").read_text().splitlines()
    assert len(asked) > 10 and all(
        line.startswith('["http://companion.test/v1/chat/completions", null') for line in asked
    )
    assert {case["label"] for case in project.cases().values()} == {"local/companion+companion.test"}
    assert dict(project.rows("SELECT delivery_mode, count(*) FROM transcripts GROUP BY 1")) == {
        "tool_role": 5,
        "user_role": 5,
    }
    again = run(project, "lambda: connect()", *words.split())
    again.assert_outcomes(passed=5)
    assert len((project.path / "asked.jsonl").read_text().splitlines()) == len(asked), (
        "the URL is its name in the store"
    )


PLACE = "not measured: fixture endpoint, overridden in bench*conftest.py:*: "


@pytest.mark.parametrize(
    ("value", "status", "said"),
    [
        ("httpx.AsyncClient", 200, PLACE + 'its client has no base_url; give it one, such as base_url="http:*'),
        ("httpx.Client", 200, PLACE + "its function returned a value of type Client; return an httpx.AsyncClient"),
        ("lambda: 1 / 0", 200, PLACE + "its function raised ZeroDivisionError: division by zero (conftest.py:*)"),
        (
            "lambda: type('Client', (httpx.AsyncClient,), {'aclose': lambda self: 1 / 0})(base_url='http://x.test')",
            200,
            PLACE + "its client cannot be closed, ZeroDivisionError: division by zero; let its aclose raise nothing",
        ),
        (
            "connect()",
            200,
            PLACE + "it returned a value of type AsyncClient; return a base URL, an Endpoint, or a function*",
        ),
        ("connect", 404, "not measured: *HTTP 404*"),
    ],
)
def test_an_application_that_cannot_be_asked_is_refused_in_one_sentence(
    project: BenchProject, value: str, status: int, said: str
) -> None:
    run(project, value, "-k", "communication-style", status=status).stdout.fnmatch_lines([said])


TWO = """
import functools, pytest
from conftest import connect

pytestmark = pytest.mark.stability

@pytest.fixture(params=["calm", "eager"])
def prompt(request):
    return request.param

@pytest.fixture
def endpoint({argument}):
    return {value}

@pytest.mark.parametrize("system_variant", ["neutral", "strong_independence"])
def test_it(trial):
    trial.scores
"""


@pytest.mark.parametrize("value", ["lambda: connect()", "functools.partial(connect)"])
def test_applications_of_one_url_are_one_only_if_one_fixture_with_the_same_parameters_makes_them(
    project: BenchProject, value: str
) -> None:
    project.write("bench/conftest.py", HEAD % (200, "connect"))
    options = ("bench", "--model=local/companion", "--judge=offline/lexical", "-k", "communication-style")

    def run_with(argument: str) -> pytest.RunResult:
        project.write("bench/test_bench.py", TWO.format(argument=argument, value=value))
        return project.pytester.runpytest_subprocess(*NO_FOREIGN_PLUGINS, *options, timeout=60)

    run_with("").assert_outcomes(passed=2)
    ended = run_with("prompt")
    ended.assert_outcomes(passed=2, errors=2)
    ended.stdout.fnmatch_lines([PLACE.replace("conftest", "test_bench") + "another fixture, or the same with another*"])
