"""The answers of a simulated model to a whole edition of roles, without session, store or wire."""

from functools import cache

from independence_bench.catalog import Catalogue
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.kinds.roles.design import roles_design
from independence_bench.kinds.roles.interview import Interview
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.scores import ContextAnswers
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.offline.simulated_models.simulated import answer
from independence_bench.option_labels import read_label
from independence_bench.spec import Cell

SAID = ("Go on.", "It goes on.", "So it does.")
"""What persona, interlocutor and persona have said after the opening."""


@cache
def cells(edition: str) -> dict[str, Cell]:
    """Cells of an edition by scenario id."""
    catalogue = Catalogue()
    return {cell.scenario.id: cell for cell in load_cells(load_edition(edition, catalogue), catalogue)}


def asked(interview: Interview, model: str, run: int = 1) -> list[tuple[int | None, int]]:
    """Return (item, what the named option stands for) of every question; an unread answer fails."""
    said = () if interview.opening is None else (interview.opening, *SAID)
    found = []
    for dialogue in interview.dialogues:
        texts = list(said)
        for question in dialogue:
            texts.append(question.text)
            conversation = Conversation(tuple(texts[0::2]), tuple(texts[1::2]), interview.system)
            texts.append(answer(model, conversation, run))
            place = read_label(texts[-1], len(question.options))
            assert place is not None, texts[-1]
            found.append((question.item, question.options[place]))
    return found


def talk(interview: Interview, model: str, run: int = 1) -> list[str]:
    """Return the conversation before the questions: the opening, then what the model says on either side."""
    assert interview.opening is not None
    said = [interview.opening]
    for turn in range(interview.messages):
        if turn % 2:
            seen = [interview.interlocutor_start, *said]
            conversation = Conversation(tuple(seen[0::2]), tuple(seen[1::2]), interview.interlocutor)
        else:
            conversation = Conversation(tuple(said[0::2]), tuple(said[1::2]), interview.system)
        said.append(answer(model, conversation, run))
    return said


@cache
def population(model: str, edition: str, run: int = 1) -> Population:
    """Return the population that a model plays, every context and the retest."""
    design = roles_design(load_edition(edition).design)
    assert design is not None
    contexts = []
    for context in design.contexts:
        rows = []
        for persona in design.personas:
            interview = cells(edition)[design.scenario_id(persona, context)].script.interview
            scores = dict(asked(interview, model, run))
            scores.pop(None, None)
            rows.append(tuple(scores[item] for item in sorted(scores)))
        shape = design.questionnaire(context.instrument)
        contexts.append(
            ContextAnswers(name=context.id, instrument=shape, answers=tuple(rows), retest_of=context.retest_of)
        )
    return Population(model=model, contexts=tuple(contexts))
