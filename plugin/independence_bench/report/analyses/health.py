"""What is wrong with the trials of each model, and the command that mends it. Mends nothing itself."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from independence_bench.option_table import words_again
from independence_bench.report.analyses.contestant import Contestant
from independence_bench.report.findings import Health
from independence_bench.scoring.template_junk import MARKERS, has_template_junk
from independence_bench.store import Session, Store
from independence_bench.store.adding import DUPLICATE, MEASURED

ELSEWHERE = "measured elsewhere: import it again where it was mended"


def health_of(store: Store, session: Session, contestants: Sequence[Contestant]) -> list[Health]:
    """Return the health of every row, in the order given."""
    junk = _junk(store, session)
    usual: defaultdict[str, int] = defaultdict(int)
    for contestant in contestants:
        for trial in contestant.standing.trials:
            if trial.transcript:
                usual[trial.scenario.id] = max(usual[trial.scenario.id], trial.transcript.answers)
    return [_of_one(session, contestant, junk, usual) for contestant in contestants]


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


def _of_one(session: Session, contestant: Contestant, junk: Counter[str], usual: Mapping[str, int]) -> Health:
    trials = contestant.standing.trials
    rows = [trial.transcript for trial in trials if trial.transcript]
    missing = len(trials) - len(rows)
    unjudged = sum(trial.transcript is not None and not trial.measured for trial in trials)
    answers = sum(row.answers for row in rows)
    imported = bool(rows) and all(each.origin != MEASURED for each in rows)
    row = contestant.row
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
        repairs=[] if imported else _repairs(session, contestant, missing, unjudged),
        remark=ELSEWHERE if imported and (missing or unjudged) else None,
    )


def _repairs(session: Session, contestant: Contestant, missing: int, unjudged: int) -> list[str]:
    label = contestant.row.label
    judging = _judging(session)
    found = []
    if missing:
        found.append(shlex.join(["pytest", "bench_tests", *words_again(_asking(session, contestant) | judging)]))
    if unjudged and session.panel:
        found.append(shlex.join(["independence-bench", "judge", *words_again(judging), label]))
    return found


def _judging(session: Session) -> dict[str, Any]:
    """Return the options that name the panel: as they were given, where labels alone would not say how to reach it."""
    stored = {name: value for name, value in session.options.items() if name.startswith("judge")}
    return stored if "judge_endpoint" in stored else {"judges": [judge.label for judge in session.panel]}


def _asking(session: Session, contestant: Contestant) -> dict[str, Any]:
    """Return the options under which this model's trials are planned again: what is measured is not asked again."""
    row, options = contestant.row, session.options
    given: dict[str, Any] = {"models": [row.label]}
    if row.label in session.labels and options.get("models"):
        given = {name: value for name, value in options.items() if not name.startswith("judge")}
    given |= {"edition": options.get("edition", session.edition.id), "runs": len(contestant.standing.runs)}
    if row.configuration is not None:
        _, variant, delivery = contestant.standing.evidence.cells[0]
        given |= {"system_variants": [variant], "delivery_modes": [delivery]}
    return given
