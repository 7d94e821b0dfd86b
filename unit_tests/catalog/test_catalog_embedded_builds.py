import shutil
from pathlib import Path

import pytest

import independence_bench.offline
from independence_bench.catalog import embedded_builds as build
from independence_bench.catalog.catalogue import packaged_configs

PACKAGE = Path(independence_bench.offline.__file__).parent


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the package's files that may be changed, as the one whose builds are asked for."""
    shutil.copytree(PACKAGE, tmp_path / "offline", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(build, "SHARED", tmp_path / "offline")
    return tmp_path / "offline"


def builds() -> tuple[str, str]:
    return tuple(each.__wrapped__() for each in (build.lexical_build, build.models_build))


def test_builds_are_twelve_hexadecimal_digits_and_differ():
    assert len({*builds()}) == 2
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in builds())


def test_every_file_of_the_package_counts(copied):
    before = builds()
    for file in [file for file in copied.rglob("*.*") if file.is_file()]:
        content = file.read_bytes()
        file.write_bytes(content + b"#")
        changed = [was != now for was, now in zip(before, builds(), strict=True)]
        assert changed == [file.parent.name != "simulated_models", file.parent.name != "lexical_judge"], file.name
        file.write_bytes(content)


def test_what_the_packaged_questionnaires_measure_counts_for_the_models_alone(tmp_path, monkeypatch):
    instruments = tmp_path / "roles" / "instruments"
    shutil.copytree(packaged_configs() / "roles" / "instruments", instruments)
    shutil.copytree(packaged_configs() / "dossiers", tmp_path / "dossiers")
    monkeypatch.setattr(build, "packaged_configs", lambda: tmp_path)
    before = builds()
    survey = instruments / "survey.yaml"
    survey.write_text(survey.read_text("utf-8").replace("value: Power", "value: Security", 1), "utf-8")
    assert [was != now for was, now in zip(before, builds(), strict=True)] == [False, True]


def test_line_endings_of_a_checkout_do_not_change_a_build(copied):
    before = builds()
    for file in copied.rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert builds() == before
