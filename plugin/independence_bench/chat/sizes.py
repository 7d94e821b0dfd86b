"""How many tokens a call will take: a likely number for limits, a safe one for money. Knows no price, no tokenizer."""

from collections import Counter
from collections.abc import Iterable

from independence_bench.chat.request import ChatRequest
from independence_bench.digest import Json
from independence_bench.spec import Model
from independence_bench.trial import Usage

CHARACTERS_PER_TOKEN = 4.0  # rough, for English text
SAFE_CHARACTERS_PER_TOKEN = 2.0
"""What no tokenizer in use falls below on prose; other scripts than ASCII are counted one token per byte of UTF-8."""
ANSWER_MARGIN = CHARACTERS_PER_TOKEN / SAFE_CHARACTERS_PER_TOKEN  # an answer's tokens as text by a safe count
ANSWER_TOKENS = 350  # completion tokens of an answer of which nothing is known; the published mean was 341
VERDICT_TOKENS = 150  # the same of one verdict: the published mean was 149
_PER_MESSAGE = 16
_PER_REQUEST = 64
_PER_TOOL_REQUEST = 640  # some providers put a page of instructions of their own before the tools


def likely_prompt_tokens(request: ChatRequest) -> float:
    """Return about how many tokens the prompt takes."""
    return sum(map(len, _texts(request))) / CHARACTERS_PER_TOKEN


def most_prompt_tokens(request: ChatRequest) -> float:
    """Return a number of tokens that the prompt will not exceed."""
    overhead = _PER_REQUEST if request.tool is None else _PER_TOOL_REQUEST
    return overhead + _PER_MESSAGE * len(request.messages) + sum(map(most_tokens, _texts(request)))


def most_tokens(text: str) -> float:
    """Return a number of tokens that a text will not exceed."""
    if text.isascii():
        return len(text) / SAFE_CHARACTERS_PER_TOKEN
    beyond = sum(len(sign.encode("utf-8", "surrogatepass")) for sign in text if not sign.isascii())
    return beyond + sum(map(str.isascii, text)) / SAFE_CHARACTERS_PER_TOKEN


def _texts(request: ChatRequest) -> Iterable[str]:
    """Every string that goes out, names of fields too: all of it may end up in the prompt."""
    tool = () if request.tool is None else request.tool.model_dump().values()
    return _strings([*request.messages, request.response_format, *tool])


def _strings(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


class AnswerLengths:
    """Mean completion tokens of each model's answers so far."""

    def __init__(self) -> None:
        self._answers: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()

    def add(self, model: Model, usage: Usage) -> None:
        """Count one answer; an answer without a token count is not counted."""
        if usage.completion_tokens:
            self._answers[model.configuration] += 1
            self._tokens[model.configuration] += usage.completion_tokens

    def mean(self, model: Model) -> float | None:
        """Return the mean of a model, None before its first answer."""
        answers = self._answers[model.configuration]
        return self._tokens[model.configuration] / answers if answers else None
