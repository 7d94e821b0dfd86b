"""Every call by which the store, the reports and the site change files fails in every way that a system has.

    pytest unit_tests/attacks -m external -n 2

After each attack the store is sound, what was said to be stored is stored, and the same command completes.
"""

from pathlib import Path

import pytest
from attacked_work import COMMANDS, ENDS, STORE, assert_ended_clearly, beside, fresh, measured_in, rows, state
from forge import Forge, each_fault, some

pytestmark = [pytest.mark.external, pytest.mark.slow]
PARTS = range(4)
"""Tests of one front: several processes share the work."""
IN_CI = {"session": 60, "site": 30}


@pytest.mark.parametrize("part", PARTS)
def test_a_store_survives_every_failing_call(forge: Forge, tmp_path: Path, part: int) -> None:
    prepared = beside(tmp_path / "prepared")
    folder = fresh(prepared, tmp_path / "attacked")
    work = ("attacked_work:live",)
    counted = forge.run(folder, work)
    assert counted.status == 0, counted.text
    assert all(counted.counts[:6]), "the shim does not see every kind of call"
    undisturbed = rows(folder / STORE)

    for fault in some(each_fault(counted)[part :: len(PARTS)], part, 450):
        folder = fresh(prepared, tmp_path / "attacked")
        told = forge.run(folder, work, fault, below=folder)
        assert_ended_clearly(told, fault)
        held = rows(folder / STORE)
        said = {line.removeprefix("stored ") for line in told.text.splitlines() if line.startswith("stored ")}
        assert said <= {row[0] for row in held.get("transcripts", ())}, fault
        assert told.status or held == undisturbed, fault
        assert forge.run(folder, work).status == 0, f"{fault}: the same command did not complete after {told.text}"
        assert rows(folder / STORE) == undisturbed, fault


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_survives_every_failing_call(forge: Forge, measured_folder: Path, tmp_path: Path, name: str) -> None:
    words = COMMANDS[name]
    again = fresh(measured_folder, tmp_path / "attacked")
    below = again if name == "export" else again / "reports"
    counted = forge.run(again, words, below=below)
    assert counted.status in ENDS, counted.text
    forge.run(again, words)
    expected = state(again)

    for fault in some(each_fault(counted), len(name), IN_CI.get(name, 25)):
        folder = fresh(measured_folder, tmp_path / "attacked")
        told = forge.run(folder, words, fault, below=below)
        assert_ended_clearly(told, f"{name}: {fault}")
        held = measured_in(folder / STORE)
        repeated = forge.run(folder, words)
        assert repeated.status == counted.status, f"{name}: {fault}: {told.text}\n{repeated.text}"
        now, shown = state(folder)
        for table in ("transcripts", "verdicts"):
            assert held.get(table, {}).items() <= now[table].items() or name == "forget", f"{name}: {fault}"
        assert (now, shown) == expected, f"{name}: {fault}: {told.text}"
