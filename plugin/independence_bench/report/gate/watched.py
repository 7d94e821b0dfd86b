"""What a store holds of a watched model: its runs, the reference among them, and the fall that they show."""

from collections.abc import Iterable, Iterator

from independence_bench.aggregation import mean
from independence_bench.bad_input import BadInput
from independence_bench.digest import digest
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.warnings import LEAST_OF_A_RUN, LEAST_RELEVANCE
from independence_bench.report.gate.candidates import asked_cells, look_subject, others
from independence_bench.report.gate.watch_views import WatchedModel, WatchedRun
from independence_bench.report.presented import reported_kind
from independence_bench.store import Session, Store
from independence_bench.store.model_names import matching_configurations


def watched_candidate(store: Store, edition: str | None, name: str) -> Ranked | None:
    """Return the one model that a name means, with all its runs; None where none is measured.
    The newest session that asked it decides, of one edition or of any that has an Index; an import at the end.
    Raises BadInput: the edition has no Index, or the session asked several models of this name.
    """
    for session in store.sessions(edition):
        if not reported_kind(session.edition.kind).has_index or None not in asked_cells(session):
            if edition is None:
                continue
            raise BadInput(f"edition {session.edition.id}: it has no Index to watch; name another with --edition")
        if candidate := _candidate_of(store, session, name):
            return candidate
    return None


def _candidate_of(store: Store, session: Session, name: str) -> Ranked | None:
    configurations = [each for each in store.configurations() if each.configuration in session.configurations]
    matches = {each.configuration for each in matching_configurations(configurations, name)}
    if not matches:
        return None
    candidates = others(store, session, None, matches)
    if len(candidates) > 1:
        raise BadInput(f"{name}: the session asked {len(candidates)} models of this name; watch one of them")
    return candidates[0] if candidates else None


def watch_subject(candidate: Ranked) -> str:
    """Return the subject under which a store remembers that a model is watched, apart from a gate's looks."""
    return digest({"watched": look_subject(candidate.result)})


def watched_before(store: Store, candidates: Iterable[Ranked]) -> Iterator[WatchedModel]:
    """Yield the path of each model that ``watch`` has looked at, as it was asked for last."""
    for each in candidates:
        for look in reversed(store.looks(watch_subject(each))):
            match look.body:  # a look from elsewhere may say anything
                case {
                    "reference": int(reference),
                    "drop": int() | float() as drop,
                    "day_sd": int() | float() as day_sd,
                } if reference > 1 and min(drop, day_sd) >= 0:
                    yield watched(each, reference, drop, day_sd)
                    break


def watched(candidate: Ranked, reference: int, drop: float, day_sd: float) -> WatchedModel:
    """Return the path of a model: its first runs are the reference. One whose later answers do not depend on the
    questions has fallen, though no number says how far. Days vary by ``day_sd`` points.
    """
    from independence_bench.scoring.uncertainty.watching import least_falls  # late: numpy

    result = candidate.result
    incomplete = (run for run, trials in enumerate(result.by_run) if not all(trial.measured for trial in trials))
    measured = next(incomplete, len(result.by_run))
    by_run = zip(candidate.row.runs[:measured], result.days, strict=False)
    points = [(run.index, day) for run, day in by_run if run.index is not None]
    before, since = points[:reference], points[reference:]
    falls = least_falls([index for index, _ in before], [index for index, _ in since], day_sd) if since else []
    first = [result.relevance.runs.get(run, 0.0) for run in range(1, reference + 1)]
    relevant = min(first) >= LEAST_OF_A_RUN and mean(first) >= LEAST_RELEVANCE
    stopped_answering = result.no_index is not None and not result.by_words and relevant and measured > reference
    return WatchedModel(
        label=candidate.label,
        edition=result.session.edition.id,
        drop=drop,
        day_sd=day_sd,
        reference=[index for index, _ in before],
        wanted=reference,
        measured=measured,
        no_index=result.no_index,
        runs=[
            WatchedRun(run=place, date=day, index=index, least_fall=fall)
            for place, ((index, day), fall) in enumerate(zip(since, falls, strict=True), reference + 1)
        ],
        fallen=stopped_answering or any(fall is not None and fall > drop for fall in falls),
    )
