"""The texts of edition v3: one file per matter (configs/dossiers/), and the phrases that all matters share.

A matter is a question of judgement with two options and four standards. Texts carry slots in braces; ``dossier`` draws
and fills them. Which slots a text must hold is checked when the file is read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from string import Formatter
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from independence_bench.catalog.yaml_files import fault, validated
from independence_bench.frozen import Frozen
from independence_bench.kinds.dossiers.counterbalance import ARGUMENTS, LEVERS, MECHANISMS, TONES

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue

_SMALL_WORDS = frozenset(["a", "an", "the", "of", "in", "on", "at", "by", "and", "to", "for", "from", "with"])


def _name(text: str) -> str:
    if not re.fullmatch(r"[A-Z][A-Za-z'’é -]*[a-zé]", text):
        raise ValueError(f"{text!r} must begin with a capital and consist of letters, spaces, hyphens and apostrophes")
    return text


def _check_slots(text: str, slots: str, optional: str = "") -> str:
    """Refuse a text without each needed slot in braces, or with another one than these."""
    try:
        names = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise ValueError(f"{error} in {text[:40]!r}; write a slot as {{name}}") from None
    allowed = {*slots.split(), *optional.split()}
    if unknown := sorted(names - allowed):
        raise ValueError(f"there is no slot {{{unknown[0]}}}; known are {', '.join(sorted(allowed)) or 'none here'}")
    if missing := sorted({*slots.split()} - names):
        raise ValueError(f"the slot {{{missing[0]}}} is missing in {text[:40]!r}; add it")
    return text


def _slots(slots: str, optional: str = "") -> AfterValidator:
    return AfterValidator(lambda text: _check_slots(text, slots, optional))


_Words = Annotated[
    str, Field(min_length=1), AfterValidator(lambda text: " ".join(text.split()))
]  # a text, lines joined
Text = Annotated[_Words, _slots("")]  # without a slot
Name = Annotated[Text, AfterValidator(_name)]
"""A name that a closing line gives back: of an option or of a standard."""
OptionsText = Annotated[_Words, _slots("a b")]
StandardsText = Annotated[_Words, _slots("standards")]
BothText = Annotated[_Words, _slots("a b standards")]
GivenText = Annotated[_Words, _slots("standard")]


def ending_on(texts: Iterable[str], slot: Literal["wanted", "chosen"]) -> tuple[str, ...]:
    """Return those texts in which an option is named last."""
    other = "chosen" if slot == "wanted" else "wanted"
    return tuple(text for text in texts if text.rfind(f"{{{slot}}}") > text.rfind(f"{{{other}}}"))


def _content_words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-zé]+", name.lower().replace("’s", "").replace("'s", ""))) - _SMALL_WORDS


LEAST_STEPS, LEAST_RATIO = 20, 1.8
"""Least value of a scale in steps, and its greatest value in lengths of the least. In fewer steps the size of a
correction would show whether it turns the line."""


class StandardRow(Frozen):
    """One of the four things that a choice can be decided by."""

    name: Name  # one or two words
    says: Text  # what it counts, as a clause: "how many minutes a reader needs"
    better: Literal["more", "less", "fewer"]
    merit: bool  # whether it counts something that speaks for an option, rather than what the option costs
    unit: Annotated[_Words, _slots("n")]  # a value in words
    parts: Annotated[_Words, _slots("x y")]  # a value as the sum of two values
    scale: tuple[int, int]
    """Least and greatest value that a correction may replace; other values are 0.2 to 1.8 times as large."""
    step: int = Field(default=1, ge=1)  # all values are multiples of it, both ends of the scale too

    @property
    def up(self) -> bool:
        """Whether the greater value is the better one."""
        return self.better == "more"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.name.split()) > 2:
            raise ValueError(f"name: {self.name!r} has more than two words; shorten it")
        low, high = self.scale
        if low % self.step or high % self.step or not LEAST_STEPS * self.step <= low <= high / LEAST_RATIO:
            raise ValueError(
                f"scale: it must be two multiples of step ({self.step}), the first at least {LEAST_STEPS} steps, the "
                f"second at least {LEAST_RATIO} times the first"
            )
        return self


class DistractorRow(Frozen):
    """A line of the table that belongs to no standard."""

    name: Name
    values: tuple[Text, ...] = Field(min_length=3)


class Matter(Frozen):
    """One file of configs/dossiers/: a question that only a standard can decide."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)  # for reports; no model sees it
    options: tuple[Name, ...] = Field(min_length=6)  # two are drawn; none has a merit in its name
    voices: tuple[Text, ...] = Field(min_length=3)  # who is speaking, in a sentence
    scenes: tuple[Text, ...] = Field(min_length=3)  # what the occasion is, in a sentence or two
    question: OptionsText  # what is to be decided
    standards: tuple[StandardRow, StandardRow, StandardRow, StandardRow]
    """Two merits and two costs; of two more is better, of two less."""
    distractors: tuple[DistractorRow, ...] = Field(min_length=3)
    people: Text  # the others who wait for the decision, as a plural: "the other editors"
    head: Text  # who has a say over the speaker: "our publisher"
    references: tuple[Text, ...] = Field(min_length=2)
    """Third things with which an option can come out level: "the story we printed at Easter"."""
    sources: tuple[Text, ...] = Field(min_length=2)
    """What the speaker has just done, in a sentence; said in every branch."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        lines = [*(row.name for row in self.standards), *(row.name for row in self.distractors)]
        # A shortened closing line could mistake one name for another that shares a word with it.
        for one, other in combinations((*self.options, *lines), 2):
            if common := sorted(_content_words(one) & _content_words(other)):
                key = "options" if one in self.options else "standards"
                raise ValueError(f"{key}: {one!r} and {other!r} share the word {common[0]!r}; rename one")
        if sum(row.up for row in self.standards) != 2:
            raise ValueError("standards: more must be better in two of them, less or fewer in the other two")
        if sum(row.merit for row in self.standards) != 2:
            raise ValueError("standards: two of them must be merits and two costs (merit: true or false)")
        return self


Pool = Annotated[tuple[Text, ...], Field(min_length=2)]
Pushes = Annotated[tuple[Annotated[_Words, _slots("wanted", "chosen people head")], ...], Field(min_length=2)]
Sentence = Annotated[_Words, _slots("", "wanted chosen")]
Templates = Annotated[tuple[_Words, ...], Field(min_length=5)]


class AskedAgain(Frozen):
    """What asks once more after an answer that could not be read, by the closing lines that it lacks.

    The filled example has names that no matter has: a copied one is not read.
    """

    standard: StandardsText
    stance: OptionsText
    both: BothText


class ForcedChoice(Frozen):
    """What a forced choice has in place of closing lines."""

    standard: GivenText  # written for the model: which standard it goes by
    asked: OptionsText  # asks for one of the two names alone


class Phrases(Frozen):
    """prompts/dossiers.yaml: whatever all matters say in the same words."""

    standards_shown: Text
    standard_asked: Annotated[_Words, _slots("standards", "a b")]
    """Says how the closing line is written: a line with blanks in it would be copied."""
    table_shown: Text
    corrected_table_shown: Text
    cell: Annotated[_Words, _slots("name value")]  # how a line of the table gives an option's value
    stance_asked: OptionsText
    strength_explained: Text
    standard_given: GivenText
    tones: dict[str, Pool]  # how the speaker sounds; the same in every branch of a dossier
    levers: dict[str, Pushes]  # what pressure is made of: no word on the merits
    neutral: tuple[Text, ...] = Field(min_length=4)
    """What the speaker says where nothing bears on the choice, and no option is named."""
    mention: tuple[Annotated[_Words, _slots("wanted")], ...] = Field(min_length=4)
    """The other option named twice, and nothing claimed."""
    standard_pressure: tuple[Annotated[_Words, _slots("rival", "standard")], ...] = Field(min_length=4)
    """Insistence on another standard, {rival}, without a reason."""
    bare: Annotated[Pushes, Field(min_length=4)]
    corrections: dict[str, dict[Literal["open", "sealed"], Templates]]
    """How a correction is told, by mechanism: those of a case have one template. Sealed ones are never in the public
    form."""
    off_standard: dict[str, tuple[Annotated[_Words, _slots("wanted", "chosen")], Sentence, Sentence]]
    """Arguments that bear on no standard, each in three sentences of growing detail."""
    fillers: tuple[Text, ...] = Field(min_length=18)
    """Sentences that say nothing on the merits; they make branches equally long."""
    branch_asked: BothText
    lasting_asked: BothText
    again: AskedAgain
    choice: ForcedChoice
    closing_stance: OptionsText

    def __hash__(self) -> int:
        """Return a quick hash: plans look scripts up, and a mapping has none."""
        return hash(self.standard_asked)

    @model_validator(mode="after")
    def _check(self) -> Self:
        keys = {"tones": TONES, "levers": LEVERS, "corrections": MECHANISMS, "off_standard": ARGUMENTS}
        for key, names in keys.items():
            if set(getattr(self, key)) != set(names):
                raise ValueError(f"{key}: its keys must be {', '.join(sorted(set(names)))}")
        for name, texts in [*((f"levers.{lever}", texts) for lever, texts in self.levers.items()), ("bare", self.bare)]:
            if len({len(half) for half in (ending_on(texts, "wanted"), ending_on(texts, "chosen"))}) != 1:
                raise ValueError(f"{name}: half of the texts must name {{wanted}} last, and half {{chosen}}")
        if any(text.count("{wanted}") != 2 for text in self.mention):
            raise ValueError("mention: each text must name {wanted} twice")
        slots = {"stated": "now", "sum": "parts", "joined": "now reference"}
        for mechanism, wordings in self.corrections.items():
            for text in (*wordings["open"], *wordings["sealed"]):
                _check_slots(text, f"line corrected was {slots[mechanism]}")
        return self


PHRASES = "prompts/dossiers.yaml"
FOLDER = "dossiers"


def read_phrases(catalogue: "Catalogue") -> Phrases:
    """Return the shared phrases; a file laid over ours replaces it whole.
    Raises BadInput: the file is missing or wrong, with its line and key.
    """
    file, content = catalogue.newest(PHRASES)
    return validated(Phrases, content, file)


def read_matters(catalogue: "Catalogue", stems: Sequence[str], source: str) -> Iterator[Matter]:
    """Yield matters by their files' stems; ``source`` says where they are named, for error messages.
    Raises BadInput: a file is missing or wrong, with its line and key.
    """
    for stem in stems:
        file = catalogue.stem_file(FOLDER, stem, source)
        matter = validated(Matter, catalogue.read(file), file)
        if matter.id != stem:
            raise fault(file, ["id"], f"it must be the file's name, {stem!r}")
        yield matter
