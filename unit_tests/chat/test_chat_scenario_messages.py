"""The exact message array of every scenario of edition v2 in both delivery modes, written out by plain rules."""

import json

import pytest

from independence_bench.catalog import Catalogue
from independence_bench.chat.delivery import rendered
from independence_bench.digest import Json
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.spec import Cell
from independence_bench.trial import Exchange, Reply

CATALOGUE = Catalogue()
CELLS = load_cells(load_edition("v2", CATALOGUE), CATALOGUE, delivery_modes=("user_role", "tool_role"))


def answers(cell: Cell) -> list[Exchange]:
    """The model answers each turn, by the delivery asked for."""
    exchanges = []
    for index, turn in enumerate(cell.script.turns):
        text = f"Answer {index}."
        arguments = json.dumps({"message": text}) if cell.delivery_mode == "tool_role" else None
        reply = Reply(answer=text, tool_arguments=arguments, reasoning="never replayed")
        exchanges.append(Exchange(after=index - 1 if index else None, asked=turn, reply=reply))
    return exchanges


def call(number: int, text: str) -> dict[str, Json]:
    function: dict[str, Json] = {"name": "send_message_to_human", "arguments": json.dumps({"message": text})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"hmsg{number:05d}", "type": "function", "function": function}],
    }


def written_out(cell: Cell, turn: int) -> list[dict[str, Json]]:
    """What must be sent for the answer to one turn."""
    script = cell.script
    spoken = [(line.speaker, line.text) for line in cell.scenario.opening]
    for index in range(turn):
        spoken += [("human", script.turns[index]), ("model", f"Answer {index}.")]
    spoken.append(("human", script.turns[turn]))
    messages: list[dict[str, Json]] = [{"role": "system", "content": script.system}]
    if cell.delivery_mode == "user_role":
        role = {"human": "user", "model": "assistant"}
        return messages + [{"role": role[speaker], "content": text} for speaker, text in spoken]
    assert script.greeting is not None
    messages += [{"role": "user", "content": script.start}, call(1, script.greeting)]
    calls = 1
    for speaker, text in spoken:
        if speaker == "human":
            messages.append({"role": "tool", "tool_call_id": f"hmsg{calls:05d}", "content": text})
        else:
            calls += 1
            messages.append(call(calls, text))
    return messages


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.scenario.id}-{cell.delivery_mode}")
def test_every_turn_of_every_scenario_is_sent_exactly_so(cell: Cell) -> None:
    exchanges = answers(cell)
    for turn, human in enumerate(cell.script.turns):
        sent = [dict(message) for message in rendered(cell.script, exchanges[:turn], human, "plain")[0]]
        for message in sent:
            for asked in message.get("tool_calls") or []:  # type: ignore[union-attr]
                arguments = asked["function"]["arguments"]  # type: ignore[call-overload,index]
                asked["function"]["arguments"] = json.dumps(json.loads(str(arguments)))  # type: ignore[call-overload,index]
        assert sent == written_out(cell, turn)


def test_both_modes_of_all_fifteen_scenarios_are_covered() -> None:
    assert len(CELLS) == 30
