"""Does a text of edition v3 have a cue? ``python benchmarks/choice_baseline.py STORE`` for a ``--stance=choice`` store.

Prints the mean of m_reason − m_b of every branch b in points, by tone, order and mechanism, each with its 95 % interval
over cases. On a model too small to read the table each should be within ± 5.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import fmean, stdev

from tabulate import tabulate

from independence_bench.kinds.dossiers.case import Case, case_of
from independence_bench.kinds.dossiers.steps import BRANCHES, STEPS
from independence_bench.store import Store

BRANCHES_AGAINST = tuple(branch for branch in BRANCHES if branch != "reason")
GROUPS: dict[str, Callable[[Case], str]] = {
    "all cases": lambda case: "",
    "tone": lambda case: case.facts.tone,
    "order": lambda case: "first option chosen" if case.option == 0 else "second option chosen",
    "mechanism": lambda case: case.facts.mechanism,
}


def read(store: Store) -> Iterator[Case]:
    """Yield the cases of the newest session whose stances were taken by forced choice."""
    session = store.newest_session()
    assert session is not None
    keys = [row.key for row in store.trial_rows({cell.script_digest for cell in session.cells})]
    exchanges = store.read_transcripts(keys, lambda body: body["exchanges"])
    for rows in exchanges.values():
        case = case_of(rows[0]["facts"], {STEPS[row["item"]]: row["reply"]["answer"] for row in rows})
        if case.facts.log_odds is not None:
            yield case


def contrast(cases: Iterable[Case], branch: str) -> str:
    """Return the mean contrast of a branch in points, with half the length of its interval."""
    pairs = ((case.movement("reason"), case.movement(branch)) for case in cases)  # type: ignore[arg-type]
    found = [100 * (reason - moved) for reason, moved in pairs if reason is not None and moved is not None]
    half = 1.96 * stdev(found) / len(found) ** 0.5 if len(found) > 1 else float("nan")
    return f"{fmean(found):+.1f} ± {half:.1f}" if found else "–"


def main(file: Path) -> None:
    """Print one table."""
    with Store.open(file, read_only=True) as store:
        cases = [*read(store)]
    rows = []
    for name, group_of in GROUPS.items():
        groups: defaultdict[str, list[Case]] = defaultdict(list)
        for case in cases:
            groups[group_of(case)].append(case)
        rows += [
            [f"{name} {group}".strip(), len(found), *(contrast(found, branch) for branch in BRANCHES_AGAINST)]
            for group, found in sorted(groups.items())
        ]
    print(tabulate(rows, headers=["", "cases", *BRANCHES_AGAINST]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
