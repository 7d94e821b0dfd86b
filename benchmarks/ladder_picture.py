"""Draws docs/ladder.svg, six runs of the embedded models on edition ladder: ``python benchmarks/ladder_picture.py``."""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "ladder.svg"
MODELS = ("steadfast", "diplomat", "deferent", "weathervane")


def draw(to: Path) -> None:
    """Measure the models in a folder of its own, make its site and keep the picture."""
    with TemporaryDirectory() as folder:
        models = [f"--model=offline/{name}" for name in MODELS]
        run = [sys.executable, "-m", "independence_bench.cli"]
        for words in (["run", "--edition=ladder", "--runs=6", "-q", *models], ["site"]):
            subprocess.run([*run, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        shutil.copyfile(Path(folder) / "reports" / "site" / "figures" / "ladder.svg", to)


if __name__ == "__main__":
    draw(PICTURE)
