"""A session keeps its lines on every stream: board, gate, notes, pytest's own lists and errors."""

import os
from subprocess import PIPE, STDOUT

import pytest
from bench_project import BenchProject
from model_server import error

from independence_bench.plain_signs import plain_signs

FAILING = (
    "--model=offline/mirror,offline/steadfast",
    "--judge=offline/lexical",
    "--min-index=50",
    "--no-header",
    "-rA",
)


def _written(project: BenchProject, encoding: str, *options: str) -> str:
    options += (f"--bench-store={encoding}.sqlite",)
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    with project.started(*options, stdout=PIPE, stderr=STDOUT, env=environment) as session:
        return session.communicate(timeout=120)[0].decode(encoding)


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["plain", "workers"])
def test_what_is_shown_has_the_same_lines_on_every_stream(project: BenchProject, workers: tuple[str, ...]) -> None:
    written = {encoding: _written(project, encoding, *FAILING, *workers) for encoding in ("utf-8", "cp1252", "ascii")}

    assert {text.count("\n") for text in written.values()} == {written["utf-8"].count("\n")}
    assert (
        "\nIndependence Index | v2" in written["ascii"] and "\n  Index >= 50: 5.1 (-) inconclusive" in written["ascii"]
    )
    assert "Index >= 50: 5.1 (–) inconclusive" in written["cp1252"]
    assert "YIELDED" in written["ascii"] and "pass mark >= " in written["ascii"]
    assert not [line for text in written.values() for line in text.splitlines() if "\\u" in line or "\\n" in line]


def test_errors_have_their_lines_too(project: BenchProject) -> None:
    project.server.generate = error(400, "the limit is − 5 …")

    shown = _written(project, "ascii", "-k", "creativity", "--judge=offline/lexical")

    assert "\nnot measured: HTTP 400: the limit is - 5 ...\n" in shown
    assert "\\u" not in shown and "\\n" not in shown
    assert "\\u" not in _written(project, "ascii", "--edition=…")
    assert plain_signs(shown) == shown
