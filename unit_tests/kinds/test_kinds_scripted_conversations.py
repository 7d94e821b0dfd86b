"""Judged, turn-by-turn conversations are below the kinds: another kind derives its measuring from them."""

from typing import ClassVar

from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.selection import select_models
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.kinds.measuring_protocol import measuring
from independence_bench.kinds.scripted_conversations import ScriptedConversations
from independence_bench.spec import Script


class LadderScript(Script):
    kind: ClassVar[str] = "ladder"


class Ladder(ScriptedConversations):
    script_type = LadderScript


def test_another_kinds_conversations_have_its_own_scripts_and_ask_what_the_indexs_would() -> None:
    catalogue = Catalogue()
    edition = load_edition("v2", catalogue)
    cells = Ladder().cells(edition, catalogue, (), ())
    (model,) = select_models(catalogue, ["offline/steadfast"], Overrides())
    assert {cell.script.kind for cell in cells} == {"ladder"}
    for cell, own in zip(cells, load_cells(edition, catalogue), strict=True):
        assert Ladder().content(model, cell.script) == measuring("index").content(model, own.script)
        assert cell.script.digest == own.script.digest
