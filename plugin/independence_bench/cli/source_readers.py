"""What ``import``, ``merge`` and ``compare`` can read: the registry of readers. Another kind of source is one more."""

from independence_bench.published_cache import PUBLISHED_CACHE
from independence_bench.store.source_kinds import EXPORT, STORE

READERS = (STORE, EXPORT, PUBLISHED_CACHE)
