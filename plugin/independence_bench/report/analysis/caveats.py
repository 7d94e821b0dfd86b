"""What every board says of its rows, and which of them are one model under several names. Ranks nothing.

The best of several measurements of one model is higher by chance alone, so readers are told which rows belong together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from independence_bench.counted import counted
from independence_bench.report.analysis.marks import explained
from independence_bench.report.analysis.model_ids import base_model, served_by
from independence_bench.report.analysis.ranked import Ranked, RankedModels
from independence_bench.report.analysis.records import CellKey
from independence_bench.spec import is_embedded


def caveats(models: RankedModels) -> Iterator[str]:
    """Yield whose data it is, a sentence for each mark, for rows of one model, and for whatever is left out."""
    if models.entries and (source := models.entries[0].result.session.edition.source):
        yield source.sentence
    yield from explained(entry.row.marks for entry in models.entries)
    yield from rows_of_one_model(models.entries)
    if models.replaced:
        trials = counted(models.replaced, "planned trial")
        yield f"Overridden fixtures asked something else in place of {trials}."
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


Conversation = tuple[CellKey, str]  # what was asked, and the hash of what was said

SAME = 0.5  # share of equal conversations from which two rows count as one measurement
NAMED = 6  # rows that a sentence names, and sentences of each sort


def rows_of_one_model(entries: Sequence[Ranked]) -> Iterator[str]:
    """Yield a sentence for every model with several rows of the edition's own configurations."""
    rows = [each for each in entries if each.own and each.row.transcripts and not is_embedded(each.row.model_id)]
    asked: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for row in (entry.row for entry in rows):
        served = served_by(row.model_id, row.provider)
        settings = row.temperature, row.reasoning_effort
        asked[base_model(row.model_id), served, *settings, row.build].append(row.label)  # builds differ on purpose
    alike = [labels for labels in asked.values() if len(labels) > 1]
    for labels in alike[:NAMED]:
        yield (
            f"One model at the same settings under {len(labels)} names: {_named(labels)}. Read these rows together: "
            "the best of several is higher by chance alone."
        )
    for labels in [*_answered_alike(rows)][:NAMED]:
        yield f"{_named(labels)} hold the same conversations: they are one measurement under {len(labels)} names."


def _answered_alike(rows: Iterable[Ranked]) -> Iterator[list[str]]:
    """Yield the labels of rows of which each shares most of its conversations with another."""
    seen: set[str] = set()
    several: set[str] = set()
    """Conversations of more than one row: few, where a board may have a million conversations."""
    rows = list(rows)
    for entry in rows:
        own = {trial.transcript.transcript_hash for trial in entry.result.trials if trial.transcript}
        several |= own & seen
        seen |= own
    conversations = [_conversations(entry) for entry in rows] if several else []
    shared = [{each for each in own if each[1] in several} for own in conversations]
    group = list(range(len(conversations)))
    for first, second in combinations(group, 2):
        count = len(shared[first] & shared[second])
        if count and count >= SAME * min(len(conversations[first]), len(conversations[second])):
            kept, given_up = sorted((group[first], group[second]))
            group = [kept if each == given_up else each for each in group]
    for kept in sorted(set(group)):
        if group.count(kept) > 1:
            yield [entry.row.label for entry, each in zip(rows, group, strict=True) if each == kept]


def _conversations(entry: Ranked) -> set[Conversation]:
    return {(trial.cell, trial.transcript.transcript_hash) for trial in entry.result.trials if trial.transcript}


def _named(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return ", ".join(sorted(labels)[:NAMED]) + more
