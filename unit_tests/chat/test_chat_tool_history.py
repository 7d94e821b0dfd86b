"""What a server requires of replayed tool calls, against what the converters of LiteLLM make of the same messages."""

import base64
import json
import subprocess
import venv
from pathlib import Path

import pytest
from chat_samples import model

from independence_bench.catalog import Catalogue
from independence_bench.chat.delivery import turn_request
from independence_bench.digest import Json
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.spec import ToolHistory

_CONVERTED = """
import json, sys
from copy import deepcopy
from litellm.llms.anthropic.chat.transformation import AnthropicConfig
from litellm.llms.deepseek.chat.transformation import DeepSeekChatConfig
from litellm.llms.moonshot.chat.transformation import MoonshotChatConfig
from litellm.llms.vertex_ai.gemini.transformation import _gemini_convert_messages_with_history as gemini
thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 3000}
plain, signed = json.load(open(sys.argv[1]))
deepseek, claude = (
    config.transform_request(name, deepcopy(plain), dict(thinking), {}, {})
    for config, name in ((DeepSeekChatConfig(), "deepseek-reasoner"), (AnthropicConfig(), "claude-sonnet-4-5"))
)
calls = [
    [part["thoughtSignature"] for turn in gemini(deepcopy(each), "gemini-3-pro-preview") for part in turn["parts"]
     if "function_call" in part]
    for each in (plain, signed)
]
kimi = MoonshotChatConfig().fill_reasoning_content(deepcopy(plain))
print(json.dumps([kimi, deepseek["messages"], calls, "thinking" in claude]))
"""


def opening(history: ToolHistory) -> list[dict[str, Json]]:
    """The first request of a scenario by tool, as a server with this requirement gets it."""
    catalogue = Catalogue()
    cell = load_cells(load_edition("v2", catalogue), catalogue)[0]
    return turn_request(model(tool_history=history), cell.script, [], cell.script.turns[0], 1).messages


@pytest.mark.external
def test_litellm_puts_the_same_state_in_the_place_of_reasoning(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "litellm"], check=True)
    (tmp_path / "asked.json").write_text(json.dumps([opening("plain"), opening("google_sentinel")]))

    done = subprocess.run(
        [python, "-c", _CONVERTED, "asked.json"], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    kimi, deepseek, signatures, thinks = json.loads(done.stdout.splitlines()[-1])
    assert kimi == deepseek == opening("blank_reasoning")
    sentinel = base64.b64encode(b"skip_thought_signature_validator").decode()
    assert signatures == [[sentinel], [sentinel]]
    assert json.dumps(opening("google_sentinel")).count("skip_thought_signature_validator") == 1
    assert thinks  # of Claude, which refuses it after a tool call without: the gateway as on our page changes nothing
