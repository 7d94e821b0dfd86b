"""The command ``judge-check``: asks for missing verdicts, stores each at once, then sums up from the store alone."""

import argparse
import json
import time
from collections.abc import Sequence
from itertools import chain
from textwrap import fill

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.chat.secret import Secret
from independence_bench.chat.sizes import VERDICT_TOKENS
from independence_bench.cli.judging import conduct_with_progress, judging_settings, named_judges
from independence_bench.cli.terminal import remark, say, width
from independence_bench.counted import counted
from independence_bench.digest import Json
from independence_bench.engine.check_tasks import CheckQuote, KnownAnswerCheck
from independence_bench.judge_check.check_findings import Findings, findings
from independence_bench.judge_check.checked_judges import part_of, set_of
from independence_bench.judge_check.known_answers import known_answers, part_to_check
from independence_bench.judge_check.known_questions import VERSIONS, KnownQuestion, questions, set_digest
from independence_bench.judge_check.known_sets import SET, Part, known_set
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.formatting import dollars
from independence_bench.report.views.check_text import answer_line, findings_text, part_text
from independence_bench.safe_text import safe_text
from independence_bench.spec import Model
from independence_bench.store import Store
from independence_bench.store.lock import locked
from independence_bench.trial import TrialRecord


def check_judges(arguments: argparse.Namespace) -> int:
    """Check the judges; returns 1 if one has not passed. Raises BadInput: a wrong judge, set, key or store."""
    settings = judging_settings(arguments)
    if not settings.judges:
        raise BadInput("--judge: it names no judge; write for example --judge=google/gemini-3-flash-preview")
    catalogue = Catalogue(settings.overlay)
    name = known_set(load_edition(arguments.edition, catalogue).scenarios) if arguments.edition else SET
    whole = questions(known_answers(catalogue, name))
    path = settings.store_file
    with Store.open(path, read_only=True) if path.exists() else Store.empty() as store:
        panel = named_judges(arguments, settings, catalogue, store)
        checks = [_check(judge, whole, name, store, arguments.half) for judge in panel]
        quotes = [check.quote(store.verdicts(check.keys)) for check in checks]
    if arguments.plan:
        rows: list[Json] = [quote.model_dump() for quote in quotes]
        say(_json({"schema": 1, "plan": rows}) if arguments.json else _plan_text(quotes))
        return 0
    for check, quote in zip(checks, quotes, strict=True):
        if quote.calls:
            # A missing key is reported before anything is written.
            Secret.of(check.judge.endpoint, settings.environment)
    with locked(path, "a judge check") as lock, Store.open(path) as store:

        def receive(records: Sequence[TrialRecord]) -> None:
            """Store verdicts in the engine's thread, so that an interruption loses only calls in flight."""
            for verdict in chain.from_iterable(record.verdicts for record in records):
                store.add_known_verdict(verdict)

        known = [store.verdicts(check.keys) for check in checks]  # again: another check may just have ended
        tasks = [task for check, verdicts in zip(checks, known, strict=True) for task in check.missing(verdicts)]
        if tasks:
            remark(_plan_text([check.quote(verdicts) for check, verdicts in zip(checks, known, strict=True)]))
        lock.note_work(len(tasks))
        spent, troubles = conduct_with_progress(settings, tasks, store, receive, "verdicts", lock.stop_requested)
        results = [_findings(check, store) for check in checks]
        at = time.time()
        for each in results:
            if each.any_verdict:  # a judge that could not be reached has not been checked
                store.add_judge_check(each.stored_check(at))
    remark(f"{counted(len(tasks), 'verdict')} asked for now, at {dollars(spent)} US dollars where prices are known.")
    for trouble in troubles:
        remark(trouble)
    if arguments.json:
        say(_json({"schema": 1, "judges": [each.as_json() for each in results]}))
    else:
        texts = [findings_text(each, width()) for each in results]
        say("\n\n".join([*texts, "\n".join(map(answer_line, results))]))
    return 0 if all(each.result.passed for each in results) else 1


def _check(
    judge: Model, whole: Sequence[KnownQuestion], name: str, store: Store, wished: Part | None
) -> KnownAnswerCheck:
    """Return a check that covers at least what this judge has been checked on before: it counts in place of that."""
    current = set_digest(whole)
    earlier = [each for each in store.judge_checks([judge.configuration]) if each.set_digest == current]
    halves = {half for half in map(part_of, earlier) if half is not None}
    same: Part | None = "both" if len(halves) > 1 else next(iter(halves), None)
    last = next((each for each in store.checks_of(judge.label) if set_of(each) == name), None)
    part = part_to_check(wished, same, part_of(last))
    return KnownAnswerCheck(judge, whole, part)


def _findings(check: KnownAnswerCheck, store: Store) -> Findings:
    verdicts = store.verdicts(check.keys)
    answers = [*zip(check.questions, map(verdicts.get, check.keys), strict=True)]
    return findings(check.judge, check.set_digest, check.half, answers)


def _plan_text(quotes: Sequence[CheckQuote]) -> str:
    lines = [
        f"{safe_text(quote.judge)}: {counted(quote.calls, 'verdict')} of {quote.questions} to ask for "
        f"({part_text(quote.half)}), "
        + ("at an unknown price" if quote.usd is None else f"about {dollars(quote.usd)} US dollars")
        for quote in quotes
    ]
    lines.append(
        f"Versions: {', '.join(VERSIONS)}; some cases have fewer. "
        f"List prices, {VERDICT_TOKENS} tokens assumed for a verdict, repairs and hidden reasoning not counted."
    )
    return "\n".join(fill(line, width()) for line in lines)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=1)
