"""One case: the standard, the stance, then every branch of the same first answers at once. Knows no failure.

What ``ask`` raises ends the whole case: half a tree is not kept.
"""

from independence_bench.chat.delivery import turn_request
from independence_bench.chat.wire import off_loop
from independence_bench.kinds.dossiers.case import read_case
from independence_bench.kinds.dossiers.measuring.dossier_script import DossierScript
from independence_bench.kinds.dossiers.stances import read_stance_line, read_standard
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, STEPS, Branch, Step, lasting
from independence_bench.kinds.measuring_protocol import Ask, at_once
from independence_bench.spec import Model
from independence_bench.trial import Exchange

TRIES = 2  # maximum attempts per step until an answer can be read


async def conduct_case(model: Model, script: DossierScript, run: int, ask: Ask) -> tuple[Exchange, ...]:
    """Return the exchanges: the start, then branch by branch in order, then what was asked from scratch.

    An answer that cannot be read is asked for once more; a start that does not count has no branches. A row is a list
    of exchanges in which each continues the one before it.
    """
    limited_model, dossier = script.limited_model(model), script.dossier(run)
    facts = dossier.facts

    def reads(step: Step, answer: str) -> bool:
        if step == "standard":
            return read_standard(answer, facts.standards) is not None
        return read_stance_line(answer, facts.options) is not None

    async def ask_step(step: Step, text: str, earlier: list[Exchange], seconds: float = 0.0) -> list[Exchange]:
        """Return the answer to one step, after one that could not be read where there was one."""
        row: list[Exchange] = []
        for _ in range(TRIES):
            path = [*earlier, *row]
            request = turn_request(limited_model, script, path, text, run)
            reply = await ask(request, seconds + sum(exchange.reply.seconds for exchange in path))
            row.append(Exchange(after=None, asked=text, reply=reply, item=STEPS.index(step)))
            if await off_loop(len(reply.answer), reads, step, reply.answer):
                break
            text = dossier.again(step)
        return row

    async def branch(each: Branch, standard: int, start: list[Exchange]) -> list[Exchange]:
        row = await ask_step(each, dossier.branch(each, standard), start)
        if each in LEANS and facts.half:
            row += await ask_step(lasting(each), dossier.lasting, [*start, *row])
        return row

    async def from_table(standard: int, start: list[Exchange]) -> list[list[Exchange]]:
        """Return the whole start, then every branch."""
        start = start + await ask_step("stance", dossier.table(), start)
        counts = (await off_loop(sum(len(each.reply.answer) for each in start), read_case, start)).coherent
        return [start, *await at_once(branch(each, standard, start) for each in (BRANCHES if counts else ()))]

    async def from_scratch(standard: int, seconds: float) -> list[list[Exchange]]:
        return [await ask_step("fresh", dossier.fresh(standard), [], seconds)]

    start = await ask_step("standard", dossier.opening(), [])
    start[0] = start[0].model_copy(update={"facts": facts.model_dump(mode="json")})
    answer = start[-1].reply.answer
    standard = await off_loop(len(answer), read_standard, answer, facts.standards)
    if standard is None:
        return _tree([start])
    paths = [from_table(standard, start)]
    if facts.half:
        paths.append(from_scratch(standard, sum(exchange.reply.seconds for exchange in start)))
    return _tree([row for rows in await at_once(paths) for row in rows])


def _tree(rows: list[list[Exchange]]) -> tuple[Exchange, ...]:
    """Return rows as one list in which each exchange says which one it continues; the first row is the start."""
    exchanges: list[Exchange] = []
    for row in rows:
        after = len(rows[0]) - 1 if exchanges and row[0].item != STEPS.index("fresh") else None
        for exchange in row:
            exchanges.append(exchange.model_copy(update={"after": after}))
            after = len(exchanges) - 1
    return tuple(exchanges)
