"""Comparison of two models. Only the command ``compare`` loads it, and with it numpy and scipy."""

from independence_bench.report.comparison.comparison_markdown import comparison_markdown
from independence_bench.report.comparison.comparison_text import comparison_text
from independence_bench.report.comparison.differences import build_comparison
from independence_bench.report.comparison.found import Comparison
from independence_bench.report.comparison.side import Side

__all__ = ["Comparison", "Side", "build_comparison", "comparison_markdown", "comparison_text"]
