"""The command ``independence-bench roles``: answer files in, role-stability metrics out as JSON. Thin."""

import argparse
import json
from pathlib import Path

EXAMPLE = """\
An answer file is JSON: for each context the questionnaire asked and one row of item scores per persona, the same
personas in the same order everywhere; null where an answer could not be read.

  {"model": "my-model",
   "contexts": {
     "no_conversation": {"questionnaire": "pvq", "answers": [[4, 2, null, ... 40 scores], ... one row per persona]},
     "after_chess":     {"questionnaire": "pvq", "answers": [...]},
     "again":           {"questionnaire": "pvq", "retest_of": "no_conversation", "answers": [...]},
     "survey":          {"questionnaire": "svs", "answers": [[7, -1, ... 57 scores], ...]}}}

pvq is the 40-item portrait questionnaire (scores 1 to 6), svs the 57-item value survey (-1 to 7); a file may define
others under "questionnaires". Whatever is undefined is null and listed, with the reason, under "undefined".

examples:
  independence-bench roles my-model.json
  independence-bench roles my-model.json other-model.json > ranking.json
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the subcommand ``roles``."""
    parser = subparsers.add_parser(
        "roles",
        help="role-stability metrics of item answers",
        description="Compute rank-order stability, circumplex Stress, factor structure and the Cardinal score of the "
        "answers in FILE and print them as JSON; several files are also ranked against each other.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="an answer file, one per model")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the analysis; raises BadInput where a file cannot be used."""
    from independence_bench.kinds.roles.metrics import analyse

    files: list[Path] = arguments.files
    result = analyse(files[0] if len(files) == 1 else files)
    print(json.dumps(result, indent=2, allow_nan=False))
    return 0
