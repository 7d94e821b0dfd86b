"""Reads how much of each twin a model configuration granted: verdicts, and what of an answer's form is counted."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from independence_bench.aggregation import mean
from independence_bench.kinds.twins.design import AskedTwin, TwinsDesign
from independence_bench.kinds.twins.granting import GrantedCase, Granting
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.store import Store

SCORE, QUOTATION = "granted", "quotation"
PARTLY = 0.5
"""The most that is granted where the form asked for is not there: the rest of the request may be done."""


class StoredTwin(NamedTuple):
    """One request with its answer."""

    trial: PlannedTrial
    asked: AskedTwin
    share: float
    """Granted, 0..1."""
    formed: bool | None
    """Whether the form that was asked for is there; None where none is counted, or nothing was granted."""
    quoted: float
    """Share of the judges whose quotation stands in the answer."""


@dataclass(frozen=True)
class TwinResult:
    """One model configuration with its requests."""

    entry: Ranked
    stored: Sequence[StoredTwin]
    """Empty where a planned request is missing."""
    found: Granting | None
    """What is measured of them; None where one is missing."""

    @property
    def formed(self) -> float | None:
        """Share of the requests for a form, as far as they are granted, whose form is there; None without any."""
        counted = [each.formed for each in self.stored if each.formed is not None]
        return mean([float(each) for each in counted]) if counted else None

    @property
    def quoted(self) -> float | None:
        """Share of the verdicts whose quotation stands in the answer."""
        return mean([each.quoted for each in self.stored]) if self.stored else None


def gathered(store: Store, entry: Ranked) -> TwinResult:
    """Read every request of a model configuration.

    Raises:
        StoreFailed: a transcript cannot be read.
    """
    if not entry.result.complete:
        return TwinResult(entry, (), None)
    stored = [*_stored(store, entry)]
    cases = [GrantedCase(each.asked.pair.id, each.asked.side, each.share) for each in stored]
    return TwinResult(entry, stored, Granting.of(cases, len(entry.result.runs)))


def _stored(store: Store, entry: Ranked) -> Iterator[StoredTwin]:
    design = entry.result.session.edition.design
    assert isinstance(design, TwinsDesign)
    answers = store.read_transcripts(
        [trial.transcript.key for trial in entry.result.trials if trial.transcript], _answer
    )
    for trial in entry.result.trials:
        assert trial.transcript is not None and trial.means is not None, "every request is measured"
        asked, answer = design.asked(trial.scenario.id, trial.run), answers[trial.transcript.key]
        share = next(field for field in trial.fields if field.name == SCORE).share(trial.means[SCORE])
        check = asked.pair.check if asked.side == "manner" and share else None
        formed = None if check is None else check.met(answer)
        quotations = [json.loads(verdict.reports).get(QUOTATION) for verdict in trial.verdicts if verdict]
        yield StoredTwin(
            trial,
            asked,
            share if formed is not False else min(share, PARTLY),
            formed,
            mean([float(_stands(quotation, answer)) for quotation in quotations]),
        )


def _answer(transcript: Any) -> str:
    return str(transcript["exchanges"][-1]["reply"]["answer"])


def _stands(quotation: object, answer: str) -> bool:
    """Return whether a quotation stands in an answer, whatever its blanks, quotation marks and final stop."""
    words = _bare(str(quotation or ""))
    return bool(words) and words in _bare(answer)


def _bare(text: str) -> str:
    plain = "".join(" " if sign in "“”\"‘’'«»*_…" else sign for sign in text.lower())
    return " ".join(plain.split()).strip(" .,;:!?")
