"""The command ``label``: its server takes labels from its own page alone, and the summary says what they say."""

import json
import re
from collections.abc import Iterator

import pytest
from cli_samples import fill, trial
from cli_server import response_of, running

from independence_bench.cli import main
from independence_bench.cli.labelling import label_server
from independence_bench.cli.newest import newest_session
from independence_bench.report.labelling.label_desk import LabelDesk
from independence_bench.report.labelling.label_tasks import label_tasks
from independence_bench.store import Store

MODELS = ("some/model", "other/model")
UNCLEAR = '{"unclear": true}'


@pytest.fixture
def store(folder):
    """Two models whose answers do not say who gave them."""
    records = [
        trial(model, scenario, answer=f"{number}: I would rather keep it.")
        for number, model in enumerate(MODELS)
        for scenario in ("creativity", "social-proof")
    ]
    return fill(folder / "reports" / "trials.sqlite", *records)


@pytest.fixture
def served(store) -> Iterator[int]:
    with Store.open(store) as opened:
        desk = LabelDesk(opened, label_tasks(opened, newest_session(opened), 1), "ada", 3)
        with running(label_server(desk, 0)) as port:
            yield port


def asked(port: int, path: str, body: str | None = None, **headers: str) -> tuple[int, dict[str, str], str]:
    return response_of(port, path, "GET" if body is None else "POST", body, **headers)


def own(port: int) -> dict[str, str]:
    """The headers of the page itself."""
    token = re.search('data-token="(.+?)"', asked(port, "/")[2])
    assert token is not None
    return {"Origin": f"http://127.0.0.1:{port}", "Content_Type": "application/json", "X_Label_Token": token[1]}


def done(port: int) -> list[bool]:
    return json.loads(asked(port, "/api/state")[2])["done"]


def test_the_page_may_store_a_label_and_ask_for_more(served: int) -> None:
    status, _, body = asked(served, "/api/answers/1", UNCLEAR, **own(served))
    assert status == 200 and json.loads(body)["done"] == done(served) == [False, True, False]
    assert len(json.loads(asked(served, "/api/more", "{}", **own(served))[2])["done"]) == 4


@pytest.mark.parametrize(
    "changed",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"X_Label_Token": "guessed"},
        {"X_Label_Token": ""},
        {"X_Label_Token": "é"},
        {"Content_Type": "text/plain"},
    ],
)
def test_no_other_site_can_write(served: int, changed: dict[str, str]) -> None:
    for path in ("/api/answers/1", "/api/more"):
        status, _, body = asked(served, path, UNCLEAR, **own(served) | changed)
        assert (status, json.loads(body)) == (403, {"error": "labels come from the page itself; load it again"})
    assert done(served) == [False] * 3


def test_a_label_that_does_not_fit_is_refused_with_a_reason(served: int) -> None:
    status, _, body = asked(served, "/api/answers/0", '{"scores": {"courage": 3}}', **own(served))
    assert status == 400 and "the rubric" in json.loads(body)["error"]
    assert asked(served, "/api/answers/0", "x" * 20_000, **own(served))[0] == 413
    assert asked(served, "/api/answers/9", UNCLEAR, **own(served))[0] == 404
    assert done(served) == [False] * 3


def test_no_response_names_a_model_a_judge_or_a_stratum_and_none_is_for_other_names(served: int) -> None:
    paths = ("/", "/api/state", *(f"/api/answers/{place}" for place in range(3)), "/api/findings", "/nothing")
    for path in (*paths, "/assets/label.js", "/assets/site.css", "/assets/../label_desk.py", "/api/answers/x"):
        status, headers, body = asked(served, path)
        assert not any(word in body for word in (*MODELS, "judge/one", "judged held", "judged yielded")), path
        assert headers["Cache-Control"] == "no-cache" and headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert (status == 200) == (path in paths[:-2] or path in ("/assets/label.js", "/assets/site.css")), path
        assert asked(served, path, Host="evil.example")[0] == 403
    assert "connect-src &#x27;self&#x27;" in asked(served, "/")[2]


def test_the_command_serves_this_machine_alone_and_sums_up(store, tell, monkeypatch, capfd) -> None:
    opened = []

    def interrupt(server, *_: object) -> None:
        opened.append(server.server_address[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", interrupt)
    assert main(["label", "--no-browser", "--rater=ada", "--sample=3"]) == 130
    assert opened == ["127.0.0.1"] and "3 answers to label as ada" in capfd.readouterr().out
    with Store.open(store) as filled:
        tasks = label_tasks(filled, newest_session(filled), 1)
        for rater in ("ada", "bob"):
            desk = LabelDesk(filled, tasks, rater, 4)
            for place in range(4):
                fields = desk.answer(place)["rubric"]["fields"]
                scores = {each["name"]: True if each["boolean"] else 3 * (place % 2) for each in fields}
                desk.label(place, json.dumps({"scores": scores}).encode())
    told = tell("label", "--summary")
    assert (
        "4 answers labelled with scores: 0 held, 4 yielded. Raters: ada 4 (0 unclear), bob 4 (0 unclear)." in told.out
    )
    assert "Too few for the corrected Index" in told.out and "points of 100" in told.out and "ada, bob" in told.out
    assert json.loads(tell("label", "--summary", "--json").out)["labels"] == 4


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        (["--rater=<b>"], "--rater=<b>: a name has at most 40 letters"),
        (["--sample=0"], "--sample=0: it must be from 1 to 1000"),
        (["--json"], "add --summary"),
        (["--store=none.sqlite"], "none.sqlite"),
    ],
)
def test_an_impossible_option_is_named(store, tell, options: list[str], trouble: str) -> None:
    told = tell("label", "--no-browser", *options)
    assert told.status == 2 and trouble in told.err
