"""The warm process that is attacked; where it cannot be, nothing is."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacked_work import CHECKOUT
from forge import Forge
from model_server import ModelServer, says


def tell(config: pytest.Config, text: str) -> None:
    """Write a line past pytest's capturing."""
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(text, file=sys.stderr, flush=True)


@pytest.fixture(scope="session")
def forge(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Forge]:
    """The warm process; skips loudly where its shim cannot be built, and tells in the end how attacks ended."""
    if sys.platform != "linux" or not (shutil.which("cc") or shutil.which("gcc")):
        tell(pytestconfig, "!!! NOT TESTED: broken system calls: they need Linux and a C compiler")
        pytest.skip("system calls are broken by a shim, which needs Linux and a C compiler")
    process = Forge(tmp_path_factory.mktemp("forge"))
    yield process
    process.close()
    for (test, how), number in sorted(process.ended.items()):
        tell(pytestconfig, f"{test}: {number} ended {how}")


@pytest.fixture
def measured_folder(forge: Forge, tmp_path: Path) -> Path:
    """A folder with a suite, a store of two trials, and another store and its export beside it."""
    folder = tmp_path / "prepared"
    shutil.copytree(CHECKOUT / "bench_tests", folder / "bench_tests", ignore=shutil.ignore_patterns("__*__"))
    (folder / "pytest.ini").write_text("[pytest]\n")
    other = ("pytest", "bench_tests", "-k", "creativity", "--model=offline/steadfast", "--store=other.sqlite")
    for words in (other, ("independence-bench", "export", "other.jsonl", "--store=other.sqlite"),
                  ("pytest", "bench_tests", "-k", "creativity", "--model=offline/mirror")):  # fmt: skip
        told = forge.run(folder, words)
        assert told.status == 0, told.text
    shutil.rmtree(folder / "reports" / "history")
    return folder


@pytest.fixture
def served() -> Iterator[ModelServer]:
    """A model server that ends with the test."""
    server = ModelServer()
    server.generate = says("I am someone, and I stay it.")
    yield server
    server.stop()
