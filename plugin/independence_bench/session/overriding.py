"""From the values that a case's overridden fixtures return to the trial that it asks.

The plan's digest, slots and shards do not change, since no other process can know what only a fixture determines: the
late trial belongs to the slot of its case and uses that worker's share of every limit. The planned trial is not started
unless another case asks it. If only the judging differs, the conversation is generated once and judged by all.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TypeVar

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.callable_judge import judge_name
from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import ad_hoc_endpoint, host_and_port, normalised_url
from independence_bench.catalog.selection import distinct_judges, moved, select_judge, select_models
from independence_bench.kinds.edition_files import load_cells
from independence_bench.option_table import BY_SPELLING
from independence_bench.session.engine_setup import ClientFactories, base_url_of, made_client
from independence_bench.session.plan import Plan, catalogue_of, takes
from independence_bench.session.refusals import refuse_missing_keys, refuse_unjudgeable, refuse_unknown_prices
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import StoredState
from independence_bench.spec import (
    DELIVERY_MODES,
    Cell,
    DeliveryMode,
    Endpoint,
    Model,
    Scenario,
    TrialSpec,
    is_embedded,
)

FIXTURES = ("scenario", "model", "run", "endpoint", "system_variant", "delivery_mode", "judge")

_OPTION_OF = {"system_variant": "--system-variant", "delivery_mode": "--delivery-mode", "judge": "--judge"}
"""Fixture → the option that gives the same, which an edition may not take."""

Places = Mapping[str, str]
"""Fixture → where it is overridden, as messages name it: ``overridden in tests/conftest.py:3``."""
NOWHERE: Places = MappingProxyType({})

_Value = TypeVar("_Value")


class Overriding:
    """How the cases of one session may ask something else than its plan."""

    def __init__(self, plan: Plan, settings: Settings, processes: int = 1) -> None:
        """``processes`` share the limits of an endpoint that the plan does not ask."""
        self._plan = plan
        self._settings = settings
        self._processes = processes
        self.clients: ClientFactories = {}  # what the fixture ``endpoint`` has returned, for the engine
        self._applications: dict[str, object] = {}  # by base URL

    def spec(
        self, planned: TrialSpec, values: Mapping[str, object], places: Places = NOWHERE, application: object = None
    ) -> TrialSpec:
        """Return the trial of a case whose overridden fixtures returned ``values``: its own, or one already in the
        plan. Cases with an equal ``application`` have the same one behind what the fixture ``endpoint`` returned.
        Raises BadInput: a value that cannot be asked; the sentence names the fixture and its place.
        """
        edition = self._plan.edition

        def read(name: str, reader: Callable[[object], _Value], otherwise: _Value) -> _Value:
            if name not in values:
                return otherwise
            with _blamed([name], places):
                if name in _OPTION_OF and not takes(edition, BY_SPELLING[_OPTION_OF[name]]):
                    raise BadInput(f"edition {edition.id} takes none; leave the fixture as it is")
                return reader(values[name])

        scenario = read("scenario", self._scenario, planned.scenario)
        variant = read("system_variant", self._system_variant, planned.system_variant)
        delivery = read("delivery_mode", _delivery_mode, planned.delivery_mode)
        model = read("model", lambda value: self._model(value, planned.model), planned.model)
        model = read("endpoint", lambda value: self._served(model, value, application), model)
        run = read("run", self._run, planned.run)
        judges = read("judge", lambda value: self._judges(value, scenario), None)
        with _blamed(values, places):
            return self._plan.late(self._cell(scenario, variant, delivery), model, run, judges)

    def model(self, value: object, planned: Model, places: Places) -> Model:
        """Return the model that the fixture ``model`` returned. Raises BadInput: there is no such model."""
        with _blamed(["model"], places):
            return self._model(value, planned)

    def refuse_unaskable(self, spec: TrialSpec, states: Mapping[str, StoredState], places: Places = NOWHERE) -> None:
        """Check that a trial can be paid for and judged, with the keys for its calls; ``states`` is what is stored.
        Raises BadInput: no price is known under --max-cost, a key variable is unset, or a score is unknown.
        """
        plan, settings = self._plan, self._settings
        keys = [plan.keys[spec]]
        refuse_missing_keys(plan, keys, settings.environment, lambda: states)  # of no fixture's making
        with _blamed(places, places):
            refuse_unknown_prices(plan, keys, settings, lambda: states)
            refuse_unjudgeable(plan, keys)

    @cached_property
    def _catalogue(self) -> Catalogue:
        return catalogue_of(self._settings)

    # --- what is said -----------------------------------------------------------------------------------------------

    @cached_property
    def _scenarios(self) -> dict[str, Scenario]:
        return {scenario.id: scenario for scenario in self._plan.edition.scenarios}

    def _scenario(self, value: object) -> Scenario:
        id_ = value.id if isinstance(value, Scenario) else _text(value, "the id of a scenario or a Scenario")
        scenario, edition = self._scenarios.get(id_), self._plan.edition.id
        own = "for a scenario of your own, name its file under `scenarios:` in an edition file of your own"
        if scenario is None:
            near = near_matches(id_, self._scenarios)
            raise BadInput(f"edition {edition} has no scenario {id_!r} ({near}); {own}")
        if isinstance(value, Scenario) and value != scenario:
            raise BadInput(f"its scenario {id_!r} differs from that of edition {edition}; {own}")
        return scenario

    def _run(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= self._plan.runs:
            raise BadInput(f"{value!r} is no run of --runs={self._plan.runs}; return one, or ask for more")
        return value

    def _system_variant(self, value: object) -> str:
        return _known(_text(value, "the name of a system prompt"), self._catalogue.system_variants)

    @cached_property
    def _cells(self) -> dict[tuple[str, str, str], Cell]:
        return {(cell.scenario.id, cell.system_variant, cell.delivery_mode): cell for cell in self._plan.all_cells}

    def _cell(self, scenario: Scenario, variant: str, delivery: DeliveryMode) -> Cell:
        place = (scenario.id, variant, delivery)
        if place not in self._cells:
            for cell in load_cells(self._plan.edition, self._catalogue, (variant,), (delivery,)):
                self._cells.setdefault((cell.scenario.id, cell.system_variant, cell.delivery_mode), cell)
        if place not in self._cells:
            raise BadInput(f"edition {self._plan.edition.id} cannot ask {scenario.id} as {variant}+{delivery}")
        return self._cells[place]

    # --- who is asked -----------------------------------------------------------------------------------------------

    def _model(self, value: object, planned: Model) -> Model:
        if isinstance(value, Model):
            return self._shared(_labelled(_anew(value), planned))
        name = _text(value, "the label or id of a model, or a Model")
        # --endpoint moves no embedded model.
        settings = replace(self._settings, endpoint=None) if is_embedded(name) else self._settings
        matches = select_models(self._catalogue, (name,), settings, self._plan.edition.kind)
        if len(matches) > 1:
            labels = ", ".join(model.label for model in matches)
            raise BadInput(f"{name!r} names several models; return one of the labels {labels}")
        own = next((model for model in self._plan.models if model.configuration == matches[0].configuration), None)
        return own or self._shared(matches[0])

    def _served(self, model: Model, value: object, application: object) -> Model:
        if isinstance(value, Endpoint):
            endpoint = value
        elif callable(value):
            endpoint = self._application(value, application or value)
        else:
            url = _text(value, "a base URL, an Endpoint, or a function that returns an httpx.AsyncClient")
            key_env, known = self._settings.endpoint_key_env, self._catalogue.endpoints
            endpoint = ad_hoc_endpoint(url, key_env, known, "--endpoint")
        if endpoint.base_url == model.endpoint.base_url:
            return model
        if endpoint.embedded or model.offline:
            raise BadInput(
                f"{model.label} cannot be asked at {endpoint.base_url}; name the model that it serves, for example "
                "--model=local/NAME"
            )
        return self._shared(moved(model, endpoint, self._settings))

    def _application(self, factory: Callable[[], object], application: object) -> Endpoint:
        """Return the endpoint of a client's base URL, and let this client be made for it: once here to read the URL, in
        a separate loop, and once in the engine's. Raises BadInput: another application has this URL.
        """
        make = partial(made_client, factory)
        with ThreadPoolExecutor(1) as thread:  # in this one, a loop may be running
            base_url = thread.submit(asyncio.run, base_url_of(make)).result()
        url = normalised_url(base_url, f"base_url={base_url}")
        if self._applications.setdefault(url, application) != application:
            raise BadInput(
                f"another fixture, or the same with another parameter, has returned a client for {url}; give each "
                "application its own base_url"
            )
        self.clients.setdefault(f"{url}/", make)
        return Endpoint(name=host_and_port(url), base_url=url, ad_hoc=True)

    def _judges(self, value: object, scenario: Scenario) -> tuple[Model, ...]:
        if scenario.rubric is None:
            raise BadInput(f"no judge reads scenario {scenario.id}; leave the fixture as it is")
        values = value if isinstance(value, tuple | list) else (value,)
        if not values:
            raise BadInput("return one judge, or several")
        judges = distinct_judges([self._judge(each) for each in values])
        configurations = {judge.configuration for judge in judges}
        panel, settings = {judge.configuration for judge in self._plan.panel}, self._settings
        if configurations == panel:
            return self._plan.panel
        for option, required in (
            ("--require-judge-check", settings.require_judge_check),
            ("--require-labels", settings.require_labels),
        ):
            if required and not configurations <= panel:
                raise BadInput(f"{option} checks the judges of --judge alone; name it there")
        return judges

    def _judge(self, value: object) -> Model:
        if isinstance(value, Model):
            return self._shared(_anew(value))
        name = judge_name(value) if callable(value) else _text(value, "what --judge accepts, a callable, or a Model")
        own = next((judge for judge in self._plan.panel if judge.label == name), None)
        return own or self._shared(select_judge(self._catalogue, name, self._settings))

    def _shared(self, model: Model) -> Model:
        endpoint = model.endpoint
        if self._processes == 1 or endpoint.base_url in self._planned_urls:
            return model
        limits = ("max_concurrency", "requests_per_minute", "tokens_per_minute")
        part = {name: max(1, limit // self._processes) for name in limits if (limit := getattr(endpoint, name))}
        return model.model_copy(update={"endpoint": endpoint.model_copy(update=part)}) if part else model

    @cached_property
    def _planned_urls(self) -> frozenset[str]:
        return frozenset(model.endpoint.base_url for model in (*self._plan.models, *self._plan.panel))


def where(names: Iterable[str], places: Places) -> str:
    """Return fixtures as messages name them, with the places where they are overridden, as far as these are known."""
    known = {name: f", {places[name]}," if name in places else "" for name in names}
    return " and ".join(f"fixture {name}{place}" for name, place in known.items()).removesuffix(",")


@contextmanager
def _blamed(names: Iterable[str], places: Places) -> Iterator[None]:
    """Name the fixtures in bad input, and not the options that give the same."""
    try:
        yield
    except BadInput as error:
        names = [*names]
        trouble = str(error)
        for name in names:
            trouble = re.sub(rf"^--{name}(=|: )", "", trouble)
        raise BadInput(f"{where(names, places)}: {trouble}" if names else trouble) from None


def _anew(model: Model) -> Model:
    """Return a model without what was computed from it: pydantic's ``model_copy`` keeps an old digest."""
    return Model.model_validate(model.model_dump())


def _text(value: object, wanted: str) -> str:
    if not isinstance(value, str):
        raise BadInput(f"it returned a value of type {type(value).__name__}; return {wanted}")
    return value


def _known(name: str, known: Iterable[str]) -> str:
    if name not in known:
        raise BadInput(f"there is no {name!r}; {near_matches(name, known)}")
    return name


def _delivery_mode(value: object) -> DeliveryMode:
    return _known(_text(value, "the name of a delivery mode"), DELIVERY_MODES)


def _labelled(model: Model, planned: Model) -> Model:
    if model.label != planned.label or model.configuration == planned.configuration:
        return model
    differences = (f"+{name}={value}" for name, value in model.identity.items() if planned.identity[name] != value)
    return model.model_copy(update={"label": model.label + "".join(differences)})
