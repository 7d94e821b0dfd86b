"""``answers-N.js``: every word of one model's trials, and every judge's verdict on them. Loaded when somebody reads.

Where all of them are too much at once, a kind parts them: ``answers-N-P.js``.
"""

from collections.abc import Iterable, Mapping, Sequence

from independence_bench.report.analysis.interviews import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.site.chunks import Datum, filled, rounded
from independence_bench.report.site.edition_views import EditionView
from independence_bench.store import FailureRow
from independence_bench.trial import Exchange, Transcript, Verdict
from independence_bench.utc import utc


class _Pool:
    """Texts that many trials share, each kept once: what we say ourselves is the same in all of them."""

    def __init__(self) -> None:
        self.texts: list[Datum] = []
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        """Return where a text stands."""
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(text)
        return self._places[text]


def answers_data(
    view: EditionView,
    asked: Iterable[PlannedTrial],
    transcripts: Mapping[str, Transcript],
    verdicts: Mapping[str, Verdict],
    interviews: Mapping[str, Sequence[AnsweredItem]],
) -> dict[str, Datum]:
    """Return trials of a model in their order; bodies by trial key and by verdict key, ``interviews`` by trial key."""
    pool = _Pool()
    places = {scenario.id: place for place, scenario in enumerate(view.session.edition.scenarios)}
    trials: list[Datum] = [
        _trial(trial, places[trial.cell[0]], transcripts, verdicts, pool, interviews) for trial in asked
    ]
    return {"texts": pool.texts, "trials": trials}


def _trial(
    trial: PlannedTrial,
    scenario: int,
    transcripts: Mapping[str, Transcript],
    verdicts: Mapping[str, Verdict],
    pool: _Pool,
    interviews: Mapping[str, Sequence[AnsweredItem]],
) -> dict[str, Datum]:
    row = trial.transcript
    said = transcripts.get(row.key) if row else None
    return filled(
        s=scenario,
        v=trial.cell[1],
        d=trial.cell[2],
        run=trial.run,
        held=None if trial.held is None else int(trial.held),
        at=_time(row.created_at) if row else None,
        origin=row.origin if row and row.origin != "measured" else None,
        kept=None if row is None else row.delivery_kept,
        cost=rounded(row.cost_usd, 6) if row else None,
        hash=row.transcript_hash if row else None,
        said=_said(said, pool) if said else None,
        items=[_item(each, pool) for each in interviews.get(row.key, ())] if row else None,
        verdicts=[
            _verdict(verdicts[each.key], trial) if each and each.key in verdicts else None for each in trial.verdicts
        ],
        failures=[_failure(each) for each in trial.failures],
    )


def _said(transcript: Transcript, pool: _Pool) -> dict[str, Datum]:
    opens = transcript.greeting is not None or (transcript.opening and transcript.opening[0].speaker == "model")
    return filled(
        system=pool.place(transcript.system) if transcript.system else None,
        start=pool.place(transcript.start) if opens and transcript.start else None,
        greeting=pool.place(transcript.greeting) if transcript.greeting is not None else None,
        opening=[[turn.speaker, pool.place(turn.text)] for turn in transcript.opening],
        exchanges=[_exchange(each, pool) for each in transcript.exchanges],
    )


def _exchange(exchange: Exchange, pool: _Pool) -> dict[str, Datum]:
    reply = exchange.reply
    served = [reply.served_model, reply.served_provider, reply.fingerprint]
    return filled(
        after=-1 if exchange.after is None else exchange.after,
        asked=pool.place(exchange.asked),
        item=exchange.item,
        question=bool(exchange.options),
        other=exchange.by_interlocutor,
        answer=reply.answer,
        thought=reply.private_thought,
        reasoning=reply.reasoning,
        # What came is shown as it came where it says more than the message that was taken out of it.
        arguments=reply.tool_arguments if reply.salvaged else None,
        called=reply.tool_arguments is not None,
        lost=not reply.delivery_kept,
        salvaged=reply.salvaged,
        finish=reply.finish_reason,
        refusal=reply.refusal,
        key_cut=reply.key_cut,
        served=" · ".join(part for part in served if part),
        tokens=[reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.reasoning_tokens],
        cost=rounded(reply.usage.cost_usd, 6),
        attempts=reply.attempts if reply.attempts > 1 else None,
        empty=reply.empty_attempts or None,
        seconds=rounded(reply.seconds, 2) or None,
    )


def _item(item: AnsweredItem, pool: _Pool) -> list[Datum]:
    """Return a question of an interview: its number, words, all answers to it on one line, the option, the score."""
    return [item.item, pool.place(item.words), item.said, item.option, item.score]


def _verdict(verdict: Verdict, trial: PlannedTrial) -> dict[str, Datum]:
    fields = trial.scenario.rubric.scores if trial.scenario.rubric else ()
    reports: Sequence[Datum] = [
        [name, ", ".join(value) if isinstance(value, list) else value]
        for name, value in verdict.reports.items()
        if value
    ]
    return filled(
        scores=[float(verdict.scores[field.name]) if field.name in verdict.scores else None for field in fields],
        reasoning=verdict.reasoning,
        reports=reports,
        repaired=verdict.repaired,
        attempts=verdict.attempts if verdict.attempts > 1 else None,
        cost=rounded(verdict.usage.cost_usd, 6),
        seconds=rounded(verdict.seconds, 2) or None,
        at=_time(verdict.created_at),
    )


def _failure(failure: FailureRow) -> list[Datum]:
    return [_time(failure.at), failure.kind, failure.message, failure.judge, rounded(failure.cost_usd, 6)]


def _time(at: float) -> str | None:
    """Return a time as reports write it; None for one that is no time: imports may bring any number."""
    try:
        return utc(at) if at else None
    except (ValueError, OverflowError, OSError):
        return None
