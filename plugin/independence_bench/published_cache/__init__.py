"""What the predecessor published, its cache or its verdicts alone, as sources known to the readers of ``import``."""

from pathlib import Path

from independence_bench.published_cache.recorded_files import is_published_cache
from independence_bench.store.source_kinds import Source, SourceReader


def _read(path: Path) -> Source:
    from independence_bench.published_cache.cache_import import read_published_cache  # late: merging needs none of it

    return read_published_cache(path).source(path)


PUBLISHED_CACHE = SourceReader("the published cache", is_published_cache, _read)


def _read_scores(path: Path) -> Source:
    from independence_bench.published_cache.published_scores import read_published_scores  # late, as above

    return read_published_scores(path)


PUBLISHED_SCORES = SourceReader(
    "published scores", lambda path: all((path / name).is_file() for name in ("models.csv", "scores.csv")), _read_scores
)
