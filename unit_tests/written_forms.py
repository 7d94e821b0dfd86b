"""What models write around their words, by chat template: tool calls as text, and marks of their thinking."""

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
"""How models write a tool call as text, by name: the message in the form of each chat template."""

MARKINGS: dict[str, Callable[[str, str], str]] = {
    "think": lambda thought, words: f"<think>{thought}</think>{words}",
    "capitals": lambda thought, words: f"<THINK>\n{thought}\n</THINK>\n\n{words}",
    "thinking": lambda thought, words: f"<thinking>{thought}</thinking>\n{words}",
    "thought": lambda thought, words: f"<thought>\n{thought}\n</thought>\n{words}",
    "reasoning": lambda thought, words: f"<reasoning>{thought}</reasoning>\n{words}",
    "analysis": lambda thought, words: f"<analysis>{thought}</analysis>\n{words}",
    "Seed": lambda thought, words: f"<seed:think>{thought}</seed:think>{words}",
    "Magistral": lambda thought, words: f"[THINK]{thought}[/THINK]{words}",
    "Kimi VL": lambda thought, words: f"◁think▷{thought}◁/think▷{words}",
    "attributes": lambda thought, words: f'<think time="3">{thought}</think>{words}',
    "opening tag missing": lambda thought, words: f"{thought}\n</think>\n\n{words}",
    "opening tag missing, glued": lambda thought, words: f"{thought}</think>{words}",
    "opening bracket missing": lambda thought, words: f"{thought}[/THINK]{words}",
    "opening tag doubled": lambda thought, words: f"<think>\n<think>{thought}</think>\n{words}",
    "nested": lambda thought, words: f"<think><think>{thought}</think> So.</think>{words}",
    "two blocks": lambda thought, words: f"<think>{thought}</think>\n<think>So.</think>{words}",
    "closing tag missing": lambda thought, words: f"<think>{thought}\n<answer>{words}</answer>",
    "response": lambda thought, words: f"<think>{thought}</think><response>{words}</response>",
    "answer": lambda thought, words: f"<Reasoning>{thought}</Reasoning>\n<Answer>\n{words}\n</Answer>",
    "box": lambda thought, words: f"<think>{thought}</think><|begin_of_box|>{words}<|end_of_box|>",
    "Granite 3.2": lambda thought, words: f"Here is my thought process:\n{thought}\n\nHere is my response:\n{words}",
    "Cohere": lambda thought, words: (
        f"<|START_THINKING|>{thought}<|END_THINKING|><|START_RESPONSE|>{words}<|END_RESPONSE|>"
    ),
    "Cohere, cut short": lambda thought, words: f"{thought}<|END_THINKING|><|START_RESPONSE|>{words}",
    "OpenThinker": lambda thought, words: (
        f"<|begin_of_thought|>{thought}<|end_of_thought|>\n<|begin_of_solution|>{words}<|end_of_solution|>"
    ),
    "Apertus": lambda thought, words: f"<|inner_prefix|>{thought}<|inner_suffix|>{words}",
    "MedGemma": lambda thought, words: f"<unused94>thought\n{thought}<unused95>{words}",
    "Gemma": lambda thought, words: f"<|channel>thought\n{thought}<channel|>{words}",
    "Gemma, opening eaten": lambda thought, words: f"thought\n{thought}<channel|>{words}",
    "harmony": lambda thought, words: (
        f"<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>{words}<|return|>"
    ),
    "harmony, markers eaten": lambda thought, words: f"analysis{thought}assistantfinal{words}",
    "folded": lambda thought, words: (
        f'<details type="reasoning" done="true">\n<summary>Thought</summary>\n> {thought}\n</details>\n{words}'
    ),
    "its own turn": lambda thought, words: f"<|im_start|>assistant\n<think>{thought}</think>{words}<|im_end|>",
}
"""How models mark their thinking, by name: a thought and the words said, in the way of each chat template."""
