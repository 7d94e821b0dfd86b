"""The predecessor's published cache as a source, known to the readers of ``import`` alone."""

from pathlib import Path

from independence_bench.published_cache.recorded_files import is_published_cache
from independence_bench.store.source_kinds import Source, SourceReader


def _read(path: Path) -> Source:
    from independence_bench.published_cache.cache_import import read_published_cache  # late: merging needs none of it

    return read_published_cache(path).source(path)


PUBLISHED_CACHE = SourceReader("the published cache", is_published_cache, _read)
