"""Endpoints: where requests go, how often they are tried, which keys they carry, and that no key gets out."""

import pytest
from bench_project import BenchProject
from model_server import EMPTY, Answer, Body, Told, error, first, of_its_own, replies, slow, verdict

KEY = "sk-test-0123456789abcdef"


def test_a_local_id_is_asked_for_without_its_prefix(project: BenchProject) -> None:
    project.run("-k", "creativity", "--model=local/my-model", f"--endpoint={project.server.url}/")

    assert {asked.body["model"] for asked in project.server.generations} == {"my-model"}
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["label"], row["model_id"]) == (f"local/my-model+{project.server.host}", "local/my-model")


def test_one_url_written_in_two_ways_is_one_endpoint_and_gets_no_key(project: BenchProject) -> None:
    project.run("-k", "creativity", f"--endpoint={project.server.url}")
    assert {asked.path for asked in project.server.asked} == {"/v1/chat/completions"}
    assert all("authorization" not in asked.headers for asked in project.server.asked)
    before = project.server.calls()

    project.run("-k", "creativity", f"--endpoint={project.server.url.replace('http', 'HTTP')}/")

    assert project.server.calls() == before


@pytest.mark.parametrize("side", ["", "judge-"])
@pytest.mark.parametrize("dotenv", ["", "MY_KEY=of-dotenv\n"])
def test_the_key_of_an_endpoint_is_read_from_its_variable_before_dotenv(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, side: str, dotenv: str
) -> None:
    project.write(".env", dotenv)
    monkeypatch.setenv("MY_KEY", KEY)

    project.run("-k", "creativity", f"--{side}endpoint-key-env=MY_KEY")

    sent = [
        {each.headers.get("authorization") for each in asked}
        for asked in (project.server.generations, project.server.judgings)
    ]
    assert sent == ([{None}, {f"Bearer {KEY}"}] if side else [{f"Bearer {KEY}"}, {None}])


def test_a_key_may_be_in_dotenv_beside_the_root_folder(project: BenchProject) -> None:
    project.write(".env", f"MY_KEY={KEY}\n")

    project.run("-k", "creativity", "--endpoint-key-env=MY_KEY").assert_outcomes(passed=1, deselected=14)

    assert project.server.generations[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_key_gets_into_no_file_and_no_output_even_where_the_server_echoes_it(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    project.server.generate = first(1, error(500, f"no such key: {KEY}"), replies(f"My key is {KEY}."))
    project.server.judge = first(1, error(500, f"crashed for {KEY}"), verdict(f"It said {KEY}."))
    options = [
        "--endpoint-key-env=MY_KEY",
        "--judge-endpoint-key-env=MY_KEY",
        "-vv",
        "-l",
        "-rA",
        "--junitxml=junit.xml",
    ]

    for selected in ("creativity", "creativity", "creativity or social-proof"):
        result = project.run("-k", selected, "--call-attempts=1", *options)
        assert KEY not in result.stdout.str() + result.stderr.str()

    assert project.count("transcripts") > 0
    assert project.count("verdicts") > 0
    for name, content in project.files().items():
        assert KEY.encode() not in content, name


def test_an_endpoint_that_fails_at_first_is_asked_again(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("independence_bench.chat.retrying._FACTOR", 0.01)
    project.server.generate = first(1, error(503), project.server.generate)

    project.run("-k", "social-proof").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == (2, 1)


def test_attempts_say_how_often_one_answer_is_asked_for(project: BenchProject) -> None:
    project.server.generate = error(503, "busy")

    result = project.run("-k", "social-proof", "--call-attempts=1")

    result.stdout.fnmatch_lines(["not measured: HTTP 503: busy"])
    assert project.server.calls() == (1, 0)


def test_timeout_ends_the_wait_for_one_answer(project: BenchProject) -> None:
    project.server.generate = slow(2.0, project.server.generate)

    result = project.run("-k", "social-proof", "--call-timeout=0.2")

    result.assert_outcomes(errors=1, deselected=14)
    result.stdout.fnmatch_lines(["not measured: no answer within 0.2 s*"])


def test_a_server_that_is_down_is_named_in_one_line(project: BenchProject) -> None:
    result = project.run("-k", "social-proof", "--call-attempts=1", "--endpoint=http://127.0.0.1:9/v1")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["not measured: no connection to http://127.0.0.1:9/v1: refused"])


def test_failures_are_kept_with_their_cost_and_counted_into_the_total(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml", "models: [{label: test/paid, id: test/paid, endpoint: paid, price_in: 1, price_out: 10}]"
    )
    project.write(
        "configs/endpoints.yaml", f"endpoints: [{{name: paid, base_url: '{project.server.url}', empty_attempts: 1}}]"
    )
    good = project.server.generate
    options = ["-k", "social-proof", "--model=test/paid", "--judge=offline/lexical"]
    once = (100 * 1 + 20 * 10) / 1e6
    project.server.generate = EMPTY
    project.run(*options).assert_outcomes(errors=1, deselected=14)
    assert project.json("session.json")["totals"]["cost_usd"] == pytest.approx(once)

    project.server.generate = good
    project.run(*options)

    (row,) = project.json("leaderboard.json")["models"]
    assert row["cost"] == {
        "generation": pytest.approx(once),
        "judging": pytest.approx(0),
        "failed": pytest.approx(once),
    }
    assert row["cost_usd"] == pytest.approx(2 * once)
    assert project.rows("SELECT kind FROM failures") == [("empty",)]
    assert project.json("session.json")["totals"]["cost_usd"] == pytest.approx(once)


def test_the_cost_that_a_server_states_counts_before_list_prices(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml",
        "models: [{label: test/paid, id: test/paid, endpoint: paid, price_in: 100, price_out: 1000}]",
    )
    project.write("configs/endpoints.yaml", f"endpoints: [{{name: paid, base_url: '{project.server.url}'}}]")
    project.server.generate = replies("I stay.", cost=0.25)

    project.run("-k", "social-proof", "--model=test/paid", "--judge=offline/lexical")

    assert project.json("leaderboard.json")["models"][0]["cost_usd"] == pytest.approx(0.25)


def requires(sign: str, refusal: str) -> Answer:
    """A server that refuses replayed tool calls without a sign of the reasoning before them, as its makers document."""

    def answer(body: Body) -> Told:
        calls = [each for each in body["messages"] if each.get("tool_calls")]
        kept = all(sign in str(each) for each in calls)
        return of_its_own("I would rather keep it.")(body) if kept else error(400, refusal)(body)

    return answer


STATEFUL = {
    "blank_reasoning": requires(
        "reasoning_content", "thinking is enabled but reasoning_content is missing in assistant tool call message"
    ),
    "google_sentinel": requires(
        "thought_signature", "Function call is missing a thought_signature in functionCall parts"
    ),
}


@pytest.mark.parametrize("history", STATEFUL)
def test_a_server_that_wants_reasoning_state_is_asked_as_it_wants_and_its_refusal_names_the_option(
    project: BenchProject, history: str
) -> None:
    project.server.generate = STATEFUL[history]

    refused = project.run("-k", "creativity")
    project.run("-k", "creativity", f"--tool-history={history}").assert_outcomes(passed=1, deselected=14)

    assert refused.ret == 1 and f"add --tool-history={history}" in refused.stdout.str()
    assert len(project.server.generations) == 3  # one refusal stops the model


def test_a_server_that_refuses_a_parameter_is_measured_with_the_options_that_its_refusals_name(
    project: BenchProject,
) -> None:
    def newest(body: Body) -> Told:
        if "max_tokens" in body:
            return error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")(body)
        if "temperature" in body:
            return error(400, "Unsupported value: 'temperature' does not support 0.7 with this model.")(body)
        return of_its_own("I would rather keep it.")(body)

    project.server.generate = newest
    options: list[str] = []
    for remedy in ("--max-tokens-field=max_completion_tokens", "--temperature=off"):
        assert f"add {remedy}" in project.run("-k", "creativity", *options).stdout.str()
        options.append(remedy)

    project.run("-k", "creativity", *options).assert_outcomes(passed=1, deselected=14)
