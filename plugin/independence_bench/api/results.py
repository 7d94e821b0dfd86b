"""The results in a store, an export or a folder, read-only, for scripts and notebooks.

What a notebook begins with is imported here; comparisons, plans and all that measures with the first use.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from independence_bench.api.record_list import RecordList, html_text, pandas_module
from independence_bench.bad_input import BadInput
from independence_bench.cli.newest import board_records, newest_session, shown_session
from independence_bench.cli.parser import parser
from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.records import texts_of
from independence_bench.report.analysis.tidy import ColumnType, Plain
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.store import Session, Store
from independence_bench.store.source_kinds import open_source
from independence_bench.utc import known_utc

if TYPE_CHECKING:
    from pandas import DataFrame

_BOARD = ("rank", "label", "index", "by_run_low", "by_run_high", "runs", "measured", "planned", "marks")
_SESSION: dict[str, tuple[ColumnType, Callable[[Session], Plain]]] = {
    "session": ("text", lambda session: session.id),
    "started_at": ("time", lambda session: known_utc(session.started_at)),
    "edition": ("text", lambda session: session.edition.id),
    "texts": ("text", texts_of),
    "judges": ("text", lambda session: "; ".join(judge.label for judge in session.panel)),
    "models": ("text", lambda session: "; ".join(session.labels)),
    "runs": ("count", lambda session: session.runs),
    "version": ("text", lambda session: session.version),
}


@dataclass(frozen=True)
class Report:
    """An answer that is no table: a comparison, or a plan. ``print`` shows its text."""

    data: dict[str, Any]
    """What the command prints with ``--format=json``."""
    text: str
    """As the command prints it."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the data as the only row."""
        return [self.data]

    def to_pandas(self) -> "DataFrame":
        """Return a frame of one row, nested fields as ``outer.inner``. Raises ImportError: pandas is not installed."""
        pandas = pandas_module()

        return pandas.json_normalize([self.data])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text.partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        return _lines(self.text)


def _lines(text: str, white_space: str = "pre") -> str:
    lines = chr(10).join(html_text(line) for line in text.split(chr(10)))
    return f'<pre style="white-space: {white_space}">{lines}</pre>'


class TrialConversation(RecordList):
    """The turns of one trial, in order, and at the end what each judge said of them.

    The columns are ``turn`` (from 1), ``speaker``, ``text``, and ``reasoning``: the model's thinking, where it shows
    any.
    """

    def _repr_html_(self) -> str:
        return "".join(
            f"<p><b>{html_text(turn['speaker'])}</b></p>{_lines(str(turn['text']), 'pre-wrap')}" for turn in self
        )


class Results(AbstractContextManager["Results"]):
    """The results of a store, read-only. Close it, or use it in a ``with`` block."""

    def __init__(self, path: Path, store: Store) -> None:
        """Take over an open store; use :func:`independence_bench.open`."""
        self._path = path
        self._store = store

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; closing twice is harmless."""
        self._store.close()

    @property
    def sessions(self) -> RecordList:
        """One row per session, the newest first; merged ones come after those of this store, imports last.

        The columns are ``session``, ``started_at`` (UTC), ``edition``, ``texts``, ``judges``, ``models``, ``runs`` and
        ``version``.
        """
        types = {name: kind for name, (kind, _) in _SESSION.items()}
        sessions = self._store.sessions()
        return RecordList(types, ({name: value(each) for name, (_, value) in _SESSION.items()} for each in sessions))

    def leaderboard(
        self, *, edition: str | None = None, judges: Sequence[str] = (), texts: str | None = None
    ) -> RecordList:
        """Return the leaderboard: one row per model, ranked or not, with the columns of the table ``models`` and one
        per component.

        By default it shows the edition, texts and judges of the newest session. ``edition`` chooses another edition,
        ``judges`` another panel (the labels or ids of all its judges), ``texts`` other texts (the first digits of their
        digest).
        Raises BadInput: the store has no such session.
        """
        return self.table("models", edition=edition, judges=judges, texts=texts)

    def trials(self, *, edition: str | None = None, judges: Sequence[str] = (), texts: str | None = None) -> RecordList:
        """Return one row per planned trial; arguments as for :meth:`leaderboard`."""
        return self.table("trials", edition=edition, judges=judges, texts=texts)

    def verdicts(
        self, *, edition: str | None = None, judges: Sequence[str] = (), texts: str | None = None
    ) -> RecordList:
        """Return one row per score of each verdict; arguments as for :meth:`leaderboard`."""
        return self.table("verdicts", edition=edition, judges=judges, texts=texts)

    def items(self, *, edition: str | None = None, judges: Sequence[str] = (), texts: str | None = None) -> RecordList:
        """Return one row per scenario, the hardest first; arguments as for :meth:`leaderboard`."""
        return self.table("items", edition=edition, judges=judges, texts=texts)

    def table(
        self, name: str, *, edition: str | None = None, judges: Sequence[str] = (), texts: str | None = None
    ) -> RecordList:
        """Return one of the tables by name: models, runs, components, numbers, trials, verdicts, items, pairs,
        analyses or turns.

        The other arguments are as for :meth:`leaderboard`.
        Raises BadInput: there is no such table, or the store has no such session.
        """
        if name not in ALL_TABLES:
            raise BadInput(f"{name}: is no table; choose one of {', '.join(ALL_TABLES)}")
        table = ALL_TABLES[name]
        words = ["leaderboard", *_showing(edition, judges, texts)]
        session = shown_session(self._store, parser(words).parse_args(words))
        types = {column.name: column.type for column in table.columns}
        source = board_records(self._store, session)
        columns = [*_BOARD] if name == "models" else [column.name for column in table.own]
        mark = ["experimental"] if source.board.experimental else []
        records = table.records(source)
        if name == "models":
            types |= dict.fromkeys(source.board.scales, "number")
            values = (
                {each: entry.row.components.get(each) for each in source.board.scales} for entry in source.entries
            )
            records = ({**record, **own} for record, own in zip(records, values, strict=True))
        return RecordList(types, records, [*mark, *columns])

    def transcript(self, model: str, scenario: str, *, run: int | None = None) -> TrialConversation:
        """Return what was said in one trial, turn by turn, then each judge's reasoning.

        ``model`` is a label or an id, ``scenario`` an id. Without ``run`` it is the first run that is stored.
        Raises BadInput: the store holds no such trial, or the name means several models.
        """
        from independence_bench.cli.shown_trials import chosen_trials

        (trial, *_) = chosen_trials(self._store, model, scenario, run)
        lines: list[tuple[str, str, str | None]] = [
            (each.speaker, each.text, each.reply.reasoning if each.reply else None)
            for each in passages(self._store.transcript_body(trial.row.key))
        ]
        lines += [(f"judge {each.judge}", each.reasoning, None) for each in self._store.verdicts_on(trial.row)]
        types: dict[str, ColumnType] = {"turn": "count", "speaker": "text", "text": "text", "reasoning": "text"}
        rows = ((number, *each) for number, each in enumerate(lines, 1))
        return TrialConversation(types, (dict(zip(types, row, strict=True)) for row in rows))

    def compare(
        self,
        first: str,
        second: str,
        *,
        edition: str | None = None,
        judges: Sequence[str] = (),
        confidence: float = 0.95,
    ) -> Report:
        """Compare two models as ``independence-bench compare`` does: paired by scenario, with intervals.

        Each of them is the label or id of a model in this store.
        Raises BadInput: a side is missing or is not one model, or the edition has nothing to compare.
        """
        from independence_bench.cli.compared_sides import compared_models

        words = ["compare", first, second, f"--store={self._path}", f"--confidence={confidence}"]
        arguments = parser(words).parse_args([*words, *_showing(edition, judges, None)])
        with ExitStack() as stack:
            comparison = compared_models(arguments, stack)
            return Report(json.loads(comparison.json()), comparison.text(100))

    def power(
        self,
        *,
        difference: float | None = None,
        width: float | None = None,
        runs: int = 5,
        power: float = 0.8,
        edition: str | None = None,
        models: Sequence[str] = (),
    ) -> Report:
        """Plan a measurement as ``independence-bench power`` does, by the spread of the models in this store.

        It says what ``runs`` runs can tell. ``difference`` asks how many runs detect a difference of two models with
        probability ``power``, ``width`` how many make an interval so narrow from end to end. Both are points of the
        Index; give at most one of them. ``edition`` is by default that of the newest session.
        Raises BadInput: both are given, or a number is out of bounds.
        """
        from independence_bench.cli.places import settings_of
        from independence_bench.session.plan import build_plan
        from independence_bench.session.precision import PowerQuestion, power_plan, power_text

        if difference is not None and width is not None:
            raise BadInput("width: it asks another question than difference; give one of them")
        words = ["power", f"--runs={runs}", f"--power={power}", *(f"--model={name}" for name in models)]
        edition_id = edition or newest_session(self._store).edition.id
        arguments = parser(words).parse_args([*words, f"--edition={edition_id}"])
        settings = settings_of(arguments)
        question = PowerQuestion(arguments.runs, arguments.power, difference, width)
        plan_answer = power_plan(question, build_plan(settings), self._store, bool(settings.models))
        return Report(plan_answer.model_dump(mode="json", by_alias=True), power_text(plan_answer))

    def __repr__(self) -> str:
        return f"<results of {self._path}>"

    def _repr_html_(self) -> str:
        with suppress(BadInput):
            return self.leaderboard()._repr_html_()
        return html_text(repr(self))


def _showing(edition: str | None, judges: Sequence[str], texts: str | None) -> list[str]:
    names = [judges] if isinstance(judges, str) else judges
    words = [f"--judge={name}" for name in names]
    return words + [f"--{name}={value}" for name, value in (("edition", edition), ("texts", texts)) if value]


def open(path: str | Path = "reports/trials.sqlite") -> Results:  # noqa: A001
    """Open the results in a store, in an export, or in a folder with a store. Nothing is written.
    Raises BadInput: there is none, or it cannot be read.
    """
    place = Path(path)
    inside = place / "trials.sqlite"
    place = inside if inside.is_file() else place
    results = Results(place, open_source(place).store)
    try:
        newest_session(results._store)
    except BaseException:
        results.close()
        raise
    return results
