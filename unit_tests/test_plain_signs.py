"""What a stream cannot encode is written with what it can: our own signs readably, foreign text at least unambiguously."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

import independence_bench
from independence_bench.plain_signs import encode_plainly, plain_signs

PACKAGE = Path(independence_bench.__file__).parent
WRITERS = ("cli", "judge_check", "kinds", "pytest_plugin", "report", "session", "store")
REFERENCES = "§"  # in docstrings alone


def test_our_own_signs_become_what_a_reader_takes_them_for() -> None:
    assert plain_signs("Index ≥ 50: 83.5 (79.2 – 87.8) · −2.1 ± 0.4 × 2 → “it’s …” ≠ κ ρ²") == (
        'Index >= 50: 83.5 (79.2 - 87.8) | -2.1 +- 0.4 x 2 -> "it\'s ..." != kappa rho2'
    )
    assert plain_signs("Zoë Čapek Ωμέγα 模型 🙂") == "Zoe Capek omegamuepsilongammaalpha \\u6a21\\u578b \\U0001f642"


def test_every_sign_that_the_package_writes_has_a_plain_form() -> None:
    files = [
        file for folder in WRITERS for suffix in ("py", "yaml") for file in (PACKAGE / folder).rglob(f"*.{suffix}")
    ]

    signs = {
        sign for file in files for sign in file.read_text("utf-8") if not sign.isascii() and sign not in REFERENCES
    }

    assert len(signs) > 20
    assert [sign for sign in sorted(signs) if "\\" in plain_signs(sign)] == []


@pytest.mark.parametrize(("encoding", "written"), [("utf-8", "− … é"), ("cp1252", "- … é"), ("ascii", "- ... e")])
def test_only_the_signs_that_a_stream_lacks_are_replaced(
    encoding: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # an own stream may be of any type

    encode_plainly()
    print("− … é", flush=True)

    assert raw.getvalue().decode(encoding).rstrip() == written


def test_commands_write_plainly(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "independence_bench.cli",
        "judge-check",
        "--judge=offline/lexical",
        "--store=a.sqlite",
    ]

    written = {
        encoding: subprocess.run(
            words, cwd=tmp_path, env={"PYTHONIOENCODING": encoding, "PYTHONPATH": str(PACKAGE.parent)}, capture_output=True
        ).stdout.decode(encoding)
        for encoding in ("utf-8", "ascii")
    }  # fmt: skip

    assert "“" in written["utf-8"] and "\\" not in written["ascii"]
    assert written["ascii"].splitlines() == plain_signs(written["utf-8"]).splitlines()
