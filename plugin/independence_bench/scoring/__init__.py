"""Pure functions from verdicts to numbers: pass marks, components, the Independence Index and its bounds. No I/O."""

from independence_bench.scoring.components import Bounds as Bounds
from independence_bench.scoring.components import MissingComponent as MissingComponent
from independence_bench.scoring.components import PanelScores as PanelScores
from independence_bench.scoring.components import RunScores as RunScores
from independence_bench.scoring.components import completed as completed
from independence_bench.scoring.components import component_values as component_values
from independence_bench.scoring.components import compute_index as compute_index
from independence_bench.scoring.components import index_bounds as index_bounds
from independence_bench.scoring.components import index_or_none as index_or_none
from independence_bench.scoring.components import mean_over_runs as mean_over_runs
from independence_bench.scoring.held import held as held
from independence_bench.scoring.held import outcome_word as outcome_word
from independence_bench.scoring.held import pass_sentence as pass_sentence
