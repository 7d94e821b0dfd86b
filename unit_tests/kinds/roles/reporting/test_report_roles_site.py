"""The viewer's pages of an edition of roles: numbers and figures instead of an Index, and every interview."""

import json
import re
from pathlib import Path

import pytest
from role_world import PORTRAIT, RoleWorld, interview, keeper

from independence_bench.bad_input import BadInput
from independence_bench.report.site import Sources, write_site


def written(folder: Path, world: RoleWorld) -> Path:
    return write_site(folder / "site", world.store, Sources()).parent


def data_of(folder: Path, name: str):
    text = (folder / "data" / f"{name}.js").read_text("ascii")
    return json.loads(text.removeprefix(f'bench.register("{name}",').removesuffix(");\n"))


@pytest.mark.slow
def test_numbers_figures_and_interviews_are_shown(tmp_path: Path) -> None:
    world = RoleWorld()
    world.play("some/model", keeper())
    site = written(tmp_path, world)

    index = (site / "index.html").read_text("utf-8")
    assert "Do simulated people stay who they are?" in index and "Not ranked" not in index
    assert "some/model" in index
    assert "Person 3, A game of chess" in (site / "scenarios.html").read_text("utf-8")
    for path, _ in data_of(site, "model-1")["roles"]["figures"]:
        assert (site / path).read_text("utf-8").startswith("<svg")
    scenarios = [each["id"] for each in data_of(site, "site")["scenarios"]]
    trial = next(each for each in data_of(site, "answers-1-4")["trials"] if scenarios[each["s"]] == "chess-p3")
    first, second, third = trial["said"]["exchanges"][:3]
    assert (first.get("other"), second["other"], third["item"]) == (None, True, 1)


def test_missing_interviews_are_counted(tmp_path: Path) -> None:
    world = RoleWorld()
    world.play("some/model", keeper(), without=("chess-p1",))

    assert "23/24" in (written(tmp_path, world) / "index.html").read_text("utf-8")


def test_what_cannot_be_computed_is_said_and_the_interviews_are_shown_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BadInput("a transcript is damaged; see the copy")

    world = RoleWorld()
    world.play("some/model", keeper())
    monkeypatch.setattr("independence_bench.kinds.roles.reporting.role_kind.RoleKind.report", refuse)
    site = written(tmp_path, world)

    assert "a transcript is damaged; see the copy" in (site / "index.html").read_text("utf-8")
    assert [len(data_of(site, f"answers-1-{persona}")["trials"]) for persona in range(1, 7)] == [4] * 6


def test_each_persona_has_a_chunk_of_its_own_interviews(tmp_path: Path) -> None:
    world = RoleWorld()
    world.play("some/model", keeper())
    site = written(tmp_path, world)
    overview = data_of(site, "site")

    assert not (site / "data" / "answers-1.js").exists()
    assert overview["roles"]["personas"] == [f"Person {place}" for place in range(6)]
    for persona in range(6):
        own = {
            overview["scenarios"][trial["s"]]["persona"]
            for trial in data_of(site, f"answers-1-{persona + 1}")["trials"]
        }
        assert own == {persona}


@pytest.mark.slow
def test_items_are_read_with_words_answer_and_score(tmp_path: Path) -> None:
    world = RoleWorld()
    unread = interview(PORTRAIT, lambda item: 4)
    unread[2] = unread[2].model_copy(update={"reply": unread[2].reply.model_copy(update={"answer": "Who knows?"})})
    world.play("some/model", keeper(), said={"chess-p3": unread})
    site = written(tmp_path, world)
    scenarios = [each["id"] for each in data_of(site, "site")["scenarios"]]
    chunk = data_of(site, "answers-1-4")
    trial = next(each for each in chunk["trials"] if scenarios[each["s"]] == "chess-p3")
    scenario = data_of(site, f"scenario-{scenarios.index('chess-p3') + 1}")

    assert trial["items"][0][2:] == ["Who knows?", None, None] and trial["items"][1][4] == 4
    assert data_of(site, "texts")[chunk["texts"][trial["items"][1][1]]] == "item 2?"
    assert scenario["items"][1] == [2, "Self-Direction", "item 2?"]
    assert scenario["answered"] == [[None] + [4] * 19]
    assert "item 2?" in (site / "scenarios.html").read_text("utf-8")


@pytest.mark.slow
def test_who_keeps_every_place_has_not_moved_and_who_swaps_has(tmp_path: Path) -> None:
    def swapping(persona: int, context: str, item: int) -> int:
        return keeper()({0: 1, 1: 0}.get(persona, persona) if context == "chess" else persona, context, item)

    world = RoleWorld()
    world.play("a/keeper", keeper())
    world.play("b/swapper", swapping)
    site = written(tmp_path, world)
    moved = {
        model["label"]: data_of(site, f"model-{place}")["roles"]["moved"]
        for place, model in enumerate(data_of(site, "site")["models"], 1)
    }

    assert moved["a/keeper"] == [[None, 0, each[2], None] for each in moved["a/keeper"]]
    swapped = [persona[1] for persona in moved["b/swapper"]]
    assert swapped[0] == swapped[1] > 0 and swapped[2:] == [0] * 4
    page = (site / "scenarios.html").read_text("utf-8")
    cells = re.findall(r">([^<]*)</a></td>", page.partition("</tbody>")[0])
    assert cells[:4] == ["start", cells[1], "0 %", "again"] and cells[1].endswith(" %"), "no cell only says read"


def test_pages_of_roles_tell_of_no_judge_and_no_index(tmp_path: Path) -> None:
    world = RoleWorld()
    world.play("some/model", keeper())
    site = written(tmp_path, world)

    assert "No judge reads an interview" in (site / "judges.html").read_text("utf-8")
    method = (site / "method.html").read_text("utf-8")
    assert "What role stability is here" in method and "How the Index is made" not in method
    assert "judges.html" not in (site / "index.html").read_text("utf-8")
