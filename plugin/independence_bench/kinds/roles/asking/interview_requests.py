"""How an interview is put before a model: the conversation from either side, then the questions. Sends nothing."""

from collections.abc import Iterator, Sequence

from independence_bench.chat.request import ChatRequest, Message
from independence_bench.chat.sizes import ANSWER_MARGIN, CHARACTERS_PER_TOKEN, SAFE_CHARACTERS_PER_TOKEN
from independence_bench.kinds.protocol import CallSize
from independence_bench.kinds.roles.interview import Interview, Sampling
from independence_bench.spec import Model


def call_sizes(model: Model, interview: Interview) -> Iterator[CallSize]:
    """Yield the size of every call, if every answer names an option at once and is as long as it may be."""
    talk, answer = (as_asked(model, sampling).max_tokens for sampling in (interview.talk, interview.answer))
    opening = interview.opening or ""
    for place in range(interview.talk_calls):
        sides = (interview.system, interview.interlocutor + interview.interlocutor_start)
        yield _call_size(len(sides[place % 2]) + len(opening), place * talk, talk)
    for dialogue in interview.dialogues:
        characters, answers = len(interview.system) + len(opening), interview.talk_calls * talk
        for question in dialogue:
            characters += len(question.text)
            yield _call_size(characters, answers, answer)
            answers += answer


def _call_size(characters: int, answer_tokens: int, most_tokens: int) -> CallSize:
    """Return the size of a call whose prompt has so many characters of ours and tokens of earlier answers."""
    return CallSize(
        characters / CHARACTERS_PER_TOKEN + answer_tokens,
        characters / SAFE_CHARACTERS_PER_TOKEN + answer_tokens * ANSWER_MARGIN,
        most_tokens,
        most_tokens,
    )


def as_asked(model: Model, sampling: Sampling) -> Model:
    """Return the model with an interview's temperature and token limit; a reasoning model keeps its own limit."""
    return model.limited(sampling.max_tokens).model_copy(update={"temperature": sampling.temperature})


def talk_request(model: Model, interview: Interview, said: Sequence[str], run: int) -> ChatRequest:
    """Return the request for the next message of the conversation; ``said`` begins with the opening.

    After an odd number of messages it is the persona's turn, after an even one the interlocutor's, to whom its own
    messages are the assistant's.
    """
    if len(said) % 2:
        return _request(model, interview.system, said, run)
    return _request(model, interview.interlocutor, [interview.interlocutor_start, *said], run)


def question_request(model: Model, interview: Interview, said: Sequence[str], run: int) -> ChatRequest:
    """Return the request for one answer; ``said`` is the conversation, questions with their answers, the question."""
    return _request(model, interview.system, said, run)


def _request(model: Model, system: str, texts: Sequence[str], run: int) -> ChatRequest:
    messages: list[Message] = [{"role": "system", "content": system}]
    messages += ({"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(texts))
    return ChatRequest(model=model, messages=messages, run=run, delivery="user_role")
