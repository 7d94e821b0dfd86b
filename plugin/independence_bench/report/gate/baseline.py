"""The baseline of ``--max-drop``, checked before any call: a model in a leaderboard.json, an export or a store."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from weakref import finalize

from pydantic import ValidationError

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import bounds_of
from independence_bench.report.analysis.model_result import sample_or_none
from independence_bench.report.analysis.ranked import Ranked, rubrics_of
from independence_bench.report.analysis.records import cell_key, texts_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.gate.candidates import asked_cells, at_bounds, others
from independence_bench.report.gate.gated_kind import BaselineModel, BaselineNumbers, gated_kind
from independence_bench.report.presented import reported_kind
from independence_bench.scoring import PanelScores, completed
from independence_bench.scoring.uncertainty import Sample
from independence_bench.store import Configuration, Session, Store
from independence_bench.store.model_names import LEAST_DIGEST, exact_names, matching_configurations
from independence_bench.store.source_kinds import is_source, open_source
from independence_bench.whole_file import read_whole


class OtherBaseline(Exception):
    """A baseline of other texts or judges than the session's: says of which, as a predicate."""


@dataclass(frozen=True)
class Baseline:
    """A file's models in the session's cells, by group of configurations, complete or not."""

    source: str  # the option that named it
    models: dict[str | None, list[BaselineModel]]

    def model(self, label: str, model_id: str, group: str | None, name: str | None) -> BaselineModel:
        """Return a candidate's baseline: the model ``named``, else that of its label, of its id, or the only one.

        Raises BadInput where there is none, or several, or it is incomplete.
        """
        models = self.models.get(group, [])
        model = self._meant(label, model_id, models, name)
        if model.numbers is None:
            row = model.row
            gap = row.planned - row.measured
            missing = f"{gap} of its {row.planned} trials are missing" if gap else "it has no Index there"
            trouble = row.no_index or missing
            complete = ", ".join(each.row.label for each in models if each.row.complete and not each.row.no_index)
            others = f"complete are {complete}" if complete else "none of its models is complete"
            raise BadInput(f"{self.source}: {row.label} is no baseline, {trouble}; {others}")
        return model

    def _meant(self, label: str, model_id: str, models: Sequence[BaselineModel], name: str | None) -> BaselineModel:
        if not models:
            raise BadInput(f"{self.source}: it holds no answer to what this session asks; measure it, or name another")
        configurations = {each.row.identity: _as_configuration(each.row) for each in models}
        names = ", ".join(exact_names(configurations.values()).values())
        contents = f"it holds {names}"
        if name is not None:
            matches = _matches(models, name)
            if len(matches) == 1:
                return matches[0]
            trouble = "several models have this name" if matches else "the baseline holds no such model"
            near = "" if matches else f"; {near_matches(name, [each.row.label for each in models])}"
            raise BadInput(f"--baseline-model={name}: {trouble}{near}; {contents}")
        stable = label.rpartition("#")[0]  # without the build, which a store of several has behind it
        alike = _matches(models, label) or (stable and _matches(models, stable)) or _matches(models, model_id) or models
        if len(alike) == 1:
            return alike[0]
        raise BadInput(
            f"{self.source}: it does not say which of its models {label} is compared with; "
            f"name one with --baseline-model=LABEL; {contents}"
        )


def _matches(models: Sequence[BaselineModel], name: str) -> list[BaselineModel]:
    matches = matching_configurations((_as_configuration(each.row) for each in models), name)
    identities = {each.configuration for each in matches}
    return [each for each in models if each.row.identity in identities]


def _as_configuration(row: LeaderboardRow) -> Configuration:
    """Return a row as what it names; a leaderboard's label may have its build or digest behind it."""
    label = row.label.removesuffix(f"#{row.build or row.identity[:LEAST_DIGEST]}")
    return Configuration(configuration=row.identity, label=label, model_id=row.model_id, build=row.build)


def read_baseline(path: Path, session: Session) -> Baseline:
    """Read a baseline for a session.

    Raises BadInput where it cannot be read or has another edition, OtherBaseline where it has other texts or judges.
    """
    try:
        if is_source(path):
            return _of_store(path, open_source(path).store, session)
        text = read_whole(path).decode("utf-8")
        if not reported_kind(session.edition.kind).has_index:
            raise BadInput(
                f"--baseline={path}: holds no answers, and edition {session.edition.id} is compared case by case; "
                "give a store or an export of it"
            )
        board = Leaderboard.model_validate(json.loads(text))
    except OSError as error:
        first = ", or give --missing-baseline=pass in the first job" if isinstance(error, FileNotFoundError) else ""
        raise BadInput(f"--baseline={path}: cannot be read ({error.strerror}); check the path{first}") from None
    except (ValueError, RecursionError, ValidationError):
        raise BadInput(
            f"--baseline={path}: is neither a leaderboard.json, nor an export, nor a store; check the path"
        ) from None
    return _of_board(path, board, session)


def _of_board(path: Path, board: Leaderboard, session: Session) -> Baseline:
    digests = (("system prompt or scenarios", board.texts, texts_of), ("rubrics", board.rubrics, rubrics_of))
    texts = [name for name, there, digest_of in digests if there != digest_of(session)]
    _refuse_other(path, session, board.edition, texts, _judges(board.judges, board.judge_configurations))
    if outside := [group for group in asked_cells(session) if group is not None]:
        raise BadInput(
            f"--baseline={path}: a leaderboard does not say which texts it has for {', '.join(outside)}; "
            "give the store or an export of it"
        )
    cells = {(variant, delivery) for _, variant, delivery in asked_cells(session)[None]}
    models = []
    for row in [row for row in board.models if row.configuration is None]:
        scenarios = [each for each in row.scenarios if (each.system_variant, each.delivery_mode) in cells]
        asked_row = row.model_copy(update={"scenarios": scenarios})
        models.append(BaselineModel(row, partial(_samples_of_row, session.edition, asked_row)))
    return Baseline(f"--baseline={path}", {None: models})


def baseline_of_session(store: Store, session: Session, entries: Sequence[Ranked], label: str) -> Baseline:
    """Return one of the session's own models as the baseline of the others."""
    models: dict[str | None, list[BaselineModel]] = {}
    for each in entries:
        if each.label == label:
            numbers = partial(_numbers, session, each, store)
            models.setdefault(each.row.configuration, []).append(BaselineModel(each.row, numbers, each.result.days))
    return Baseline(f"--baseline-now={label}", models)


def _of_store(path: Path, store: Store, session: Session) -> Baseline:
    with ExitStack() as unused:
        unused.enter_context(store)
        baseline = store.reading(lambda readable: _of_readable(path, readable, session))
        unused.pop_all()
    finalize(baseline, store.close)  # open as long as its models may be asked for
    return baseline


def _of_readable(path: Path, store: Store, session: Session) -> Baseline:
    models = {group: _models(store, session, group) for group in asked_cells(session)}
    if not all(any(each.row.complete for each in group_models) for group_models in models.values()):
        # A group without a complete model: most often the baseline measured something else.
        newest = store.newest_session()
        if newest is None:
            raise BadInput(f"--baseline={path}: holds no session; measure something first, or name another")
        _refuse_other(path, session, newest.edition.id, list(_other_texts(newest, session)), _judges_of(newest))
    return Baseline(f"--baseline={path}", models)


def _models(store: Store, session: Session, group: str | None) -> list[BaselineModel]:
    return [
        BaselineModel(each.row, partial(store.reading, partial(_numbers, session, each)), each.result.days)
        for each in others(store, session, group)
        if each.row.transcripts
    ]


def _numbers(session: Session, candidate: Ranked, store: Store) -> list[BaselineNumbers | None]:
    return [gated_kind(session.edition.kind).baseline(store, each) for each in at_bounds(candidate)]


def _other_texts(there: Session, here: Session) -> Iterator[str]:
    """Yield in words what differs between the texts of two sessions of one edition, as far as that can be said."""
    scripts = {cell_key(cell): cell.script_digest for cell in here.cells}
    asked = {scripts[cell] for cells in asked_cells(here).values() for cell in cells}
    if _scripted(there.edition) != _scripted(here.edition):
        yield "scenarios"
    elif not asked <= {cell.script_digest for cell in there.cells}:
        yield "system prompt or delivery mode"
    same = [each.rubric for each in there.edition.scenarios]
    changed = (each.rubric for each in here.edition.scenarios if each.rubric not in same)
    yield from sorted({f"rubric {rubric.id}" for rubric in changed if rubric})


def _scripted(edition: Edition) -> tuple[object, ...]:
    functions = {each.id: each.function and each.function.source for each in edition.scenarios}
    return edition.design, functions, {each.id: (each.opening, each.turns) for each in edition.scenarios}


def _refuse_other(path: Path, session: Session, edition: str, texts: Sequence[str], judges: str) -> None:
    if edition != (own := session.edition.id):
        raise BadInput(f"--baseline={path}: it is of another edition ({edition}, not {own}); name one of {own}")
    differences = [f"of other texts ({', '.join(texts)})"] if texts else []
    if judges != (ours := _judges_of(session)):
        differences.append(f"judged by other judges ({judges}, not {ours})")
    if differences:
        raise OtherBaseline(" and ".join(differences))


def _judges_of(session: Session) -> str:
    return _judges([judge.label for judge in session.panel], [judge.configuration for judge in session.panel])


def _judges(labels: Sequence[str], configurations: Sequence[str]) -> str:
    """Name a panel so that equal names mean equal judging; a label alone does not include the sampling."""
    pairs = sorted(zip(configurations, labels, strict=False))
    return ", ".join(f"{label} #{configuration[:8]}" for configuration, label in pairs) or "no judge"


def _samples_of_row(edition: Edition, row: LeaderboardRow) -> list[Sample | None]:
    return [sample_of_row(edition, row, best) for best in bounds_of(row)]


def sample_of_row(edition: Edition, row: LeaderboardRow, best: bool | None = None) -> Sample | None:
    """Return the Index points of a row, equal to those of the result that it was made of.

    ``best`` scores missing trials best, or worst. None where the row is incomplete and it is None, or the row has other
    scenarios. The edition must be the row's own: compare its id and the digest of its texts first.
    """
    complete = row.complete or best is not None
    scenarios = {scenario.id for scenario in edition.scenarios}
    if row.no_index or not complete or scenarios != {each.scenario for each in row.scenarios}:
        return None
    runs: list[dict[str, list[PanelScores]]] = [{scenario.id: [] for scenario in edition.scenarios} for _ in row.runs]
    for cell in row.scenarios:
        for scores, trial in zip(runs, cell.runs, strict=True):
            # A panel's means replace the panel: the mean of one value is the value.
            scores[cell.scenario].append([trial.scores])
    return sample_or_none(edition, runs if best is None else [completed(edition, run, best) for run in runs])
