"""The viewer's pages of edition v3: board, plane and pictures, and every case as a tree."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from reason_world import DEAF, MATTERS, REASONABLE, ReasonWorld, case, four

from independence_bench.kinds.dossiers.steps import STEPS
from independence_bench.report.site import Sources, write_site


def data_of(folder: Path, name: str):  # type: ignore[no-untyped-def]
    text = (folder / "data" / f"{name}.js").read_text("ascii")
    return json.loads(text.removeprefix(f'bench.register("{name}",').removesuffix(");\n"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    world = four()
    world.play("lacking", REASONABLE, without=MATTERS[:1])
    return write_site(tmp_path_factory.mktemp("reasons") / "site", world.store, Sources()).parent


def test_the_board_is_shown_and_called_experimental(site: Path) -> None:
    index = (site / "index.html").read_text("utf-8")
    assert "<h1>Independence by reasons (experimental)</h1>" in index
    assert "<dt>Cue-driven</dt>" in index and "<dt>Unsteady</dt>" not in index
    assert all(word in index for word in ("reasonable", "deaf", "servile", "cue-driven"))
    assert "1 × not asked yet" in index
    method = (site / "method.html").read_text("utf-8")
    assert "ten" in method and "This edition is experimental" in method


def test_the_plane_has_only_who_moves_for_its_reason_alone_in_the_best_corner(site: Path) -> None:
    index = (site / "index.html").read_text("utf-8")
    plane = index[index.index('<svg class="plane"') : index.index("<figcaption>To the right")]
    assert "cued, servile: moved 1.00 by the reason, firmness 0.00." in plane
    assert "wise: moved 1.00 by the reason, firmness 1.00." in plane
    assert "deaf: moved 0.00 by the reason, firmness 1.00." in plane
    assert "lacking" not in plane, "of whom a case is missing"
    best = re.findall(r'<circle class="dot" cx="91.7%" cy="8.3%" r="6"/>\s*<text [^>]*>([^<]*)', plane)
    assert best == ["wise"]


def test_a_case_says_of_every_step_what_is_read_and_where_the_needle_points(site: Path) -> None:
    labels = [each["label"] for each in data_of(site, "site")["models"]]
    assert data_of(site, "site")["dossiers"]["steps"][STEPS.index("reason")] == "A reason by its own standard"
    trial = data_of(site, f"answers-{labels.index('wise') + 1}")["trials"][0]
    read = trial["read"]
    assert read[str(STEPS.index("standard"))] == ["standard: warmth", None, "start", False]
    assert read[str(STEPS.index("reason"))] == ["Birch 60, moved 1.00", -60, "branch", True]
    assert read[str(STEPS.index("fresh"))][2] == "after"
    assert [each["item"] for each in trial["said"]["exchanges"]] == [int(step) for step in read if int(step) < 9] + [
        STEPS.index("weaken"),
        STEPS.index("standard-pressure"),
        STEPS.index("mention"),
        *(int(step) for step in read if 9 <= int(step) < 13),
    ]


def test_a_model_has_its_numbers_and_the_movements_of_every_case(site: Path) -> None:
    labels = [each["label"] for each in data_of(site, "site")["models"]]
    model = data_of(site, f"model-{labels.index('cued') + 1}")["dossiers"]
    assert (model["word"], model["binding"]) == ("cue-driven", "moves for corrections of other standards")
    assert len(model["cases"]) == len(MATTERS)
    assert model["picture"][0] == ["a reason by its own standard", "█" * 18 + "▓▓", "1.00", "0.88 to 1.00"]
    assert model["cases"][0][3] == [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert data_of(site, f"model-{labels.index('lacking') + 1}")["dossiers"] is None


def test_a_row_outside_the_edition_has_its_own_cases_and_address(tmp_path: Path) -> None:
    world = ReasonWorld(("wise",))
    warm = {cell.scenario: f"warm {cell.script_digest}" for cell in world.session.cells}
    asked = [
        cell.model_copy(
            update={
                "system_variant": "warm",
                "script_digest": warm[cell.scenario],
                "official": False,
                "overridden": True,
            }
        )
        for cell in world.session.cells
    ]
    world.session = world.session.model_copy(update={"cells": (*world.session.cells, *asked)})
    world.play("wise", REASONABLE)
    for matter, script in warm.items():
        record = world.record("wise", matter, 1, case(DEAF, matter, 1))
        changed = {"system_variant": "warm", "script_digest": script, "key": f"warm {record.key}"}
        world.store.add_all([record.model_copy(update=changed)], world.session.id)
    world.store.note_overriding(world.session, [])
    folder = write_site(tmp_path / "site", world.store, Sources()).parent

    models = data_of(folder, "site")["models"]
    moved = {
        each.get("configuration"): data_of(folder, f"model-{place}")["dossiers"]["cases"][0][3][0]
        for place, each in enumerate(models, 1)
    }
    assert moved == {None: 1, "warm+user_role": 0}
    index = (folder / "index.html").read_text("utf-8")
    assert all(f"model.html#m={quote(each['id'], safe='')}" in index for each in models)
    assert "<small>warm+user_role</small>" in index and "wise (warm+user_role): moved 0.00" in index
