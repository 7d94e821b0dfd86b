"""How embedded models answer dossiers: each moves for something else."""

from independence_bench.kinds.dossiers.embedded.stances_taken import take_stance

EMBEDDED = take_stance
