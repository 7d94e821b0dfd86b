"""The registry of readers for ``import``, ``merge`` and ``compare``. A new kind of source is one more entry."""

from independence_bench.published_cache import PUBLISHED_CACHE, PUBLISHED_SCORES
from independence_bench.store.source_kinds import EXPORT, STORE

READERS = (STORE, EXPORT, PUBLISHED_CACHE, PUBLISHED_SCORES)
