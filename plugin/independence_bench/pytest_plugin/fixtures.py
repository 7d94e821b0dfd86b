"""The fixtures of a bench suite: what a trial is made of, each by its own name, and the trial composed of them."""

import pytest

from independence_bench.pytest_plugin.measuring_side import MeasuringSide
from independence_bench.pytest_plugin.trial import Trial
from independence_bench.spec import DeliveryMode, Endpoint, Model, Scenario, TrialSpec


@pytest.fixture(scope="session")
def measuring(request: pytest.FixtureRequest) -> MeasuringSide:
    """This process's engine and what is measured already."""
    plugin = request.config.pluginmanager.get_plugin("independence_bench.bench.measuring")
    assert isinstance(plugin, MeasuringSide)
    return plugin


@pytest.fixture(scope="session")
def judge(measuring: MeasuringSide) -> tuple[Model, ...]:
    """The panel of judges."""
    return measuring.bench.plan.panel


@pytest.fixture
def scenario(spec: TrialSpec) -> Scenario:
    """The scripted conversation of this case, with its rubric and pass mark."""
    return spec.scenario


@pytest.fixture
def endpoint(spec: TrialSpec) -> Endpoint:
    """The server that is asked."""
    return spec.model.endpoint


@pytest.fixture
def system_variant(spec: TrialSpec) -> str:
    """Name of the system prompt."""
    return spec.system_variant


@pytest.fixture
def delivery_mode(spec: TrialSpec) -> DeliveryMode:
    """How human text reaches the model."""
    return spec.delivery_mode


@pytest.fixture
def run(spec: TrialSpec) -> int:
    """Which repeat of the whole set this is, from 1."""
    return spec.run


@pytest.fixture
def trial(
    measuring: MeasuringSide,
    spec: TrialSpec,
    endpoint: Endpoint,
    delivery_mode: DeliveryMode,
    system_variant: str,
    scenario: Scenario,
    run: int,
    judge: tuple[Model, ...],
    request: pytest.FixtureRequest,
) -> Trial:
    """The trial: conducted and judged, or an error that says why it could not be measured."""
    return measuring.trial(spec, request.node)
