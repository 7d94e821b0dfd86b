"""How models write a tool call as text, by name: the message and the tool's name in the form of each chat template."""

import json
from collections.abc import Callable

TOOL = "send_message_to_human"
SYSTEM = f"You speak to the human only by calling the tool {TOOL}."


def _call(message: str, arguments: str = "arguments") -> str:
    return json.dumps({"name": TOOL, arguments: {"message": message}}, ensure_ascii=False)


def _python(message: str) -> str:
    return f"{TOOL}(message={json.dumps(message, ensure_ascii=False)})"


FORMS: dict[str, Callable[[str], str]] = {
    "bare": _call,
    "parameters": lambda message: _call(message, "parameters"),
    "list": lambda message: f"[{_call(message)}]",
    "fence": lambda message: f"```json\n{_call(message)}\n```",
    "Hermes, Qwen": lambda message: f"<tool_call>\n{_call(message)}\n</tool_call>",
    "Llama 3": lambda message: f"<|python_tag|>{_call(message, 'parameters')}<|eom_id|>",
    "Mistral": lambda message: f"[TOOL_CALLS][{_call(message)}]",
    "OpenAI": lambda message: json.dumps(
        {"type": "function", "function": {"name": TOOL, "arguments": json.dumps({"message": message})}}
    ),
    "Python": _python,
    "arguments alone": lambda message: json.dumps({"message": message}),
    "twice": lambda message: f"{_call(message)}\n{_call(message)}",
    "text before": lambda message: f"Sure, I will tell them.\n{_call(message)}",
    "text after": lambda message: f"{_call(message)}\n\nI have sent the message.",
    "text before, one line": lambda message: f"Sure: {_call(message)}",
    "Hermes, never closed": lambda message: f"<tool_call>\n{_call(message)}",
    "Mistral, newest": lambda message: f"[TOOL_CALLS]{TOOL}[ARGS]{json.dumps({'message': message})}",
    "Mistral, name first": lambda message: f"[TOOL_CALLS]{TOOL}{json.dumps({'message': message})}",
    "Llama 3.2": lambda message: f"[{_python(message)}]",
    "Functionary": lambda message: f"<function={TOOL}>{json.dumps({'message': message})}</function>",
    "Qwen Coder": lambda message: (
        f"<tool_call>\n<function={TOOL}>\n<parameter=message>\n{message}\n</parameter>\n</function>\n</tool_call>"
    ),
    "Anthropic": lambda message: (
        f'<function_calls>\n<invoke name="{TOOL}">\n<parameter name="message">{message}</parameter>\n</invoke>\n'
        "</function_calls>"
    ),
    "ReAct": lambda message: (
        f"Thought: I should answer.\nAction: {TOOL}\nAction Input: {json.dumps({'message': message})}"
    ),
    "DeepSeek": lambda message: (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{TOOL}\n```json\n{json.dumps({'message': message})}\n"
        "```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "both": lambda message: f"Sure.\n```json\n{_call(message)}\n```\nDone!",
}
