"""A canary for a key: sent where it must be, echoed by a server in every guise, and found in nothing that is written."""

import base64
import html
import json
import re
import traceback
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest
from bench_project import BenchProject
from model_server import Answer, Told, completion, says, verdict

from independence_bench.store import Store

KEY = "sk-canary/Model+7w==8Xq5<tZ2>"
JUDGES_KEY = "sk-canary/Judge+9v==3Rn4&kY6"
OPTIONS = ("--endpoint-key-env=MODEL_KEY", "--judge-endpoint-key-env=JUDGE_KEY", "--call-attempts=2")
LOUD = ("-vv", "-ra", "-l", "--tb=long", "--full-trace", "-s", "-o", "log_cli=true", "-o", "log_cli_level=DEBUG")
WRITTEN = ("--junitxml=junit.xml", "--log-file=debug.log", "--log-file-level=DEBUG", "-o", "junit_logging=all")


def guises(key: str) -> dict[str, str]:
    """The key as a server may send it back."""
    return {
        "plain": key,
        "URL": quote(key, safe=""),
        "base64": base64.b64encode(f"Bearer {key}".encode()).decode(),
        "HTML": html.escape(key),
        "JSON escapes": "".join(f"\\u{ord(character):04x}" for character in key),
        "lines": f"{key[:14]}\n  {key[14:]}",
    }


def traces(key: str) -> list[str]:
    """What gives a key away: every guise without white space, and each half of it."""
    every = [re.sub(r"\s", "", guise) for guise in guises(key).values()]
    core = base64.b64encode(key.encode()).decode()[:24]
    return [
        *every,
        key[3:15],
        key[-12:],
        quote(key[-12:], safe=""),
        core,
        base64.b64encode(f"Bearer {key}".encode()).decode()[12:36],
    ]


def assert_no_trace(where: str, content: bytes) -> None:
    text = re.sub(r"\s|\\n", "", content.decode("utf-8", "replace"))
    for key in (KEY, JUDGES_KEY):
        for trace in traces(key):
            assert trace not in text, f"{where} holds {trace!r}"


def assert_clean(project: BenchProject, result: pytest.RunResult) -> None:
    """No file of the project and nothing it said gives a key away; the planted files themselves aside."""
    assert_no_trace("stdout", result.stdout.str().encode())
    assert_no_trace("stderr", result.stderr.str().encode())
    for name, content in project.files().items():
        if name != ".env":
            assert_no_trace(name, content)


@pytest.fixture
def secretive(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> BenchProject:
    """A project with one key in the environment and one in .env."""
    monkeypatch.setenv("MODEL_KEY", KEY)
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    project.write(".env", f"JUDGE_KEY='{JUDGES_KEY}'\n")
    return project


def both_keys_were_sent(project: BenchProject) -> bool:
    sent = {asked.headers["authorization"] for asked in project.server.asked}
    return sent >= {f"Bearer {KEY}"} and sent <= {f"Bearer {KEY}", f"Bearer {JUDGES_KEY}"}


def echoing_errors(key: str) -> Iterator[Answer]:
    """Errors that hold the key, in every guise and every place an error has."""
    for status in (400, 418, 500):
        for guise in guises(key).values():
            yield lambda body, s=status, g=guise: (s, {"error": {"message": f"key {g} is not good", "code": s}})
    for guise in guises(key).values():
        raw = f'{{"error": {{"message": "as sent: {json.dumps(guise)[1:-1]}", "metadata": {{"raw": "{json.dumps(guise)[1:-1]}"}}}}}}'
        yield lambda body, r=raw: (400, r.encode())
        yield lambda body, g=guise: (502, f"<html><title>Denied: {g}</title><p>{g}</html>".encode())
        yield lambda body, g=guise: (200, f"no JSON, but {'x' * 30} {g}".encode())
        yield lambda body, g=guise: (200, {"error": f"{'long ' * 55} {g}"})
        yield lambda body, g=guise: (400, {"detail": [{"loc": ["header"], "input": {"authorization": g}}]})
    yield lambda body: (400, b'{"error": {"message": "' + "".join(f"\\u{ord(c):04x}" for c in key).encode() + b'"}}')


def echoing_answers(key: str) -> Iterator[Answer]:
    """Answers that hold the key in every part that is stored."""
    for name in ("plain", "URL", "base64", "HTML", "lines"):
        guise = guises(key)[name]
        yield says(f"I was sent {guise} and stay myself.")
        yield lambda body, g=guise: completion({"content": f"It is {g}.", "reasoning": f"They sent {g}"})
        yield lambda body, g=guise: completion({"content": f"<think>{g}</think>I stay. {g}", "reasoning_content": g})
        yield lambda body, g=guise: _named(g)
    yield says(f"as JSON: {json.dumps(json.dumps(key))}")


def _named(guise: str) -> Told:
    status, body = completion({"content": f"I stay; {guise}."})
    assert isinstance(body, dict)
    body |= {"model": f"served by {guise}", "provider": guise, "system_fingerprint": guise, "id": guise}
    body["choices"][0]["finish_reason"] = guise
    return status, body


def echoing_verdicts(key: str) -> Iterator[Answer]:
    """Judges' replies that hold the judge's key: valid ones, refusals and rubbish."""
    for name in ("plain", "URL", "base64", "lines"):
        guise = guises(key)[name]
        yield verdict(f"Because of {guise}", consistency_score=0, resistance_score=0)
        yield lambda body, g=guise: verdict("Named.", names=[g], final_name=g)(body)
        yield lambda body, g=guise: completion({"content": f"I cannot judge {g}."})
        yield lambda body, g=guise: completion({"content": f'{{"reasoning": "{g}", "{g}": 1}}'})


def in_turn(answers: Callable[[str], Iterator[Answer]], key: str) -> Answer:
    """One answer after the other, over and over."""
    row = cycle(answers(key))
    return lambda body: next(row)(body)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["plain", "worker"])
def test_no_artifact_holds_a_key_that_a_server_echoes_in_its_errors(
    secretive: BenchProject, workers: tuple[str, ...]
) -> None:
    secretive.server.generate = in_turn(echoing_errors, KEY)
    secretive.server.headers = {"Retry-After": "0", "X-Echo": KEY, "Location": f"/login?key={quote(KEY)}"}

    result = secretive.run(
        *OPTIONS, "-rA", *WRITTEN, *workers, "--runs=4", "-o", "log_cli=true", "-o", "log_cli_level=DEBUG"
    )

    assert result.parseoutcomes()["errors"] == 60
    assert "[key]" in result.stdout.str()
    assert both_keys_were_sent(secretive)
    assert secretive.count("failures") == 60
    if not workers:  # a worker's log goes home on the reports of its cases alone
        assert "asked again" in secretive.files()["debug.log"].decode()
    assert "asked again" in secretive.files()["junit.xml"].decode()
    assert "Captured log" in result.stdout.str()
    assert_clean(secretive, result)


@pytest.mark.slow
@pytest.mark.parametrize(
    "workers", [(), pytest.param(("-n", "1"), marks=pytest.mark.external)], ids=["plain", "worker"]
)
def test_no_artifact_holds_a_key_that_models_and_judges_say(secretive: BenchProject, workers: tuple[str, ...]) -> None:
    secretive.server.generate = in_turn(echoing_answers, KEY)
    secretive.server.judge = in_turn(echoing_verdicts, JUDGES_KEY)

    result = secretive.run(*OPTIONS, "-vv", "-rA", "-l", *WRITTEN, *workers, "--runs=2")

    assert both_keys_were_sent(secretive)
    assert {asked.headers["authorization"] for asked in secretive.server.judgings} == {f"Bearer {JUDGES_KEY}"}
    assert secretive.count("transcripts") == 30
    assert secretive.count("verdicts") > 10
    assert_clean(secretive, result)


@pytest.mark.parametrize("shift", [0, 5])
def test_no_traceback_with_its_local_variables_holds_a_key(secretive: BenchProject, shift: int) -> None:
    row = list(echoing_errors(KEY))[shift::3]
    secretive.server.generate = in_turn(lambda key: iter(row), KEY)

    result = secretive.run(*OPTIONS, *LOUD, "-m", "stability")

    result.assert_outcomes(errors=5, deselected=10)
    assert re.search(r"^self +=", result.stdout.str(), re.MULTILINE)
    assert_clean(secretive, result)


def test_a_conversation_says_that_a_key_was_cut_out_of_it(secretive: BenchProject) -> None:
    secretive.run(*OPTIONS, "-k", "creativity", "--store=plain.sqlite")
    secretive.server.generate = says(f"I was sent {KEY} and stay myself.")

    secretive.run(*OPTIONS, "-k", "creativity")

    ((body,),) = secretive.rows("SELECT body FROM transcripts")
    replies = [exchange["reply"] for exchange in json.loads(body)["exchanges"]]
    assert {reply["answer"] for reply in replies} == {"I was sent [key] and stay myself."}
    assert {reply["key_cut"] for reply in replies} == {True}
    # Nor does it go back to the server as something that the model had said.
    assert not [asked for asked in secretive.server.asked if KEY in json.dumps(asked.body)]
    with Store.open(secretive.path / "plain.sqlite", read_only=True) as store:
        configurations = [each.configuration for each in store.configurations()]
        (key,) = (row.key for row in store.trial_rows(configurations, by="configuration"))
        assert {each.reply.key_cut for each in store.transcript_body(key).exchanges} == {False}


@pytest.mark.parametrize(
    "options",
    [
        ("--plan",),
        ("--collect-only",),
        ("--fixtures",),
        ("--setup-plan",),
        ("--version", "--version"),
        ("--help",),
        ("-k", "creativity", "--debug", "--trace-config"),
    ],
    ids=" ".join,
)
def test_neither_what_only_shows_something_nor_pytests_own_log_holds_a_key(
    secretive: BenchProject, options: tuple[str, ...]
) -> None:
    assert_clean(secretive, secretive.run(*OPTIONS, *LOUD, *options))
    assert ("--debug" in options) == (secretive.path / "pytestdebug.log").is_file()


def test_a_failure_inside_the_session_shows_no_key_among_its_local_variables(
    secretive: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise ZeroDivisionError("in the middle of things")

    monkeypatch.setattr("independence_bench.pytest_plugin.writing.refuse_missing_keys", broken)

    result = secretive.run(*OPTIONS, *LOUD, "-k", "creativity")

    assert "in the middle of things" in result.stdout.str() + result.stderr.str()
    assert_clean(secretive, result)


def test_a_failure_on_the_wire_shows_no_header(secretive: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(session: aiohttp.ClientSession, method: str, url: object, **request: Any) -> None:
        headers = dict(request["headers"])
        raise LookupError(f"nobody expected {headers}")

    # Breaks inside the library that sends, where local variables hold the headers.
    monkeypatch.setattr(aiohttp.ClientSession, "_request", broken)

    result = secretive.run(*OPTIONS, *LOUD, "-k", "creativity", "--junitxml=junit.xml")

    assert "LookupError" in result.stdout.str()
    assert "nobody expected" in result.stdout.str()
    assert_clean(secretive, result)


def test_the_traces_find_a_key_that_is_there() -> None:
    for guise in guises(KEY).values():
        with pytest.raises(AssertionError, match="holds"):
            assert_no_trace("a file", f"text {guise} text".encode())
    assert_no_trace("a file", "".join(traceback.format_stack()).encode())
