"""Problems with the trials of each model, and the commands that fix them. Fixes nothing itself."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from independence_bench.kind_registry import KINDS
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.repairs import Repairs
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Bullets, Command, Phrase, Table, named, paragraph, phrase
from independence_bench.store.adding import DUPLICATE
from independence_bench.trial import FailureKind, Transcript


class Health(ModelName):
    """Problems with the trials of one model, and the commands that fix them."""

    configuration: str | None
    planned: int
    missing: int
    unjudged: int
    answers: int
    retries: int  # requests beyond the first of each answer
    empty: int  # requests that came back with nothing to judge
    cut_off: int
    undelivered: int  # transcripts with an answer in plain content where a tool call was asked for
    several_calls: int  # replies with several calls
    end_unknown: int  # answers of which the server said by no known word how they ended
    unread: int  # attempts whose answer was in a wrapping that is not known
    partial: int  # transcripts of fewer answers than others of their scenario, where all should have equally many
    failures: int  # attempts that led to no measurement
    repairs: list[str]  # commands that ask missing trials and judge unjudged ones
    remark: str | None

    @property
    def sound(self) -> bool:
        """True where there is no problem."""
        return not self.problems

    @property
    def problems(self) -> list[tuple[str, int]]:
        """What there is of each problem, in words and counted."""
        words: Mapping[str, str] = page_words()[HEALTH.field]
        return [(what, count) for field, what in words.items() if (count := getattr(self, field))]


UNREAD: FailureKind = "unread"
ELSEWHERE = "measured elsewhere: fix it there and import it again"
OVERRIDDEN = "only cases with overridden fixtures ask it, or its text has changed since"
NEW_ROW = "a new --max-tokens makes a separate row, for which every trial is asked again"
UNKNOWN = "no session of this store says how it was asked: give the options that it was measured with"


def compute(measured: Measurements) -> list[Health]:
    """Return the health of every row, in the order given."""
    flagged = _flagged(measured)
    usual: defaultdict[str, int] = defaultdict(int)
    for entry in measured.entries if KINDS[measured.session.edition.kind].fixed_length else ():
        for trial in entry.result.trials:
            if trial.transcript and trial.scenario.function is None:  # which asks as much as it likes
                usual[trial.scenario.id] = max(usual[trial.scenario.id], trial.transcript.answers)
    repairs = Repairs(measured.store, measured.session)
    return [_of_one(repairs, entry, flagged, usual) for entry in measured.entries]


def _flagged(measured: Measurements) -> dict[str, Transcript]:
    """Return the transcripts with an answer of several calls or of an unknown end by trial: there are few."""
    rows = (trial.transcript for entry in measured.entries for trial in entry.result.trials)
    scripts = {row.script_digest for row in rows if row}
    return measured.store.transcripts_with(['"several_calls":true', '"end_unknown":true'], scripts)


def _of_one(commands: Repairs, entry: Ranked, flagged: Mapping[str, Transcript], usual: Mapping[str, int]) -> Health:
    trials = entry.result.trials
    rows = [trial.transcript for trial in trials if trial.transcript]
    missing = len(trials) - len(rows)
    unjudged = sum(trial.transcript is not None and not trial.measured for trial in trials)
    answers = sum(row.answers for row in rows)
    bodies = [flagged[each.key] for each in rows if each.key in flagged]
    replies = [exchange.reply for body in bodies for exchange in body.exchanges]
    imported, overridden = entry.result.imported, entry.result.records.overridden
    repairs = [] if imported or overridden else list(commands.of(entry, missing, unjudged))
    remark = NEW_ROW if missing and repairs and commands.fitting(entry) else None
    if (missing or unjudged) and not repairs:
        remark = ELSEWHERE if imported else OVERRIDDEN if overridden else UNKNOWN
    return Health(
        **entry.row.fields_of(ModelName),
        configuration=entry.row.configuration,
        planned=entry.row.planned,
        missing=missing,
        unjudged=unjudged,
        answers=answers,
        retries=max(sum(each.attempts for each in rows) - answers, 0),
        empty=sum(each.empty_attempts for each in rows),
        cut_off=sum(each.cut_off for each in rows),
        undelivered=sum(not each.delivery_kept for each in rows),
        several_calls=sum(reply.several_calls for reply in replies),
        end_unknown=sum(reply.end_unknown for reply in replies),
        unread=sum(each.kind == UNREAD for trial in trials for each in trial.failures),
        partial=sum(each.answers < usual[each.scenario] for each in rows),
        # A failure of an import is a gap in its source, not an attempt.
        failures=0 if imported else sum(each.kind != DUPLICATE for trial in trials for each in trial.failures),
        repairs=repairs,
        remark=remark,
    )


def blocks(result: Sequence[Health]) -> Iterator[Block[Any]]:
    """Yield every model with a problem; the sound ones are counted."""
    ailing = [each for each in result if not each.sound]
    if sound := len(result) - len(ailing):
        yield paragraph(f"Nothing to report on {sound} of {len(result)} models.")
    if ailing:
        yield Table(analysis_columns(HEALTH.field, missing=lambda row: f"{row.missing} of {row.planned}"), ailing)
    if mended := [*_mended(ailing)]:
        yield paragraph("Commands that fix this; measured trials are not repeated:")
        yield Bullets(mended)


def _mended(ailing: Sequence[Health]) -> Iterator[Phrase]:
    for each in ailing:
        for repair in each.repairs:
            yield phrase("{}: {}", _named(each), Command(repair))
        if each.remark:
            yield phrase("{}: {}", _named(each), each.remark)


def _named(health: Health) -> Phrase:
    return named(health.label, health.configuration)


HEALTH = Analysis("health", "Health", compute, blocks)
