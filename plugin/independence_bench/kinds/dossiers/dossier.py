"""A dossier: one matter with two options, four standards and a table, drawn from a form's seed. Pure.

``draw`` depends on its arguments only. The texts of a branch depend on the standard that the model chose: ``reason``,
``other``, ``strengthen`` and ``weaken`` are one template, so that the text that is a reason for one model is none for
another.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, get_args

from independence_bench.digest import Json, digest
from independence_bench.kinds.dossiers.case import CaseFacts
from independence_bench.kinds.dossiers.counterbalance import (
    ARGUMENTS,
    LEVERS,
    MECHANISMS,
    ORDERS,
    TONES,
    features,
    lot,
    shuffled,
)
from independence_bench.kinds.dossiers.design import GENERATOR
from independence_bench.kinds.dossiers.figures import TableLine, draw_line
from independence_bench.kinds.dossiers.matter import DistractorRow, Matter, Phrases, StandardRow, ending_on
from independence_bench.kinds.dossiers.steps import BRANCHES, Branch, Step

DISTRACTORS = 2  # lines of a table that belong to no standard
CORRECTIONS: tuple[Branch, ...] = ("reason", "other", "strengthen", "weaken")
"""The branches that correct a value, all by one template."""
FILLERS = 4  # fillers in every branch; their lengths make all branches equally long
ROOM = 160  # characters of fillers that the longest branch has room for
CHOICE = 12  # fillers of which the one with the best length is taken
PUBLIC = "public"  # the form without sealed templates


class Correction(NamedTuple):
    """One cell of the table that the speaker says was wrong."""

    standard: int
    option: int
    now: int  # the value that it should have had


@dataclass(frozen=True)
class Dossier:
    """One drawn case: what is told, and all that can be told next. Options and standards are numbered as shown."""

    facts: CaseFacts
    standards: tuple[StandardRow, ...]
    lines: tuple[TableLine, ...]  # the figures of each standard, as the table shows them first
    _ends: bool = field(repr=False)
    """Whether pressure names the other option last, and a bare claim the one chosen, or the other way round."""
    _matter: Matter = field(repr=False)
    _phrases: Phrases = field(repr=False)
    _seed: tuple[str | int, ...] = field(repr=False)
    _distractors: tuple[tuple[int, DistractorRow, tuple[str, str]], ...] = field(repr=False)
    """Before which standard's line each stands, and its value for each option."""

    def _one(self, texts: tuple[str, ...], label: str) -> str:
        return texts[lot(len(texts), *self._seed, label)]

    # What is told first

    @cached_property
    def _matter_text(self) -> str:
        a, b = self.facts.options
        matter = self._matter
        lead = (self._one(matter.voices, "voice"), self._one(matter.scenes, "scene"), matter.question.format(a=a, b=b))
        lines = [f"- {row.name}: {row.says}; {row.better} is better." for row in self.standards]
        return "\n".join([" ".join(lead), "", self._phrases.standards_shown, *lines])

    def opening(self) -> str:
        """Return turn 0: the matter, the options, the standards in words; which standard shall decide?"""
        return f"{self._matter_text}\n\n{self._question(self._phrases.standard_asked)}"

    def table(self) -> str:
        """Return turn 1: the table; where does the model stand?"""
        return f"{self._table_text}\n\n{self._stance_question}"

    @property
    def _table_text(self) -> str:
        return f"{self._phrases.table_shown}\n\n{self._table(line.values for line in self.lines)}"

    def _table(self, values: Iterable[Iterable[int]]) -> str:
        lines: list[str] = []
        for place, (row, pair) in enumerate(zip(self.standards, values, strict=True)):
            lines += (self._line(other.name, pair) for at, other, pair in self._distractors if at == place)
            shown = (row.unit.format(n=value) for value in pair)
            lines.append(self._line(f"{row.name} ({row.better} is better)", shown))
        return "\n".join(lines)

    def _line(self, head: str, pair: Iterable[str]) -> str:
        cells = zip(self.facts.options, pair, strict=True)
        return f"{head}: " + ", ".join(self._phrases.cell.format(name=name, value=value) for name, value in cells)

    def _question(self, text: str) -> str:
        a, b = self.facts.options
        *first, last = (row.name for row in self.standards)
        return text.format(a=a, b=b, standards=f"{', '.join(first)} or {last}")

    @property
    def _stance_question(self) -> str:
        phrases = self._phrases
        return self._question(f"{phrases.stance_asked} {phrases.strength_explained}\n{phrases.closing_stance}")

    # What is corrected

    def partner(self, standard: int) -> int:
        """Return the other standard that favours the same option."""
        favours = self.facts.favours
        return next(i for i in range(4) if i != standard and favours[i] == favours[standard])

    def correction(self, branch: Branch, standard: int) -> Correction | None:
        """Return the cell that a branch corrects for a model that chose ``standard``; None: it corrects none.

        Each line has one value that can be corrected: ``weaken`` by less than turns the line, all others by one size.
        """
        if branch not in CORRECTIONS:
            return None
        at = self.partner(standard) if branch == "other" else standard
        favourite = self.facts.favours[at]
        option = favourite if self.facts.corrects_chosen else 1 - favourite
        rises = (option != favourite) == self.standards[at].up  # the other option gains, or the chosen one loses
        line = self.lines[at]
        change = {"weaken": line.weakening, "strengthen": -line.change}.get(branch, line.change)
        return Correction(at, option, line.values[option] + (change if rises else -change))

    def values_after(self, branch: Branch, standard: int) -> list[list[int]]:
        """Return the values as they are after a branch; as first shown where it corrects none."""
        values = [[*line.values] for line in self.lines]
        if (change := self.correction(branch, standard)) is not None:
            values[change.standard][change.option] = change.now
        return values

    def _correction_text(self, change: Correction) -> str:
        row = self.standards[change.standard]
        template = self._one(self._phrases.corrections[self.facts.mechanism][self.facts.wording], "template")
        size = change.now // row.step
        part = size * (2 + lot(2, *self._seed, "parts", row.name, change.now)) // 5 * row.step
        return template.format(
            line=row.name,
            corrected=self.facts.options[change.option],
            was=row.unit.format(n=self.lines[change.standard].values[change.option]),
            now=row.unit.format(n=change.now),
            parts=row.parts.format(x=part, y=change.now - part),
            reference=self._one(self._matter.references, "reference"),
        )

    # What else is said

    def _body(self, branch: Branch, standard: int) -> str:
        if (change := self.correction(branch, standard)) is not None:
            return self._correction_text(change)
        phrases, facts = self._phrases, self.facts
        pools: dict[Branch, tuple[str, ...]] = {
            "off-standard": (" ".join(phrases.off_standard[facts.argument][: facts.detail]),),
            "neutral": phrases.neutral,
            "mention": phrases.mention,
            "standard-pressure": phrases.standard_pressure,
            "pressure": ending_on(phrases.levers[facts.lever], "wanted" if self._ends else "chosen"),
            "bare": ending_on(phrases.bare, "chosen" if self._ends else "wanted"),
        }
        rivals = [place for place in range(4) if facts.favours[place] != facts.favours[standard]]
        return self._one(pools[branch], branch).format(
            wanted=facts.options[1 - facts.favours[standard]],
            chosen=facts.options[facts.favours[standard]],
            standard=facts.standards[standard],
            rival=facts.standards[rivals[lot(2, *self._seed, "rival")]],
            people=self._matter.people,
            head=self._matter.head,
        )

    @cached_property
    def _bodies(self) -> dict[tuple[Branch, int], str]:
        return {(branch, standard): self._body(branch, standard) for branch in BRANCHES for standard in range(4)}

    @cached_property
    def _length(self) -> int:
        """Characters of every body with its fillers, about."""
        return max(map(len, self._bodies.values())) + ROOM

    def _fillers(self, branch: Branch, standard: int) -> list[str]:
        """Return as many sentences for every branch, whose lengths make up for that of its body.

        Corrections have the same ones.
        """
        corrections = branch in CORRECTIONS
        bodies = [self._bodies[one, at] for one, at in self._bodies if one in CORRECTIONS]
        room = self._length - (max(map(len, bodies)) if corrections else len(self._bodies[branch, standard]))
        pool = shuffled(self._phrases.fillers, *self._seed, "fill", CORRECTIONS[0] if corrections else branch)
        sentences: list[str] = []
        for more in range(FILLERS, 0, -1):
            near = [text for text in pool if text not in sentences][: CHOICE * FILLERS if more == 1 else CHOICE]
            sentences.append(min(near, key=lambda text: abs(len(text) - room / more)))
            room -= len(sentences[-1]) + 1
        return sentences

    def branch(self, branch: Branch, standard: int) -> str:
        """Return what the human says in a branch to a model that chose ``standard``."""
        fillers = self._fillers(branch, standard)
        first = " ".join([self._branch_opening(branch), *fillers[: FILLERS // 2]])
        second = " ".join([self._bodies[branch, standard], *fillers[FILLERS // 2 :]])
        return "\n\n".join([first, second, self._branch_question])

    def written_start(self, standard: int) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return the start of a forced choice, as asked and as answered for the model: the standard, the stance."""
        texts, name = self._phrases.choice, self.facts.standards[standard]
        question, option = self._question(texts.asked), self.facts.options[self.facts.favours[standard]]
        return (self.opening(), texts.standard.format(standard=name)), (f"{self._table_text}\n\n{question}", option)

    def choice(self, branch: Branch, standard: int, *, swapped: bool = False) -> str:
        """Return a branch that ends with the question for one of the two names alone, the second first if swapped."""
        a, b = self.facts.options[:: -1 if swapped else 1]
        text, _, _ = self.branch(branch, standard).rpartition("\n\n")
        return f"{text}\n\n{self._phrases.choice.asked.format(a=a, b=b)}"

    def _branch_opening(self, branch: Branch) -> str:
        """Return the first words; a speaker who only asks again, or mentions something, is calm."""
        calm = branch in ("neutral", "mention") and self.facts.tone == "displeased"
        tone = self._one(self._phrases.tones["cool" if calm else self.facts.tone], "tone")
        return f"{tone} {self._one(self._matter.sources, 'source')}"

    @cached_property
    def _branch_question(self) -> str:
        return self._question(f"{self._phrases.branch_asked}\n{self._phrases.closing_stance}")

    @property
    def lasting(self) -> str:
        """The question after a branch that leans, for the minutes and without pressure."""
        return self._question(f"{self._phrases.lasting_asked}\n{self._phrases.closing_stance}")

    def fresh(self, standard: int) -> str:
        """Return one message for a new conversation: the matter, the model's own standard, the corrected table."""
        phrases = self._phrases
        own_standard = phrases.standard_given.format(standard=self.standards[standard].name)
        table = self._table(self.values_after("reason", standard))
        new_table = f"{phrases.corrected_table_shown}\n\n{table}"
        return f"{self._matter_text}\n\n{own_standard}\n\n{new_table}\n\n{self._stance_question}"

    def again(self, step: Step) -> str:
        """Return what asks once more after an answer that could not be read, with an example of other names."""
        texts = self._phrases.again
        return self._question(
            texts.standard if step == "standard" else texts.stance if step in ("stance", "fresh") else texts.both
        )

    @cached_property
    def digest(self) -> str:
        """Digest of the facts and of every text that the dossier can say."""
        texts: list[Json] = [self.opening(), self.table(), self.lasting]
        texts += [self.branch(branch, standard) for branch in get_args(Branch) for standard in range(4)]
        texts += [self.fresh(standard) for standard in range(4)]
        return digest({"facts": self.facts.model_dump(mode="json", exclude={"form", "run"}), "said": texts})


def draw(matter: Matter, phrases: Phrases, form: str, place: int, places: int, run: int) -> Dossier:
    """Return the dossier of a matter that stands at one place of a form, in one run (from 1)."""
    levels = features(form, place, places, run)
    seed = (GENERATOR, form, matter.id, run)
    pool = shuffled(tuple(range(len(matter.options))), *seed, "options")[:2]
    first, second = sorted(pool, reverse=bool(levels.swapped))
    ups, downs = ([row for row in matter.standards if row.up is up] for up in (True, False))
    rest = {True: ups[:: -1 if levels.ups else 1], False: downs[:: -1 if levels.downs else 1]}
    standards = tuple(rest[bool(up)].pop(0) for up in ORDERS[levels.order])
    favours = tuple(levels.side if place in (0, 1 + levels.pairing) else 1 - levels.side for place in range(4))
    lines = tuple(
        draw_line(row, favourite, corrects_favoured=bool(levels.corrects_chosen), seed=(*seed, row.name))
        for row, favourite in zip(standards, favours, strict=True)
    )
    extras: list[tuple[int, DistractorRow, tuple[str, str]]] = []
    for number, extra in enumerate(shuffled(matter.distractors, *seed, "distractors")[:DISTRACTORS]):
        a, b = shuffled(extra.values, *seed, "extra", extra.name)[:2]
        extras.append((lot(4, *seed, "where", number), extra, (a, b)))
    facts = CaseFacts(
        kind=matter.id,
        form=form,
        run=run,
        options=(matter.options[first], matter.options[second]),
        standards=(standards[0].name, standards[1].name, standards[2].name, standards[3].name),
        favours=(favours[0], favours[1], favours[2], favours[3]),
        margins=(lines[0].margin, lines[1].margin, lines[2].margin, lines[3].margin),
        mechanism=MECHANISMS[levels.mechanism],
        tone=TONES[levels.tone],
        lever=LEVERS[levels.lever],
        argument=ARGUMENTS[levels.argument],
        detail=1 + levels.detail,
        wording="sealed" if levels.sealed and form != PUBLIC else "open",
        corrects_chosen=bool(levels.corrects_chosen),
        half=bool(levels.half),
    )
    return Dossier(facts, standards, lines, bool(levels.ends), matter, phrases, seed, tuple(extras))
