"""The catalogue: configs/ read, validated, overlaid and resolved. Knows files and rows; no network, no store."""

from independence_bench.catalog.catalogue import Catalogue

__all__ = ["Catalogue"]
