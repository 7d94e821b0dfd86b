"""One interview: the conversation message by message, then every dialogue of questions at once; its requests and sizes.

Knows no failure: what ``ask`` raises ends the whole interview, and half a questionnaire is not kept.
"""

from collections.abc import Iterator, Sequence

from independence_bench.chat.request import ChatRequest, Message
from independence_bench.chat.sizes import ANSWER_MARGIN, CHARACTERS_PER_TOKEN, SAFE_CHARACTERS_PER_TOKEN
from independence_bench.chat.wire import off_loop
from independence_bench.kinds.measuring_protocol import Ask, CallSize, at_once
from independence_bench.kinds.roles.interview import Interview, InterviewQuestion, Sampling
from independence_bench.option_labels import read_label
from independence_bench.spec import Model
from independence_bench.trial import Exchange


async def conduct_interview(model: Model, interview: Interview, run: int, ask: Ask) -> tuple[Exchange, ...]:
    """Return the exchanges: the conversation's first, then dialogue by dialogue in the script's order.

    A question whose answer names no option, or several, is put again from the same place; both answers are kept.
    """
    talking, answering = as_asked(model, interview.talk), as_asked(model, interview.answer)
    messages = [] if interview.opening is None else [interview.opening]
    talk = list[Exchange]()
    before = 0.0
    for place in range(interview.talk_calls):
        reply = await ask(talk_request(talking, interview, messages, run), before)
        after = place - 1 if place else None
        talk.append(Exchange(after=after, asked=messages[-1], reply=reply, by_interlocutor=bool(place % 2)))
        messages.append(reply.answer)
        before += reply.seconds

    async def dialogue(questions: Sequence[InterviewQuestion]) -> list[Exchange]:
        """Return one dialogue's exchanges, ``after`` counted within it; None continues the conversation."""
        heard, seconds, exchanges = list(messages), before, list[Exchange]()
        last: int | None = None
        for question in questions:
            for _ in range(interview.tries):
                reply = await ask(_request(answering, interview.system, [*heard, question.text], run), seconds)
                seconds += reply.seconds
                exchanges.append(
                    Exchange(after=last, asked=question.text, reply=reply, item=question.item, options=question.options)
                )
                if await off_loop(len(reply.answer), read_label, reply.answer, len(question.options)) is not None:
                    break
            last = len(exchanges) - 1
            heard += [question.text, exchanges[-1].reply.answer]
        return exchanges

    exchanges = list(talk)
    last = len(talk) - 1 if talk else None
    for own_exchanges in await at_once(map(dialogue, interview.dialogues)):
        first = len(exchanges)
        exchanges += (
            exchange.model_copy(update={"after": last if exchange.after is None else first + exchange.after})
            for exchange in own_exchanges
        )
    return tuple(exchanges)


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
    return CallSize(
        characters / CHARACTERS_PER_TOKEN + answer_tokens,
        characters / SAFE_CHARACTERS_PER_TOKEN + answer_tokens * ANSWER_MARGIN,
        most_tokens,
        most_tokens,
    )


def as_asked(model: Model, sampling: Sampling) -> Model:
    """Return the model with an interview's temperature and token limit; a reasoning model keeps its own limit."""
    return model.limited(sampling.max_tokens).model_copy(update={"temperature": sampling.temperature})


def talk_request(model: Model, interview: Interview, messages: Sequence[str], run: int) -> ChatRequest:
    """Return the request for the next message of the conversation; ``said`` begins with the opening.

    After an odd number of messages it is the persona's turn, after an even one the interlocutor's, to whom its own
    messages are the assistant's.
    """
    if len(messages) % 2:
        return _request(model, interview.system, messages, run)
    return _request(model, interview.interlocutor, [interview.interlocutor_start, *messages], run)


def _request(model: Model, system: str, texts: Sequence[str], run: int) -> ChatRequest:
    messages: list[Message] = [{"role": "system", "content": system}]
    messages += ({"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(texts))
    return ChatRequest(model=model, messages=messages, run=run, speech=True)
