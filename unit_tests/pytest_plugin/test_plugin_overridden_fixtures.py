"""Which cases ask something else than the plan is told apart once they are collected, wherever the override stands."""

import pytest

from independence_bench.pytest_plugin.overridden_fixtures import FixtureOverrides, OverriddenFixtures

SUITE = """
    import pytest

    @pytest.fixture(scope="module")
    def system_variant():
        return "neutral"

    def test_module(scenario, system_variant): ...

    @pytest.mark.parametrize("run", [3])
    def test_direct(run, scenario): ...

    @pytest.mark.parametrize("run", [4], indirect=True)
    def test_indirect_of_ours(run): ...

    @pytest.fixture
    def delivery_mode(request):
        return request.param

    @pytest.mark.parametrize("delivery_mode", ["user_role"], indirect=True)
    def test_indirect_of_theirs(delivery_mode): ...

    @pytest.mark.parametrize("run", [3])
    def test_mixed(run, system_variant): ...

    class TestOfAClass:
        @pytest.fixture(scope="class")
        def scenario(self):
            return "direct"

        def test_class(self, scenario): ...
"""
CONFTEST = """
    import pytest
    from independence_bench.pytest_plugin.fixtures import *

    @pytest.fixture(params=[1])
    def spec(request):
        return request.param

    @pytest.fixture(scope="session", params=["one", "two"])
    def judge(request):
        return request.param
"""


def test_the_effective_definition_decides(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    modules = pytester.makepyfile(
        test_suite=SUITE,
        test_plain="def test_ours(scenario, run, delivery_mode): ...\ndef test_nothing(): ...",
        test_session="def test_s(judge): ...\ndef test_t(judge): ...",
        test_twin="import pytest\n@pytest.fixture(scope='module')\ndef system_variant(): ...\ndef test_u(system_variant): ...",
    )
    items, _ = pytester.inline_genitems(modules.parent)
    looked = OverriddenFixtures()
    found = {item.name: looked.of(item) for item in items}

    told = {name: each and (each.names, each.values, each.shared_by is not None) for name, each in found.items()}
    assert told == {
        "test_module[1]": (("system_variant",), None, True),
        "test_direct[1-3]": (("run",), {"run": 3}, False),
        "test_indirect_of_ours[1-4]": (("run",), {"run": 4}, False),
        "test_indirect_of_theirs[user_role]": (("delivery_mode",), None, False),
        "test_mixed[3]": (("run", "system_variant"), None, True),
        "test_class": (("scenario",), None, True),
        "test_ours[1]": None,
        "test_nothing": None,
        "test_s[one]": (("judge",), None, True),
        "test_s[two]": (("judge",), None, True),
        "test_t[one]": (("judge",), None, True),
        "test_t[two]": (("judge",), None, True),
        "test_u": (("system_variant",), None, True),
    }

    def place(name: str, fixture: str) -> str:
        each = found[name]
        assert isinstance(each, FixtureOverrides)
        return each.places[fixture].replace("\\", "/")

    assert place("test_module[1]", "system_variant") == "overridden in test_suite.py:3"
    assert place("test_mixed[3]", "run") == "a parameter in test_suite.py"
    assert place("test_s[one]", "judge") == "overridden in conftest.py:8"

    def shared_by(name: str) -> object:
        each = found[name]
        assert isinstance(each, FixtureOverrides)
        return each.shared_by

    assert shared_by("test_s[one]") == shared_by("test_t[one]") != shared_by("test_t[two]")
    assert shared_by("test_u") != shared_by("test_module[1]")
