"""The command ``compare``: finds the model of each side, or says why there is none. Computes nothing."""

import argparse
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.newest import known_answer_digest, shown_session
from independence_bench.cli.places import readable, store_file
from independence_bench.option_table import RUN_SUITE
from independence_bench.report.analysis.groups import described
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.ranked import row_of
from independence_bench.report.analysis.records import ModelRecords, StoreRecords, gather, texts_of
from independence_bench.report.analysis.repairs import Repairs
from independence_bench.report.comparison.side import ComparisonRequest, Side, compared_kind
from independence_bench.report.presented import Compared
from independence_bench.store import Session, Store, TrialRow
from independence_bench.store.model_names import matching_configurations, matching_or_only, named_models, only_one
from independence_bench.store.source_kinds import open_source

PUBLIC = "public"  # the form that everybody can read
OWN = "the edition's own configurations"


def compared_models(arguments: argparse.Namespace, stack: ExitStack) -> Compared:
    """Compare what the arguments of ``compare`` name. Raises BadInput: a side cannot be, or nothing can be compared."""
    first, second = both_sides(arguments, stack)
    session = first.result.session
    request = ComparisonRequest(
        session, first, second, arguments.confidence, arguments.answers, known_answer_digest, arguments.max_drop
    )
    return compared_kind(session.edition.kind).compared(request)


def both_sides(arguments: argparse.Namespace, stack: ExitStack) -> tuple[Side, Side]:
    """Return both sides under the session that A's store shows, by different labels. Raises BadInput: one cannot be."""
    if arguments.against_form is not None:
        return _both_forms(arguments, stack)
    if arguments.form is not None:
        raise BadInput("--form: it is compared with nothing; name another form with --against-form")
    if arguments.second is None and arguments.other is None:
        raise BadInput("B: it is missing; name a second model, or another store with --other")
    path, store = _opened(arguments, stack)
    session = shown_session(store, arguments)
    if not compared_kind(session.edition.kind).can_compare(session.edition):
        raise BadInput(f"edition {session.edition.id}: has no Index to compare; choose another with --edition")
    own_store = StoreSide(store, str(path), session)
    first = own_store.side(arguments.first)
    if arguments.other is None:
        second = own_store.side(arguments.second)
        if (first.row.identity, first.row.configuration) == (second.row.identity, second.row.configuration):
            raise BadInput(f"{arguments.second}: is the same model as A; name another, or another store with --other")
        return _alike(first, second)
    other = stack.enter_context(readable(arguments, open_source(arguments.other).store))
    name = first.label if arguments.second is None else arguments.second
    second = StoreSide(other, str(arguments.other), session).side(name)
    if first.label == second.label:
        first, second = (side.knowing(label=f"{side.label} in {side.source}") for side in (first, second))
    return _alike(first, second)


def _alike(first: Side, second: Side) -> tuple[Side, Side]:
    """Return both sides. Raises BadInput: one was asked, or judged, otherwise than the other."""
    if first.row.configuration != second.row.configuration:
        asked = (f"{side.label} in {side.row.configuration or OWN}" for side in (first, second))
        raise BadInput(f"{' and '.join(asked)}: they are in different configurations; name two models in one of them")
    return first, second


def _both_forms(arguments: argparse.Namespace, stack: ExitStack) -> tuple[Side, Side]:
    forms = (arguments.form or PUBLIC, arguments.against_form)
    extra = {"B": arguments.second, "--other": arguments.other, "--texts": arguments.texts}
    for name, value in extra.items():
        if value is not None:
            raise BadInput(f"{name}: --against-form compares one model with itself in one store; leave {name} out")
    if forms[0] == forms[1]:
        raise BadInput(f"--against-form={forms[1]}: is the form that it is compared with; name another")
    path, store = _opened(arguments, stack)
    sides: dict[str | None, StoreSide] = {}
    edition = arguments.edition
    for session in store.sessions():
        if session.edition.form in forms and edition in (None, session.edition.id):
            edition = session.edition.id  # that of the newest session
            sides.setdefault(session.edition.form, StoreSide(store, str(path), session))
    if not sides:
        example = f"{RUN_SUITE} --edition=v3 --form=SEED"
        raise BadInput(f"--against-form={forms[1]}: {path} holds neither form; measure both with `{example}`")
    side_of = {form: side.side(arguments.first) for form, side in sides.items() if side.holds(arguments.first)}
    absent = [form for form in forms if form not in side_of]
    if len(absent) == len(forms):
        [*sides.values()][-1].side(arguments.first)  # says why
    if absent:
        (other,) = side_of.values()
        command = Repairs(store, other.result.session).under(other, {"form": absent[0]})
        remedy = f"`{command}`" if command else f"--form={absent[0]}"
        raise BadInput(f"{arguments.first}: {path} does not hold it on form {absent[0]}; measure it with {remedy}")
    first, second = (side_of[form] for form in forms)
    if first.row.identity != second.row.identity:
        raise BadInput(f"{arguments.first}: is not the same configuration on both forms; name one as label#digest")
    first, second = (
        side.knowing(label=f"{side.label}, form {form}") for side, form in zip((first, second), forms, strict=True)
    )
    return first, second


def _opened(arguments: argparse.Namespace, stack: ExitStack) -> tuple[Path, Store]:
    path = store_file(arguments)
    # Store.open says how to make a missing store.
    store = open_source(path).store if path.exists() else Store.open(path, read_only=True)
    return path, stack.enter_context(readable(arguments, store))


@dataclass(frozen=True)
class StoreSide:
    """Looks up sides in a store's records of a session's cells."""

    store: Store
    source: str  # the path, as the user gave it
    session: Session

    @cached_property
    def gathered(self) -> StoreRecords:
        """The records of the session's cells, read once however many sides are looked up."""
        return gather(self.store, self.session)

    @cached_property
    def own(self) -> dict[str, ModelRecords]:
        """Those in the session's own configurations, by model."""
        return {each.configuration: each for each in self.gathered.records if each.group is None}

    def holds(self, name: str) -> bool:
        """Return whether a name means any model that was measured in the session's own configurations."""
        return bool(matching_configurations(map(self.gathered.known.__getitem__, self.own), name))

    def side(self, name: str) -> Side:
        """Return the model that a name means. Raises BadInput: no model, several, or not measured by text and judge."""
        records = self._records(name)
        result = ModelResult(self.session, records, self.gathered.verdicts)
        rows = self.store.trial_rows([records.configuration], by="configuration")
        if rows and not result.complete and texts_of(self.session) not in map(texts_of, self.store.sessions()):
            # Trials of another edition that share some texts are no incomplete measurement of this one.
            raise BadInput(self._other_texts(name, rows))
        self._refuse_other_judges(name, result)
        return Side(row_of(self.store, result, self.gathered).row, result, self.source, self.store)

    def _records(self, name: str) -> ModelRecords:
        """Return those that a name means, the edition's own first; a row outside them by what boards call it, too."""
        models, labels = self.gathered.known, self.gathered.labels
        outside = [each for each in self.gathered.records if each.group is not None]
        named = {f"{labels[each.configuration]} ({each.group})": each for each in outside}
        if name in named:
            return named[name]
        if matching := matching_or_only([models[configuration] for configuration in self.own], name):
            return self.own[only_one(matching, models.values(), name, self.source)]
        aside = [shown for shown, each in named.items() if matching_configurations([models[each.configuration]], name)]
        if len(aside) > 1:
            raise BadInput(f"{name}: {self.source} holds it in several configurations; name one of {', '.join(aside)}")
        if aside:
            return named[aside[0]]
        raise BadInput(self._why_not(name))

    def _why_not(self, name: str) -> str:
        matches = named_models(self.store, [name])
        rows = self.store.trial_rows((each.configuration for each in matches), by="configuration")
        if not rows:
            return f"{name}: {self.source} holds no transcript of it; measure it first"
        return self._other_texts(name, rows)

    def _other_texts(self, name: str, rows: list[TrialRow]) -> str:
        texts = {row.script_digest for row in rows}
        sessions = (each for each in self.store.sessions() if texts & {cell.script_digest for cell in each.cells})
        what = next(map(described, sessions), f"edition {rows[0].edition}, other texts")
        return (
            f"{name}: {self.source} holds it under {what}, not under {described(self.session)}; measure it with "
            f"--edition={self.session.edition.id}, or choose another with --edition, --texts or --judge"
        )

    def _refuse_other_judges(self, name: str, result: ModelResult) -> None:
        if any(verdict for trial in result.trials for verdict in trial.verdicts):
            return
        rows = [trial.transcript for trial in result.trials if trial.transcript]
        others = sorted({verdict.judge for row in rows for verdict in self.store.verdicts_on(row)})
        if others:
            panel = ", ".join(judge.label for judge in result.panel)
            commands = " ".join(f"--judge={judge.asked_as}" for judge in result.panel)
            raise BadInput(
                f"{name}: {self.source} holds verdicts of {', '.join(others)} on it, but none of {panel} "
                f"with the rubrics of edition {self.session.edition.id}; run `independence-bench judge {commands}`, or "
                "choose other judges with --judge"
            )
