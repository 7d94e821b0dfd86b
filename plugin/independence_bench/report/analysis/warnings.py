"""Reasons to doubt a number, found in a model's answers and in its judges: as data, and each as one sentence."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal

from independence_bench.aggregation import MEAN
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.gate_file import Acceptable
from independence_bench.counted import counted
from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.model_ids import same_model
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.report_data import ReportData
from independence_bench.spec import PanelJudge, is_embedded
from independence_bench.store import Configuration, Session, Store, TrialRow

MODELS_NAMED = 10  # models whose warnings are notes; those of the others are in their rows only
WARNED_SHARE = 0.1  # share of conversations or answers from which a fault is a warning
DOUBTED_SHARE = 0.5
"""Share of conversations below which delivery leaves a model without a rank and a gate without an answer."""
SETTLED_RUNS = 3  # runs below which a row is provisional

WarningKind = (
    Acceptable
    | Literal["offline-judge", "relevance", "also-judges", "cut-off", "nothing-to-keep"]
    | Literal["judge-failed", "judge-outdated", "judge-not-checked"]
)


HEURISTIC: WarningKind = "offline-judge"  # no judge has understood the answers
IRRELEVANT: WarningKind = "relevance"  # the answers do not depend on the questions


class ModelWarning(ReportData):
    """One reason to doubt the numbers of a model, or of every model that a judge scored."""

    kind: WarningKind
    text: str  # a clause about a model, without its label; a whole sentence about a judge
    doubted: bool = False  # true where the model is not ranked, and no gate decides on it unless this is accepted

    @property
    def withholds(self) -> bool:
        """True where no number is given in spite of scores: no judge understood the answers, or they answer nothing."""
        return self.doubted and self.kind in (HEURISTIC, IRRELEVANT)


PLAIN_EDITIONS = {"v2": "v2-plain"}  # by edition: the one that asks the same by user messages, with a board of its own
LEAST_RELEVANCE, CLEAR_RELEVANCE, LEAST_OF_A_RUN = 0.7, 0.8, 0.6
"""Below the first there is no Index, below the second a warning; one run below the third costs the Index, too. Runs of
real models have 0.82 to 0.99, programs that answer everything alike 0.38 to 0.67 (docs/methodology.md)."""


def model_warnings(store: Store, result: ModelResult, facts: Configuration) -> list[ModelWarning]:
    """Return the warnings about the answers of a model, whose relevance is known, the gravest first."""
    relevance = [*_of_relevance(result)]
    understood = [*_by_heuristics(result, facts.model_id, curable=not doubtful(relevance))]
    withheld = any(warning.withholds for warning in (*relevance, *understood))
    return [
        *relevance,
        *understood,
        *_as_judge(result, facts),
        *_nothing_to_keep(result, withheld),
        *sorted(_of_answers(store, result, facts.model_id), key=lambda warning: not warning.doubted),
    ]


def _by_heuristics(result: ModelResult, model_id: str, curable: bool) -> Iterator[ModelWarning]:
    """A real model that only heuristics judged: they do not understand what they read."""
    if not is_embedded(model_id) and result.panel and not _understanding(result.panel):
        judges = " and ".join(judge.label for judge in result.panel)
        text = f"judged by {judges} alone, which only {'compare' if len(result.panel) > 1 else 'compares'} words"
        remedy = "independence-bench judge --judge=NAME gives them an Index without asking the model again"
        text += f"; its answers are stored, and {remedy}" if curable else ""
        yield ModelWarning(kind=HEURISTIC, text=text, doubted=True)


def _understanding(panel: Sequence[PanelJudge]) -> list[PanelJudge]:
    """Return the judges of a panel that are no heuristics."""
    return [judge for judge in panel if not judge.heuristic]


def _of_relevance(result: ModelResult) -> Iterator[ModelWarning]:
    overall, runs = result.relevance.overall, result.relevance.runs
    if overall is None:
        return
    value, where = overall.value, ""
    least = min(runs, key=lambda run: runs[run], default=None)
    if value >= LEAST_RELEVANCE and least is not None and runs[least] < LEAST_OF_A_RUN:
        value, where = runs[least], f" in run {least}"
    if value < CLEAR_RELEVANCE:
        doubted = value < LEAST_RELEVANCE
        how = "do not depend" if doubted else "hardly depend"
        text = f"its answers{where} {how} on the questions (relevance {value:.2f}; chance is 0.5)"
        yield ModelWarning(kind=IRRELEVANT, text=text, doubted=doubted)


def _as_judge(result: ModelResult, facts: Configuration) -> Iterator[ModelWarning]:
    own = [same_model(judge, facts) for judge in _understanding(result.panel)]
    if own and all(own):
        yield ModelWarning(kind="self-judge", text="the model is its only judge", doubted=True)
    elif any(own):
        yield ModelWarning(kind="also-judges", text="is also a judge of this board: see its preference for itself")


def _of_answers(store: Store, result: ModelResult, model_id: str) -> Iterator[ModelWarning]:
    asked = [trial.transcript for trial in result.trials if trial.transcript]
    kept = sum(row.delivery_kept for row in asked)
    answers, cut_off = sum(row.answers for row in asked), sum(row.cut_off for row in asked)
    if len(asked) - kept >= WARNED_SHARE * len(asked) > 0:
        doubted = kept < DOUBTED_SHARE * len(asked)
        remedy = _remedy(store, asked, result.session.edition.id, doubted)
        text = f"delivered as asked in {kept} of {len(asked)} conversations{remedy}"
        yield ModelWarning(kind="delivery", text=text, doubted=doubted)
    if cut_off and cut_off >= WARNED_SHARE * answers:
        text = f"{cut_off} of {answers} answers cut off at the token limit"
        yield ModelWarning(kind="cut-off", text=text)


def _nothing_to_keep(result: ModelResult, withheld: bool) -> Iterator[ModelWarning]:
    """Trials whose outcome has a word of a rule's own instead of *yielded*, with the most that their holding adds."""
    words = {rule.otherwise for trial in result.trials for rule in trial.scenario.passes if rule.otherwise}
    asked = [trial for trial in result.trials if any(rule.otherwise for rule in trial.scenario.passes)]
    without = [trial for trial in asked if trial.outcome.word in words]
    if not without or len(without) < WARNED_SHARE * len(asked):
        return
    text = f"{without[0].outcome.word} in {len(without)} of {counted(len(asked), 'conversation')}"
    if not withheld and result.sample:
        planned = Counter(trial.scenario.id for trial in result.trials)
        worths = ((each, each.outcome.worth) for each in without)
        lost = [(1 - (each.outcome.share or 0)) * of.worth / planned[each.scenario.id] for each, of in worths if of]
        text += f" (had these held, its Index would be at most {result.sample.mean + sum(lost):.1f})"
    yield ModelWarning(kind="nothing-to-keep", text=text)


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
    return any(exchange["reply"].get("written_call") for exchange in transcript["exchanges"])


def judge_warnings(
    heuristics: Collection[str], checks: Iterable[CheckedJudge], edition: Edition | None = None
) -> list[ModelWarning]:
    """Return the warnings about judges by their checks; ``heuristics`` are the labels of those that are ones. The known
    answers say nothing of judges of an ``edition`` that has only its own rubrics.
    """
    rubrics = {each.rubric.id for each in edition.scenarios if each.rubric} if edition else set()
    own = bool(rubrics) and rubrics.isdisjoint(Catalogue().stems("rubrics"))
    return [warning for each in checks for warning in _of_judge(each, each.judge in heuristics, own)]


def _of_judge(judge: CheckedJudge, heuristic: bool, own: bool) -> Iterator[ModelWarning]:
    failed = ["not passed"] if judge.state == "not passed" else []
    known = "of an own rubric" if own and judge.state == "not checked" else judge.state
    for state in [*failed, "heuristic"] if heuristic else [known]:
        if declared := packaged_yaml(__package__, "judge_warnings.yaml").get(state):
            text = declared["text"].format(name=judge.judge, remark=judge.remark)
            yield ModelWarning(kind=declared["kind"], text=text)


def unchecked(checks: Iterable[CheckedJudge], heuristics: Collection[str]) -> bool:
    """Return whether no judge, these heuristics apart, has passed its check in this store."""
    states = [check.state for check in checks if check.judge not in heuristics]
    return bool(states) and "passed" not in states


def combined_otherwise(session: Session) -> list[str]:
    """Return a note where the scores of several judges are not combined by their mean, as those of our editions are."""
    how = session.edition.aggregation
    if how == MEAN or len(session.panel) < 2:
        return []
    return [f"The scores of the {len(session.panel)} judges are combined by {how!r}, not by their mean."]


def grave(warnings: Iterable[ModelWarning]) -> list[ModelWarning]:
    """Return those about judges that a heading does not say: it names every judge with its check."""
    return [warning for warning in warnings if warning.kind in ("judge-failed", HEURISTIC)]


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
