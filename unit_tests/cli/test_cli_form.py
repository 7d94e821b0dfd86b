"""The command form: what a seed asks, or its digest."""

import pytest

from independence_bench.cli import main

EDITION = "v3"


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["form", *words]) == status
    captured = capsys.readouterr()
    return captured.out if status == 0 else captured.err


def test_a_digest_names_seed_and_run(capsys) -> None:
    public = said(capsys, "--digest")

    assert public == said(capsys, "--seed=public", "--run=1", f"--edition={EDITION}", "--digest")
    assert len({public, said(capsys, "--seed=autumn", "--digest"), said(capsys, "--run=2", "--digest")}) == 3


def test_all_texts_of_a_form_are_printed(capsys) -> None:
    printed = said(capsys, "--print")

    assert printed.count("# magazine-story, run 1") == 1
    heads = [line.split(",")[0] for line in printed.split("\n") if line.startswith("## ")]
    told = ["standard", "stance", "neutral", "pressure", "bare", "flawed", "reason", "other", "strengthen"]
    assert set(heads) == {f"## {head}" for head in [*told, "lasting", "fresh"]}
    assert "My standard: <" in printed and "Where I stand: <" in printed


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "give either --digest or --print"),
        (["--digest", "--print"], "give either --digest or --print"),
        (["--digest", "--run=0"], "at least 1"),
        (["--digest", "--seed="], "is not a word of letters, digits"),
        (["--digest", "--edition=v2"], "there is no dossiers/"),
        (["--digest", "--edition=v33"], "there is no editions/v33.yaml"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_a_sentence(capsys, words, told) -> None:
    assert told in said(capsys, *words, status=2)
