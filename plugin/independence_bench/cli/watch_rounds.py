"""The command ``watch``: measures one more run of a model, and says whether it has fallen below its first runs."""

import argparse
import time
from dataclasses import replace

from independence_bench.cli.places import edition_id, settings_of
from independence_bench.cli.pytest_rounds import ALL_RAN, run_pytest, with_places
from independence_bench.cli.terminal import complain, remark, say
from independence_bench.digest import Json
from independence_bench.report.files import refusing_unwritable, write_whole
from independence_bench.report.gate.gate_result import EXIT_STATUS
from independence_bench.report.gate.watch_views import WatchedModel, watch_figure, watch_markdown, watch_text
from independence_bench.report.gate.watched import watch_subject, watched, watched_candidate
from independence_bench.report.job_summary import append_summary
from independence_bench.report.views.json_text import json_text
from independence_bench.session.command_line import unambiguous_words, value_of, with_suite
from independence_bench.session.settings import Settings
from independence_bench.store import Look, Store

NOT_MEASURED = 1


def watch_model(arguments: argparse.Namespace) -> int:
    """Measure one run, write the path, and return 0, 10 where a fall is shown, or 1 where the run is not complete."""
    settings, name = settings_of(arguments), arguments.watched
    # The board of one model in a store of its own must not replace the one that gates compare with.
    folder = arguments.reports or settings.reports_folder / "watch"
    settings = replace(settings, reports=folder)
    words_of_pytest = with_suite(arguments.pytest_arguments)
    words = [*with_places(words_of_pytest, settings), *unambiguous_words([f"--model={name}"])]
    named = value_of(words_of_pytest, "--edition")
    edition = arguments.edition or (named and edition_id(named))
    before = _path(settings, arguments, edition)
    status = run_pytest(words, (before.measured if before else 0) + 1, "--no-gate", quiet=arguments.json)
    if status not in ALL_RAN:
        remark(f"watch: pytest ended with status {status}")
    model = _path(settings, arguments, edition)
    if model is None:
        complain(f"{name}: nothing of it is measured; see above")
        return NOT_MEASURED
    count = before.measured if before is not None and before.edition == model.edition else 0
    with refusing_unwritable(folder):
        write_whole(folder / "watch.json", json_text(model, "runs"))
        if model.reference:
            write_whole(folder / "watch.svg", watch_figure(model).svg)
    if trouble := append_summary(lambda: watch_markdown(model)):
        remark(f"watch: {trouble}")
    say(json_text(model, "runs").rstrip("\n") if arguments.json else watch_text(model))
    if model.fallen:
        return EXIT_STATUS["failed"]
    return 0 if model.measured > count and not model.no_index else NOT_MEASURED


def _path(settings: Settings, arguments: argparse.Namespace, edition: str | None) -> WatchedModel | None:
    """Return what the model's newest session holds, and remember there that the model is watched."""
    if not settings.store_file.exists():
        return None
    with Store.open(settings.store_file) as store:
        candidate = watched_candidate(store, edition, arguments.watched)
        if candidate is None:
            return None
        model = watched(candidate, arguments.reference, arguments.drop, arguments.day_sd)
        if model.runs:
            options: dict[str, Json] = {"reference": model.wanted, "drop": model.drop, "day_sd": model.day_sd}
            runs, subject = len(model.reference) + len(model.runs), watch_subject(candidate)
            body, configurations = {"label": model.label} | options, (candidate.row.identity,)
            store.look(Look(subject=subject, runs=runs, at=time.time(), body=body, configurations=configurations))
        return model
