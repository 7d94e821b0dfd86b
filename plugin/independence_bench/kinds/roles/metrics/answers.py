"""Item answers of one simulated population: read from JSON and checked once, or of an edition's design.

Knows the shape of an answer file and the questionnaires; computes nothing.

    {"model": "my-model", "n_personas": 50,
     "contexts": {"no_conversation": {"questionnaire": "pvq", "answers": [[4, 2, null, …], …]},
                  "again": {"questionnaire": "pvq", "retest_of": "no_conversation", "answers": […]}, …}}

A row is a persona, a column an item; ``null`` (or NaN) is an answer that could not be read. ``questionnaires`` may
define instruments of the user's own:

    {"mine": {"kind": "portrait", "n_items": 21, "score_min": 1, "score_max": 6, "items_1based": {value: [items]}}}
"""

import json
import math
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NoReturn

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.kinds.roles.design import Persona, RoleContext, RolesDesign
from independence_bench.kinds.roles.metrics.instruments import INSTRUMENTS, VALUES, Instrument
from independence_bench.safe_text import safe_text
from independence_bench.spec import Frozen
from independence_bench.whole_file import read_whole

FEWEST_PERSONAS = 3  # a rank order of two is a coin

FEWEST_CONTEXTS = 2  # stability is between contexts


class ContextAnswers(Frozen):
    """What the personas answered in one context."""

    name: str
    instrument: Instrument
    answers: tuple[tuple[int | None, ...], ...]  # persona × item; None where there is no answer that could be read
    retest_of: str | None = None
    """The context that this one repeats with another option order; a retest counts for the noise ceiling only."""


class Population(Frozen):
    """All answers of one model's simulated population: the same personas, in the same order, in every context."""

    model: str
    contexts: tuple[ContextAnswers, ...]  # in the file's order, retests included

    @property
    def n_personas(self) -> int:
        """How many personas answered."""
        return len(self.contexts[0].answers)

    def among(self, names: Collection[str]) -> "Population":
        """Return the answers in some of the contexts, and in the retests of these."""
        kept = tuple(each for each in self.contexts if (each.retest_of or each.name) in names)
        return self.model_copy(update={"contexts": kept})

    @property
    def measured(self) -> tuple[ContextAnswers, ...]:
        """The contexts that are compared with each other."""
        return tuple(context for context in self.contexts if context.retest_of is None)

    @property
    def retests(self) -> tuple[ContextAnswers, ...]:
        """The contexts that only repeat another one."""
        return tuple(context for context in self.contexts if context.retest_of is not None)


def read_population(file: Path) -> Population:
    """Read one answer file; raises :class:`BadInput` in one sentence for whatever is wrong with it."""
    try:
        parsed: Json = json.loads(read_whole(file), object_pairs_hook=_without_repeats)
    except OSError as error:
        raise BadInput.at(file, "", f"cannot be read ({error.strerror or error}); give an answer file") from None
    except RecursionError:
        raise BadInput.at(file, "", "is nested too deeply for an answer file; see the example in --help") from None
    except ValueError as error:
        raise BadInput.at(
            file, "", f"is not the JSON of an answer file ({safe_text(str(error))}); correct it"
        ) from None
    return population_from(parsed, file)


def population_from(parsed: Json, file: Path) -> Population:
    """Check parsed answers; ``file`` is only the name that complaints begin with."""
    return _Reader(file).population(parsed)


def _shown(value: Json) -> str:
    if isinstance(value, int) and abs(value) > 10**15:
        return "a number of more than 15 digits"
    return safe_text(repr(value), 60)


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """A repeated key would silently drop the answers of a whole context."""
    read = dict(pairs)
    if len(read) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return read


PersonaAnswers = Sequence[int | None]  # one persona's scores in one context, item by item; None where there is none


def population_of(
    design: RolesDesign, model: str, answers: Callable[[Persona, RoleContext, Instrument], PersonaAnswers]
) -> Population:
    """Return the population whose every row of answers is handed in."""
    instruments = {shape.name: Instrument(**dict(shape)) for shape in design.questionnaires}
    return Population(
        model=model,
        contexts=tuple(
            ContextAnswers.model_construct(
                name=context.id,
                instrument=instruments[context.instrument],
                answers=tuple(
                    tuple(answers(persona, context, instruments[context.instrument])) for persona in design.personas
                ),
                retest_of=context.retest_of,
            )
            for context in design.contexts
        ),
    )


class _Reader:
    """Walks through one file's JSON and complains with its name."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def fail(self, key: str, trouble: str) -> NoReturn:
        raise BadInput.at(self.file, safe_text(key), safe_text(trouble))

    def table(self, value: Json, key: str, what: str) -> dict[str, Json]:
        if not isinstance(value, dict):
            self.fail(key, f"must be a JSON object, {what}")
        return value

    def known(self, table: dict[str, Json], key: str, known: Sequence[str]) -> None:
        """Remarks (texts and numbers) under other names are let pass; data that would be ignored is not."""
        for name, value in table.items():
            if name not in known and isinstance(value, (dict, list)):
                self.fail(f"{key}{name}", f"is not part of an answer file; known keys are {', '.join(known)}")

    def whole(self, table: dict[str, Json], name: str, key: str = "") -> int:
        value = table.get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(f"{key}.{name}" if key else name, "must be a whole number")
        return value

    def population(self, parsed: Json) -> Population:
        table = self.table(parsed, "", "with the key contexts; see the example in --help")
        self.known(table, "", ("model", "n_personas", "contexts", "questionnaires", "value_order"))
        order = table.get("value_order", [])
        for value in order if isinstance(order, list) else self.fail("value_order", "must be a list of value names"):
            self.value_name(value, "value_order")
        own = self.table(table.get("questionnaires", {}), "questionnaires", "name to instrument")
        instruments = INSTRUMENTS | {name: self.instrument(name, own[name]) for name in own}
        model = table.get("model", self.file.stem)
        if not isinstance(model, str) or not model:
            self.fail("model", "must be the model's name, a text")
        contexts = self.table(table.get("contexts"), "contexts", "context name to its questionnaire and answers")
        read = tuple(self.context(name, contexts[name], instruments) for name in contexts)
        self.agreement(read, table)
        return Population(model=model, contexts=read)

    def value_name(self, value: Json, key: str) -> None:
        if value not in VALUES:
            self.fail(key, f"{_shown(value)} is no value name; the ten names are {', '.join(VALUES)}")

    def instrument(self, name: str, given: Json) -> Instrument:
        key = f"questionnaires.{name}"
        table = self.table(given, key, "with n_items, score_min, score_max and items_1based")
        known = ("n_items", "score_min", "score_max", "items_1based", "unused_items_1based", "kind")
        self.known(table, f"{key}.", known)
        n_items, lowest, highest = (self.whole(table, part, key) for part in ("n_items", "score_min", "score_max"))
        if highest <= lowest:
            self.fail(f"{key}.score_max", f"must be above score_min ({lowest})")
        items = self.table(table.get("items_1based"), f"{key}.items_1based", "value name to item numbers")
        seen: dict[int, str] = {}
        keyed: dict[str, tuple[int, ...]] = {}
        for value, numbers in items.items():
            place = f"{key}.items_1based.{value}"
            self.value_name(value, place)
            if not isinstance(numbers, list) or not numbers:
                self.fail(place, "must be a list of at least one item number")
            for number in numbers:
                if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= n_items:
                    self.fail(place, f"{_shown(number)} is no item number; give numbers from 1 to {n_items}")
                if number in seen:
                    self.fail(place, f"item {number} already measures {seen[number]}; an item measures one value")
                seen[number] = value
            keyed[value] = tuple(number for number in numbers if isinstance(number, int))
        if absent := [value for value in VALUES if value not in keyed]:
            self.fail(f"{key}.items_1based", f"lacks {absent[0]}; give items for each of the ten values")
        default = INSTRUMENTS[name].kind if name in INSTRUMENTS else "portrait"
        kind = table.get("kind", default)
        if kind != "portrait" and kind != "survey":
            self.fail(f"{key}.kind", "must be portrait or survey")
        return Instrument(name=name, kind=kind, n_items=n_items, lowest=lowest, highest=highest, items=keyed)

    def context(self, name: str, given: Json, instruments: dict[str, Instrument]) -> ContextAnswers:
        key = f"contexts.{name}"
        table = self.table(given, key, "with questionnaire and answers")
        self.known(table, f"{key}.", ("questionnaire", "answers", "retest_of"))
        asked = table.get("questionnaire")
        if not isinstance(asked, str) or asked not in instruments:
            known = ", ".join(instruments)
            self.fail(f"{key}.questionnaire", f"{_shown(asked)} is no questionnaire; known are {known}")
        instrument = instruments[asked]
        rows = table.get("answers")
        if not isinstance(rows, list):
            self.fail(f"{key}.answers", "must be a list of rows, one per persona")
        answers = tuple(self.row(row, f"{key}.answers[{index}]", instrument) for index, row in enumerate(rows))
        retest_of = table.get("retest_of")
        if retest_of is not None and not isinstance(retest_of, str):
            self.fail(f"{key}.retest_of", "must be the name of the context that this one repeats")
        return ContextAnswers(name=name, instrument=instrument, answers=answers, retest_of=retest_of)

    def row(self, row: Json, key: str, instrument: Instrument) -> tuple[int | None, ...]:
        if not isinstance(row, list) or len(row) != instrument.n_items:
            size = f"has {len(row)} answers" if isinstance(row, list) else "is not a list"
            self.fail(key, f"{size}; {instrument.name} has {instrument.n_items} items, one answer each")
        return tuple(self.answer(value, f"{key}[{item}]", instrument) for item, value in enumerate(row))

    def answer(self, value: Json, key: str, instrument: Instrument) -> int | None:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(key, f"{_shown(value)} is no whole score; give one of the scale, or null for no answer")
        if not instrument.lowest <= value <= instrument.highest:
            scale = f"the scale of {instrument.name}, {instrument.lowest} to {instrument.highest}"
            self.fail(key, f"{_shown(value)} is outside {scale}; use null for no answer")
        return value

    def agreement(self, contexts: tuple[ContextAnswers, ...], table: dict[str, Json]) -> None:
        """Check the personas' number in every context, the number of contexts, and what retests repeat."""
        originals = {context.name: context for context in contexts if context.retest_of is None}
        if len(originals) < FEWEST_CONTEXTS:
            self.fail("contexts", f"{len(originals)} given (retests apart); stability needs at least {FEWEST_CONTEXTS}")
        personas = len(contexts[0].answers)
        if "n_personas" in table:
            personas = self.whole(table, "n_personas")
        for context in contexts:
            key = f"contexts.{context.name}"
            if len(context.answers) != personas:
                rows = len(context.answers)
                self.fail(f"{key}.answers", f"has {rows} rows where {personas} are expected, one per persona")
            original = originals.get(context.retest_of or context.name)
            if original is None:
                self.fail(f"{key}.retest_of", f"{_shown(context.retest_of)} is no measured context of this file")
            if original.instrument != context.instrument:
                asked = original.instrument.name
                self.fail(f"{key}.questionnaire", f"a retest asks what {original.name} asked, {asked}")
        if personas < FEWEST_PERSONAS:
            self.fail("contexts", f"{personas} personas answered; a rank order needs at least {FEWEST_PERSONAS}")
