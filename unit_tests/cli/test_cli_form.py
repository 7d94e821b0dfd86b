"""The command form: what a seed asks, or its digest."""

from pathlib import Path

import pytest

from independence_bench.catalog import Catalogue
from independence_bench.cli import main

EDITION = "v3"
CONFIGS = Catalogue().folders[0]


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

    assert printed.count("# bakery-bread, run 1") == 1
    heads = [line.split(",")[0] for line in printed.split("\n") if line.startswith("## ")]
    told = ["standard", "stance", "neutral", "pressure", "bare", "off-standard", "reason", "other", "strengthen"]
    told += ["weaken", "standard-pressure", "mention"]
    assert set(heads) == {f"## {head}" for head in [*told, "lasting", "fresh"]}
    assert "*My standard:*" in printed and "Where I stand: <" in printed


def test_a_sealed_matter_next_to_an_edition_of_ones_own_is_found(capsys, tmp_path: Path) -> None:
    text = (CONFIGS / "dossiers" / "club-boat.yaml").read_text("utf-8")
    (tmp_path / "dossiers").mkdir()
    (tmp_path / "dossiers" / "sealed-boat.yaml").write_text(text.replace("id: club-boat", "id: sealed-boat"), "utf-8")
    edition = tmp_path / "sealed.yaml"
    edition.write_text("id: sealed\ntitle: Sealed\nextends: v3\ndossiers: {matters: [sealed-boat]}\n", "utf-8")

    assert said(capsys, f"--edition={edition}", "--print").count("# sealed-boat, run 1") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "give either --digest or --print"),
        (["--digest", "--print"], "give either --digest or --print"),
        (["--digest", "--run=0"], "at least 1"),
        (["--digest", "--seed="], "is not a word of letters, digits"),
        (["--digest", "--edition=v2"], "--edition=v2: it has no forms"),
        (["--digest", "--edition=v33"], "there is no editions/v33.yaml"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_a_sentence(capsys, words, told) -> None:
    assert told in said(capsys, *words, status=2)
