"""What a gate says beside its answers: the next step, the dates of the runs, and what to know of the evidence."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches

from independence_bench.report.analysis.row import REPLACED
from independence_bench.report.analysis.warnings import warning_sentences
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gate_result import GatedModel, Next
from independence_bench.scoring.held import Answer
from independence_bench.scoring.uncertainty import LEAST_DAYS

NO_BASELINE = "no baseline yet"
NOT_ALL = "not all planned trials are measured"


def next_step(
    models: Sequence[GatedModel], answer: Answer, command: Callable[[int | None], str], together: bool
) -> Next | None:
    """Return what would decide: first the missing trials, then as many runs as the slowest undecided model needs;
    ``together``: the command measures the baseline, too.
    """
    if answer != "inconclusive":
        return None
    models = [model for model in models if not model.no_index]  # more answers of this sort give no Index either
    # No run decides what has no baseline.
    criteria = [each for model in models for each in model.criteria if each.reason != NO_BASELINE]
    open_ones = [each for each in criteria if each.answer == "inconclusive"]
    reasons = {missing.reason for model in models for missing in model.missing}
    if reasons == {REPLACED} or not open_ones:
        return None  # the same suite would replace them again
    if any(each.estimate is None for each in open_ones):
        return Next(runs=None, command=command(None))
    if any(each.advised is None and each.runs_to_decide is None for each in open_ones):
        return Next(runs=None, command=command(None)) if reasons else None
    runs = max(each.advised or each.runs_to_decide or 0 for each in open_ones)
    baseline = max((each.advised_baseline or 0 for each in open_ones), default=0)
    if together:
        runs, baseline = max(runs, baseline), 0
    runs_there = max((model.baseline.runs for model in models if model.baseline), default=0)
    return Next(runs=runs, command=command(runs), baseline_runs=baseline if baseline > runs_there else None)


def days_sentence(days: Sequence[str]) -> str:
    """Return what the dates of a model's runs mean for its interval."""
    dates = len(set(days))
    if dates >= LEAST_DAYS:
        return f"its {dates} dates are the clusters of the interval"
    return f"this holds for the day of the measurement: --runs-over-days needs {LEAST_DAYS} dates, and there is {dates}"


def gate_notes(models: Sequence[GatedModel], strange: bool, criteria: Criteria, absent: str | None) -> Iterator[str]:
    """Yield what to know of the evidence; ``absent`` says why there is no baseline though the criteria name one."""
    if absent and (file := criteria.baseline):
        near = get_close_matches(file.name, (each.name for each in file.parent.glob("*")), n=1, cutoff=0.8)
        mistyped = f" (did you mean {near[0]}?)" if near not in ([], [file.name]) else ""
        yield f"{absent}: this job's file becomes the baseline, once it is kept as {file.name}{mistyped}"
    if strange:
        yield (
            "the trials in the store are not those of this plan: another version of the package or another protocol "
            "asked them; run the session's command again"
        )
    for model in models:
        against = [(f"{model.label}'s baseline {base.label}", base.warnings)] if (base := model.baseline) else []
        beside = [warning for warning in model.warnings if not warning.withholds]  # those are the answer's reason
        yield from warning_sentences([], [(model.label, beside), *against])
        if model.not_accepted:
            doubts = ",".join(model.not_accepted)
            yield f"{model.label}: not decided for this reason; add --accept={doubts} to decide all the same."
    for model in models:
        if any(missing.reason == REPLACED for missing in model.missing):
            yield f"{model.label}: what overridden fixtures replace is measured only by a suite without them"
        if model.overruled:
            end = f"an end at {model.max_runs} runs" if model.max_runs else "one look"
            yield (
                f"{model.label}: the first look planned {end}, and that stays in force; "
                f"--max-runs={criteria.max_runs} does not change how the error is spent"
            )
        if model.baseline is not None and model.baseline.measured_apart:
            yield (
                f"{model.baseline.label} was measured on {model.baseline.measured_apart}, not side by side with "
                f"{model.label}: stored answers are never requested again; give both a new --store"
            )
        if model.baseline is not None and model.baseline.identity == model.identity:
            yield (
                f"{model.label} is compared with itself: the baseline has the same model, sampling and build, and the "
                "same endpoint or --label; if something else is served now, measure it with another --build"
            )
