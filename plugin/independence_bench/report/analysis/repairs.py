"""Commands that measure what is missing of a model and judge what is unjudged, and nothing else. Runs none."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

from independence_bench.option_table import OPTIONS, RUN_SUITE, rerun_arguments
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.store import Session, Store

_REPORTS, _NAME = Path("reports"), "trials.sqlite"
"""Where a session in this folder writes its reports without being told, and what its store is called there."""
_SERVED_ELSEWHERE = re.compile(r"\+[^+#@/]*:\d|#[\w.-]+$")
"""In the label of a model that was asked with ``--endpoint`` or ``--build``."""

_FITTING = re.compile(r"; add --max-tokens=(\d{1,9})\b")
"""The remedy that a failure of ``chat`` names."""


class Repairs:
    """The commands for one store, by the session whose leaderboard is shown."""

    def __init__(self, store: Store, session: Session) -> None:
        """Read nothing yet: a sound leaderboard needs no command."""
        self._store = store
        self._session = session

    def of(self, entry: Ranked, missing: int, unjudged: int) -> Iterator[str]:
        """Yield the commands that ask and judge what is missing; none if it is unknown how the model was asked."""
        asking = self._asking(entry) if missing else None
        if asking is not None:
            fitting = self.fitting(entry)
            limit = {"max_tokens": fitting} if fitting else {}
            yield self._suite_with(asking | limit | self._judging, *self._places)
        if unjudged and self._session.panel:
            edition = {"edition": self._session.edition.id}
            judge = ["independence-bench", "judge", *rerun_arguments(self._judging | edition), *self._places]
            yield shlex.join([*judge, entry.row.label])

    @staticmethod
    def fitting(entry: Ranked) -> int | None:
        """Return the ``--max-tokens`` at which requests fit that were too long for the server; None if none was."""
        lost = (trial.failures for trial in entry.result.trials if not trial.transcript)
        messages = (each.message for failures in lost for each in failures if not each.judge)
        return min((int(match[1]) for each in messages if (match := _FITTING.search(each))), default=None)

    def under(self, entry: Ranked, changed: Mapping[str, Any]) -> str | None:
        """Return the command that asks a model as it was asked, but for some options; None if that is unknown."""
        asking = self._asking(entry)
        return None if asking is None else self._suite_with({**asking, **changed}, *self._places)

    def again(self, entry: Ranked) -> str | None:
        """Return the command that asks and judges a model as this board has it, anywhere; None if that is unknown."""
        asking = None if self._session.imported else self._asking(entry)
        return self._suite_with(asking | self._judging) if asking else None

    def _suite_with(self, options: Mapping[str, Any], *places: str) -> str:
        """Return the command that runs every case of the edition."""
        return shlex.join([*RUN_SUITE.split(), *rerun_arguments(options), *places])

    @cached_property
    def _places(self) -> list[str]:
        """The options that lead from the current folder to this store, its reports and configs, where no default does.

        Without a folder for reports, they go beside a store that has its usual name.
        """
        path = self._store.path
        if not path.exists():  # in memory
            return []
        reports = self._store.places.get("reports", path.parent if path.name == _NAME else _REPORTS)
        places = {
            **self._store.places,
            "store": None if _from_here(path) == _from_here(reports / _NAME) else path,
            "reports": None if _from_here(reports) == _REPORTS else reports,
        }
        shown = {field: place and _from_here(place) for field, place in places.items()}
        return [
            word for option in OPTIONS if option.purpose == "place" for word in option.words(shown.get(option.field))
        ]

    @cached_property
    def _judging(self) -> dict[str, Any]:
        """The options that name the panel: as they were given, where labels alone would not say how to reach it."""
        options = self._session.options.items()
        stored = {name: value for name, value in options if name.startswith("judge")}
        known = "judge_endpoint" in stored and not self._session.merged
        return stored if known else {"judges": [judge.asked_as for judge in self._session.panel]}

    @cached_property
    def _asked(self) -> Mapping[str, tuple[Session, int]]:
        """The session that asked a configuration, with its place there: the newest, but one of this store before any
        merged one.
        """
        newest: dict[str, tuple[Session, int]] = {}
        for session in sorted((self._session, *self._store.sessions()), key=attrgetter("merged")):
            for place, configuration in enumerate(session.configurations[: len(session.chosen_as)]):
                newest.setdefault(configuration, (session, place))
        return newest

    def _asking(self, entry: Ranked) -> dict[str, Any] | None:
        """Return the options under which exactly this model's trials are planned again."""
        row, shown = entry.row, self._session
        given = self._options(row)
        if given is None:
            return None
        given |= {"edition": shown.options.get("edition", given.get("edition", shown.edition.id))}
        given |= {"runs": len(entry.result.runs)}
        if row.configuration is not None:
            _, variant, delivery = entry.result.records.cells[0]
            given |= {"system_variants": [variant], "delivery_modes": [delivery]}
        return given

    def _options(self, row: LeaderboardRow) -> dict[str, Any] | None:
        session, place = self._asked.get(row.identity, (self._session, None))
        if session.merged and session.options.get("endpoint"):
            return None  # a command must not send anything to an address that came from elsewhere
        if place is not None:
            given: dict[str, Any] = {"models": [session.chosen_as[place]]}
        elif row.label in session.labels and session.options.get("models"):
            given = {"models": session.options["models"]}
        else:
            return None if _SERVED_ELSEWHERE.search(row.label) else {"models": [row.label]}
        left_out = {"models", "system_variants", "delivery_modes"}
        if session.edition.id != self._session.edition.id:
            left_out.add("edition")
        others = session.options.items()
        return given | {name: value for name, value in others if name not in left_out and not name.startswith("judge")}


def _from_here(path: Path) -> Path:
    """Return a path relative to the current folder where the two share one: reports are published."""
    whole, here = Path(os.path.normpath(Path.cwd() / path)), Path.cwd()
    shared = {here, *here.parents[:-1]}.intersection(whole.parents)
    return Path(os.path.relpath(whole)) if shared or whole == here else whole
