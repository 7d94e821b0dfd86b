"""Turn the values of ``--model`` and ``--judge`` into models with every override applied, or into one clear error."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePath

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.callable_judge import callable_judge, judge_build, judge_name, names_callable
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.embedded_builds import lexical_build, models_build
from independence_bench.catalog.endpoints import Overrides, ad_hoc_endpoint, host_and_port, limited_endpoint
from independence_bench.catalog.rows import JudgeRow, JudgesFile, ModelRow
from independence_bench.spec import (
    CALLABLE,
    EMBEDDED,
    LEXICAL_JUDGE,
    Endpoint,
    Model,
    ModelFacts,
    ReasoningEffort,
    is_embedded,
)

_LABEL = re.compile(r"[\w./:@-]+", re.ASCII)
LISTED_BY = "independence-bench models"
PANEL = "panel"  # the name that means the panel of judges.yaml


def split_names(values: Sequence[str]) -> tuple[str, ...]:
    """Return names from a repeatable option whose values may be comma lists; order kept, duplicates dropped."""
    names = [name.strip() for value in values for name in value.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def select_models(
    catalogue: Catalogue, names: Sequence[str], overrides: Overrides, kind: str = "index"
) -> tuple[Model, ...]:
    """Return the models named by labels, ids, globs over both or free ids, else those of this ``kind``'s default.
    Raises BadInput: unknown name, two models of one label or configuration, an impossible override, no default.
    """
    rows = _rows(catalogue, names, kind)
    if overrides.endpoint and all(row.endpoint == EMBEDDED for row in rows):
        raise BadInput("--endpoint: no model is given for it; add --model=ID")
    _refuse_label(rows, overrides)
    efforts = overrides.reasoning_effort or (None,)
    models = tuple(_model(catalogue, row, overrides, effort) for row in rows for effort in efforts)
    for attribute, thing in (("label", "label"), ("configuration", "configuration (id, endpoint and sampling)")):
        seen: dict[str, Model] = {}
        for model in models:
            first = seen.setdefault(getattr(model, attribute), model)
            if first is not model:
                raise BadInput(f"--model: {first.label} and {model.label} have the same {thing}; keep one of them")
    return models


def _refuse_label(rows: Sequence[ModelRow], overrides: Overrides) -> None:
    label = overrides.label
    if label is None:
        return
    if not overrides.build:
        raise BadInput(f"--label={label}: it also needs --build=ID, the name of the build that is being served")
    if len(rows) != 1 or rows[0].endpoint == EMBEDDED:
        raise BadInput(f"--label={label}: it names one model that is not embedded; give one with --model")
    if not _LABEL.fullmatch(label):
        raise BadInput(f"--label={label}: use letters, digits and any of . _ / : @ -")


def _rows(catalogue: Catalogue, names: Sequence[str], kind: str) -> tuple[ModelRow, ...]:
    if not names:
        rows = tuple(row for row in catalogue.models.values() if kind in row.default_in and row.found_by_glob)
        if not rows:
            raise BadInput(f"--model: no active row of models.yaml has {kind!r} in default_in; name a model")
        return rows
    return tuple({row.label: row for name in names for row in _matches(catalogue, name)}.values())


def _matches(catalogue: Catalogue, name: str) -> list[ModelRow]:
    rows = catalogue.models
    by_id = [row for row in rows.values() if row.id == name]
    # A label that is also the id of several rows names them all, as any id does.
    if matches := [row for row in by_id if row.found_by_glob] or ([rows[name]] if name in rows else by_id):
        return matches
    if any(sign in name for sign in "*?["):
        fitting = [row for row in rows.values() if fnmatchcase(row.label, name) or fnmatchcase(row.id, name)]
        if matches := [row for row in fitting if row.found_by_glob]:
            return matches
        raise BadInput(f"--model={name}: no active label or id matches; `{LISTED_BY}` lists all")
    if _is_free(name):
        return [_free_row(catalogue, name)]
    own = "" if "/" in name else f"; a model on your own server is named local/{name}"
    near = near_matches(name, _names(catalogue), LISTED_BY)
    raise BadInput(f"--model={name}: there is no such label or id; {near}{own}")


def _names(catalogue: Catalogue) -> list[str]:
    return [*catalogue.models, *(row.id for row in catalogue.models.values())]


def _is_free(name: str) -> bool:
    return "/" in name.strip("/") and not is_embedded(name)


def _free_row(catalogue: Catalogue, name: str) -> ModelRow:
    """A model without a row: the defaults of models.yaml; ``local/`` ids use the local endpoint."""
    defaults = catalogue.model_defaults.model_dump()
    if name.startswith("local/") and "local" in catalogue.endpoints:
        defaults["endpoint"] = "local"
    return ModelRow(label=name, id=name, **defaults)


def _model(catalogue: Catalogue, row: ModelRow, overrides: Overrides, effort: ReasoningEffort | None) -> Model:
    embedded = row.endpoint == EMBEDDED
    url = None if embedded else overrides.endpoint
    elsewhere = ad_hoc_endpoint(url, overrides.endpoint_key_env, catalogue.endpoints, "--endpoint") if url else None
    model = _served(catalogue, _sampled(row, overrides, effort), elsewhere, overrides)
    max_tokens = overrides.max_tokens or row.max_tokens
    chosen = max_tokens != row.max_tokens
    label = f"{model.label}+max={max_tokens}" if chosen else model.label
    build = models_build() if embedded else overrides.build
    if build and not embedded:
        label = f"{overrides.label or label}#{build}"
    dialect = {"max_tokens_field": overrides.max_tokens_field, "tool_history": overrides.tool_history}
    endpoint = model.endpoint.model_copy(update={name: value for name, value in dialect.items() if value is not None})
    named = {"label": label, "keeps_label": overrides.label is not None, "build": build, "chosen_as": row.label}
    limited = {"max_tokens": max_tokens, "chosen_max_tokens": chosen, "endpoint": endpoint}
    return model.model_copy(update={**named, **limited})


def _sampled(row: ModelRow, overrides: Overrides, effort: ReasoningEffort | None) -> ModelRow:
    """Return the row with the requested sampling, which its label then names."""
    temperature = row.temperature if overrides.temperature is None else overrides.temperature
    if temperature == "off":
        temperature = None
    elif overrides.temperature is not None and row.temperature_supported is False:
        raise BadInput(f"--temperature: {row.label} takes no temperature; omit the option for it")
    if effort is None:
        effort = row.reasoning_effort
    elif effort in ("off", "none") and row.reasoning_required:
        raise BadInput(f"--reasoning-effort={effort}: {row.label} needs reasoning; choose low, medium or high")
    if (temperature, effort) == (row.temperature, row.reasoning_effort):
        return row
    label = f"{row.label}@{effort}-t{'-' if temperature is None else format(temperature, 'g')}"
    return row.model_copy(update={"label": label, "temperature": temperature, "reasoning_effort": effort})


_AT_HOME_ONLY = dict.fromkeys(("price_in", "price_out", "price_date", "retired"))
"""Facts that hold where they were read: of a model that is served elsewhere they are unknown."""


def _served(catalogue: Catalogue, row: ModelRow, elsewhere: Endpoint | None, overrides: Overrides) -> Model:
    facts = row.model_dump(include=set(ModelFacts.model_fields))
    if elsewhere:
        facts |= {"label": f"{row.label}+{host_and_port(elsewhere.base_url)}", **_AT_HOME_ONLY}
    endpoint = limited_endpoint(elsewhere or catalogue.endpoints[row.endpoint], overrides)
    return Model(**facts, served_id=row.served_id or row.id.removeprefix("local/"), endpoint=endpoint)


def moved(model: Model, endpoint: Endpoint, overrides: Overrides) -> Model:
    """Return a model as another endpoint serves it: its label names the endpoint, its price is unknown."""
    was = f"+{host_and_port(model.endpoint.base_url)}" if model.endpoint.ad_hoc else ""
    label = f"{model.label.replace(was, '')}+{host_and_port(endpoint.base_url)}"
    # Not a copy: that would keep the identity, which is computed once.
    fields = {name: getattr(model, name) for name in Model.model_fields}
    return Model(**fields | {"label": label, "endpoint": limited_endpoint(endpoint, overrides), **_AT_HOME_ONLY})


def select_panel(
    catalogue: Catalogue, names: Sequence[str], models: Sequence[Model], overrides: Overrides
) -> tuple[Model, ...]:
    """Return the judges named, or the default; ``panel`` names those of judges.yaml, none of which may be a model here.
    ``--judge-endpoint`` serves the judges without a row, or the single judge if it has one.
    Raises BadInput: unknown or duplicate judge, one of the panel among the models, embedded and other models mixed.
    """
    settings = catalogue.judge_settings
    if not names:
        embedded = {model.offline for model in models}
        if embedded == {True, False}:
            raise BadInput(
                "--judge: embedded and other models are measured together; name one judge for all of them, "
                f"for example --judge={settings.default}"
            )
        names = (settings.offline_default,) if embedded == {True} else (settings.default,)
    names = [judge for name in names for judge in (_of_panel(settings, models) if name == PANEL else (name,))]
    called = {name: own for name in names if (own := _callable_judge(catalogue, name, overrides)) is not None}
    asked_rows = [(name, _judge_row(catalogue, name)) for name in names if name not in called]
    elsewhere, all_have_rows = None, all(row for _, row in asked_rows)
    if overrides.judge_endpoint:
        if not asked_rows:
            raise BadInput(f"--judge-endpoint: {', '.join(called)} is called in this process; leave the option out")
        if all_have_rows and len(asked_rows) > 1:
            raise BadInput("--judge-endpoint: every judge has its own row; use this option with a single judge")
        url, key_env = overrides.judge_endpoint, overrides.judge_endpoint_key_env
        elsewhere = ad_hoc_endpoint(url, key_env, catalogue.endpoints, "--judge-endpoint")
    for name, row in asked_rows:
        judge = _judging(catalogue, name, row)
        moved = elsewhere if all_have_rows or row is None else None
        build = lexical_build() if judge.id == LEXICAL_JUDGE else models_build() if is_embedded(judge.id) else None
        called[name] = _served(catalogue, judge, moved, overrides).model_copy(update={"build": build})
    panel = [called[name] for name in names]
    return distinct_judges(panel)


def distinct_judges(judges: Sequence[Model]) -> tuple[Model, ...]:
    """Return the judges of a panel. Raises BadInput: two of them are one, or have one label."""
    if len({judge.configuration for judge in judges}) < len(judges):
        raise BadInput("--judge: two judges are the same model with the same sampling; name each judge once")
    if len(labels := {judge.label for judge in judges}) < len(judges):
        raise BadInput(f"--judge: two judges have one label ({', '.join(sorted(labels))}); give one of them another")
    return tuple(judges)


def _of_panel(settings: JudgesFile, models: Sequence[Model]) -> tuple[str, ...]:
    """Refuse a model in the panel rather than replace it: another judge would make another leaderboard."""
    if not settings.panel:
        raise BadInput(f"--judge={PANEL}: judges.yaml has no panel; add `panel: [NAME, NAME, NAME]` or name the judges")
    for judge in settings.panel:
        if own := [model.label for model in models if f"/{model.id}".partition(":")[0].endswith(f"/{judge}")]:
            left = " ".join(f"--judge={other}" for other in settings.panel if other != judge)
            raise BadInput(
                f"--judge={PANEL}: its judge {judge} is also a contestant ({own[0]}) and would judge itself; "
                f"measure that model in a separate session, or name the judges: {left} and another"
            )
    return settings.panel


def _callable_name(catalogue: Catalogue, name: str) -> str | None:
    if (row := catalogue.judges.get(name)) is not None:
        return row.callable
    file, _, attribute = name.rpartition(".py:")
    if file and attribute.isidentifier():
        raise BadInput(f"--judge={name}: a callable judge is named by its module, as {PurePath(file).name}:{attribute}")
    return name if names_callable(name) and name not in catalogue.models else None


def _callable_judge(catalogue: Catalogue, name: str, overrides: Overrides) -> Model | None:
    if (named := _callable_name(catalogue, name)) is None:
        return None
    has_row = name in catalogue.judges
    with BadInput.instead_of(BadInput, f"judges.yaml: {name}: {named}" if has_row else f"--judge={name}", "{}"):
        called = judge_name(named)
        judge, build = callable_judge(called), judge_build(called)
        label = name if has_row else getattr(judge, "name", None) or called
        others = _callable_name(catalogue, label) if label in (*catalogue.judges, *catalogue.models) else called
        if others is None or judge_name(others) != called:
            raise BadInput(f"its `name` is that of another judge or model, {label}; give it another one")
    endpoint = Endpoint(name=CALLABLE, base_url=f"{CALLABLE}://{called.replace(':', '/')}", free=True)
    return Model(
        label=label,
        id=f"{CALLABLE}/{called}",
        served_id=called,
        endpoint=limited_endpoint(endpoint, overrides),
        build=build,
        heuristic=bool(getattr(judge, "heuristic", False)),
        price_in=0,
        price_out=0,
    )


def select_judge(catalogue: Catalogue, name: str, overrides: Overrides) -> Model:
    """Return a judge as ``--judge`` would; ``--judge-endpoint`` serves one without a row. Raises BadInput: unknown."""
    if _callable_name(catalogue, name) or _judge_row(catalogue, name):
        overrides = replace(overrides, judge_endpoint=None)
    return select_panel(catalogue, (name,), (), overrides)[0]


def _judge_row(catalogue: Catalogue, name: str) -> JudgeRow | ModelRow | None:
    if known := catalogue.judges.get(name) or catalogue.models.get(name):
        return known
    if rows := [row for row in catalogue.models.values() if row.id == name]:
        unpinned = [row for row in rows if row.provider is None]
        if unpinned or len({(row.endpoint, row.served_id, row.provider) for row in rows}) == 1:
            return (unpinned or rows)[0]
        labels = ", ".join(row.label for row in rows)
        raise BadInput(f"--judge={name}: several rows have this id; name one by its label: {labels}")
    if _is_free(name):
        return None
    near = near_matches(name, [*catalogue.judges, *_names(catalogue)], LISTED_BY)
    raise BadInput(f"--judge={name}: there is no such judge; {near}")


def _judging(catalogue: Catalogue, name: str, row: JudgeRow | ModelRow | None) -> ModelRow:
    if isinstance(row, JudgeRow):
        return ModelRow(label=name, id=row.model, **row.model_dump(exclude={"model", "callable"}))
    model = row or _free_row(catalogue, name)
    sampling = catalogue.judge_settings.defaults.model_dump()
    if model.reasoning_required:  # then it cannot judge without reasoning either
        sampling["reasoning_effort"] = model.reasoning_effort
    of_contestants = {"reasoning_required": False, "thinking": None, "open_weights": None}
    return model.model_copy(update={"label": name, **sampling, **of_contestants})
