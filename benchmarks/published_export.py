"""Writes what the predecessor published as an export, which ``independence-bench import FILE`` reads.

``python benchmarks/published_export.py CACHE FILE`` takes a folder of its published cache: answers, verdicts and names.
``python benchmarks/published_export.py`` writes the export that is packaged: configs/published_scores/scores.jsonl.gz,
from the two tables of benchmarks/published_scores.
"""

import gzip
import sys
from pathlib import Path

from published_cache.cache_import import read_published_cache
from published_cache.score_tables import read_published_scores

from independence_bench.bad_input import BadInput
from independence_bench.store import Store

HERE = Path(__file__).resolve().parent
TABLES = HERE / "published_scores"
PACKAGED = HERE.parent / "configs" / "published_scores" / "scores.jsonl.gz"


def export_of_tables(folder: Path = TABLES) -> bytes:
    """Return the export of the published verdicts."""
    with read_published_scores(folder) as store:
        return "".join(store.export_lines(None)).encode("ascii")


def export_of_cache(folder: Path) -> tuple[bytes, str]:
    """Return the export of a published cache, and a summary of it."""
    cache = read_published_cache(folder)
    with Store.empty() as store:
        cache.write(store)
        return "".join(store.export_lines(None)).encode("ascii"), cache.summary.text()


def main() -> None:
    """Write one file."""
    match sys.argv[1:]:
        case []:
            PACKAGED.write_bytes(gzip.compress(export_of_tables(), mtime=0))
        case [cache, file]:
            try:
                export, summary = export_of_cache(Path(cache))
                Path(file).write_bytes(export)
            except (BadInput, OSError) as error:
                sys.exit(str(error))
            print(summary)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
