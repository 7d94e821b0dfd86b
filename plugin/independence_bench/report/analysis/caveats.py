"""What every board says of its rows. Ranks nothing."""

from collections.abc import Iterator

from independence_bench.counted import counted
from independence_bench.report.analysis.marks import explained
from independence_bench.report.analysis.ranked import RankedModels
from independence_bench.report.analysis.same_model import same_model


def caveats(models: RankedModels) -> Iterator[str]:
    """Yield a sentence for each mark, for rows of the same model, and for whatever is left out."""
    yield from explained(entry.row for entry in models.entries)
    yield from same_model(models.entries)
    if models.superseded:
        yield f"Left out: {models.superseded} of earlier versions of the embedded models."
    if models.unanswered:
        yield f"Left out: {counted(models.unanswered, 'model')} of earlier sessions without an answer for this edition."
    if models.lost:
        yield (
            f"Lost with a process that died, and measured again since: {counted(models.lost, 'trial')}. What "
            "these calls cost is not known and in no sum."
        )
    if models.unreadable:
        yield models.unreadable
