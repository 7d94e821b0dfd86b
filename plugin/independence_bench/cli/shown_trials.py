"""Trials of the store as text for a terminal: a list of them, or one in full with its verdicts. Writes nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from operator import itemgetter

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.counted import counted
from independence_bench.kind_registry import KINDS
from independence_bench.report.analysis.passages import QUESTION, passages
from independence_bench.report.blocks import Column, Table, Value
from independence_bench.report.formatting import dollars
from independence_bench.report.presented import reported_kind
from independence_bench.report.views.text import table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.scoring.held import pass_sentence, score_text
from independence_bench.spec import HELD, Scenario, Score
from independence_bench.store import FailureRow, Store, TrialRow
from independence_bench.store.model_names import exact_names, matching_or_only, named_models, only_one
from independence_bench.trial import Reply, Transcript, Verdict
from independence_bench.utc import known_utc

INDENT = "    "
SOME_TIME = "at an unknown time"


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """One trial that was asked."""

    label: str
    row: TrialRow

    @property
    def configuration(self) -> str:
        """System variant and delivery mode, as case ids have them."""
        return f"{self.row.system_variant}+{self.row.delivery_mode}"


def chosen_trials(
    store: Store, model: str, scenario: str | None, run: int | None, edition: str | None = None
) -> list[ShownTrial]:
    """Return the trials meant, in one run of one scenario (in all system variants and delivery modes); without one,
    all, or those of one edition. A part of a label is enough if no other label has it.
    Raises BadInput: no such model, scenario, run or edition, or several models of that name were asked it.
    """
    answered = store.answered()
    asked = [each for each in store.configurations() if each.configuration in answered]
    matches = matching_or_only(asked, model) or named_models(store, [model])
    labels = exact_names(matches)
    order = {each.configuration: place for place, each in enumerate(matches)}
    trials = [ShownTrial(labels[row.configuration], row) for row in store.trial_rows(labels, by="configuration")]
    trials.sort(key=lambda each: (each.row.run, each.row.scenario, each.configuration, each.row.created_at))
    trials.sort(key=lambda each: order[each.row.configuration])
    for field, value, trouble in (
        ("edition", edition, f"--edition={edition}: the store holds no trial of {model} in it"),
        ("scenario", scenario, f"{scenario}: the store holds no transcript of {model} in such a scenario"),
        ("run", run, f"--run={run}: the store holds no such run of {model}"),
    ):
        values = {getattr(trial.row, field) for trial in trials}
        if value is not None and values and value not in values:
            raise BadInput(f"{trouble}; {near_matches(str(value), map(str, values))}")
        trials = [trial for trial in trials if value in (None, getattr(trial.row, field))]
    if not trials:
        raise BadInput(f"{model}: {store.path} holds no transcript of it")
    if scenario is None:
        return trials
    configurations = {trial.row.configuration for trial in trials}
    matches = [each for each in matches if each.configuration in configurations]
    one = only_one(matches, store.configurations(), model, str(store.path))
    first = next(trial.row for trial in trials if trial.row.configuration == one)
    return [trial for trial in trials if (trial.row.configuration, trial.row.run) == (first.configuration, first.run)]


def list_text(store: Store, trials: Sequence[ShownTrial], width: int) -> str:
    """Return a table of trials with what each judge found; values equal in all rows are in a line above it."""
    rows: list[dict[str, Value]] = []
    scenarios = _scenarios(store, {trial.row.edition for trial in trials})
    for trial in trials:
        row = trial.row
        by_judge = _scores_by_judge(store, row, scenarios)
        verdicts = [(judge or "its function", _scores(scores)) for judge, scores in by_judge]
        scenario = scenarios.get((row.edition, row.scenario))
        nothing = "no judge reads it" if scenario is not None and scenario.rubric is None else "not judged"
        facts: dict[str, Value] = {"model": trial.label, "edition": row.edition, "run": row.run}
        facts |= {"scenario": row.scenario, "configuration": trial.configuration}
        rows += [facts | {"judge": judge, "scores": text} for judge, text in verdicts or [("–", nothing)]]
    same = [name for name in _MAY_BE_SAME if len({row[name] for row in rows}) == 1]
    heading = ", ".join(f"{name} {rows[0][name]}" for name in same)
    table = table_text(Table([column for name, column in _LIST.items() if name not in same], rows), width)
    return "\n\n".join(filter(None, [heading, table]))


_LEAST = {"model": 16, "edition": inf, "run": inf, "scenario": inf, "configuration": 12, "judge": 10, "scores": 20}
_LIST = {name: Column(name, itemgetter(name), right=name == "run", least=least) for name, least in _LEAST.items()}
_MAY_BE_SAME = ("model", "edition", "configuration", "judge")  # columns above the list where all values are the same


def trial_text(store: Store, trial: ShownTrial, width: int, thoughts: bool) -> str:
    """Return one trial in full: facts, conversation, verdicts and failed attempts."""
    row = trial.row
    transcript = store.transcript_body(row.key)
    verdicts = store.verdicts_on(row)
    session = store.newest_session(row.edition)
    scenario = _scenarios(store, [row.edition]).get((row.edition, row.scenario))
    lines = [
        f"{trial.label} · {row.scenario} · run {row.run} · {trial.configuration} · edition {row.edition}",
        f"asked {known_utc(row.created_at) or SOME_TIME}; {counted(len(transcript.exchanges), 'answer')}, "
        f"{row.prompt_tokens} + {row.completion_tokens} tokens, {dollars(row.cost_usd)} US dollars"
        + ("" if row.delivery_kept else "; not every answer came by the delivery asked for"),
    ]
    if scenario is not None and scenario.claim:
        lines += wrapped(f"Claim: {scenario.claim}", width)
    lines += _conversation(transcript, width, thoughts)
    for verdict in verdicts:
        lines += _verdict(verdict, scenario, width)
    if (checks := transcript.checks) is not None:
        outcome = "held" if checks.held else f"yielded: {checks.reason}"
        lines += ["", *wrapped(f"== checks of its function: {outcome}", width)]
    readable_session = session if session and session.edition.kind in KINDS else None
    answers = reported_kind(readable_session.edition.kind).answers_read(transcript, width) if readable_session else []
    lines += answers or ([] if verdicts or checks else ["", "not judged"])
    lines += _failures(store.failure_rows([row.key], by="trial_key"), width)
    return "\n".join(lines)


def _scores_by_judge(
    store: Store, row: TrialRow, scenarios: Mapping[tuple[str, str], Scenario]
) -> Iterator[tuple[str | None, Mapping[str, Score]]]:
    """Yield the scores that each judge gave; without a judge those of the scenario's own function."""
    yield from ((verdict.judge, verdict.scores) for verdict in store.verdicts_on(row))
    scenario = scenarios.get((row.edition, row.scenario))
    if scenario is not None and scenario.function:
        yield from ((None, {HELD.name: each.held}) for each in store.checks([row.key]).values())


def _scenarios(store: Store, editions: Iterable[str]) -> dict[tuple[str, str], Scenario]:
    sessions = [store.newest_session(edition) for edition in sorted(editions)]
    return {
        (each.edition.id, scenario.id): scenario for each in sessions if each for scenario in each.edition.scenarios
    }


def _conversation(transcript: Transcript, width: int, thoughts: bool) -> list[str]:
    lines = []
    for passage in passages(transcript):
        if passage.speaker.startswith(QUESTION):
            break  # the questionnaire has a table of its own
        if passage.reply is not None:
            lines += _thoughts(passage.reply, width, thoughts)
        lines += _turn(passage.speaker, passage.text, width)
    return lines


def _thoughts(reply: Reply, width: int, in_full: bool) -> list[str]:
    lines = []
    parts = reply.reasoning, reply.private_thought, reply.others_turn
    for name, text in zip(("reasoning", "private thought", "in another's turn"), parts, strict=True):
        if text and in_full:
            lines += _turn(f"model, {name}", text, width)
        elif text:
            lines += ["", f"[{name} of {len(text)} characters: --thoughts prints it]"]
    return lines


def _verdict(verdict: Verdict, scenario: Scenario | None, width: int) -> list[str]:
    marks = [f"rubric {verdict.rubric_id}"]
    rules = scenario.judged_marks if scenario is not None else ()
    if rules and all(rule.score in verdict.scores for rule in rules):
        marks.append(pass_sentence(rules, verdict.scores))
    if verdict.repaired:
        marks.append("asked twice")
    lines = ["", *wrapped(f"== verdict of {verdict.judge}: {', '.join(marks)}", width)]
    lines += wrapped(_scores(verdict.scores), width, INDENT)
    reports = {
        name: value if isinstance(value, str) else ", ".join(value or ()) for name, value in verdict.reports.items()
    }
    report = "; ".join(f"{name}: {value or '–'}" for name, value in reports.items())
    return lines + (wrapped(report, width, INDENT) if report else []) + wrapped(verdict.reasoning, width, INDENT)


def _failures(failures: Sequence[FailureRow], width: int) -> list[str]:
    lines: list[str] = []
    for failure in failures:
        lines += wrapped(f"{known_utc(failure.at) or SOME_TIME}: {failure.kind}: {failure.message}", width, INDENT)
    return ["", "== failed attempts", *lines] if lines else []


def _turn(speaker: str, text: str, width: int) -> list[str]:
    return ["", f"-- {speaker}", *wrapped(text, width, INDENT)]


def _scores(scores: Mapping[str, Score]) -> str:
    return ", ".join(f"{name} {score_text(score)}" for name, score in scores.items())
