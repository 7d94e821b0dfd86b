import shutil
from pathlib import Path

import independence_bench.offline
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.offline import build


def test_builds_are_twelve_hexadecimal_digits_and_differ():
    builds = {build.source_digest(), build.judge_build(), build.models_build()}
    assert len(builds) == 3
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in builds)


def test_every_file_of_the_package_counts_for_models_or_judge():
    present = {path.name for path in Path(independence_bench.offline.__file__).parent.glob("*.*") if path.is_file()}
    assert present >= build._JUDGE_ALONE | build._MODELS_ALONE
    assert not build._JUDGE_ALONE & build._MODELS_ALONE
    assert set(build._source_files()) == {name for name in present if name.endswith((".py", ".yaml"))}


def test_a_file_of_one_side_leaves_the_other_sides_build_alone(monkeypatch):
    for side, other, name in (
        (build.models_build, build.judge_build, "phrasebook.yaml"),
        (build.judge_build, build.models_build, "lexical_scores.py"),
    ):
        before = side.__wrapped__(), other.__wrapped__()
        files = [entry for entry in build._source_files() if entry != name]
        monkeypatch.setattr(build, "_source_files", lambda files=files: files)
        assert side.__wrapped__() != before[0]
        assert other.__wrapped__() == before[1]
        monkeypatch.undo()


def test_what_the_packaged_questionnaires_measure_counts_for_the_models_alone(tmp_path, monkeypatch):
    instruments = tmp_path / "roles" / "instruments"
    shutil.copytree(packaged_configs() / "roles" / "instruments", instruments)
    monkeypatch.setattr(build, "packaged_configs", lambda: tmp_path)
    before = build.models_build.__wrapped__(), build.judge_build.__wrapped__()
    survey = instruments / "survey.yaml"
    survey.write_text(survey.read_text("utf-8").replace("value: Power", "value: Security", 1), "utf-8")
    assert build.models_build.__wrapped__() != before[0]
    assert build.judge_build.__wrapped__() == before[1]


def test_line_endings_of_a_checkout_do_not_change_a_build(tmp_path, monkeypatch):
    (tmp_path / "one.py").write_bytes(b"a\nb\n")
    monkeypatch.setattr(build, "files", lambda package: tmp_path)
    unix = build._digest(["one.py"])
    (tmp_path / "one.py").write_bytes(b"a\r\nb\r\n")
    assert build._digest(["one.py"]) == unix
