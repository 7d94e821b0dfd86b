"""How embedded models answer twins: each grants or declines as it is made."""

from independence_bench.kinds.twins.embedded.granters import grant

EMBEDDED = grant
