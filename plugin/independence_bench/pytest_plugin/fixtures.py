"""The fixtures of a bench suite, which may override or parametrize them: what a trial is made of, and the trial."""

from typing import TypeVar

import pytest

from independence_bench.pytest_plugin.bench import spec_of
from independence_bench.pytest_plugin.measuring_side import MeasuringSide
from independence_bench.pytest_plugin.python_scenario_cases import Chat, Panel, PythonScenarioTrial
from independence_bench.pytest_plugin.trial import Refused, Trial
from independence_bench.session.overriding import FIXTURES
from independence_bench.spec import DeliveryMode, Endpoint, Model, Scenario, TrialSpec

_Value = TypeVar("_Value")


def _measuring(config: pytest.Config) -> MeasuringSide:
    """Return the measuring side. No fixture of ours has the session's scope: pytest would remember all cases."""
    plugin = config.pluginmanager.get_plugin("independence_bench.bench.measuring")
    assert isinstance(plugin, MeasuringSide)
    return plugin


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fill in the fixtures of a case of ours alone: setting them up was a tenth of a session with nothing to ask."""
    spec = spec_of(item)
    # The conversation of a Python scenario has a fixture of its own.
    if spec is None or spec.scenario.function is not None or getattr(item.config.option, "setupshow", False):
        return
    measuring = _measuring(item.config)
    if not measuring.bench.overridden_fixtures.only_ours(item):
        return
    values = {
        "scenario": spec.scenario,
        "model": spec.model,
        "run": spec.run,
        "endpoint": spec.model.endpoint,
        "system_variant": spec.system_variant,
        "delivery_mode": spec.delivery_mode,
        "judge": Panel.of(measuring.bench.plan.panel, measuring.python_scenarios),
    }
    filled = {**values, "spec": spec, "_case": item, "trial": measuring.trial(spec, item, values)}
    if (request := getattr(item, "_request", None)) is not None:
        filled["request"] = request
    item.funcargs |= filled  # type: ignore[attr-defined]  # a case is a function


@pytest.fixture
def _case(request: pytest.FixtureRequest) -> pytest.Item:
    """The case itself. pytest makes a new ``request`` each time: one in each fixture took a tenth of a case's time."""
    assert isinstance(request.node, pytest.Item)
    return request.node


@pytest.fixture
def scenario(spec: TrialSpec, _case: pytest.Item) -> Scenario:
    """The scripted conversation of this case, with its rubric and pass mark."""
    return _parameter(_case, "scenario", spec.scenario)


@pytest.fixture
def model(spec: TrialSpec, _case: pytest.Item) -> Model:
    """The model that is asked."""
    return _parameter(_case, "model", spec.model)


@pytest.fixture
def endpoint(spec: TrialSpec, model: Model, _case: pytest.Item) -> Endpoint:
    """The server that is asked."""
    return _parameter(_case, "endpoint", _measuring(_case.config).endpoint_of(spec, model, _case))


@pytest.fixture
def system_variant(spec: TrialSpec, _case: pytest.Item) -> str:
    """Name of the system prompt."""
    return _parameter(_case, "system_variant", spec.system_variant)


@pytest.fixture
def delivery_mode(spec: TrialSpec, _case: pytest.Item) -> DeliveryMode:
    """How human text reaches the model."""
    return _parameter(_case, "delivery_mode", spec.delivery_mode)


@pytest.fixture
def run(spec: TrialSpec, _case: pytest.Item) -> int:
    """Which repeat of the whole set this is, from 1."""
    return _parameter(_case, "run", spec.run)


@pytest.fixture
def judge(_case: pytest.Item) -> tuple[Model, ...]:
    """The panel of judges; a Python scenario may ask it for a verdict."""
    measuring = _measuring(_case.config)
    return _parameter(_case, "judge", Panel.of(measuring.bench.plan.panel, measuring.python_scenarios))


@pytest.fixture
def trial(
    spec: TrialSpec,
    endpoint: Endpoint,
    delivery_mode: DeliveryMode,
    system_variant: str,
    scenario: Scenario,
    model: Model,
    run: int,
    judge: tuple[Model, ...],
    _case: pytest.Item,
) -> Trial | PythonScenarioTrial:
    """The trial, conducted and judged, or an error that says why not; of a Python scenario, what its function leads."""
    values = dict(zip(FIXTURES, (scenario, model, run, endpoint, system_variant, delivery_mode, judge), strict=True))
    return _measuring(_case.config).trial(spec, _case, values)


@pytest.fixture
def chat(trial: Trial | PythonScenarioTrial) -> Chat | None:
    """The conversation that the function of a Python scenario leads; None where it is over and the function not run."""
    if trial.spec.scenario.function is None:
        raise Refused("not measured: the fixture `chat` is for Python scenarios", pytrace=False)
    return trial.chat if isinstance(trial, PythonScenarioTrial) else None


def _parameter(case: pytest.Item, name: str, planned: _Value) -> _Value:
    callspec = getattr(case, "callspec", None)
    value: _Value = planned if callspec is None else callspec.params.get(name, planned)
    return value
