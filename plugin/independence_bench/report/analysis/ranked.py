"""The results of all models under one session: gathered from the store, ranked, in the leaderboard's order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from independence_bench.digest import digest
from independence_bench.garbage import without_garbage_collection
from independence_bench.report.analysis.marks import Checks, marks_of
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.records import StoreRecords, gather, texts_of
from independence_bench.report.analysis.row import LeaderboardRow, leaderboard_row
from independence_bench.spec import PanelJudge
from independence_bench.store import Session, Store, TrialRow
from independence_bench.utc import utc

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample

PLACES = 9
"""Decimals to which Indices are compared for a tie: far below any judge's step, far above the error of a float sum."""


def places(indices: Sequence[float | None]) -> list[int | None]:
    """Return the place of each Index in their order, 1 for the highest; None where there is no Index."""
    known = [round(index, PLACES) for index in indices if index is not None]
    return [None if index is None else 1 + sum(better > round(index, PLACES) for better in known) for index in indices]


@dataclass(frozen=True)
class Ranked:
    """A row of the leaderboard with its result."""

    row: LeaderboardRow
    result: ModelResult

    @property
    def label(self) -> str:
        """What the model configuration is called."""
        return self.row.label

    @property
    def own(self) -> bool:
        """True within the edition's own configurations."""
        return self.row.configuration is None

    @property
    def can_have_rank(self) -> bool:
        """True within the edition's own configurations, unless in doubt; an import may be delivered otherwise, or have
        judged itself, where it was measured.
        """
        doubts = {warning.kind for warning in self.row.warnings if warning.doubted}
        return self.own and not doubts - ({"delivery", "self-judge"} if self.result.imported else set())

    @property
    def contends(self) -> bool:
        """True where it is in the running for a rank."""
        return self.row.index is not None and self.can_have_rank

    @property
    def ranked_sample(self) -> "Sample | None":
        """What the statistics look at; None where it is not in the running."""
        return self.result.sample if self.contends else None

    @property
    def name(self) -> tuple[str, str]:
        """What rows are sorted by where no number decides."""
        return self.row.label, self.row.identity

    def knowing(self, **facts: object) -> Self:
        """Return the entry with more known of its row."""
        return replace(self, row=self.row.model_copy(update=facts))


class RankedModels(NamedTuple):
    """Every model configuration in a session's cells."""

    entries: list[Ranked]
    """Contenders by Index, then incomplete and doubtful ones, then those outside the edition's own configurations."""
    superseded: int  # embedded models of earlier versions, left out
    unanswered: int
    """Models left out that only failed in earlier sessions, or that another edition asked some of the same texts."""

    lost: int = 0  # how often a process died with a trial that was measured since
    replaced: int = 0  # planned trials in place of which overridden fixtures asked something else
    unreadable: str | None = None  # a sentence about rows of the store that cannot be read

    def marked(self, checks: Checks) -> "RankedModels":
        """Return them with the marks of every row, now that the checks of their judges are known."""

        def marked(entry: Ranked) -> Ranked:
            judges = {judge.configuration for judge in entry.result.panel}
            return entry.knowing(marks=marks_of(entry.row, [each for each in checks if each.configuration in judges]))

        return self._replace(entries=[*map(marked, self.entries)])

    @property
    def rows(self) -> list[LeaderboardRow]:
        """Their rows."""
        return [entry.row for entry in self.entries]

    def with_rows(self, rows: Sequence[LeaderboardRow]) -> list[Ranked]:
        """Return the entries with their rows on a board. Raises KeyError: it lacks one."""
        by_name = {(row.identity, row.configuration): row for row in rows}
        return [replace(entry, row=by_name[entry.row.identity, entry.row.configuration]) for entry in self.entries]

    def judges(self, session: Session) -> Sequence[PanelJudge]:
        """Return the judges of the rows with a verdict, or else of all, the panel first; the panel without rows."""
        results = [entry.result for entry in self.entries]
        judged = [each for each in results if any(chain(*(trial.verdicts for trial in each.trials)))]
        panels = [each.panel for each in judged or results] or [session.panel]
        return list({judge.configuration: judge for judge in chain(*panels)}.values())

    @property
    def newest(self) -> float:
        """Return when the newest record of all was made; unix time, 0 where there is none."""
        return max((entry.result.newest() for entry in self.entries), default=0.0)


@without_garbage_collection()
def ranked_models(store: Store, session: Session) -> RankedModels:
    """Return the results of the session's edition, texts and panel over all that the store holds.

    Planned are all the edition's own cells × runs 1..R, R being the highest run with any transcript or failure; one
    missing trial leaves a model without rank and Index, with bounds; a doubtful one that was measured here keeps its
    Index and has no rank. Equal stores give equal results.
    """
    gathered = gather(store, session)
    shown = [records for records in gathered.records if not gathered.superseded(records.configuration)]
    entries = []
    for records in shown:
        result = ModelResult(session, records, gathered.verdicts)
        if not _belongs(result, records.transcripts.values()):
            continue
        records.transcripts.clear()  # they are in the result: of a million trials the dictionaries take 0.2 GB
        entries.append(row_of(store, result, gathered))
    models = RankedModels(
        sorted(entries, key=_order),
        superseded=len(gathered.records) - len(shown),
        unanswered=len(shown) - len(entries),
        lost=sum(entry.result.lost for entry in entries),
        replaced=len(session.replaced),
        unreadable=store.left_out,
    )
    return models.marked(())


def row_of(store: Store, result: ModelResult, gathered: StoreRecords) -> Ranked:
    """Return a result with its row, still without a rank."""
    configuration = result.records.configuration
    facts = gathered.known[configuration]
    return Ranked(leaderboard_row(store, result, gathered.labels[configuration], facts), result)


def _belongs(result: ModelResult, answers: Iterable[TrialRow]) -> bool:
    """Return whether a model was asked by this session, has answered its edition, or all of its texts elsewhere."""
    session = result.session
    if result.records.configuration in (*session.configurations, *session.asked_instead):
        return True
    return any(row.edition == session.edition.id for row in answers) or all(trial.transcript for trial in result.trials)


def view_of(session: Session, panel: Sequence[PanelJudge] | None = None) -> dict[str, Any]:
    """Return the edition, its standing and texts, and the judges of a session, or those given, as keywords for a
    report on it.
    """
    panel = session.panel if panel is None else panel
    return {
        "edition": session.edition.id,
        "title": session.edition.title,
        "texts": texts_of(session),
        "judges": [judge.label for judge in panel],
        "judge_configurations": [judge.configuration for judge in panel],
        "aggregation": session.edition.aggregation,
        "heuristic_judges": [judge.label for judge in panel if judge.heuristic],
        "experimental": bool(session.edition.standing),
    }


def board_facts(session: Session, models: RankedModels, checks: Checks) -> dict[str, Any]:
    """Return which board of a session it is, as keywords for a :class:`BoardFacts`."""
    updated = utc(models.newest) if models.newest else None
    judges = models.judges(session)
    of_all_rows = {"heuristic_judges": [judge.label for judge in judges if judge.heuristic], "judge_checks": checks}
    # It is the panel's board, but where this has judged no row.
    view = view_of(session, session.panel if {*session.panel} <= {*judges} else judges)
    return {**view, "rubrics": rubrics_of(session), **of_all_rows, "updated": updated}


def rubrics_of(session: Session) -> str:
    """Return the digest of what the edition's scenarios are judged by."""
    return digest({each.id: each.rubric.digest if each.rubric else None for each in session.edition.scenarios})


def _order(entry: Ranked) -> tuple[str, bool, float, str, str]:
    row = entry.row
    below = inf if row.index is None else -round(row.index, PLACES)
    return row.configuration or "", not entry.contends, below, *entry.name
