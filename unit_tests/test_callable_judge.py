"""A callable judge has one name, by whatever name or value it is given."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.callable_judge import callable_judge, importable_from, judge_build, judge_name

WORDING = """
class Words:
    version = "1"
    def __init__(self, most=3): ...
    def __call__(self, material, rubric): ...

class Plain:
    version = "1"
    def __call__(self, material, rubric): ...

def keeps(material, rubric): ...
keeps.version = "1"
alias, held, plain = keeps, Words(4), Plain()
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A bench folder in a repository, both of which a session looks into."""
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "wording.py").write_text(WORDING, "utf-8")
    (folder / "conftest.py").write_text("from wording import *\n", "utf-8")
    for module in ("wording", "bench", "bench.wording", "bench.conftest"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    importable_from([folder, tmp_path], list)
    yield folder
    importable_from([], list)


@pytest.mark.parametrize(
    ("names", "one"),
    [
        (["wording:keeps", "bench.wording:keeps", "wording:alias", "bench.conftest:keeps"], "bench.wording:keeps"),
        (["wording:Plain", "bench.wording:plain", "bench.conftest:plain"], "bench.wording:Plain"),
        (["wording:held", "bench.wording:held"], "bench.wording:held"),
    ],
)
@pytest.mark.usefixtures("bench")
def test_a_judge_has_one_name_and_one_build_by_each_way_to_its_module_and_as_a_value(
    names: list[str], one: str
) -> None:
    assert {judge_name(name) for name in names} == {one}
    values = [getattr(import_module(module), attribute) for module, attribute in (name.split(":") for name in names)]
    assert {judge_name(value) for value in values} == {one}
    assert len({judge_build(name) for name in [*names, one]}) == 1 and callable(callable_judge(one))


def test_two_judges_of_one_name_are_refused(bench: Path, tmp_path: Path) -> None:
    other = tmp_path / "my-bench" / "wording.py"  # a folder that is no part of a name
    other.parent.mkdir()
    other.write_text(WORDING, "utf-8")
    importable_from([bench.parent / "nowhere"], list)
    sys.path[:0] = [str(bench)]
    judge_name("wording:keeps")
    del sys.modules["wording"]
    sys.path[:0] = [str(other.parent)]
    with pytest.raises(BadInput, match="wording:keeps names two judges; rename one of them"):
        judge_name(import_module("wording").keeps)
