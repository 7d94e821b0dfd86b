"""What a reader of a board does next: the commands that show where the best model lost points, and every answer."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from independence_bench.report.presented import BestModel
from independence_bench.safe_text import safe_text


def next_steps(best: BestModel | None, page: str, store: Path | None = None) -> Iterator[str]:
    """Yield lines with commands to paste, each whole; ``store``: the file, where commands do not find it themselves."""
    where = "" if store is None else f" --store={shlex.quote(str(store))}"
    if best is not None:
        label = safe_text(best.label)
        losses = ", ".join(f"{scenario} −{points:.1f}" for scenario, points in best.losses)
        if losses:
            yield f"{label} lost most in {losses}"
        scenario = f" {shlex.quote(best.losses[0][0])}" if best.losses else ""
        yield f"read it    independence-bench show {shlex.quote(label)}{scenario}{where}"
    yield f"read all   {page} · independence-bench view{where}"
