"""The catalogue: configs/ read, validated, overlaid and resolved. Knows files and rows; no network, no store."""

from independence_bench.catalog.catalogue import Catalogue, load_edition

__all__ = ["Catalogue", "load_edition"]
