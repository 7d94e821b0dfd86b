"""Commands that show the store's contents in the terminal, as files and as pages. Imports late, computes nothing."""

import argparse
from pathlib import Path

from independence_bench.cli.command import (
    CONFIGS,
    FORMAT,
    MODEL,
    PLACES,
    REQUIRED,
    SERVING,
    SHOWING,
    STORE,
    always,
    argument,
    command,
    path_option,
    session_options,
    switch,
)
from independence_bench.cli.places import readable, reports_folder, store_file
from independence_bench.option_table import MAX_DROP
from independence_bench.option_values import above_half, confidence, count, points, positive, seed, site_url

_PRICED = session_options("model", "edition", "judge", "endpoint", "judge-endpoint")
"""What is asked and by whom it is judged, as in a session: calls and prices follow from it."""


@command(
    "leaderboard",
    "print the leaderboard",
    STORE,
    switch("--detailed", "then print every model's runs, components and scenarios"),
    FORMAT,
    *SHOWING,
    *REQUIRED,
    leaves_out=always,
)
def leaderboard(arguments: argparse.Namespace) -> int:
    """Print the leaderboard of the newest session's edition, texts and judges over all trials in the store.

    examples:
      independence-bench leaderboard --detailed
      independence-bench leaderboard --format=csv
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.cli.newest import board_records, shown_numbers, shown_session
    from independence_bench.cli.terminal import say, width
    from independence_bench.report.analysis.tidy_tables import MODELS
    from independence_bench.report.views.tidy_text import shown_records
    from independence_bench.store import Store

    if arguments.detailed and arguments.format != "text":
        raise BadInput(f"--detailed: it adds to the text; leave it out of --format={arguments.format}")

    with readable(arguments, Store.open(store_file(arguments), read_only=True)) as store:
        session = shown_session(store, arguments)
        shown = shown_numbers(store, session, require=arguments)
        match arguments.format:
            case "text":
                say(shown.text(width()))
            case "markdown":
                say(shown.files()[shown.page].rstrip("\n"))
            case _:
                records = MODELS.records(board_records(store, session, shown.leaderboard))
                say(shown_records(arguments.format, MODELS.names, records))
        if arguments.detailed:
            say(shown.details(width()))
    return 0


@command("report", "write the report files again", *PLACES, *SHOWING, *REQUIRED, leaves_out=always)
def report(arguments: argparse.Namespace) -> int:
    """Write LEADERBOARD.md, models/ and leaderboard.json again (for an edition that measures role stability,
    ROLE_STABILITY.md, role_stability.json and figures/) from the store alone, for the newest session's edition, texts
    and judges. No model is called.

    example:
      independence-bench report --store=all.sqlite --reports=public
    """
    from independence_bench.cli.newest import shown_numbers, shown_session
    from independence_bench.cli.terminal import say
    from independence_bench.report.files import write_reports
    from independence_bench.store import Store

    places = {"reports": reports_folder(arguments)}
    with readable(arguments, Store.open(store_file(arguments), read_only=True, places=places)) as store:
        session = shown_session(store, arguments)
        shown = shown_numbers(store, session, require=arguments)
        for file in write_reports(reports_folder(arguments), store, session, shown=shown):
            say(str(file))
    return 0


@command(
    "site",
    "write static pages that show every answer",
    argument("--site-url", "where the site will be published, for shared links", metavar="URL", type=site_url),
    *PLACES,
    *REQUIRED,
    leaves_out=always,
)
def site(arguments: argparse.Namespace) -> int:
    """Write DIR/site: static pages with the leaderboard, every conversation and every verdict, of all editions and
    panels in the store. They work from the folder (file://) and on any static host. No model is called.

    example:
      independence-bench site --store=all.sqlite --reports=public
    """
    from independence_bench.cli.newest import newest_known_session, shown_numbers
    from independence_bench.cli.terminal import say
    from independence_bench.report.site import write_site
    from independence_bench.session.settings import Settings
    from independence_bench.session.site_sources import site_sources
    from independence_bench.store import Store

    places = {"reports": reports_folder(arguments)}
    with readable(arguments, Store.open(store_file(arguments), read_only=True, places=places)) as store:
        shown = shown_numbers(store, newest_known_session(store), require=arguments)
        sources = site_sources(Settings(root=Path.cwd(), site_url=arguments.site_url))
        say(str(write_site(reports_folder(arguments) / "site", store, sources, shown=shown)))
    return 0


@command(
    "view",
    "write the site, serve it on this machine and open a browser",
    *PLACES,
    *SERVING,
    switch("--follow", "show a session while it runs: progress, newest answers, the growing leaderboard"),
    leaves_out=always,
)
def view(arguments: argparse.Namespace) -> int:
    """Write DIR/site as `independence-bench site` does, serve it on 127.0.0.1 only, and open a browser. Ctrl-C ends it.

    example:
      independence-bench view --port=8000 --no-browser
      independence-bench view --follow
    """
    from independence_bench.cli.serving import serve, server_of

    arguments.require_judge_check = arguments.require_labels = False
    arguments.site_url = None
    folder = (reports_folder(arguments) / "site").resolve()
    if arguments.follow:
        from independence_bench.cli.following import follow

        follow(store_file(arguments), folder, arguments, lambda: site(arguments))
        return 0
    site(arguments)
    with server_of(folder, arguments.port) as server:
        serve(server, arguments.no_browser)
    return 0


@command(
    "show",
    "print a transcript with its verdicts",
    argument("model", MODEL, metavar="MODEL"),
    argument("scenario", "id of a scenario", metavar="SCENARIO", nargs="?"),
    argument("--run", "which run (default: the first)", metavar="N", type=int, dest="run_number"),
    switch("--thoughts", "also print the model's reasoning and private thoughts"),
    FORMAT,
    STORE,
    mixed=True,
    leaves_out=always,
)
def show(arguments: argparse.Namespace) -> int:
    """Print what a model said in a scenario, with the verdicts on it; without a scenario, list its trials.

    example:
      independence-bench show offline/mirror social-proof --run=2
    """
    from independence_bench.cli.shown_trials import (
        LISTED,
        SAID,
        chosen_trials,
        list_text,
        score_records,
        trial_text,
        turn_records,
    )
    from independence_bench.cli.terminal import say, table_width, width
    from independence_bench.report.views.tidy_text import shown_records
    from independence_bench.store import Store

    with readable(arguments, Store.open(store_file(arguments), read_only=True)) as store:
        trials = chosen_trials(store, arguments.model, arguments.scenario, arguments.run_number)
        if arguments.format != "text":
            names, read = (LISTED, score_records) if arguments.scenario is None else (SAID, turn_records)
            say(shown_records(arguments.format, names, read(store, trials)))
        elif arguments.scenario is None:
            say(list_text(store, trials, table_width()))
        else:
            say("\n\n".join(trial_text(store, trial, width(), arguments.thoughts) for trial in trials))
    return 0


@command(
    "items",
    "print difficulty, discrimination and fairness of every scenario",
    STORE,
    *SHOWING,
    FORMAT,
    leaves_out=always,
)
def items(arguments: argparse.Namespace) -> int:
    """Print every scenario as an item of a test: difficulty, corrected discrimination, information, share at the best
    score, whether anybody ever fell, and whether models of one vendor, or models that think, do better or worse in it
    than models that are equal elsewhere. Imports count like any other models.

    example:
      independence-bench items --store=all.sqlite --format=csv
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.cli.newest import board_records, shown_session
    from independence_bench.cli.terminal import say, width
    from independence_bench.report.analysis.tidy import tabled_kind
    from independence_bench.report.analysis.tidy_trials import ITEMS
    from independence_bench.report.views.items_text import items_text
    from independence_bench.report.views.json_text import json_text
    from independence_bench.report.views.tidy_text import shown_records
    from independence_bench.store import Store

    with readable(arguments, Store.open(store_file(arguments), read_only=True)) as store:
        session = shown_session(store, arguments)
        found = tabled_kind(session.edition.kind).items(store, session)
        if not found.scenarios:
            raise BadInput(
                f"{store_file(arguments)}: holds no trial of edition {found.edition}; name another with --edition"
            )
        match arguments.format:
            case "text":
                say(items_text(found, width()))
            case "json":
                say(json_text(found, "scenarios").rstrip("\n"))
            case _:
                records = ITEMS.records(board_records(store, session))
                say(shown_records(arguments.format, ITEMS.names, records))
    return 0


@command(
    "compare",
    "compare two models, or say how much more data that needs",
    argument("first", f"{MODEL}; label#build if several share it", metavar="A"),
    argument("second", "the other model (default with --other: A's label)", metavar="B", nargs="?"),
    STORE,
    path_option("--other", "PATH", "read B from here: a store, an export or the published cache"),
    argument("--form", "with --against-form: the form that A may know (default: public)", metavar="SEED", type=seed),
    argument("--against-form", "instead of B: A again, on the dossiers of this form", metavar="SEED", type=seed),
    *SHOWING,
    argument(
        "--confidence",
        "confidence of the intervals, 0 to 1 (default: 0.95)",
        metavar="C",
        type=confidence,
        default=0.95,
    ),
    argument(
        "--answers",
        "print both models' answers in the N scenarios that differ most (default: 1)",
        metavar="N",
        type=count,
        default=1,
    ),
    argument(
        MAX_DROP.flag,
        "say whether B is at most so many Index points below A: passed, failed or inconclusive",
        metavar=MAX_DROP.metavar,
        type=MAX_DROP.type,
    ),
    argument("--format", "default: text", choices=("text", "markdown", "json"), default="text"),
    mixed=True,
    leaves_out=always,
)
def compare(arguments: argparse.Namespace) -> int:
    """Compare two models paired by scenario: the difference of their Index with its interval, the smallest detectable
    difference, the scenarios that cause it, and both answers in the worst of them. For an edition of roles, compare
    their rank order paired by persona. The newest session of A's store sets edition, texts and judges. The exit status
    is 0 whatever --max-drop is answered with; a gate decides by it. With --against-form, compare a model's Index on one
    form of an edition of dossiers with its Index on another, paired by matter: the contamination gap.

    example:
      independence-bench compare candidate --other=released.jsonl --answers=3
      independence-bench compare candidate --form=public --against-form=2027
    """
    from contextlib import ExitStack

    from independence_bench.cli.compared_sides import both_sides
    from independence_bench.cli.newest import known_answer_digest
    from independence_bench.cli.terminal import say, width
    from independence_bench.report.comparison.side import ComparisonRequest, compared_kind

    with ExitStack() as stack:
        first, second = both_sides(arguments, stack)
        session = first.result.session
        request = ComparisonRequest(
            session, first, second, arguments.confidence, arguments.answers, known_answer_digest, arguments.max_drop
        )
        found = compared_kind(session.edition.kind).compared(request)
        if arguments.format == "text":
            say(found.text(width()))
        else:
            say(found.markdown() if arguments.format == "markdown" else found.json().rstrip("\n"))
    return 0


@command(
    "power",
    "say how many runs, scenarios, calls and dollars a question needs",
    argument("--difference", "a difference of two models' Indices to detect", metavar="POINTS", type=points),
    argument("--width", "a width of one model's interval to reach, from end to end", metavar="POINTS", type=points),
    argument(
        "--power", "probability of detecting the difference (default: 0.8)", metavar="P", type=above_half, default=0.8
    ),
    argument("--runs", "runs to plan with (default: 5)", metavar="N", type=positive, default=5),
    argument("--format", "default: text", choices=("text", "json"), default="text"),
    *_PRICED,
    CONFIGS,
    STORE,
    leaves_out=always,
)
def power(arguments: argparse.Namespace) -> int:
    """Plan a measurement: what so many runs can tell, and how many runs or scenarios a difference or an interval needs,
    with calls and cost. The spread is that of the store's models in the newest session of the edition, else that of the
    predecessor's published answers. No model is called.

    example:
      independence-bench power --edition=v2 --difference=3 --runs=5
      independence-bench power --width=4 --model=openai/gpt-5-nano
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.cli.places import settings_of
    from independence_bench.cli.terminal import say
    from independence_bench.report.views.json_text import json_text
    from independence_bench.session.plan import build_plan
    from independence_bench.session.precision import PowerQuestion, power_plan, power_text
    from independence_bench.session.stored_state import stored_now
    from independence_bench.store import Store

    if arguments.difference is not None and arguments.width is not None:
        raise BadInput("--width: it asks another question than --difference; give one of them")
    settings = settings_of(arguments)
    plan = build_plan(settings)
    question = PowerQuestion(arguments.runs, arguments.power, arguments.difference, arguments.width)
    stored = Store.open(arguments.store, read_only=True) if arguments.store else stored_now(settings)
    with readable(arguments, stored) as store:
        found = power_plan(question, plan, store, bool(settings.models))
    say(power_text(found) if arguments.format == "text" else json_text(found, "kinds").rstrip("\n"))
    return 0
