"""What each chunk of data holds. Renders no HTML and writes no file.

Chunks name scenarios, judges and scores by their places in the view's lists, so that no foreign text is ever a key.
"""

from independence_bench.report.site.data.answer_data import answers_data
from independence_bench.report.site.data.model_data import model_data
from independence_bench.report.site.data.overview import overview_data
from independence_bench.report.site.data.prompts import prompts_data
from independence_bench.report.site.data.scenario_data import scenario_data
from independence_bench.report.site.data.shared_texts import SharedTexts

__all__ = ["SharedTexts", "answers_data", "model_data", "overview_data", "prompts_data", "scenario_data"]
