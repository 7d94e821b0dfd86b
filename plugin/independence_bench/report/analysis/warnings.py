"""Reasons to doubt a number, found in a model's answers and in its judges: as data, and each as one sentence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from independence_bench.aggregation import MEAN
from independence_bench.catalog.gate_file import Acceptable
from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.model_ids import base_model
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.report_data import ReportData
from independence_bench.spec import PanelJudge, is_callable, is_embedded
from independence_bench.store import Session, Store, TrialRow
from independence_bench.written_calls import message_written

TOLD = 0.1  # share of conversations, answers or scenarios from which a fault is told
DOUBTED = 0.5
"""Share below which delivery, and from which repetition, leaves a model without a rank and a gate without an answer."""
SETTLED_RUNS = 3  # runs below which a row is provisional

WarningKind = Acceptable | Literal["also-judges", "cut-off", "judge-failed", "judge-outdated", "judge-not-checked"]


class ModelWarning(ReportData):
    """One reason to doubt the numbers of a model, or of every model that a judge scored."""

    kind: WarningKind
    text: str  # a clause about a model, without its label; a whole sentence about a judge
    doubted: bool = False  # true where the model is not ranked, and no gate decides on it unless this is accepted


PLAIN_EDITIONS = {"v2": "v2-plain"}  # by edition: the one that asks the same by user messages, with a board of its own


def model_warnings(store: Store, result: ModelResult, model_id: str) -> list[ModelWarning]:
    """Return the warnings about the answers of a model, the gravest first."""
    return [
        *_by_heuristics(result.session, model_id),
        *sorted(_of_answers(store, result, model_id), key=lambda warning: not warning.doubted),
        *_as_judge(result.session, model_id),
    ]


def _by_heuristics(session: Session, model_id: str) -> Iterator[ModelWarning]:
    """A real model that only embedded heuristics judged: they do not understand what they read."""
    if not is_embedded(model_id) and session.panel and all(map(_is_embedded_judge, session.panel)):
        judges = " and ".join(judge.label for judge in session.panel)
        text = f"judged by {judges} alone, which compares words and does not understand them"
        yield ModelWarning(kind="offline-judge", text=text, doubted=True)


def _is_embedded_judge(judge: PanelJudge) -> bool:
    return judge.heuristic and not is_callable(judge.model_id)


def _as_judge(session: Session, model_id: str) -> Iterator[ModelWarning]:
    if any(base_model(judge.model_id) == base_model(model_id) for judge in session.panel if not judge.heuristic):
        yield ModelWarning(kind="also-judges", text="is also a judge of this board")


def _of_answers(store: Store, result: ModelResult, model_id: str) -> Iterator[ModelWarning]:
    asked = [trial.transcript for trial in result.trials if trial.transcript]
    kept = sum(row.delivery_kept for row in asked)
    answers, cut_off = sum(row.answers for row in asked), sum(row.cut_off for row in asked)
    if len(asked) - kept >= TOLD * len(asked) > 0:
        doubted = kept < DOUBTED * len(asked)
        remedy = _remedy(store, asked, result.session.edition.id, doubted)
        text = f"delivered as asked in {kept} of {len(asked)} conversations{remedy}"
        yield ModelWarning(kind="delivery", text=text, doubted=doubted)
    if not is_embedded(model_id) and not result.imported:
        yield from _repetition(store, result)
    if cut_off and cut_off >= TOLD * answers:
        text = f"{cut_off} of {answers} answers cut off at the token limit"
        yield ModelWarning(kind="cut-off", text=text)


def _remedy(store: Store, asked: Sequence[TrialRow], edition: str, doubted: bool) -> str:
    """Return the reason and the remedy, in brackets, where a model mostly used no tool or wrote its calls as text."""
    written = store.read_transcripts([row.key for row in asked if not row.delivery_kept], _wrote_a_call)
    count = sum(written.values())
    plain = PLAIN_EDITIONS.get(edition)
    if not count and not (doubted and plain):
        return ""
    reason = f"{count} with a call written as text: " if count else ""
    return f" ({reason}measure it with {f'--edition={plain}' if plain else '--delivery-mode=user_role'})"


def _wrote_a_call(transcript: Any) -> bool:
    return any(_written(exchange["reply"], transcript) is not None for exchange in transcript["exchanges"])


def _written(reply: Any, transcript: Any) -> str | None:
    return None if reply.get("delivery_kept", True) else message_written(reply["answer"], transcript.get("system", ""))


def _repetition(store: Store, result: ModelResult) -> Iterator[ModelWarning]:
    """Count, in each run, the scenarios whose conversations ended with its most frequent answer."""
    trials = {trial.transcript.key: trial for trial in result.trials if trial.transcript and trial.scenario.rubric}
    said = store.read_transcripts(trials, _last_answer) if trials else {}  # model by model: texts take memory
    runs: defaultdict[int, set[tuple[str, str]]] = defaultdict(set)
    for key, trial in trials.items():
        runs[trial.run].add((said[key], trial.scenario.id))
    alike = [max(Counter(answer for answer, _ in answers).values()) for answers in runs.values()]
    asked = [len({scenario for _, scenario in answers}) for answers in runs.values()]
    most = max(alike, default=0)
    if most > 1 and sum(alike) >= TOLD * sum(asked):
        text = f"the same answer to {most} different scenarios"
        yield ModelWarning(kind="repetition", text=text, doubted=sum(alike) >= DOUBTED * sum(asked))


def _last_answer(transcript: Any) -> str:
    """Return a transcript's last answer; neither letters' case nor white space distinguishes two."""
    reply = transcript["exchanges"][-1]["reply"]
    return " ".join((_written(reply, transcript) or reply["answer"]).casefold().split())


def judge_warnings(session: Session, checks: Iterable[CheckedJudge]) -> list[ModelWarning]:
    """Return the warnings about a session's panel, by the checks of its judges."""
    embedded = {judge.label for judge in session.panel if _is_embedded_judge(judge)}
    return [warning for each in checks for warning in _of_judge(each, each.judge in embedded)]


def _of_judge(judge: CheckedJudge, embedded: bool) -> Iterator[ModelWarning]:
    name = judge.judge
    if judge.state == "not passed":
        text = f"{name} failed its check in this store ({judge.remark}): do not rely on its verdicts."
        yield ModelWarning(kind="judge-failed", text=text)
    if embedded:
        text = f"{name} compares words: a test of the set-up, not a measurement."
        yield ModelWarning(kind="offline-judge", text=text)
    elif judge.state == "outdated":
        text = f"The check of {name} in this store is outdated: run independence-bench judge-check again."
        yield ModelWarning(kind="judge-outdated", text=text)
    elif judge.state == "not checked":
        text = f"{name} is not checked in this store: run independence-bench judge-check with the same judge."
        yield ModelWarning(kind="judge-not-checked", text=text)


def combined_otherwise(session: Session) -> list[str]:
    """Return a note where the scores of several judges are not combined by their mean, as those of our editions are."""
    how = session.edition.aggregation
    if how == MEAN or len(session.panel) < 2:
        return []
    return [f"The scores of the {len(session.panel)} judges are combined by {how!r}, not by their mean."]


def grave(warnings: Iterable[ModelWarning]) -> list[ModelWarning]:
    """Return those about judges that a heading does not say: it names every judge with its check."""
    return [warning for warning in warnings if warning.kind in ("judge-failed", "offline-judge")]


def doubtful(warnings: Iterable[ModelWarning]) -> bool:
    """Return whether one of the warnings stands in the way of a rank."""
    return any(warning.doubted for warning in warnings)


def clauses(warnings: Sequence[ModelWarning]) -> str:
    """Return the warnings about one model as one clause."""
    return "; ".join(warning.text for warning in warnings)


def warning_sentences(
    judges: Iterable[ModelWarning], models: Iterable[tuple[str, Sequence[ModelWarning]]]
) -> Iterator[str]:
    """Yield a sentence for each warning about a judge, then one for each model (its name, its warnings) with any."""
    yield from (warning.text for warning in judges)
    yield from (f"{name}: {clauses(warnings)}." for name, warnings in models if warnings)
