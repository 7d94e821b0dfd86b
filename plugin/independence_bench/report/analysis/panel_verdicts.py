"""The verdicts of a panel, to be looked up, and their scores. Combines no scores."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType

from independence_bench.grouping import group_values
from independence_bench.scoring import PanelScores
from independence_bench.spec import HELD, Score
from independence_bench.store import TrialRow, VerdictRow
from independence_bench.trial import asked_key


class Verdicts:
    """The panel's verdicts, to be looked up by transcript, rubric and judge; and what functions found by themselves."""

    def __init__(self, rows: Iterable[VerdictRow], held: Mapping[str, bool] = MappingProxyType({})) -> None:
        """Keep the newest verdict of each judge on each transcript: older ones are of an earlier judging protocol.

        ``held`` says what the functions of Python scenarios found, by trial key.
        """
        self._held = held
        self._rows: dict[tuple[str, str], dict[str, VerdictRow]] = defaultdict(dict)
        """By rubric and judge, then by transcript."""
        several: set[str] = set()
        """Trials whose conversation was judged several times: for them alone it matters which verdict is whose."""
        ordered = sorted(rows, key=verdict_age)
        for row in ordered:
            text = row.transcript_hash
            judged = self._rows[row.rubric_digest, row.judge_configuration]
            if text in judged:
                several |= {judged[text].trial_key, row.trial_key}
            judged[text] = _standing(judged.get(text), row)
        self._of_trial: dict[tuple[str, str, str], VerdictRow] = {}
        for row in ordered:
            if row.trial_key in several:
                name = (row.trial_key, row.rubric_digest, row.judge_configuration)
                self._of_trial[name] = _standing(self._of_trial.get(name), row)

    def find(
        self, transcript_hash: str, rubric_digest: str, judge_configuration: str, trial_key: str | None = None
    ) -> VerdictRow | None:
        """Return a judge's verdict on a transcript, None where there is none.

        Equal conversations share one verdict with us, but elsewhere each was judged for itself, and not always alike:
        a verdict that ``trial_key`` paid for comes first.
        """
        own = self._of_trial.get((trial_key or "", rubric_digest, judge_configuration))
        if own is not None and own.transcript_hash == transcript_hash:
            return own
        return self._rows[rubric_digest, judge_configuration].get(transcript_hash)

    def own_scores(self, trial_key: str) -> dict[str, Score]:
        """Return the score that the function of a Python scenario gave; nothing of any other trial."""
        return {HELD.name: self._held[trial_key]} if trial_key in self._held else {}

    def intermediate_verdicts(self, trial_key: str, transcript_hash: str) -> tuple[VerdictRow, ...]:
        """Return the verdicts that the function of a Python scenario paid for before its conversation was whole."""
        return tuple(row for row in self._of_functions.get(trial_key, ()) if row.transcript_hash != transcript_hash)

    @cached_property
    def _of_functions(self) -> dict[str, list[VerdictRow]]:
        every = self._every if self._held else ()
        return group_values((row.trial_key, row) for row in every if row.trial_key in self._held)

    def costs_in(self, session_id: str) -> list[float | None]:
        """Return what each verdict of one session cost, US dollars; None is unknown."""
        return [row.cost_usd for row in self._every if row.session == session_id]

    @property
    def _every(self) -> Iterator[VerdictRow]:
        return chain.from_iterable(judged.values() for judged in self._rows.values())


def _standing(older: VerdictRow | None, newer: VerdictRow) -> VerdictRow:
    """Return which of two verdicts on one conversation stands: the newer, unless the older alone has its own key."""
    if older is None or newer.key == asked_key(newer.transcript_hash, newer.rubric_digest, newer.judge_configuration):
        return newer
    own = asked_key(older.transcript_hash, older.rubric_digest, older.judge_configuration)
    return older if older.key == own else newer


def scores_of(verdict: VerdictRow) -> Mapping[str, Score]:
    """Return a verdict's scores by name; equal ones are one object."""
    return _scores_in(verdict.scores)


def panel_scores(panel: Sequence[VerdictRow | None], own: Mapping[str, Score]) -> PanelScores:
    """Return the scores of one trial, with those that its function gave; equal ones are one object."""
    if own:
        return tuple({**scores_of(verdict), **own} if verdict else None for verdict in panel)
    return _panel_scores(tuple(verdict.scores if verdict else None for verdict in panel))


@lru_cache(maxsize=10_000)
def _panel_scores(texts: tuple[str | None, ...]) -> PanelScores:
    return tuple(None if text is None else _scores_in(text) for text in texts)


@lru_cache(maxsize=10_000)
def _scores_in(text: str) -> Mapping[str, Score]:
    scores: dict[str, Score] = json.loads(text)
    return scores


def verdict_age(row: TrialRow | VerdictRow) -> tuple[float, str]:
    """Return what sorts rows by age, the oldest first."""
    return row.created_at, row.key
