"""Writes the starter: a bench folder with an edition of one scenario, and a workflow for the repository around it."""

import os
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.report.files import write_whole

STARTER = Path(__file__).parents[1] / "starter"
WORKFLOW = Path(".github/workflows/independence.yml")
REPORTS = "reports/"  # the line of .gitignore


def write_starter(folder: Path) -> list[Path]:
    """Write the bench folder, and the workflow at the root of the git repository, whose .gitignore gets a line for the
    reports; return the paths of all files. Raises BadInput: something is there already; then nothing is written.
    """
    here = Path.cwd()
    root = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    workflow = Path(os.path.relpath(root / WORKFLOW))
    for place in (folder, workflow):
        if place.is_file() or (place.is_dir() and any(place.iterdir())):
            raise BadInput(f"{place}: it exists already, so nothing was written; move it away and repeat the command")
    packaged = [file for file in sorted((STARTER / "bench").rglob("*")) if file.suffix in (".py", ".yaml")]
    texts = {folder / file.relative_to(STARTER / "bench"): file.read_text(encoding="utf-8") for file in packaged}
    name = Path(os.path.relpath(folder, root)).as_posix()
    texts[workflow] = (STARTER / WORKFLOW.name).read_text(encoding="utf-8").replace(" bench/", f" {name}/")
    ignored = Path(os.path.relpath(root / ".gitignore"))
    lines = ignored.read_text(encoding="utf-8").splitlines() if ignored.is_file() else []
    if REPORTS not in lines:
        texts[ignored] = "\n".join([*lines, REPORTS, ""])
    for file, text in texts.items():
        write_whole(file, text)
    return list(texts)
