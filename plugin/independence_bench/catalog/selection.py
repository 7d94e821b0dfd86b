"""From the words after ``--model=`` and ``--judge=`` to models with every override applied, or one clear refusal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import Catalogue, near_matches
from independence_bench.catalog.endpoints import ad_hoc_endpoint, host_and_port
from independence_bench.catalog.rows import JudgeRow, ModelRow
from independence_bench.spec import Endpoint, Model, ReasoningEffort

OFFLINE = "offline"
"""Name of the embedded endpoint's row, and the vendor part of its models' ids."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says about how models and judges are asked; None leaves the row's value."""

    endpoint: str | None = None
    endpoint_key_env: str | None = None
    judge_endpoint: str | None = None
    judge_endpoint_key_env: str | None = None
    build: str | None = None
    temperature: float | None = None
    reasoning_effort: ReasoningEffort | None = None
    max_tokens: int | None = None
    timeout_s: float | None = None
    """Seconds for one answer, all attempts together."""
    attempts: int | None = None
    requests_per_minute: int | None = None
    """For each endpoint that is asked, embedded ones excepted."""
    tokens_per_minute: int | None = None
    lift_endpoint_concurrency: bool = False
    """True when a concurrency was asked for explicitly: the rows' own default no longer holds."""
    offline_build: Callable[[str], str | None] = lambda model_id: None
    """Embedded model id → digest of its source; None for all others."""


def split_names(values: Sequence[str]) -> tuple[str, ...]:
    """Return names from a repeatable option whose values may be comma lists; order kept, doubles dropped."""
    names = [name.strip() for value in values for name in value.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def select_models(
    catalogue: Catalogue, names: Sequence[str], overrides: Overrides, kind: str = "index"
) -> tuple[Model, ...]:
    """Return the models named by labels, ids, globs over labels or free ids; without a name the default.

    ``kind`` is that of the edition: it decides who is asked by default.

    Raises:
        BadInput: unknown name (with near matches), two models under one label or with one configuration,
            an override that a model cannot take, or no name where no row is asked by default.
    """
    rows = _rows(catalogue, names, kind)
    if overrides.endpoint and all(row.endpoint == OFFLINE for row in rows):
        raise BadInput("--endpoint: it is given without a model to serve; add --model=ID")
    models = tuple(_model(catalogue, row, overrides) for row in rows)
    for attribute, thing in (("label", "label"), ("configuration", "configuration (id, endpoint and sampling)")):
        seen: dict[str, Model] = {}
        for model in models:
            key: str = getattr(model, attribute)
            if key in seen:
                labels = f"{seen[key].label} and {model.label}"
                raise BadInput(f"--model: {labels} have one {thing}; keep one of them")
            seen[key] = model
    return models


def _rows(catalogue: Catalogue, names: Sequence[str], kind: str) -> tuple[ModelRow, ...]:
    if not names:
        rows = tuple(row for row in catalogue.models.values() if kind in row.default_in and row.active)
        if not rows:
            raise BadInput(f"--model: no active row of models.yaml has {kind!r} in default_in; name a model")
        return rows
    found: dict[str, ModelRow] = {}
    for name in names:
        for row in _matches(catalogue, name):
            found.setdefault(row.label, row)
    return tuple(found.values())


def _matches(catalogue: Catalogue, name: str) -> list[ModelRow]:
    rows = list(catalogue.models.values())
    if name in catalogue.models:
        # A label that is also the id of several rows names them all, as any id does.
        same_id = [row for row in rows if row.id == name and row.active]
        return same_id or [catalogue.models[name]]
    by_id = [row for row in rows if row.id == name]
    if by_id:
        return [row for row in by_id if row.active] or by_id
    if any(sign in name for sign in "*?["):
        matched = [row for row in rows if row.active and fnmatchcase(row.label, name)]
        if not matched:
            raise BadInput(f"--model={name}: no active label matches; see configs/models.yaml for the labels")
        return matched
    if "/" in name.strip("/") and not name.startswith(f"{OFFLINE}/"):
        return [_free_row(catalogue, name)]
    known = [*catalogue.models, *(row.id for row in rows)]
    own = "" if "/" in name else f"; what a server of your own serves is named local/{name}"
    raise BadInput(f"--model={name}: there is no such label or id; {near_matches(name, known)}{own}")


def _free_row(catalogue: Catalogue, name: str) -> ModelRow:
    """A model that has no row: the defaults of models.yaml; ``local/`` ids live on the local endpoint."""
    defaults = catalogue.model_defaults
    return ModelRow(
        label=name,
        id=name,
        endpoint="local" if name.startswith("local/") and "local" in catalogue.endpoints else defaults.endpoint,
        temperature=defaults.temperature,
        reasoning_effort=defaults.reasoning_effort,
        max_tokens=defaults.max_tokens,
    )


def _model(catalogue: Catalogue, row: ModelRow, overrides: Overrides) -> Model:
    embedded = row.endpoint == OFFLINE
    endpoint = catalogue.endpoints[row.endpoint]
    label = row.label
    temperature, effort, max_tokens = row.temperature, row.reasoning_effort, row.max_tokens
    if overrides.temperature is not None:
        if row.temperature_supported is False:
            raise BadInput(f"--temperature: {row.label} takes no temperature; leave the option out for it")
        temperature = overrides.temperature
    if overrides.reasoning_effort is not None:
        effort = overrides.reasoning_effort
        if effort in ("off", "none") and row.reasoning_required:
            raise BadInput(
                f"--reasoning-effort={effort}: {row.label} cannot answer without reasoning; choose low, medium or high"
            )
    if (temperature, effort) != (row.temperature, row.reasoning_effort):
        label += f"@{effort}-t{'-' if temperature is None else format(temperature, 'g')}"
    moved = bool(overrides.endpoint) and not embedded
    if overrides.endpoint and moved:
        endpoint = ad_hoc_endpoint(overrides.endpoint, overrides.endpoint_key_env, catalogue.endpoints, "--endpoint")
        label += f"+{host_and_port(endpoint.base_url)}"
    if overrides.max_tokens is not None and overrides.max_tokens != max_tokens:
        max_tokens = overrides.max_tokens
        label += f"+max={max_tokens}"
    build = overrides.offline_build(row.id) if embedded else overrides.build
    if build and not embedded:
        label += f"#{build}"
    return Model(
        label=label,
        id=row.id,
        served_id=row.served_id or row.id.removeprefix("local/"),
        endpoint=_limited(endpoint, overrides),
        vendor=row.vendor,
        temperature=temperature,
        temperature_supported=row.temperature_supported,
        reasoning_effort=effort,
        reasoning_required=row.reasoning_required,
        thinking=row.thinking,
        open_weights=row.open_weights,
        provider=row.provider,
        max_tokens=max_tokens,
        # A price holds where it was read: served elsewhere, it is unknown.
        price_in=None if moved else row.price_in,
        price_out=None if moved else row.price_out,
        price_date=None if moved else row.price_date,
        build=build,
    )


def _limited(endpoint: Endpoint, overrides: Overrides) -> Endpoint:
    changes: dict[str, float | int | None] = {}
    if overrides.timeout_s is not None:
        changes["call_deadline_s"] = overrides.timeout_s
        # Who gives a slow server more time for an answer means the whole conversation.
        longer = max(1.0, overrides.timeout_s / endpoint.call_deadline_s)
        changes["trial_deadline_s"] = endpoint.trial_deadline_s * longer
    if overrides.attempts is not None:
        changes["attempts"] = overrides.attempts
    if endpoint.name != OFFLINE:
        if overrides.requests_per_minute is not None:
            changes["requests_per_minute"] = overrides.requests_per_minute
        if overrides.tokens_per_minute is not None:
            changes["tokens_per_minute"] = overrides.tokens_per_minute
    if overrides.lift_endpoint_concurrency:
        changes["max_concurrency"] = None
    return endpoint.model_copy(update=changes) if changes else endpoint


def select_panel(
    catalogue: Catalogue, names: Sequence[str], models: Sequence[Model], overrides: Overrides
) -> tuple[Model, ...]:
    """Return the judges named, or the default: the embedded judge for embedded models, else the published one.

    ``--judge-endpoint`` serves the judges that have no row; where all have one, the only judge.

    Raises:
        BadInput: unknown or doubled judge, or no ``--judge`` where embedded and other models are mixed.
    """
    settings = catalogue.judge_settings
    if not names:
        embedded = {model.endpoint.name == OFFLINE for model in models}
        if embedded == {True, False}:
            raise BadInput(
                "--judge: embedded and other models are measured together; say which judge reads them all, "
                f"for example --judge={settings.default}"
            )
        names = (settings.offline_default,) if embedded == {True} else (settings.default,)
    found = [(name, _judge_row(catalogue, name)) for name in names]
    without_row = [name for name, row in found if row is None]
    if overrides.judge_endpoint and not without_row and len(found) > 1:
        raise BadInput("--judge-endpoint: every judge has a row of its own; give it with one judge only")
    panel = []
    for name, row in found:
        here = overrides.judge_endpoint is not None and (row is None or not without_row)
        panel.append(_judge(catalogue, name, row, overrides, here))
    if len({judge.configuration for judge in panel}) < len(panel):
        raise BadInput("--judge: two of the judges are one model with one sampling; name each judge once")
    return tuple(panel)


def _judge_row(catalogue: Catalogue, name: str) -> JudgeRow | ModelRow | None:
    if name in catalogue.judges:
        return catalogue.judges[name]
    if name in catalogue.models:
        return catalogue.models[name]
    rows = [row for row in catalogue.models.values() if row.id == name]
    if rows:
        servings = {(row.endpoint, row.served_id, row.provider) for row in rows}
        unpinned = [row for row in rows if row.provider is None]
        if len(servings) == 1 or unpinned:
            return (unpinned or rows)[0]
        labels = ", ".join(row.label for row in rows)
        raise BadInput(f"--judge={name}: several rows have this id; name one by its label: {labels}")
    if "/" in name.strip("/") and not name.startswith(f"{OFFLINE}/"):
        return None
    known = [*catalogue.judges, *catalogue.models, *(row.id for row in catalogue.models.values())]
    raise BadInput(f"--judge={name}: there is no such judge; {near_matches(name, known)}")


def _judge(
    catalogue: Catalogue, name: str, row: JudgeRow | ModelRow | None, overrides: Overrides, moved: bool
) -> Model:
    defaults = catalogue.judge_settings.defaults
    effort: ReasoningEffort = defaults.reasoning_effort
    temperature: float | None = defaults.temperature
    max_tokens = defaults.max_tokens
    if isinstance(row, JudgeRow):
        effort, temperature, max_tokens = row.reasoning_effort, row.temperature, row.max_tokens
    elif row is not None and row.reasoning_required:
        effort = row.reasoning_effort  # it cannot judge without reasoning either
    model_id = name if row is None else row.model if isinstance(row, JudgeRow) else row.id
    endpoint = catalogue.endpoints[_free_row(catalogue, name).endpoint if row is None else row.endpoint]
    label = name
    if overrides.judge_endpoint and moved:
        endpoint = ad_hoc_endpoint(
            overrides.judge_endpoint, overrides.judge_endpoint_key_env, catalogue.endpoints, "--judge-endpoint"
        )
        label += f"+{host_and_port(endpoint.base_url)}"
    served_id = row.served_id if row is not None and row.served_id else model_id.removeprefix("local/")
    prices = row if row is not None and not moved else None
    as_model = row if isinstance(row, ModelRow) else None
    return Model(
        label=label,
        id=model_id,
        served_id=served_id,
        endpoint=_limited(endpoint, overrides),
        vendor=row.vendor if row else None,
        temperature=temperature,
        temperature_supported=as_model.temperature_supported if as_model else None,
        reasoning_effort=effort,
        provider=as_model.provider if as_model else None,
        max_tokens=max_tokens,
        price_in=prices.price_in if prices else None,
        price_out=prices.price_out if prices else None,
        price_date=prices.price_date if prices else None,
        build=overrides.offline_build(model_id),
    )
