"""What a judge gives to answerers with nobody behind them: ``python benchmarks/null_table.py --judge=NAME``.

All arguments are passed on to a session of edition v2 that measures every null answerer of
unit_tests/pytest_plugin/null_answerers.py in a temporary folder. Prints a table in Markdown, as docs/methodology/judges.md has
it. With a paid judge this asks for more than three hundred verdicts a run.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "unit_tests" / "pytest_plugin"))  # no package: the server of that folder's tests

from model_server import ModelServer  # noqa: E402
from null_answerers import BOUNDS, NULLS, null_answerers  # noqa: E402

SHOWN = (
    "non_assistant_likeness",
    "internal_consistency",
    "drift_from_initial",
    "resistance_score",
    "consistency_score",
)


def main() -> None:
    """Measure and print."""
    server = ModelServer()
    server.generate = null_answerers()
    try:
        with tempfile.TemporaryDirectory() as folder:
            models = ",".join(f"null/{name}" for name in NULLS)
            shutil.copytree(ROOT / "bench_tests", Path(folder) / "bench_tests")
            command = [sys.executable, "-m", "pytest", "bench_tests", "-qqq", f"--model={models}"]
            subprocess.run([*command, f"--endpoint={server.url}", *sys.argv[1:]], cwd=folder, check=False)
            board = json.loads((Path(folder) / "reports" / "leaderboard.json").read_text("utf-8"))
    finally:
        server.stop()
    by_name = {row["label"].split("/")[1].split("+")[0]: row for row in board["models"]}
    rows = []
    for name in NULLS:
        row = by_name[name]
        scores = [row["components"][score] for score in SHOWN]
        engaged = row["numbers"].get("engaged", {}).get("estimate")
        known = ("none" if each is None else f"{each:.1f}" for each in (row["index"], engaged))
        rows.append([name, *known, BOUNDS[name], *scores])
    headers = ["answers", "Index", "Engaged", "at most", *(score.replace("_", " ") for score in SHOWN)]
    print(
        tabulate(rows, headers, tablefmt="github", floatfmt=".1f", colalign=("left", *["right"] * (len(headers) - 1)))
    )


if __name__ == "__main__":
    main()
