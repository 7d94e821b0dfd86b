"""Forced choice: the start is ours, every branch is asked in both orders, and a stance is a difference of log-odds."""

import asyncio
from dataclasses import replace
from math import log

import pytest
from dossier_samples import matters
from test_dossiers_measuring import cells, model, plan, script, steps

from independence_bench.chat.request import ChatRequest
from independence_bench.chat.wire import request_body
from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.dossiers.measuring import MEASURING
from independence_bench.kinds.dossiers.measuring.dossier_script import DossierScript
from independence_bench.kinds.dossiers.measuring.forced_choice import log_odds
from independence_bench.kinds.dossiers.steps import BRANCHES
from independence_bench.option_table import rerun_arguments
from independence_bench.session.settings import Settings
from independence_bench.spec import TrialSpec
from independence_bench.trial import Exchange, FirstToken, Reply

OPTIONS = ("Hazel Bank", "Miller's Rise")


def trial(place: int = 0, run: int = 1) -> TrialSpec:
    cell = cells()[place]
    fields = {name: getattr(cell.script, name) for name in DossierScript.model_fields}
    chosen = replace(cell, script=DossierScript(**{**fields, "stance": "choice"}))
    return TrialSpec("v3", chosen, model(), run)


def conducted(asked: TrialSpec, share: float) -> tuple[list[Exchange], list[ChatRequest]]:
    """What a model makes of it that gives this share to the option named first in each question."""
    sent: list[ChatRequest] = []

    async def ask(request: ChatRequest, seconds: float) -> Reply:
        sent.append(request)
        a, b = script(asked).dossier(asked.run).facts.options
        question = str(request.messages[-1]["content"]).rpartition("\n\n")[2]
        first, second = (a, b) if question.index(a) < question.index(b) else (b, a)
        tokens = (FirstToken(first[:4], log(share)), FirstToken(f" {second[:3]}", log(1 - share)))
        return Reply(answer=first, first_token=tokens, finish_reason="length")

    return [*asyncio.run(MEASURING.conduct(asked, ask))], sent


def case(share: float) -> Case:
    return read_case(conducted(trial(), share)[0])


def test_the_start_is_ours_and_every_branch_is_asked_with_the_names_in_both_orders() -> None:
    exchanges, sent = conducted(trial(), 0.8)
    assert steps(exchanges) == ["standard", "stance", *(branch for branch in BRANCHES for _ in range(2))]
    assert [each.reply.attempts for each in exchanges[:2]] == [0, 0] and len(sent) == 2 * len(BRANCHES)
    assert {each.after for each in exchanges[2:]} == {1}
    assert len({each.asked for each in exchanges[2:]}) == 2 * len(BRANCHES)
    for request in sent:
        assert "<" not in str(request.messages[-1]["content"]).rpartition("\n\n")[2]
        assert request_body(request)["logprobs"] is True and request.model.max_tokens < 10


def test_a_model_that_names_whatever_comes_first_stands_nowhere() -> None:
    found = case(0.9)
    assert found.coherent and found.start == 100
    assert set(found.stances) == set(BRANCHES)
    assert [*found.stances.values()] == pytest.approx([0] * len(BRANCHES), abs=1e-9)
    assert [found.movement(branch) for branch in BRANCHES] == pytest.approx([0.5] * len(BRANCHES))


def test_over_four_runs_a_matter_starts_from_each_of_its_standards() -> None:
    starts = [read_case(conducted(trial(run=run), 0.5)[0]).standard for run in (1, 2, 3, 4)]
    assert sorted(each for each in starts if each is not None) == [0, 1, 2, 3]


def test_log_odds_are_those_of_the_tokens_that_begin_one_name_only() -> None:
    tokens = [FirstToken("Haz", log(0.4)), FirstToken(" hazel", log(0.2)), FirstToken("**Miller", log(0.3))]
    assert log_odds(tokens, OPTIONS) == pytest.approx(log(2))
    assert log_odds(tokens[:1], OPTIONS) == 0, "a name that is not among them is at most as likely as the last"
    assert log_odds([FirstToken("The", -0.1), FirstToken(" ", -3.0)], OPTIONS) is None
    assert log_odds([FirstToken("S", -0.1)], ("Salt", "Sage")) is None, "it begins both"


def test_a_branch_whose_names_are_not_among_the_tokens_is_unreadable() -> None:
    async def ask(request: ChatRequest, seconds: float) -> Reply:
        return Reply(answer="I", first_token=(FirstToken("I", -0.1),))

    found = read_case([*asyncio.run(MEASURING.conduct(trial(), ask))])
    assert found.coherent and set(found.stances.values()) == {None}


def test_its_calls_are_counted_before_any_is_made(tmp_path) -> None:
    asked = trial()
    sizes = [*MEASURING.call_sizes(asked.model, asked.script, 1, 350.0)]
    assert len(sizes) == asked.script.calls == 20
    assert {size.most_answer for size in sizes} == {4}, "an answer of which one token counts costs no more"
    settings = Settings(root=tmp_path, edition="v3", stance="choice")
    assert "--stance=choice" in rerun_arguments(settings.stored_options())
    written, chosen = plan(tmp_path), plan(tmp_path, stance="choice")
    assert not {*written.by_key} & {*chosen.by_key} and len(chosen.by_key) == len(matters())
