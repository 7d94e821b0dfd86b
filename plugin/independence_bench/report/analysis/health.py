"""What is wrong with the trials of each model, and the command that mends it. Mends nothing itself."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.template_junk import MARKERS, has_template_junk
from independence_bench.store import Session, Store
from independence_bench.store.adding import DUPLICATE, MEASURED


class Health(ReportData):
    """What is wrong with the trials of one model, and the command that mends it."""

    label: str
    identity: str
    configuration: str | None
    planned: int
    missing: int
    """Planned trials without a transcript."""
    unjudged: int
    """Transcripts that lack a verdict of the panel."""
    answers: int
    retries: int
    """Requests beyond the first of each answer."""
    empty: int
    """Requests that came back with nothing to judge."""
    cut_off: int
    """Answers that ended at the token limit."""
    undelivered: int
    """Transcripts with an answer in plain content where a tool call was asked for."""
    template_junk: int
    """Answers with chat-template tokens in them."""
    partial: int
    """Transcripts of fewer answers than others of their scenario."""
    failures: int
    """Attempts that led to no measurement."""
    repairs: list[str]
    """Commands that mend what is missing or unjudged."""
    remark: str | None
    """Why no command mends it."""

    @property
    def sound(self) -> bool:
        """True where there is nothing to say."""
        return not (
            self.missing
            or self.unjudged
            or self.retries
            or self.empty
            or self.cut_off
            or self.undelivered
            or self.template_junk
            or self.partial
            or self.failures
        )


_FLAGS = {
    "endpoint": "--endpoint",
    "judge_endpoint": "--judge-endpoint",
    "build": "--build",
    "temperature": "--temperature",
    "reasoning_effort": "--reasoning-effort",
    "max_tokens": "--max-tokens",
}
"""Options of a session that decide what is measured, with the flags that say so again."""

ELSEWHERE = "measured elsewhere: import it again where it was mended"


def health_of(store: Store, session: Session, entries: Sequence[Ranked]) -> list[Health]:
    """Return the health of every row, in the order given."""
    junk = _junk(store, session)
    usual: defaultdict[str, int] = defaultdict(int)
    for entry in entries:
        for trial in entry.result.trials:
            if trial.transcript:
                usual[trial.scenario.id] = max(usual[trial.scenario.id], trial.transcript.answers)
    return [_of_one(session, entry, junk, usual) for entry in entries]


def _junk(store: Store, session: Session) -> Counter[str]:
    """Return how many answers of each trial hold template junk; only trials that have some."""
    scripts = {cell.script_digest for cell in session.cells}
    return Counter(
        {
            key: junk
            for key, transcript in store.transcripts_with(MARKERS, scripts).items()
            if (junk := sum(has_template_junk(exchange.reply.answer) for exchange in transcript.exchanges))
        }
    )


def _of_one(session: Session, entry: Ranked, junk: Counter[str], usual: Mapping[str, int]) -> Health:
    trials = entry.result.trials
    rows = [trial.transcript for trial in trials if trial.transcript]
    missing = len(trials) - len(rows)
    unjudged = sum(trial.transcript is not None and not trial.measured for trial in trials)
    answers = sum(row.answers for row in rows)
    imported = bool(rows) and all(each.origin != MEASURED for each in rows)
    row = entry.row
    return Health(
        label=row.label,
        identity=row.identity,
        configuration=row.configuration,
        planned=len(trials),
        missing=missing,
        unjudged=unjudged,
        answers=answers,
        retries=max(sum(each.attempts for each in rows) - answers, 0),
        empty=sum(each.empty_attempts for each in rows),
        cut_off=sum(each.cut_off for each in rows),
        undelivered=sum(not each.delivery_kept for each in rows),
        template_junk=sum(junk[each.key] for each in rows),
        partial=sum(each.answers < usual[each.scenario] for each in rows),
        # What an import notes as a failure is a gap in its source, and no attempt of anybody's.
        failures=0 if imported else sum(each.kind != DUPLICATE for trial in trials for each in trial.failures),
        repairs=[] if imported else _repairs(session, entry, missing, unjudged),
        remark=ELSEWHERE if imported and (missing or unjudged) else None,
    )


def _repairs(session: Session, entry: Ranked, missing: int, unjudged: int) -> list[str]:
    label = entry.row.label
    judges = [f"--judge={judge.label}" for judge in session.panel]
    found = []
    if missing:
        found.append(shlex.join(["pytest", "bench_tests", *_selection(session, entry), *judges]))
    if unjudged and judges:
        found.append(shlex.join(["independence-bench", "judge", *judges, label]))
    return found


def _selection(session: Session, entry: Ranked) -> list[str]:
    """Return the options under which this model's trials are planned again: what is measured is not asked again."""
    row, options = entry.row, session.options
    words = [f"--edition={session.edition.id}", f"--runs={len(entry.result.runs)}"]
    if row.label in session.labels and isinstance(named := options.get("models"), list) and named:
        words += [f"--model={name}" for name in named]
        words += [f"{flag}={options[name]}" for name, flag in _FLAGS.items() if options.get(name) is not None]
    else:
        words.append(f"--model={row.label}")
    if row.configuration is not None:
        _, variant, delivery = entry.result.evidence.cells[0]
        words += [f"--system-variant={variant}", f"--delivery-mode={delivery}"]
    return words
