"""Endpoints: where requests go, how often they are tried, which keys they carry, and that no key gets out."""

import pytest
from bench_project import BenchProject
from model_server import EMPTY, Answer, Body, Told, error, of_its_own, replies

KEY = "sk-test-0123456789abcdef"


@pytest.mark.parametrize("side", ["", "judge-"])
@pytest.mark.parametrize("place", ["variable", "dotenv"])
def test_the_key_of_an_endpoint_is_read_from_its_variable_before_dotenv(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, side: str, place: str
) -> None:
    project.write(".env", f"MY_KEY={'other' if place == 'variable' else KEY}\n")
    if place == "variable":
        monkeypatch.setenv("MY_KEY", KEY)

    project.run("-k", "creativity", f"--{side}endpoint-key-env=MY_KEY")

    sent = [
        {each.headers.get("authorization") for each in asked}
        for asked in (project.server.generations, project.server.judgings)
    ]
    assert sent == ([{None}, {f"Bearer {KEY}"}] if side else [{f"Bearer {KEY}"}, {None}])


def test_failures_are_kept_with_their_cost_and_counted_into_the_total(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml", "models: [{label: test/paid, id: test/paid, endpoint: paid, price_in: 1, price_out: 10}]"
    )
    project.write(
        "configs/endpoints.yaml", f"endpoints: [{{name: paid, base_url: '{project.server.url}', empty_attempts: 1}}]"
    )
    options = ["-k", "social-proof", "--model=test/paid", "--judge=offline/lexical"]
    once = (100 * 1 + 20 * 10) / 1e6
    project.server.generate = EMPTY
    project.run(*options).assert_outcomes(errors=1, deselected=14)
    assert project.json("session.json")["totals"]["cost_usd"] == pytest.approx(once)

    project.server.generate = replies("I stay.", cost=0.002)  # which counts before list prices
    project.run(*options)

    (row,) = project.json("leaderboard.json")["models"]
    assert row["cost"] == {
        "generation": pytest.approx(0.002),
        "judging": pytest.approx(0),
        "failed": pytest.approx(once),
    }
    assert row["cost_usd"] == pytest.approx(once + 0.002)
    assert project.rows("SELECT kind FROM failures") == [("empty",)]
    assert project.json("session.json")["totals"]["cost_usd"] == pytest.approx(0.002)


def requires(sign: str, refusal: str) -> Answer:
    """A server that refuses replayed tool calls without a sign of the reasoning before them, as its makers document."""

    def answer(body: Body) -> Told:
        calls = [each for each in body["messages"] if each.get("tool_calls")]
        kept = all(sign in str(each) for each in calls)
        return of_its_own("I would rather keep it.")(body) if kept else error(400, refusal)(body)

    return answer


BEHIND_LITELLM = (
    "litellm.BadRequestError: {} - {}\n\nLiteLLM: model group 'deepseek/deepseek-reasoner' failed with the error above and no "
    "fallback model group was found for it, so the request was not retried on another model. No fallbacks are configured. "
    "Add a fallbacks entry for that model group (Router fallbacks or proxy router_settings.fallbacks) to retry on another "
    "model."
)
STATEFUL = {
    "blank_reasoning": requires(
        "reasoning_content",
        BEHIND_LITELLM.format(
            "DeepseekException",
            '{"error":{"message":"The `reasoning_content` in the thinking mode must be passed back to the API.",'
            '"type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
        ),
    ),
    "google_sentinel": requires(
        "thought_signature",
        BEHIND_LITELLM.format(
            "GeminiException BadRequestError",
            '{"error": {"code": 400, "message": "Function call is missing a thought_signature in functionCall parts.", '
            '"status": "INVALID_ARGUMENT"}}',
        ),
    ),
}


@pytest.mark.parametrize("history", STATEFUL)
def test_a_server_that_wants_reasoning_state_is_asked_as_it_wants_and_its_refusal_names_the_option(
    project: BenchProject, history: str
) -> None:
    project.server.generate = STATEFUL[history]

    refused = project.run("-k", "creativity")
    page = (project.path / "reports" / "LEADERBOARD.md").read_text("utf-8")
    project.run("-k", "creativity", f"--tool-history={history}").assert_outcomes(passed=1, deselected=14)

    remedy = (
        f"add --tool-history={history} (in endpoints.yaml tool_history), or measure through a gateway such as LiteLLM"
    )
    assert refused.ret == 1 and " ".join(refused.stdout.str().split()).count(remedy) == 2
    assert remedy in page
    assert all(message.endswith(remedy) for (message,) in project.rows("SELECT message FROM failures"))
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
