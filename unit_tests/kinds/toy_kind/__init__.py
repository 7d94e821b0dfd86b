"""A kind of edition as another package would add one: this folder and one entry point."""

from independence_bench.kind_registry import KindEntry

KIND = KindEntry("toy_kind", "toys")
