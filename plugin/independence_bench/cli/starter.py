"""Writes the starter: a bench folder with an edition of one scenario, and a workflow for the repository around it."""

import os
from collections.abc import Iterator
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.report.files import write_whole

STARTER = Path(__file__).parents[1] / "starter"
WORKFLOW = Path(".github/workflows/independence.yml")
REPORTS = "reports/"  # the line of .gitignore


def write_starter(folder: Path) -> Iterator[str]:
    """Write the bench folder, and the workflow at the root of the repository around it, whose .gitignore gets a line
    for the reports; yield a line for each file. Raises BadInput: the folder is there already; then nothing is written.
    """
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise BadInput(f"{folder}: it exists already, so nothing was written; move it away and repeat the command")
    here, place = Path.cwd(), Path(os.path.abspath(folder))  # noqa: PTH100 -- resolves no link
    beside = here if place.is_relative_to(here) else place.parent
    root = next((each for each in place.parents if (each / ".git").exists()), beside)
    packaged = [file for file in sorted((STARTER / "bench").rglob("*")) if file.suffix in (".py", ".yaml")]
    texts = {folder / file.relative_to(STARTER / "bench"): file.read_text(encoding="utf-8") for file in packaged}
    workflow, name = Path(os.path.relpath(root / WORKFLOW)), place.relative_to(root).as_posix()
    texts[workflow] = (STARTER / WORKFLOW.name).read_text(encoding="utf-8").replace(" bench/", f" {name}/")
    ignored = Path(os.path.relpath(root / ".gitignore"))
    lines = ignored.read_text(encoding="utf-8").splitlines() if ignored.is_file() else []
    if REPORTS not in lines:
        write_whole(ignored, "\n".join([*lines, REPORTS, ""]))
        yield f"{ignored}: {REPORTS} added"
    for file, text in texts.items():
        if file.exists():
            yield f"{file}: it exists already and stays as it is"
        else:
            write_whole(file, text)
            yield str(file)
