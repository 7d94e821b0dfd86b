"""One interview: the conversation message by message, then every dialogue of questions at once. Knows no failure.

What ``ask`` raises ends the whole interview: half a questionnaire is not kept.
"""

import asyncio
from collections.abc import Sequence

from independence_bench.chat.off_loop import off_loop
from independence_bench.kinds.protocol import Ask
from independence_bench.kinds.roles.asking.interview_requests import as_asked, question_request, talk_request
from independence_bench.kinds.roles.interview import Interview, InterviewQuestion
from independence_bench.option_labels import read_label
from independence_bench.spec import Model
from independence_bench.trial import Exchange


async def conduct_interview(model: Model, interview: Interview, run: int, ask: Ask) -> tuple[Exchange, ...]:
    """Return the exchanges: the conversation's first, then dialogue by dialogue in the script's order.

    A question whose answer names no option, or several, is put again from the same place; both answers are kept.
    """
    talk = await _talk(as_asked(model, interview.talk), interview, run, ask)
    said = [] if interview.opening is None else [interview.opening, *(exchange.reply.answer for exchange in talk)]
    before = sum(exchange.reply.seconds for exchange in talk)
    asked = as_asked(model, interview.answer)
    try:
        async with asyncio.TaskGroup() as group:  # the first that fails ends the others
            dialogues = [
                group.create_task(_dialogue(asked, interview, said, dialogue, run, ask, before))
                for dialogue in interview.dialogues
            ]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed.exceptions[0].__cause__
    exchanges = list(talk)
    last = len(talk) - 1 if talk else None
    for dialogue in dialogues:
        first = len(exchanges)
        exchanges += (
            exchange.model_copy(update={"after": last if exchange.after is None else first + exchange.after})
            for exchange in dialogue.result()
        )
    return tuple(exchanges)


async def _talk(model: Model, interview: Interview, run: int, ask: Ask) -> list[Exchange]:
    if interview.opening is None:
        return []
    said, exchanges, seconds = [interview.opening], list[Exchange](), 0.0
    for place in range(interview.messages):
        reply = await ask(talk_request(model, interview, said, run), seconds)
        after = place - 1 if place else None
        exchanges.append(Exchange(after=after, asked=said[-1], reply=reply, by_interlocutor=bool(place % 2)))
        said.append(reply.answer)
        seconds += reply.seconds
    return exchanges


async def _dialogue(
    model: Model,
    interview: Interview,
    said: list[str],
    questions: Sequence[InterviewQuestion],
    run: int,
    ask: Ask,
    seconds: float,
) -> list[Exchange]:
    """Return one dialogue's exchanges, ``after`` counted within it; None continues the conversation."""
    said, exchanges = list(said), list[Exchange]()
    last: int | None = None
    for question in questions:
        for _ in range(interview.tries):
            reply = await ask(question_request(model, interview, [*said, question.text], run), seconds)
            seconds += reply.seconds
            exchanges.append(
                Exchange(after=last, asked=question.text, reply=reply, item=question.item, options=question.options)
            )
            if await off_loop(len(reply.answer), read_label, reply.answer, len(question.options)) is not None:
                break
        last = len(exchanges) - 1
        said += [question.text, exchanges[-1].reply.answer]
    return exchanges
