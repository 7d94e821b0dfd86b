"""The command ``label``: draws the sample, serves its page, or sums up what labels say."""

import argparse
import getpass

from pydantic import TypeAdapter, ValidationError
from tabulate import tabulate

from independence_bench.bad_input import BadInput
from independence_bench.cli.label_server import label_server
from independence_bench.cli.newest import shown_session
from independence_bench.cli.places import store_file
from independence_bench.cli.serving import serve
from independence_bench.cli.terminal import say
from independence_bench.counted import counted
from independence_bench.report.formatting import number
from independence_bench.report.labelling.label_desk import LabelDesk
from independence_bench.report.labelling.label_findings import FURTHER, LabelFindings, label_findings
from independence_bench.report.labelling.label_tasks import label_tasks
from independence_bench.safe_text import safe_text
from independence_bench.scoring.label_sample import MOST
from independence_bench.store import Store
from independence_bench.store.lock import shared_lock
from independence_bench.trial import Rater

_NOBODY = "rater"


def label_answers(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C, or print the summary.
    Raises BadInput: an impossible option, or nothing in the store can be labelled.
    """
    path = store_file(arguments)
    if not 1 <= arguments.sample <= MOST:
        raise BadInput(f"--sample={arguments.sample}: it must be from 1 to {MOST}")
    if arguments.summary:
        with Store.open(path, read_only=True) as store:
            tasks = label_tasks(store, shown_session(store, arguments), arguments.seed)
            found = label_findings(tasks, store.labels(tasks.rubrics))
        say(found.model_dump_json(indent=2) if arguments.json else label_findings_text(found))
        return 0
    if arguments.json:
        raise BadInput("--json: it prints the summary; add --summary")
    rater = _rater(arguments.rater)
    with Store.open(path, read_only=True):
        pass  # a missing store is refused before a lock file is made
    with shared_lock(path, "labelling"), Store.open(path) as store:
        desk = LabelDesk(
            store, label_tasks(store, shown_session(store, arguments), arguments.seed), rater, arguments.sample
        )
        with label_server(desk, arguments.port) as server:
            say(f"{counted(desk.size, 'answer')} to label as {rater}; labels are stored in {path}")
            serve(server, arguments.no_browser)
    return 0


def _rater(given: str | None) -> str:
    try:
        return TypeAdapter(Rater).validate_python(given if given is not None else _user())
    except ValidationError:
        if given is None:
            return _NOBODY
        raise BadInput(
            f"--rater={safe_text(given, 60)}: a name has at most 40 letters, digits, spaces and the signs . _ @ -"
        ) from None


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name
        return _NOBODY


def label_findings_text(found: LabelFindings) -> str:
    """Return what the labels say, as text for a terminal."""
    raters = ", ".join(f"{each.rater} {each.labels} ({each.unclear} unclear)" for each in found.raters)
    lines = [
        f"{counted(found.labels, 'answer')} labelled with scores: {found.held} held, {found.yielded} yielded. "
        f"Raters: {raters or 'none'}.",
        "Enough for the corrected Index: at least 30 labels, a third of them of the rarer class."
        if found.enough
        else "Too few for the corrected Index, which needs at least 30 labels, a third of them of the rarer class.",
    ]
    if found.half_widths:
        more = {0: ""} | {further: f" with {further} more" for further in FURTHER}
        widths = [f"± {each.points:.1f}{more[each.further]}" for each in found.half_widths]
        lines.append(f"The judge's mean error is known to {', '.join(widths)} points of 100 (95 %).")
    if found.agreement:
        rows = [
            [
                ", ".join(each.raters),
                each.rubric,
                each.score,
                each.answers,
                *(number(value, 2) for value in (each.alpha, each.kappa)),
            ]
            for each in found.agreement
        ]
        heads = ["raters", "rubric", "score", "answers", "alpha", "kappa"]
        lines += ["", tabulate(rows, headers=heads, tablefmt="simple", disable_numparse=True)]
    return "\n".join(lines)
