"""Which leaderboards a store can show: one view for every edition, set of texts and panel that a session asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from independence_bench.bad_input import BadInput
from independence_bench.kind_registry import KINDS, kind_entry
from independence_bench.option_table import RUN_OR_NAME
from independence_bench.report.analysis.board_facts import BoardFacts
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.marks import MARKS, common_marks
from independence_bench.report.analysis.ranked import Ranked, ranked_models
from independence_bench.report.analysis.records import group_of
from independence_bench.report.presented import reported_kind
from independence_bench.report.site.addresses import model_ids
from independence_bench.report.site.supplied import Sources
from independence_bench.store import Session, Store


class NothingMeasured(BadInput):
    """The store holds no measured trial: there is nothing to show."""


class ShownName(NamedTuple):
    """A model configuration as the viewer shows it."""

    label: str
    marks: tuple[tuple[str, str, str], ...] = ()
    """The sign and the words of each of its marks on a board, with its meaning and its reason."""

    def __str__(self) -> str:
        """Return the label, for titles of charts."""
        return self.label


@dataclass(frozen=True)
class EditionView:
    """One leaderboard with the trials it was made of."""

    number: int  # 1 is the newest session's, at the root of the site
    session: Session
    board: Leaderboard
    entries: Sequence[Ranked]  # in the order of ``board.models``, with the same rows

    @property
    def folder(self) -> str:
        """Folder of its pages within the site, with a slash at its end; empty for the root."""
        return "" if self.number == 1 else f"views/{self.number}/"

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each scenario in its edition, by id."""
        return {scenario.id: place for place, scenario in enumerate(self.session.edition.scenarios)}

    @cached_property
    def ids(self) -> list[str]:
        """What models are called in addresses, in the order of the rows."""
        return model_ids(self.board.models)

    @cached_property
    def names(self) -> dict[str, ShownName]:
        """Each model's label by identity, with those marks of its first row that not every row has."""
        models = self.board.models
        common = common_marks(models)
        return {
            row.identity: ShownName(
                row.label,
                tuple(
                    (MARKS[name].sign, MARKS[name].word, f"{MARKS[name].means} ({reason})")
                    for name, reason in row.marks.items()
                    if name not in common
                ),
            )
            for row in reversed(models)
        }

    @property
    def name(self) -> str:
        """Name that distinguishes this view from the others."""
        words = reported_kind(self.session.edition.kind).view_words(self.session)
        return f"{self.board.edition}, {words} (texts {self.board.texts[:8]})"


def views_of(store: Store, sources: Sources, board: Leaderboard | None = None) -> list[EditionView]:
    """Return the views in which anything was asked, the newest session's first, imports last.

    ``board`` spares building the newest session's again. Editions of kinds that this version does not know are left
    out. Raises NothingMeasured where nothing is measured, BadInput where all editions are of unknown kinds.
    """
    views: list[EditionView] = []
    unknown = None
    for session in _distinct(store):
        if session.edition.kind not in KINDS:
            unknown = session.edition.kind
            continue
        results = ranked_models(store, session)
        if not any(trial.measured for each in results.entries for trial in each.result.trials):
            continue
        ready_board = board if board is not None and not views and shows(board, session) else None
        view_board = ready_board or build_leaderboard(store, session, sources.set_digest, results)
        views.append(EditionView(len(views) + 1, session, view_board, results.with_rows(view_board.models)))
    if not views and unknown is not None:
        kind_entry(unknown)
    if not views:
        raise NothingMeasured(f"{store.path}: holds no measured trial yet; {RUN_OR_NAME}")
    return views


def _distinct(store: Store) -> Iterator[Session]:
    """Yield the newest session of each edition, texts and panel; those of imports last."""
    seen = set()
    for session in store.sessions():
        if (group := group_of(session)) not in seen:
            seen.add(group)
            yield session


def shows(board: BoardFacts[Any], session: Session) -> bool:
    """Return whether a board is of a session's edition, texts and panel."""
    return group_of(session) == (board.edition, board.texts, tuple(sorted(board.judge_configurations)))
