"""Models as readers see them: names from ids, badges that tell configurations apart, and who made them."""

import pytest

from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.shown_names import shown_names, vendor_of


def row(label: str, model_id: str, **facts: object) -> LeaderboardRow:
    known = {"provider": None, "reasoning_effort": "none", "temperature": 0.7, "build": None} | facts
    return LeaderboardRow.model_construct(identity=label, label=label, model_id=model_id, **known)


@pytest.mark.parametrize(
    ("label", "model_id", "shown"),
    [
        ("gemini-3.1-pro-preview@none-t0.7", "google/gemini-3.1-pro-preview", "Gemini 3.1 Pro Preview"),
        ("anthropic/claude-opus-4-6", "anthropic/claude-opus-4-6", "Claude Opus 4.6"),
        ("gpt-5.1-codex-mini@none-t0.7", "openai/gpt-5.1-codex-mini", "GPT-5.1 Codex Mini"),
        ("gemma-4-26b-a4b-it@none-t0.7", "google/gemma-4-26b-a4b-it", "Gemma 4 26B A4B Instruct"),
        ("qwen3.5-flash-02-23@none-t0.7", "qwen/qwen3.5-flash-02-23", "Qwen3.5 Flash 02-23"),
        ("mistral-small-2603@none-t0.7", "mistralai/mistral-small-2603", "Mistral Small 2603"),
        ("offline/role_keeper", "offline/role_keeper", "Role Keeper"),
        ("our finetune", "local/llama-4", "our finetune"),
        ("x/<b>bold</b>", "x/<b>bold</b>", "x/<b>bold</b>"),
    ],
)
def test_a_name_follows_from_the_id_unless_the_label_says_something_else(label: str, model_id: str, shown: str) -> None:
    assert shown_names([row(label, model_id)])[label].name == shown


def test_badges_tell_host_tier_effort_temperature_and_build_where_they_are_not_the_usual() -> None:
    rows = [
        row("plain@none-t0.7", "maker/plain"),
        row("plain+host@none-t0.7", "maker/plain", provider="host/fp8"),
        row("plain:free@low-t0.7", "maker/plain:free", reasoning_effort="low"),
        row("plain@none-t1.0", "maker/plain", temperature=1.0),
        row("plain@none-t0.7#b7", "maker/plain", build="b7"),
    ]
    found = shown_names(rows)
    assert [str(found[each.identity]) for each in rows] == [
        "Plain",
        "Plain · host",
        "Plain · free · low effort",
        "Plain · T 1",
        "Plain · b7",
    ]


def test_no_two_configurations_read_alike() -> None:
    rows = [
        row("a-1@off-t0.7", "x/a-1", reasoning_effort="off"),
        row("a-1@none-t0.7", "x/a-1"),
        row("x/a-1", "x/a-1"),
    ]
    names = [str(each) for each in shown_names(rows).values()]
    assert names == ["A 1 · effort off · T 0.7", "A 1 · a-1@none-t0.7", "A 1 · x/a-1"]


@pytest.mark.parametrize(
    ("model_id", "vendor", "maker"),
    [
        ("x-ai/grok-4", None, "xAI"),
        ("nvidia/moonshotai/kimi-k2.5", None, "Moonshot AI"),
        ("meituan/longcat", None, "Meituan"),
        ("openai/gpt-5", "The Maker", "The Maker"),
        ("openrouter/hunter-alpha", None, None),
        ("local/gemma", "local", None),
        ("local/google/gemma", None, "Google"),
        ("offline/mirror", "offline", None),
    ],
)
def test_a_place_is_no_vendor(model_id: str, vendor: str | None, maker: str | None) -> None:
    assert vendor_of(model_id, vendor) == maker
