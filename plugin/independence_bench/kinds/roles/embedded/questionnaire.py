"""A question of a questionnaire, read from a message alone: its labelled options, and which item it puts.

Knows the packaged questionnaires in every pronoun form, and no other: of those it reads the labels alone.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from independence_bench.catalog import Catalogue
from independence_bench.kinds.roles.measuring.role_texts import RoleTexts, fill_template
from independence_bench.option_labels import labels

_OPTION = re.compile(r"^\(([A-Z]{1,2})\) +(\S.*)$", re.MULTILINE)
_LEAST = re.compile(r"\bleast\b")


@dataclass(frozen=True, slots=True)
class OfferedItem:
    """Something that a persona values or not."""

    name: str  # one for all pronoun forms of an item
    value: str | None
    """Basic value that it measures; None: nothing that any other item measures."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The question how strongly the persona holds an item."""

    item: OfferedItem
    order: tuple[int, ...]
    """Places of the options, from the one that grants it least."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The question which of several items is the most important, or the least."""

    items: tuple[OfferedItem, ...]
    """In the order of the labels."""
    least: bool


@lru_cache(maxsize=64)  # callers repeat the question just read and the first of the conversation
def question_in(message: str) -> Rating | Choice | int | None:
    """Return the question that a message puts; of an unknown one, how many options it offers. None: it offers no
    labelled options, each on a line of its own.
    """
    lines = list(_OPTION.finditer(message))
    in_order = labels(len(lines))
    offered = list[re.Match[str]]()
    for line in lines:
        if line[1] == in_order[len(offered)]:
            offered.append(line)
    if len(offered) < 2:
        return None
    options = [line[2].strip() for line in offered]
    asked = f"{message[: offered[0].start()]}\n\n{message[offered[-1].end() :]}"
    known, scales = _known()
    if all(option in known for option in options):
        return Choice(tuple(known[option] for option in options), least=bool(_LEAST.search(asked)))
    paragraphs = map(_one_line, asked.split("\n\n"))
    item = next((known[paragraph] for paragraph in paragraphs if paragraph in known), None)
    scores = next((scale for scale in scales if all(option in scale for option in options)), None)
    if item is None or scores is None:
        return len(options)
    return Rating(item, tuple(sorted(range(len(options)), key=lambda place: scores[options[place]])))


@lru_cache(maxsize=1)
def _known() -> tuple[dict[str, OfferedItem], list[dict[str, int]]]:
    """Return the packaged items by their text on one line, and the score of each option, by questionnaire."""
    texts = RoleTexts(Catalogue().newest)
    items, scales = dict[str, OfferedItem](), list[dict[str, int]]()
    for file, instrument in map(texts.instrument, ("portrait", "survey")):
        scales.append({_one_line(row.text): row.score for row in instrument.options})
        for row in instrument.items:
            item = OfferedItem(f"{instrument.name}/{row.number}", row.value)
            for words in instrument.pronouns.values() or [{}]:
                items[_one_line(fill_template(row.text, words, file, "items"))] = item
    return items, scales


def _one_line(text: str) -> str:
    return " ".join(text.split())
