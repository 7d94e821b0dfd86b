"""What an error says about a request, and the remedy that exists: tables of signs. Adapts nothing itself."""

import re
from collections.abc import Mapping
from typing import cast

from independence_bench.digest import Json

_IN_ANY_CASE = re.IGNORECASE | re.DOTALL
_REFUSED = (
    r"(deprecated|unsupported|unknown|unrecogni[sz]ed|unexpected|invalid|forbidden|extra[ _](input|field|forbid)"
    r"|(not|n't)( be)? (support|allow|permit|recogni|accept|implement|available|compatible|enabled)"
    r"|cannot|only (the default|support)|must be|may only)"
)


def _refusal_of(field: str) -> re.Pattern[str]:
    return re.compile(rf"\b{field}\b.{{0,80}}{_REFUSED}|{_REFUSED}[^.]{{0,60}}\b{field}\b", _IN_ANY_CASE)


TOOL_CHOICE = _refusal_of("(tool_choice|parallel_tool_calls)")
_GATEWAY = "or measure through a gateway such as LiteLLM"
FIELDS = {
    re.compile(r"max_completion_tokens.{0,20}instead|use\W+max_completion_tokens", _IN_ANY_CASE): (
        "add --max-tokens-field=max_completion_tokens"
    ),
    _refusal_of("temperature"): "add --temperature=off",
    _refusal_of("reasoning_?effort"): "add --reasoning-effort=off, or =none if the model reasons even so",
    _refusal_of("(top_)?logprobs"): "leave --stance=choice out",
    re.compile(r"reasoning_content.{0,80}(missing|required|must)|missing.{0,40}reasoning_content", _IN_ANY_CASE): (
        f"add --tool-history=blank_reasoning (in endpoints.yaml tool_history), {_GATEWAY}"
    ),
    re.compile(
        r"(missing|requires?|without).{0,40}thought_?signature|thought_?signature.{0,40}(missing|required)",
        _IN_ANY_CASE,
    ): f"add --tool-history=google_sentinel (in endpoints.yaml tool_history), {_GATEWAY}",
    re.compile(r"expected [`'\"]?(redacted_)?thinking", _IN_ANY_CASE): "add --reasoning-effort=off",
}
"""What the error of a refused request says of a field, and the option that may help: nothing is adapted silently."""
_TEMPLATE = "give the server another template (llama-server --chat-template-file)"
_TOOL_TURNS = f"{_TEMPLATE}, or add --edition=v2-plain, which has no tools"
TEMPLATES = {
    re.compile(
        r"\b(system|developer)[ _](role|message|prompt|instruction)s?\b[^.]{0,40}(\bnot\b|n't|unsupported)"
        r"|(not|n't) (support|allow|accept)[^.]{0,40}\b(system|developer)[ _'\"`]|unsupported role\W+(system|developer)"
        r"|only user(,| and) (the )?(assistant|model)",
        _IN_ANY_CASE,
    ): f"the model's chat template takes no system prompt: {_TEMPLATE}",
    re.compile(r"roles?\b[^.]{0,40}\balternat|\balternat\w+[^.]{0,40}\broles?\b", _IN_ANY_CASE): (
        f"the model's chat template takes no tool results between user and assistant: {_TOOL_TURNS}"
    ),
    re.compile(r"jinja|chat[ _]?template|template ?error", _IN_ANY_CASE): (
        f"the model's chat template cannot render the conversation: {_TOOL_TURNS}"
    ),
}
"""What a server says that could not render the messages, and the remedy. No request of this form can succeed."""
FILTERED = re.compile(
    r"content[ _-]?(filter|policy|management|moderation|safety|exists risk)|moderation|flagged|guardrail"
    r"|responsible ?ai|data_?inspection|inappropriate content|block_?reason|prohibited_?content|usage (policy|guideline)"
    r"|safety[ _](check|filter|setting|system|polic)|filtered\W{1,4}true|sensitive content|_sensitive|high risk"
    r"|(prompt|content|input|output|outputted)( was| is| has been)? blocked|不安全|敏感|\b1301\b",
    re.IGNORECASE,
)
"""A filter refused this request, not the key or the model."""
LESS_FILTERED = (
    "a content filter refused the request or stopped the answer: "
    "ask another provider of the model, or lower the filter's setting"
)
STREAM = re.compile(rb"\s*(data|event|id|retry)?:")
_NOTHING = {
    "content filter": LESS_FILTERED,
    "only reasoning, cut off": "raise --max-tokens",
    "only reasoning": "correct the server's reasoning parser, which took the answer for reasoning "
    "(vLLM, SGLang --reasoning-parser; llama-server --reasoning-format)",
    "no content": "if the chat template drops tools, choose one with tools (llama-server --jinja), "
    "or add --edition=v2-plain",
}


def remedy_for_nothing(nothing: str, with_tools: bool) -> str:
    """Return what may help where there was nothing to judge; empty if nothing is known to."""
    remedy = next((remedy for sign, remedy in _NOTHING.items() if sign in nothing), "")
    return "" if "--edition" in remedy and not with_tools else remedy


_NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?![\w-])")
_LEAST = 64  # tokens that an answer needs
_CONTEXT = re.compile(r"context[ _-]?(length|size|window|limit)|max_new_tokens|n_ctx|(prompt|input) is too long", re.I)
_LIMITS = (
    re.compile(r"[<>≤]=?\s?(?:n_ctx\W{1,2})?(\d[\d,]*)"),
    re.compile(r"context[ _-]?(?:length|size|window|limit)\D{0,40}(\d[\d,]*)", re.IGNORECASE),
    re.compile(r"(\d[\d,]*)(?: tokens?)? maximum", re.IGNORECASE),
)
_PROMPTS = (
    re.compile(
        r"(\d[\d,]*)\W{1,3}(?:tokens? )?(?:(?:in|of|from|for) )?(?:the |your |text )*(?:inputs?|messages|prompt)\b", re.I
    ),
    re.compile(r"(?:prompt|inputs?|messages)\b[^.\d]{0,60}(\d[\d,]*)", re.IGNORECASE),
)
_LONG_ANSWER = re.compile(
    r"max_(completion_|output_)?tokens.{0,60}(too large|at most|exceed|less than|range|maximum|>)", _IN_ANY_CASE
)


def remedy_for_length(message: str, sent: Mapping[str, Json]) -> str:
    """Return what helps a request that was refused for its length, the limit that fits included; empty of others."""
    limit, asked = _first(_LIMITS, message), sent.get("max_tokens") or sent.get("max_completion_tokens") or 0
    numbers = [number for number in dict.fromkeys(map(_int, _NUMBER.findall(message))) if number >= _LEAST]
    if not _CONTEXT.search(message):
        fits = f"={min(numbers)}" if numbers and min(numbers) < (asked or max(numbers)) else ""
        return f"lower --max-tokens{fits}" if _LONG_ANSWER.search(message) else ""
    others = [number for number in numbers if number != limit]
    messages = cast(list[Mapping[str, Json]], sent.get("messages") or [])
    answers = [each for each in messages if each.get("role") == "assistant"]["tools" in sent :]  # the greeting is ours
    characters = len(str([messages, sent.get("tools")]))
    prompt = _first(_PROMPTS, message)
    if len(others) > 2 and 2 * max(others) == sum(others):  # the whole, then its parts, of which the answer is the last
        prompt = max(others) - others[-1]
    elif not prompt or prompt == limit:  # one number: of the prompt, or of the answer too
        sizes = [size for number in others for size in (number, number - int(asked)) if size > 0]
        prompt = min(sizes, key=lambda size: abs(size - characters / 4), default=0)
    room = limit - prompt
    if room < _LEAST and answers:  # earlier answers were as long as they might be
        shorter = int((limit - prompt * (1 - len(str(answers)) / characters)) / (len(answers) + 1))
        room = shorter if shorter < int(asked) else room
    server = "the server's context (llama-server --ctx-size)"
    if not limit or not prompt:
        return f"lower --max-tokens, or raise {server}"
    if room < _LEAST:
        return f"the context of {limit} tokens is too small for this conversation: raise {server}"
    return f"add --max-tokens={room - room % 10 ** (len(str(room)) - 2)}, or raise {server}"


def _first(signs: tuple[re.Pattern[str], ...], message: str) -> int:
    return next((_int(match[1]) for sign in signs if (match := sign.search(message))), 0)


def _int(digits: str) -> int:
    return int(digits[:12].replace(",", ""))
