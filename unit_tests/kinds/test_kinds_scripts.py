"""Whatever conducts a trial: how many answers must follow one another is between one and all of them."""

from collections.abc import Iterator

import pytest

from independence_bench.catalog import Catalogue
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.spec import FunctionScript, ScenarioFunction, Script


def subclasses(kind: type[Script]) -> Iterator[type[Script]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("independence_bench."):
            yield each
            yield from subclasses(each)


def scripts() -> dict[type[Script], Script]:
    catalogue = Catalogue()
    found = [
        load_cells(load_edition(name, catalogue), catalogue)[0].script for name in ("v2", "roles-mini", "v3", "ladder")
    ]
    function = ScenarioFunction(name="test_it", source="d", max_calls=7)
    python_scenario = FunctionScript(**dict(found[0]) | {"turns": ()}, function=function)
    return {type(script): script for script in [*found, python_scenario]}


SCRIPTS = scripts()


@pytest.mark.parametrize("kind", [Script, *subclasses(Script)], ids=lambda kind: kind.__name__)
def test_a_chain_is_between_one_and_all_answers(kind: type[Script]) -> None:
    assert 1 <= SCRIPTS[kind].chain_in(1) <= SCRIPTS[kind].calls


def test_each_turn_of_a_python_scenario_may_depend_on_all_answers_before_it() -> None:
    assert SCRIPTS[FunctionScript].chain_in(1) == SCRIPTS[FunctionScript].calls == 7
