"""The gateway that the pages name, the real one: it stands between the benchmark and a server of Anthropic's interface."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
import yaml
from bench_project import CHECKOUT, BenchProject
from fault_server import free_port
from model_server import hash_of
from pages import TESTED

pytestmark = pytest.mark.external


class Anthropic(BaseHTTPRequestHandler):
    """Answers POST /v1/messages, through the tool that it is offered, and keeps what it is asked."""

    asked: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(body)
        said = f"I would rather carve wood, since it stays. ({hash_of(body['messages'])})"
        tool = body["tools"][0]
        content = {"type": "tool_use", "id": "t1", "name": tool["name"], "input": {"message": said}}
        answer = {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [content],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def anthropic() -> Iterator[str]:
    """The URL of a server of Anthropic's interface."""
    Anthropic.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Anthropic) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_model_of_another_interface_is_measured_through_the_gateway(project: BenchProject, anthropic: str) -> None:
    settings = yaml.safe_load(TESTED["litellm-config"].text)
    settings["model_list"][0]["litellm_params"]["api_base"] = anthropic
    (project.path / "litellm.yaml").write_text(yaml.safe_dump(settings), "utf-8")
    commands = TESTED["litellm"].text.replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    commands = re.sub(r"\b4000\b", str(free_port()), commands)
    keys = {"ANTHROPIC_API_KEY": "sk-upstream-0123456789", "LITELLM_MASTER_KEY": "sk-proxy-0123456789abcdef0123456789"}
    variables = ("PATH", "HOME", "TMPDIR", *(name for name in os.environ if name.startswith(("PIP_", "SSL_"))))
    environment = {name: os.environ[name] for name in variables if name in os.environ} | keys
    environment["PYTHONPATH"] = str(CHECKOUT / "plugin")

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=project.path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["model_id"], row["measured"], row["delivery_kept"]) == ("anthropic/claude-sonnet-4.5", 15, 1.0)
    assert {body["model"] for body in Anthropic.asked} == {"claude-sonnet-4-5"}
    assert not any(key in file.read_text("utf-8", "replace") for key in keys.values() for file in _reports(project))


def _reports(project: BenchProject) -> list[Path]:
    return [file for file in (project.path / "reports").rglob("*") if file.is_file()]
