"""What a session was asked for: places beside the root folder, options that may be shown, keys that may not."""

from pathlib import Path

import pytest
from session_samples import settings

from independence_bench.bad_input import BadInput
from independence_bench.session.settings import Settings, read_environment


def test_reports_and_store_lie_beside_the_root_folder(tmp_path: Path) -> None:
    asked = Settings(root=tmp_path)

    assert asked.reports_folder == tmp_path / "reports"
    assert asked.store_file == tmp_path / "reports" / "trials.sqlite"


def test_another_reports_folder_takes_the_store_along_unless_the_store_has_its_own_place(tmp_path: Path) -> None:
    assert Settings(root=tmp_path, reports=tmp_path / "out").store_file == tmp_path / "out" / "trials.sqlite"
    elsewhere = tmp_path / "my.sqlite"
    assert Settings(root=tmp_path, reports=tmp_path / "out", store=elsewhere).store_file == elsewhere


def test_configs_beside_the_root_folder_are_the_overlay_where_they_exist(tmp_path: Path) -> None:
    assert Settings(root=tmp_path).overlay is None

    (tmp_path / "configs").mkdir()

    assert Settings(root=tmp_path).overlay == tmp_path / "configs"
    assert Settings(root=tmp_path, configs=tmp_path / "own").overlay == tmp_path / "own"


def test_options_that_shaped_a_session_are_shown_without_what_was_not_given(tmp_path: Path) -> None:
    asked = Settings(root=tmp_path, models=("a", "b"), runs=3, temperature=0.0)

    assert asked.stored_options() == {"models": ["a", "b"], "edition": "v2", "runs": 3, "temperature": 0.0}


def test_no_key_and_no_path_is_ever_shown() -> None:
    asked = settings(
        environment={"SOME_KEY": "sk-secret"}, endpoint_key_env="SOME_KEY", store=Path("/private/store.sqlite")
    )

    shown = repr(asked) + str(asked.stored_options())

    assert "sk-secret" not in shown
    assert "/private" not in str(asked.stored_options())


def test_dotenv_fills_in_what_the_environment_lacks(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=from-file\nB='quoted value'\nexport C=exported\nD\n# E=commented\n")

    found = read_environment(tmp_path, {"A": "from-environment"})

    assert found == {"A": "from-environment", "B": "quoted value", "C": "exported"}


def test_an_empty_variable_of_the_environment_wins_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=from-file\n")

    assert read_environment(tmp_path, {"A": ""}) == {"A": ""}


def test_without_dotenv_the_environment_is_returned(tmp_path: Path) -> None:
    assert read_environment(tmp_path, {"A": "1"}) == {"A": "1"}


def test_dotenv_that_is_no_text_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe")

    with pytest.raises(BadInput, match=r"\.env: it cannot be read .*; fix or remove it"):
        read_environment(tmp_path, {})


def test_an_environment_shows_nothing_of_itself(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("K=sk-canary-0123456789\n")
    found = read_environment(tmp_path, {"L": "sk-other-0123456789"})
    assert (found["K"], found["L"]) == ("sk-canary-0123456789", "sk-other-0123456789")
    assert "sk-" not in f"{found} {found!r} {Settings(root=tmp_path, environment=found)!r}"
