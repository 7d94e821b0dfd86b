"""What stands after --model= and --judge= becomes models with every override in the label, or one refusal."""

from dataclasses import replace
from pathlib import Path

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.embedded_builds import models_build
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.rows import ModelRow
from independence_bench.catalog.selection import select_models, select_panel, split_names
from independence_bench.kinds.edition_files import load_edition
from independence_bench.spec import Endpoint, Model

CATALOGUE = Catalogue()
PLAIN = Overrides()


def labels(*names: str, **overrides: object) -> list[str]:
    chosen = select_models(CATALOGUE, names, replace(PLAIN, **overrides))  # type: ignore[arg-type]
    return [model.label for model in chosen]


def refusal(*names: str, **overrides: object) -> str:
    with pytest.raises(BadInput) as caught:
        labels(*names, **overrides)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def panel(*names: str, models: tuple[str, ...] = ("openai/gpt-5-nano",), **overrides: object) -> list[str]:
    chosen = replace(PLAIN, **overrides)  # type: ignore[arg-type]
    return [judge.label for judge in select_panel(CATALOGUE, names, select_models(CATALOGUE, models, PLAIN), chosen)]


def test_comma_lists_and_repeats_are_one_list_without_doubles() -> None:
    assert split_names(["a,b", " c ,", "a"]) == ("a", "b", "c")


def test_without_a_name_an_index_is_measured_on_the_embedded_models_under_their_exact_labels() -> None:
    assert labels() == [
        "offline/contrarian", "offline/diplomat", "offline/mirror", "offline/noise", "offline/steadfast",
        "offline/weathervane",
    ]  # fmt: skip


def test_without_a_name_role_stability_is_measured_on_the_models_that_it_tells_apart() -> None:
    chosen = select_models(CATALOGUE, (), PLAIN, load_edition("roles-mini", CATALOGUE).kind)
    assert [model.label for model in chosen] == ["offline/noise", "offline/steadfast", "offline/weathervane"]
    assert load_edition("v2", CATALOGUE).kind == "index"
    named = select_models(CATALOGUE, ("offline/steadfast",), PLAIN, "roles")
    assert [model.label for model in named] == ["offline/steadfast"]


def test_a_retired_row_is_found_by_its_exact_name_only_and_says_since_when(tmp_path: Path) -> None:
    rows = "models:\n  - {label: old, id: me/m, retired: 2026-05-01, default_in: [index]}\n  - {label: new, id: me/m}\n"
    (tmp_path / "models.yaml").write_text(rows, "utf-8")
    own = Catalogue(tmp_path)
    chosen = {name: [model.label for model in select_models(own, (name,), PLAIN)] for name in ("me/*", "me/m", "old")}
    assert chosen == {"me/*": ["new"], "me/m": ["new"], "old": ["old"]}
    assert "old" not in [model.label for model in select_models(own, (), PLAIN)]
    old, new = (select_models(own, (name,), PLAIN)[0] for name in ("old", "new"))
    assert old.retired == "2026-05-01" and old.configuration == new.configuration
    (moved,) = select_models(own, ("old",), replace(PLAIN, endpoint="http://127.0.0.1:9/v1"))
    assert moved.retired is None  # it is served there
    (tmp_path / "models.yaml").write_text(rows.replace("2026-05-01", "soon"), "utf-8")
    with pytest.raises(BadInput, match=r"models.0.retired: write the day or the month since when"):
        select_models(Catalogue(tmp_path), ("old",), PLAIN)


def test_a_row_of_ones_own_is_asked_by_default_where_it_says_so_and_is_active(tmp_path: Path) -> None:
    rows = "models:\n"
    rows += "".join(f"  - {{label: {label}, id: offline/noise, endpoint: offline}}\n" for label in labels())
    (tmp_path / "models.yaml").write_text(rows, "utf-8")
    nobody = Catalogue(tmp_path)
    with pytest.raises(BadInput, match=r"no active row of models.yaml has 'roles' in default_in; name a model"):
        select_models(nobody, (), PLAIN, "roles")
    mine = "  - {label: mine, id: me/mine, default_in: [roles]}\n"
    idle = "  - {label: idle, id: me/idle, default_in: [roles], active: false}\n"
    (tmp_path / "models.yaml").write_text(rows + mine + idle, "utf-8")
    assert [model.label for model in select_models(Catalogue(tmp_path), (), PLAIN, "roles")] == ["mine"]


def test_a_row_cannot_be_the_default_of_an_unknown_kind_of_edition(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text("models: [{label: m, id: me/m, default_in: [role]}]", "utf-8")
    with pytest.raises(BadInput, match=r"models.yaml: models\.0\.default_in"):
        select_models(Catalogue(tmp_path), (), PLAIN)


def test_a_label_names_one_row_and_an_id_names_all_its_rows() -> None:
    assert labels("kimi-k2.5+nvidia-nim@none-t0.7") == ["kimi-k2.5+nvidia-nim@none-t0.7"]
    by_id = labels("moonshotai/kimi-k2.5")
    assert len(by_id) > 1
    assert all(label.startswith("kimi-k2.5") for label in by_id)


def test_a_glob_is_matched_against_labels_and_ids_and_a_row_named_twice_is_measured_once() -> None:
    assert labels("offline/s*", "offline/steadfast") == ["offline/steadfast"]
    assert labels("openai/gpt-5*") == [label for label in labels("gpt-5*") if label in labels("openai/*")]
    assert "no active label or id matches; `independence-bench models` lists all" in refusal("nothing-*")


def test_an_inactive_row_is_reached_by_its_label_but_by_no_glob() -> None:
    assert labels("deepseek/deepseek-chat") == ["deepseek/deepseek-chat"]
    assert "deepseek/deepseek-chat" not in labels("deepseek*")


def test_an_id_without_a_row_is_measured_with_the_defaults_on_openrouter() -> None:
    (model,) = select_models(CATALOGUE, ["someone/new-model"], PLAIN)
    assert (model.label, model.served_id, model.endpoint.name) == (
        "someone/new-model",
        "someone/new-model",
        "openrouter",
    )
    assert (model.temperature, model.reasoning_effort, model.max_tokens) == (0.7, "off", 2048)
    assert (model.price_in, model.thinking) == (None, None)


def test_a_local_id_is_served_without_its_prefix_by_the_local_endpoint() -> None:
    (model,) = select_models(CATALOGUE, ["local/smollm2"], PLAIN)
    assert (model.served_id, model.endpoint.name, model.endpoint.max_concurrency) == ("smollm2", "local", 4)


def test_an_unknown_name_without_a_slash_gets_near_matches() -> None:
    assert "did you mean" in refusal("gpt-5-nan@low-t1.0")
    assert "offline/steadfast" in refusal("offline/stedfast")


def test_an_unknown_name_without_a_slash_may_be_what_a_server_of_ones_own_serves() -> None:
    with pytest.raises(BadInput, match=r"; a model on your own server is named local/smollm2$"):
        select_models(Catalogue(), ["smollm2"], Overrides())


def test_only_what_was_overridden_enters_the_label() -> None:
    assert labels("someone/m", temperature=0.2) == ["someone/m@off-t0.2"]
    assert labels("someone/m", temperature=0.7) == ["someone/m"]
    assert labels("someone/m", reasoning_effort=("high",)) == ["someone/m@high-t0.7"]
    assert labels("someone/m", max_tokens=99) == ["someone/m+max=99"]
    assert labels("someone/m", endpoint="http://127.0.0.1:8090/v1/") == ["someone/m+127.0.0.1:8090"]
    assert labels("someone/m", build="2026-11-21") == ["someone/m#2026-11-21"]
    all_of_them = {"temperature": 0.0, "endpoint": "http://h:1/v1", "max_tokens": 5, "build": "b"}
    assert labels("someone/m", **all_of_them) == ["someone/m@off-t0+h:1+max=5#b"]


def test_every_override_changes_the_configuration() -> None:
    changes: list[dict[str, object]] = [
        {}, {"temperature": 0.1}, {"reasoning_effort": ("high",)}, {"max_tokens": 5}, {"build": "b"},
        {"endpoint": "http://h:1/v1"},
    ]  # fmt: skip
    configurations = {
        select_models(CATALOGUE, ["someone/m"], replace(PLAIN, **change))[0].configuration  # type: ignore[arg-type]
        for change in changes
    }
    assert len(configurations) == len(changes)


def test_a_label_of_ones_own_and_a_build_stand_for_model_host_and_port() -> None:
    def named(**overrides: object) -> tuple[str, str]:
        given = replace(PLAIN, label="candidate", build="w1", **overrides)  # type: ignore[arg-type]
        (model,) = select_models(CATALOGUE, ["local/m"], given)
        return model.label, model.configuration

    here = named(endpoint="http://127.0.0.1:1/v1")
    assert here == named(endpoint="https://elsewhere.example/v1")
    label, configuration = named(endpoint="http://127.0.0.1:1/v1", temperature=0.1)
    assert label == here[0] == "candidate#w1"
    assert configuration != here[1]


@pytest.mark.parametrize(
    ("names", "given", "sentence"),
    [
        (["local/m"], {"label": "c"}, "--label=c: it also needs --build=ID"),
        (["local/m", "local/n"], {"label": "c", "build": "w1"}, "--label=c: it names one model that is not embedded"),
        (["offline/mirror"], {"label": "c", "build": "w1"}, "--label=c: it names one model that is not embedded"),
        (["local/m"], {"label": "c#d", "build": "w1"}, "--label=c#d: use letters, digits"),
    ],
)
def test_a_label_of_ones_own_that_names_no_build_of_one_model_is_refused(names, given, sentence) -> None:
    assert refusal(*names, **given).startswith(sentence)


def test_limits_reach_the_endpoint_but_neither_label_nor_configuration() -> None:
    (plain,) = select_models(CATALOGUE, ["local/m"], PLAIN)
    limited = replace(PLAIN, call_timeout_s=7, call_attempts=2, concurrency=3)
    (model,) = select_models(CATALOGUE, ["local/m"], limited)
    assert (model.endpoint.call_deadline_s, model.endpoint.attempts, model.endpoint.max_concurrency) == (7, 2, None)
    assert (model.label, model.configuration) == (plain.label, plain.configuration)


def test_limits_per_minute_go_to_models_and_judges_but_not_to_the_embedded() -> None:
    limited = replace(PLAIN, requests_per_minute=60, tokens_per_minute=9000)
    models = select_models(CATALOGUE, ["local/m", "offline/mirror"], limited)
    (judge,) = select_panel(CATALOGUE, ["local/j"], models, limited)
    given = [(one.endpoint.requests_per_minute, one.endpoint.tokens_per_minute) for one in (*models, judge)]
    assert given == [(60, 9000), (None, None), (60, 9000)]


@pytest.mark.parametrize(("timeout_s", "trial_s"), [(1800, 10_800), (300, 1800), (7, 1800)])
def test_more_time_for_an_answer_is_more_time_for_the_trial(timeout_s: float, trial_s: float) -> None:
    (model,) = select_models(CATALOGUE, ["local/m"], replace(PLAIN, call_timeout_s=timeout_s))
    assert model.endpoint.trial_deadline_s == trial_s


def test_a_price_does_not_follow_a_model_to_another_server() -> None:
    (here,) = select_models(CATALOGUE, ["openai/gpt-5-nano"], PLAIN)
    (there,) = select_models(CATALOGUE, ["openai/gpt-5-nano"], replace(PLAIN, endpoint="http://h:1/v1"))
    assert here.price_in is not None
    assert (there.price_in, there.price_out, there.price_date) == (None, None, None)


def test_a_model_that_must_reason_refuses_to_be_asked_without() -> None:
    assert "needs reasoning" in refusal("google/gemini-3.1-pro-preview", reasoning_effort=("none",))


def test_a_model_that_takes_no_temperature_refuses_one_and_is_sent_none() -> None:
    assert "takes no temperature" in refusal("openai/gpt-5-nano", temperature=0.5)
    assert select_models(CATALOGUE, ["openai/gpt-5-nano"], PLAIN)[0].sent_temperature is None


def test_an_endpoint_without_a_model_to_serve_is_refused() -> None:
    assert "add --model" in refusal(endpoint="http://h:1/v1")


def test_two_rows_that_would_be_asked_the_very_same_are_refused() -> None:
    assert "have the same configuration" in refusal(
        "mistralai/mistral-small-2603", reasoning_effort=("low",), temperature=0.7
    )


def test_embedded_models_carry_their_sources_digest_as_build_but_not_in_the_label() -> None:
    (model,) = select_models(CATALOGUE, ["offline/noise"], Overrides(build="mine"))
    assert (model.label, model.build) == ("offline/noise", models_build())


def test_the_default_judge_depends_on_who_is_measured() -> None:
    assert panel(models=("offline/noise",)) == ["offline/lexical"]
    assert panel() == ["google/gemini-3-flash-preview"]
    with pytest.raises(BadInput, match="name one judge"):
        panel(models=("offline/noise", "openai/gpt-5-nano"))


def test_the_panel_of_judges_yaml_has_three_vendors_and_refuses_a_contestant_among_its_judges() -> None:
    judges = panel("panel")
    assert judges == [*CATALOGUE.judge_settings.panel]
    assert len({judge.split("/")[0] for judge in judges}) == 3
    with pytest.raises(
        BadInput, match=r"its judge anthropic/claude-haiku-4.5 is also a contestant .*or name the judges"
    ):
        panel("panel", models=("anthropic/claude-haiku-4.5",))
    with pytest.raises(BadInput, match="is also a contestant"):
        panel("panel", models=("host/anthropic/claude-haiku-4.5:free",))  # the same model elsewhere
    assert len(panel("panel", models=("anthropic/claude-opus-4.5",))) == 3  # kin is no contestant: the reports tell


def test_any_catalogue_model_judges_with_the_judges_sampling() -> None:
    (judge,) = select_panel(CATALOGUE, ["openai/gpt-4o-mini"], (), PLAIN)
    assert (judge.temperature, judge.reasoning_effort, judge.max_tokens) == (0, "off", 1024)


def test_a_judge_that_must_reason_keeps_its_effort() -> None:
    (judge,) = select_panel(CATALOGUE, ["google/gemini-3.1-pro-preview"], (), PLAIN)
    assert judge.reasoning_effort == "low"


def test_the_judge_endpoint_serves_the_only_judge_even_if_it_has_a_row() -> None:
    assert panel(judge_endpoint="http://h:1/v1") == ["google/gemini-3-flash-preview+h:1"]
    (judge,) = select_panel(CATALOGUE, (), (), replace(PLAIN, judge_endpoint="http://h:1/v1"))
    assert judge.price_in is None


def test_the_judge_endpoint_serves_only_judges_without_a_row_where_there_are_some() -> None:
    both = ("offline/lexical", "local/judge")
    assert panel(*both, judge_endpoint="http://h:1/v1") == ["offline/lexical", "local/judge+h:1"]


def test_a_judge_endpoint_for_two_judges_that_both_have_rows_is_refused() -> None:
    with pytest.raises(BadInput, match="a single judge"):
        panel("offline/lexical", "google/gemini-3-flash-preview", judge_endpoint="http://h:1/v1")


def test_an_unknown_judge_gets_near_matches_and_a_doubled_one_is_refused() -> None:
    with pytest.raises(BadInput, match="did you mean offline/lexical"):
        panel("offline/lexicl")
    with pytest.raises(BadInput, match="name each judge once"):
        panel("openai/gpt-4o-mini", "gpt-4o-mini@none-t0.7")


def test_each_model_is_measured_with_each_of_several_efforts() -> None:
    asked = labels("acme/x", reasoning_effort=("off", "xhigh"))
    assert asked == ["acme/x", "acme/x@xhigh-t0.7"]


def test_a_temperature_that_is_off_is_not_sent_and_the_label_says_so() -> None:
    [chosen] = select_models(CATALOGUE, ["acme/x"], replace(PLAIN, temperature="off"))
    assert (chosen.label, chosen.sent_temperature) == ("acme/x@off-t-", None)


def test_the_servers_name_for_the_limit_and_its_tool_history_are_those_of_the_models_endpoint_alone() -> None:
    given = {
        "endpoint": "http://h:1/v1",
        "max_tokens_field": "max_completion_tokens",
        "tool_history": "google_sentinel",
    }
    chosen = replace(PLAIN, **given)  # type: ignore[arg-type]
    models = select_models(CATALOGUE, ["acme/x"], chosen)
    assert [(model.endpoint.max_tokens_field, model.endpoint.tool_history) for model in models] == [
        ("max_completion_tokens", "google_sentinel")
    ]
    [judge] = select_panel(CATALOGUE, ["acme/judge"], models, replace(chosen, judge_endpoint="http://j:1/v1"))
    assert (judge.endpoint.max_tokens_field, judge.endpoint.tool_history) == ("max_tokens", "plain")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://127.0.0.1:8080/v1", "http://localhost:8080/v1", True),
        ("http://[::1]/v1", "http://localhost/v1", True),
        ("http://127.0.0.1:8080/v1", "http://localhost:8081/v1", False),
        ("https://localhost.example/v1", "https://127.0.0.1/v1", False),
    ],
)
def test_what_this_machine_serves_is_one_model_by_whatever_name_it_is_reached(one: str, other: str, same: bool) -> None:
    models = [
        Model(label="m", id="local/m", served_id="m", endpoint=Endpoint(name="e", base_url=url)) for url in (one, other)
    ]
    assert (models[0].served == models[1].served) is same


def test_a_row_that_calls_itself_embedded_and_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="only embedded models, at endpoint offline"):
        ModelRow(label="m", id="offline/mine", endpoint="local")
