"""``python -m independence_bench.cli``: the command where its script is not on the path."""

import sys

from independence_bench.cli import main

sys.exit(main())
