"""The relevance of answers: ``python benchmarks/relevance_table.py STORE …``.

A STORE is a file that sessions have written, or an export of one; published_export.py makes one of a published cache.
Prints each model's relevance with its interval, all runs together, and the least and greatest of its single runs.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from independence_bench.report.analysis.answer_relevance import answer_relevance
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.store import Store
from independence_bench.store.source_kinds import open_source


def rows(store: Store) -> Iterator[tuple[object, ...]]:
    """Yield every model of a store's newest session."""
    session = store.newest_session()
    assert session is not None, "a store without a session has no models"
    for entry in ranked_models(store, session).entries:
        runs = [answer_relevance(store, trials).overall for trials in entry.result.by_run]
        single = [run.value for run in runs if run]
        row, overall = entry.row, entry.result.relevance.overall
        ends = "–" if row.relevance_interval is None else "–".join(f"{end:.3f}" for end in row.relevance_interval)
        yield (
            row.label,
            len(overall.shares) if overall else 0,
            row.relevance,
            ends,
            len(single),
            min(single, default=None),
            max(single, default=None),
        )


def main() -> None:
    """Print one table."""
    heads = ("model", "answers", "relevance", "95 %", "runs", "least run", "greatest run")
    found = [row for path in sys.argv[1:] for row in _of_path(Path(path))]
    print(tabulate(found, heads, tablefmt="github", floatfmt=".3f", missingval="–"))
    print(f"\n{len(found)} models, the least {min((row[2] for row in found if row[2]), default=0):.3f}")


def _of_path(path: Path) -> list[tuple[object, ...]]:
    with open_source(path).store as store:
        return [*rows(store)]


if __name__ == "__main__":
    main()
