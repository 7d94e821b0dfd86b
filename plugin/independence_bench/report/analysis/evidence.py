"""What the judges of a panel quote from the answers that they judge, by judge and rubric."""

from collections import defaultdict
from collections.abc import Sequence

from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.scoring.quotations import Quotations, quotations_found, total_quotations
from independence_bench.store import Store


def quotations_by_judge(
    store: Store, models: Sequence[Sequence[PlannedTrial]], judges: int
) -> list[dict[str, Quotations]]:
    """Return each judge's quotations by rubric id, in the panel's order; texts are read one model at a time."""
    counts: list[defaultdict[str, list[Quotations]]] = [defaultdict(list) for _ in range(judges)]
    for trials in models:
        judged = [trial for trial in trials if trial.transcript and any(trial.verdicts)]
        said = store.transcript_bodies({trial.transcript.key for trial in judged if trial.transcript})
        told = store.verdicts({verdict.key for trial in judged for verdict in trial.verdicts if verdict})
        for trial in judged:
            assert trial.transcript is not None  # as selected
            answers = [exchange.reply.answer for exchange in said[trial.transcript.key].exchanges]
            for own, verdict in zip(counts, trial.verdicts, strict=False):
                if verdict is not None and verdict.key in told:
                    own[verdict.rubric_id].append(quotations_found(told[verdict.key].reasoning, answers))
    return [{rubric: total_quotations(own[rubric]) for rubric in sorted(own)} for own in counts]
