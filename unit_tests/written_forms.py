"""How models write a tool call as text, by name: the message and the tool's name in the form of each chat template."""

import json
from collections.abc import Callable

TOOL = "send_message_to_human"
SYSTEM = f"You speak to the human only by calling the tool {TOOL}."


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _call(message: str, arguments: str = "arguments", name: str = "name") -> str:
    return _json({name: TOOL, arguments: {"message": message}})


def _python(message: str) -> str:
    return f"{TOOL}(message={_json(message)})"


def _arguments(message: str) -> str:
    return _json({"message": message})


FORMS: dict[str, Callable[[str], str]] = {
    "bare": _call,
    "parameters": lambda message: _call(message, "parameters"),
    "list": lambda message: f"[{_call(message)}]",
    "fence": lambda message: f"```json\n{_call(message)}\n```",
    "OpenAI": lambda message: _json({"type": "function", "function": {"name": TOOL, "arguments": _arguments(message)}}),
    "Gemini": lambda message: _json({"functionCall": {"name": TOOL, "args": {"message": message}}}),
    "Python": _python,
    "arguments alone": _arguments,
    "twice": lambda message: f"{_call(message)}\n{_call(message)}",
    "text before": lambda message: f"Sure, I will tell them.\n{_call(message)}",
    "text after": lambda message: f"{_call(message)}\n\nI have sent the message.",
    "text before, one line": lambda message: f"Sure: {_call(message)}",
    "both": lambda message: f"Sure.\n```json\n{_call(message)}\n```\nDone!",
    "Hermes, Qwen": lambda message: f"<tool_call>\n{_call(message)}\n</tool_call>",
    "Hermes, never closed": lambda message: f"<tool_call>\n{_call(message)}",
    "Llama 3": lambda message: f"<|python_tag|>{_call(message, 'parameters')}<|eom_id|>",
    "Llama 3.2": lambda message: f"[{_python(message)}]",
    "Llama 4": lambda message: f"<|python_start|>[{_python(message)}]<|python_end|>",
    "Mistral": lambda message: f"[TOOL_CALLS][{_call(message)}]",
    "Mistral, newest": lambda message: f"[TOOL_CALLS]{TOOL}[ARGS]{_arguments(message)}",
    "Mistral, name first": lambda message: f"[TOOL_CALLS]{TOOL}{_arguments(message)}",
    "Functionary": lambda message: f"<function={TOOL}>{_arguments(message)}</function>",
    "Qwen Coder": lambda message: (
        f"<tool_call>\n<function={TOOL}>\n<parameter=message>\n{message}\n</parameter>\n</function>\n</tool_call>"
    ),
    "Seed": lambda message: (
        f"<seed:tool_call>\n<function={TOOL}>\n<parameter=message>{message}</parameter>\n</function>\n</seed:tool_call>"
    ),
    "Anthropic": lambda message: (
        f'<function_calls>\n<invoke name="{TOOL}">\n<parameter name="message">{message}</parameter>\n</invoke>\n'
        "</function_calls>"
    ),
    "MiniMax": lambda message: (
        f'<minimax:tool_call>\n<invoke name="{TOOL}">\n<parameter name="message">{message}</parameter>\n</invoke>\n'
        "</minimax:tool_call>"
    ),
    "tags of the tool's name": lambda message: f"<{TOOL}>\n<message>{message}</message>\n</{TOOL}>",
    "ReAct": lambda message: f"Thought: I should answer.\nAction: {TOOL}\nAction Input: {_arguments(message)}",
    "DeepSeek": lambda message: (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{TOOL}\n```json\n{_arguments(message)}\n"
        "```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "DeepSeek V3.2": lambda message: (
        f'<｜DSML｜function_calls>\n<｜DSML｜invoke name="{TOOL}">\n<｜DSML｜parameter name="message" string="true">'
        f"{message}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    "Kimi": lambda message: (
        f"<|tool_calls_section_begin|><|tool_call_begin|>functions.{TOOL}:0<|tool_call_argument_begin|>"
        f"{_arguments(message)}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "Kimi, the tail": lambda message: (
        f"{TOOL}:0<|tool_call_argument_begin|>{_arguments(message)}<|tool_calls_section_end|>"
    ),
    "GLM": lambda message: (
        f"<tool_call>{TOOL}\n<arg_key>message</arg_key>\n<arg_value>{message}</arg_value>\n</tool_call>"
    ),
    "Gemma": lambda message: f'<|tool_call>call:{TOOL}{{message:<|"|>{message}<|"|>}}<tool_call|>',
    "Gemini, code": lambda message: f"```tool_code\nprint(default_api.{_python(message)})\n```",
    "Gemini, malformed": lambda message: f"Malformed function call: print(default_api.{_python(message)})",
    "LFM2": lambda message: f"<|tool_call_start|>[{_python(message)}]<|tool_call_end|>",
    "Nemotron": lambda message: f"<TOOLCALL>[{_call(message)}]</TOOLCALL>",
    "InternLM": lambda message: f"<|action_start|><|plugin|>{_call(message, 'parameters')}<|action_end|>",
    "Apertus": lambda message: f"<|tools_prefix|>[{_json({TOOL: {'message': message}})}]<|tools_suffix|>",
    "Cohere": lambda message: f"<|START_ACTION|>[{_call(message, 'parameters', 'tool_name')}]<|END_ACTION|>",
    "OLMo": lambda message: f"<function_calls>\n{_python(message)}\n</function_calls>",
    "Phi": lambda message: f"<|tool_call|>[{_call(message)}]<|/tool_call|>",
    "Phi, mini": lambda message: f"functools[{_call(message)}]",
    "harmony": lambda message: (
        f"<|channel|>commentary to=functions.{TOOL} <|constrain|>json<|message|>{_arguments(message)}<|call|>"
    ),
    "harmony, markers eaten": lambda message: (
        f"analysisThey ask me.assistantcommentary to=functions.{TOOL} json{_arguments(message)}"
    ),
}
