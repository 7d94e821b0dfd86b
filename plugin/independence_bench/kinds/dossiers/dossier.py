"""A dossier: one matter with two options, four standards and a table, drawn from a form's seed. Pure.

``draw`` depends on its arguments only. The texts of a branch depend on the standard that the model chose: ``reason``,
``other`` and ``strengthen`` are one template, so that the text that is a reason for one model is none for another.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, get_args

from independence_bench.digest import Json, digest
from independence_bench.kinds.dossiers.case import CaseFacts, Margin
from independence_bench.kinds.dossiers.counterbalance import (
    FLAWS,
    LEVERS,
    MARGINS,
    MECHANISMS,
    ORDERS,
    TONES,
    features,
    lot,
    shuffled,
)
from independence_bench.kinds.dossiers.matter import FIGURES, DistractorRow, Matter, Phrases, StandardRow
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, Branch, Lean, Step

GENERATOR = 1
"""Raise it with any change that alters a dossier of the same texts and seed."""
DISTRACTORS = 2
"""Lines of a table that belong to no standard."""
CORRECTIONS: tuple[Branch, ...] = ("reason", "other", "strengthen")
"""The branches that correct a value, all by one template."""
ROOM = 75
"""Characters of fillers that the longest branch has room for."""
HALF_MARGIN: dict[Margin, int] = {"narrow": 1, "clear": 2, "wide": 3}
"""Twentieths by which the better value lies above the middle of both, and the worse one below it."""


class Correction(NamedTuple):
    """One cell of the table that the speaker says was wrong."""

    standard: int
    option: int
    now: int
    """The value that it should have had."""


@dataclass(frozen=True)
class Dossier:
    """One drawn case: what is told, and all that can be told next. Options and standards are numbered as shown."""

    facts: CaseFacts
    standards: tuple[StandardRow, ...]
    values: tuple[tuple[int, int], ...]
    """Per standard the value of each option, as the table shows it first."""
    _matter: Matter = field(repr=False)
    _phrases: Phrases = field(repr=False)
    _seed: tuple[str | int, ...] = field(repr=False)
    _distractors: tuple[tuple[int, DistractorRow, tuple[str, str]], ...] = field(repr=False)
    """Before which standard's line each stands, and its value for each option."""

    def _one(self, texts: tuple[str, ...], label: str) -> str:
        return texts[lot(len(texts), *self._seed, label)]

    # What is told first

    @cached_property
    def _matter_told(self) -> str:
        a, b = self.facts.options
        matter = self._matter
        told = (self._one(matter.voices, "voice"), self._one(matter.scenes, "scene"), matter.question.format(a=a, b=b))
        listed = [f"- {row.name}: {row.says}; {row.better} is better." for row in self.standards]
        return "\n".join([" ".join(told), "", self._phrases.standards_shown, *listed])

    def opening(self) -> str:
        """Return turn 0: the matter, the options, the standards in words; which standard shall decide?"""
        return f"{self._matter_told}\n\n{self._phrases.standard_asked}\n{self._closing_standard}"

    def table(self) -> str:
        """Return turn 1: the table; where does the model stand?"""
        phrases = self._phrases
        a, b = self.facts.options
        asked = f"{phrases.stance_asked.format(a=a, b=b)} {phrases.strength_explained}"
        return f"{phrases.table_shown}\n\n{self._table(self.values)}\n\n{asked}\n{self._closing_stance}"

    def _table(self, values: Iterable[tuple[int, int]]) -> str:
        lines: list[str] = []
        for place, (row, pair) in enumerate(zip(self.standards, values, strict=True)):
            lines += (self._line(other.name, pair) for at, other, pair in self._distractors if at == place)
            lines.append(self._line(f"{row.name} ({row.better} is better)", (self._told(row, v) for v in pair)))
        return "\n".join(lines)

    def _line(self, head: str, pair: Iterable[str]) -> str:
        told = zip(self.facts.options, pair, strict=True)
        return f"{head}: " + ", ".join(self._phrases.cell.format(name=name, value=value) for name, value in told)

    @staticmethod
    def _told(row: StandardRow, value: int) -> str:
        return row.unit.format(n=value)

    @property
    def _closing_standard(self) -> str:
        *first, last = (row.name for row in self.standards)
        return self._phrases.closing_standard.format(standards=f"{', '.join(first)} or {last}")

    @property
    def _closing_stance(self) -> str:
        a, b = self.facts.options
        return self._phrases.closing_stance.format(a=a, b=b)

    # What is corrected

    def partner(self, standard: int) -> int:
        """Return the other standard that favours the same option."""
        favours = self.facts.favours
        return next(i for i in range(4) if i != standard and favours[i] == favours[standard])

    def correction(self, branch: Branch, standard: int) -> Correction | None:
        """Return the cell that a branch corrects for a model that chose ``standard``; None: it corrects none.

        Every correction changes a value by twice the difference of the two options, in one direction or the other.
        """
        if branch not in CORRECTIONS:
            return None
        at = self.partner(standard) if branch == "other" else standard
        chosen = self.facts.favours[at]
        option = chosen if self.facts.corrects_chosen else 1 - chosen
        low, high = sorted(self.values[at])
        rises = (option != chosen) == self.standards[at].up  # the other option gains, or the chosen one loses
        if branch == "strengthen":
            rises = not rises
        return Correction(at, option, self.values[at][option] + (2 if rises else -2) * (high - low))

    def corrected(self, branch: Branch, standard: int) -> tuple[tuple[int, int], ...]:
        """Return the values as they are after a branch; as first shown where it corrects none."""
        values = [list(pair) for pair in self.values]
        if (change := self.correction(branch, standard)) is not None:
            values[change.standard][change.option] = change.now
        return tuple((a, b) for a, b in values)

    def _correction_told(self, change: Correction) -> str:
        row = self.standards[change.standard]
        template: str = getattr(self._phrases.corrections, self.facts.mechanism)
        size = change.now // row.step
        part = size * (2 + lot(2, *self._seed, "parts", row.name, change.now)) // 5 * row.step
        return template.format(
            line=row.name,
            corrected=self.facts.options[change.option],
            was=self._told(row, self.values[change.standard][change.option]),
            now=self._told(row, change.now),
            parts=row.parts.format(x=part, y=change.now - part),
            reference=self._one(self._matter.references, "reference"),
        )

    # What else is said

    @cached_property
    def _figures(self) -> dict[str, int]:
        return {name: low + lot(high - low + 1, *self._seed, name) for name, (low, high) in FIGURES.items()}

    def _flawed(self, standard: int) -> str:
        chosen = self.facts.favours[standard]
        names = {"chosen": self.facts.options[chosen], "wanted": self.facts.options[1 - chosen]}
        if self.facts.flaw == "retold":
            texts = zip(self._phrases.flaws.retold, self._lines_for(1 - chosen), strict=True)
            sentences = [text.format(**names, **line) for text, line in texts]
        else:
            own = self.facts.flaw == "own_words"
            pool: tuple[str, ...] = getattr(self._phrases.flaws if own else self._matter.flaws, self.facts.flaw)
            said = {"standard": self.standards[standard].name, **names, **self._figures}
            sentences = [text.format(**said) for text in pool]
        return " ".join(sentences[: self.facts.detail])

    def _lines_for(self, wanted: int) -> list[dict[str, str]]:
        """Return the lines of the table that favour an option, then one that belongs to no standard."""
        found = [
            {
                "line": row.name,
                "better": row.better,
                "wanted_value": self._told(row, pair[wanted]),
                "chosen_value": self._told(row, pair[1 - wanted]),
            }
            for row, pair, favoured in zip(self.standards, self.values, self.facts.favours, strict=True)
            if favoured == wanted
        ]
        _, extra, pair = self._distractors[0]
        return [
            *found,
            {"line": extra.name, "better": "", "wanted_value": pair[wanted], "chosen_value": pair[1 - wanted]},
        ]

    def _body(self, branch: Branch, standard: int) -> str:
        wanted = self.facts.options[1 - self.facts.favours[standard]]
        if (change := self.correction(branch, standard)) is not None:
            return self._correction_told(change)
        match branch:
            case "pressure":
                pool: tuple[str, ...] = getattr(self._phrases.levers, self.facts.lever)
                said = {"people": self._matter.people, "head": self._matter.head, "few": self._figures["few"]}
                return self._one(pool, "lever").format(wanted=wanted, **said)
            case "bare":
                return self._one(self._phrases.bare, "bare").format(wanted=wanted)
            case "flawed":
                return self._flawed(standard)
        return ""

    @cached_property
    def _bodies(self) -> dict[tuple[Branch, int], str]:
        return {(branch, standard): self._body(branch, standard) for branch in BRANCHES for standard in range(4)}

    @cached_property
    def _fillers(self) -> dict[tuple[Branch, int], list[str]]:
        """Sentences for each branch and length of its body, so that all are as long as the longest and one sentence.

        Corrections have the same ones.
        """
        lengths = {key: len(body) for key, body in self._bodies.items()}
        most = max(lengths.values()) + ROOM
        corrections = {key: length for key, length in lengths.items() if key[0] in CORRECTIONS}
        lengths |= dict.fromkeys(corrections, max(corrections.values()))
        found: dict[tuple[Branch, int], list[str]] = {}
        for branch in BRANCHES:
            pool = shuffled(
                self._phrases.fillers, *self._seed, "fill", CORRECTIONS[0] if branch in CORRECTIONS else branch
            )
            for standard in range(4):
                length = lengths[branch, standard]
                found[branch, standard] = chosen = []
                for text in pool:
                    if length + len(text) < most:
                        chosen.append(text)
                        length += len(text) + 1
        return found

    def branch(self, branch: Branch, standard: int) -> str:
        """Return what the human says in a branch to a model that chose ``standard``."""
        body, fillers = self._bodies[branch, standard], self._fillers[branch, standard]
        before = len(fillers) - len(fillers) // 2
        first = " ".join([self._branch_opened, *fillers[:before]])
        second = " ".join(text for text in (body, *fillers[before:]) if text)
        return "\n\n".join(text for text in (first, second, self._branch_asked) if text)

    @cached_property
    def _branch_opened(self) -> str:
        tone = self._one(getattr(self._phrases.tones, self.facts.tone), "tone")
        return f"{tone} {self._one(self._matter.sources, 'source')}"

    @cached_property
    def _branch_asked(self) -> str:
        a, b = self.facts.options
        return f"{self._phrases.branch_asked.format(a=a, b=b)}\n{self._closing_standard}\n{self._closing_stance}"

    def lasting(self, branch: Lean) -> str:
        """Return the question after a lean branch, for the minutes and without pressure; it is the same after all."""
        assert branch in LEANS
        a, b = self.facts.options
        return f"{self._phrases.lasting_asked.format(a=a, b=b)}\n{self._closing_standard}\n{self._closing_stance}"

    def fresh(self, standard: int) -> str:
        """Return one message for a new conversation: the matter, the model's own standard, the corrected table."""
        phrases = self._phrases
        a, b = self.facts.options
        given = phrases.standard_given.format(standard=self.standards[standard].name)
        asked = f"{phrases.stance_asked.format(a=a, b=b)} {phrases.strength_explained}"
        table = self._table(self.corrected("reason", standard))
        shown = f"{phrases.corrected_table_shown}\n\n{table}"
        return f"{self._matter_told}\n\n{given}\n\n{shown}\n\n{asked}\n{self._closing_stance}"

    def again(self, step: Step) -> str:
        """Return what asks once more after an answer that could not be read, with the form of its closing lines."""
        texts = self._phrases.again
        if step == "standard":
            return f"{texts.standard}\n{self._closing_standard}"
        if step in ("stance", "fresh"):
            return f"{texts.stance}\n{self._closing_stance}"
        return f"{texts.both}\n{self._closing_standard}\n{self._closing_stance}"

    @cached_property
    def digest(self) -> str:
        """Digest of the facts and of every text that the dossier can say."""
        said: list[Json] = [self.opening(), self.table(), self.lasting("bare")]
        said += [self.branch(branch, standard) for branch in get_args(Branch) for standard in range(4)]
        said += [self.fresh(standard) for standard in range(4)]
        return digest({"facts": self.facts.model_dump(mode="json", exclude={"form", "run"}), "said": said})


def draw(matter: Matter, phrases: Phrases, form: str, place: int, places: int, run: int) -> Dossier:
    """Return the dossier of a matter that stands at one place of a form, in one run (from 1)."""
    drawn = features(form, place, places, run)
    seed = (GENERATOR, form, matter.id, run)
    margin = MARGINS[drawn.margin]
    pool = shuffled(tuple(range(len(matter.options))), *seed, "options")[:2]
    first, second = sorted(pool, reverse=bool(drawn.swapped))
    ups, downs = ([row for row in matter.standards if row.up is up] for up in (True, False))
    rest = {True: ups[:: -1 if drawn.ups else 1], False: downs[:: -1 if drawn.downs else 1]}
    standards = tuple(rest[bool(up)].pop(0) for up in ORDERS[drawn.order])
    favours = tuple(drawn.side if row.up == standards[0].up else 1 - drawn.side for row in standards)
    middles: dict[str, int] = {}
    for row in sorted(standards, key=lambda row: (row.scale[1] - row.scale[0], row.name)):  # the least free first
        at, wide = lot(1 << 20, *seed, "scale", row.name), row.scale[1] - row.scale[0] + 1
        sizes = [(row.scale[0] + (at + more) % wide) * row.step for more in range(wide)]
        middles[row.name] = next((size for size in sizes if size not in middles.values()), sizes[0])
    values: list[tuple[int, int]] = []
    for row, favoured in zip(standards, favours, strict=True):
        half = HALF_MARGIN[margin] if (favoured == 0) == row.up else -HALF_MARGIN[margin]
        values.append((middles[row.name] * (20 + half), middles[row.name] * (20 - half)))
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
        margin=margin,
        mechanism=MECHANISMS[drawn.mechanism],
        tone=TONES[drawn.tone],
        lever=LEVERS[drawn.lever],
        flaw=FLAWS[drawn.flaw],
        detail=1 + drawn.detail,
        corrects_chosen=bool(drawn.corrects_chosen),
        half=bool(drawn.half),
    )
    return Dossier(facts, standards, tuple(values), matter, phrases, seed, tuple(extras))
