"""``answers-N.js``: the full text of one model's trials and their verdicts. Loaded when a reader opens them.

Where all of them are too much at once, a kind parts them: ``answers-N-P.js``. What all models were told alike is
written once, in ``texts.js``, and named by its place: with a thousand models the scripted messages of each would fill
fifteen megabytes, the items of questionnaires far more.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, zip_longest

from independence_bench.replies.endings import ending_of
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, truth_number
from independence_bench.report.site.view_part import ViewPart
from independence_bench.store.adding import MEASURED
from independence_bench.trial import Exchange, Transcript, Verdict
from independence_bench.utc import known_utc

_AS_STORED = ("reasoning", "others_turn", "several_calls", "withheld", "salvaged", "refusal", "key_cut")
_Pool = defaultdict[str, int]  # text → its place; each kept once, because many trials share their scripted messages


def answers_data(
    part: ViewPart,
    result: ModelResult,
    asked: Iterable[PlannedTrial],
    transcripts: Mapping[str, Transcript],
    verdicts: Mapping[str, Verdict],
    interviews: Mapping[str, Sequence[AnsweredItem]],
) -> dict[str, Datum]:
    """Return trials of a model in their order; bodies by trial key and by verdict key, ``interviews`` by trial key."""
    pool = _Pool(count().__next__)
    trials: list[Datum] = []
    for trial in asked:
        row, (scenario, variant, delivery) = trial.transcript, trial.cell
        key = row.key if row else ""
        transcript, items = transcripts.get(key), interviews.get(key, ())
        checks = transcript.checks if transcript else None
        bodies = [verdicts.get(each.key) if each else None for each in trial.verdicts]
        facts = drop_empty(
            s=part.view.places[scenario],
            v=variant,
            d=delivery,
            run=trial.run,
            held=truth_number(trial.outcome.held),
            word=trial.outcome.word,
            share=rounded(trial.outcome.share),
            at=row and known_utc(row.created_at),
            origin=row.origin if row and row.origin != MEASURED else None,
            kept=row and truth_number(row.delivered),
            cost=row and rounded(row.cost_usd, 6),
            hash=row and row.transcript_hash,
            said=_conversation(transcript, pool, result.relevance.shares.get(key, ())) if transcript else None,
            items=[[item.item, pool[item.words], item.answers_line, item.option, item.score] for item in items],
            checks=[truth_number(checks.held), checks.reason] if checks else None,
            judges=[judge.label for judge in result.records.judges or ()],  # in place of those of the view
            verdicts=[_verdict(verdict, trial) if verdict else None for verdict in bodies],
            failures=[
                [known_utc(each.at), each.kind, each.message, each.judge, rounded(each.cost_usd, 6)]
                for each in trial.failures
            ],
        )
        trials.append({**facts, **(part.answer_facts(trial, transcript) if transcript else {})})
    return {"texts": [*pool], "trials": trials}


def _conversation(transcript: Transcript, pool: _Pool, shares: Sequence[float | None]) -> dict[str, Datum]:
    opens = transcript.greeting is not None or (transcript.opening and transcript.opening[0].speaker == "model")
    return drop_empty(
        system=pool[transcript.system] if transcript.system else None,
        start=pool[transcript.start] if opens and transcript.start else None,
        greeting=pool[transcript.greeting] if transcript.greeting is not None else None,
        opening=[[turn.speaker, pool[turn.text]] for turn in transcript.opening],
        exchanges=[
            _exchange(each, pool) | drop_empty(relevance=rounded(share, 2))
            for each, share in zip_longest(transcript.exchanges, shares[: len(transcript.exchanges)])
        ],
    )


def _exchange(exchange: Exchange, pool: _Pool) -> dict[str, Datum]:
    reply = exchange.reply
    served = [reply.served_model, reply.served_provider, reply.fingerprint]
    return {"answer": reply.answer} | drop_empty(
        after=-1 if exchange.after is None else exchange.after,
        asked=pool[exchange.asked],
        item=exchange.item,
        question=bool(exchange.options),
        other=exchange.by_interlocutor,
        sent_as=exchange.sent_as,
        thought=reply.private_thought,
        **{name: getattr(reply, name) for name in _AS_STORED},
        # The raw text is shown where it holds more than the message extracted from it.
        arguments=reply.written_call or (reply.tool_arguments if reply.salvaged else None),
        written_call=reply.written_call is not None,
        called=reply.tool_arguments is not None,
        lost=not reply.delivery_kept,
        finish=reply.finish_reason,
        cut=ending_of(reply.finish_reason) == "limit",
        changes=list(reply.changes) or None,
        served=" · ".join(part for part in served if part),
        tokens=[reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.reasoning_tokens],
        cost=rounded(reply.usage.cost_usd, 6),
        attempts=reply.attempts if reply.attempts > 1 else None,
        empty=reply.empty_attempts or None,
        seconds=rounded(reply.seconds, 2) or None,
    )


def _verdict(verdict: Verdict, trial: PlannedTrial) -> dict[str, Datum]:
    reports = {name: ", ".join(value) if isinstance(value, list) else value for name, value in verdict.reports.items()}
    scores, fields = verdict.scores, trial.scenario.fields
    return {"reasoning": verdict.reasoning} | drop_empty(
        scores=[float(scores[field.name]) if field.name in scores else None for field in fields],
        reports=[[name, value] for name, value in reports.items() if value],
        repaired=verdict.repaired,
        attempts=verdict.attempts if verdict.attempts > 1 else None,
        cost=rounded(verdict.usage.cost_usd, 6),
        seconds=rounded(verdict.seconds, 2) or None,
        at=known_utc(verdict.created_at),
    )


class SharedTexts:
    """The texts of the first model that was asked anything."""

    def __init__(self) -> None:
        """Know no text yet."""
        self._places: dict[str, int] = {}
        self._first: int | None = None

    def without(self, data: Mapping[str, Datum], model: int) -> dict[str, Datum]:
        """Return a chunk of a model's answers whose shared ``texts`` are places in :attr:`texts`."""
        texts = data["texts"]
        assert isinstance(texts, list), "as answers_data makes it"
        if self._first in (None, model):
            self._first = model if texts else None
            for text in texts:
                self._places.setdefault(text, len(self._places))
        return {**data, "texts": [self._places.get(text, text) for text in texts]}

    @property
    def texts(self) -> list[Datum]:
        """All of them, in their places."""
        return [*self._places]
