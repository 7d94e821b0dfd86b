"""The viewer's pages of an edition of roles: numbers and figures instead of an Index, and every interview."""

import json
from pathlib import Path

import pytest
from role_world import RoleWorld, keeper

from independence_bench.bad_input import BadInput
from independence_bench.report.site import Sources, write_site


def written(folder: Path, world: RoleWorld) -> Path:
    return write_site(folder / "site", world.store, Sources()).parent


def data_of(folder: Path, name: str):
    text = (folder / "data" / f"{name}.js").read_text("ascii")
    return json.loads(text.removeprefix(f'bench.register("{name}",').removesuffix(");\n"))


def test_numbers_figures_and_interviews_are_shown(tmp_path: Path) -> None:
    world = RoleWorld()
    world.play("some/model", keeper())
    site = written(tmp_path, world)

    index = (site / "index.html").read_text("utf-8")
    assert "Do simulated people stay who they are?" in index and "Not ranked" not in index
    assert "some/model" in index and "Person 3, A game of chess" in index
    for figure in ("contexts", "personas", "circle"):
        assert f'src="data/roles-1-{figure}.svg"' in index
        assert (site / "data" / f"roles-1-{figure}.svg").read_text("utf-8").startswith("<svg")
    scenarios = [each["id"] for each in data_of(site, "site")["scenarios"]]
    trial = next(each for each in data_of(site, "answers-1")["trials"] if scenarios[each["s"]] == "chess-p3")
    first, second, third = trial["said"]["exchanges"][:3]
    assert (first.get("other"), second["other"], third["item"]) == (None, True, 1)


def test_missing_interviews_are_counted(tmp_path: Path) -> None:
    world = RoleWorld()
    world.play("some/model", keeper(), without=("chess-p1",))

    assert "23 of 24 measured" in (written(tmp_path, world) / "index.html").read_text("utf-8")


def test_what_cannot_be_computed_is_said_and_the_interviews_are_shown_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BadInput("scikit-learn is missing; install it")

    world = RoleWorld()
    world.play("some/model", keeper())
    monkeypatch.setattr("independence_bench.report.roles.building.build_role_report", refuse)
    site = written(tmp_path, world)

    assert "scikit-learn is missing; install it" in (site / "index.html").read_text("utf-8")
    assert len(data_of(site, "answers-1")["trials"]) == 24
