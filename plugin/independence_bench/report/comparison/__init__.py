"""Two models against each other: the difference, what it rests on, the scenarios responsible, both sides' words.

Kept apart from the rest of the reports: only the command ``compare`` loads it, and with it numpy and scipy.
"""

from independence_bench.report.comparison.building import build_comparison
from independence_bench.report.comparison.found import Comparison
from independence_bench.report.comparison.markdown import comparison_markdown
from independence_bench.report.comparison.side import Side
from independence_bench.report.comparison.text import comparison_text

__all__ = ["Comparison", "Side", "build_comparison", "comparison_markdown", "comparison_text"]
