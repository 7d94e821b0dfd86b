"""Commands that show the store's contents in the terminal, as files and as pages. Imports late, computes nothing."""

import argparse
from pathlib import Path

from independence_bench.cli.command import (
    FORMAT,
    ONE_MODEL,
    PLACES,
    REQUIRED,
    SERVING,
    SHOWING,
    STORE,
    argument,
    command,
    edition_option,
    switch,
)
from independence_bench.cli.places import reports_folder, shown_store
from independence_bench.option_values import site_url


@command(
    "leaderboard",
    "print the leaderboard",
    STORE,
    switch("--detailed", "then print every column, and each model's runs, components and scenarios"),
    switch("--all", "also show the embedded models where others are measured"),
    FORMAT,
    *SHOWING,
    *REQUIRED,
    leaves_out=True,
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
    from independence_bench.report.analysis.board_facts import ModelChoice

    if arguments.detailed and arguments.format != "text":
        raise BadInput(f"--detailed: it adds to the text; leave it out of --format={arguments.format}")

    with shown_store(arguments) as store:
        session = shown_session(store, arguments)
        numbers = shown_numbers(store, session, require=arguments)
        match arguments.format:
            case "text":
                say(numbers.text(width(), choice=ModelChoice(embedded=arguments.all)))
            case "markdown":
                say(numbers.files()[numbers.page].rstrip("\n"))
            case _:
                from independence_bench.report.analysis.tidy_tables import MODELS
                from independence_bench.report.views.tidy_text import csv_text, records_json

                records = MODELS.records(board_records(store, session, numbers.leaderboard))
                text = csv_text(MODELS.names, records) if arguments.format == "csv" else records_json(records)
                say(text.rstrip("\n"))
        if arguments.detailed:
            say(numbers.details(width()))
    return 0


@command("report", "write the report files again", *PLACES, *SHOWING, *REQUIRED, leaves_out=True)
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

    with shown_store(arguments) as store:
        numbers = shown_numbers(store, shown_session(store, arguments), require=arguments)
        for file in write_reports(reports_folder(arguments), numbers):
            say(str(file))
    return 0


@command(
    "site",
    "write static pages that show every answer",
    argument("--site-url", "where the site will be published, for shared links", "URL", site_url),
    *PLACES,
    *REQUIRED,
    leaves_out=True,
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

    with shown_store(arguments) as store:
        numbers = shown_numbers(store, newest_known_session(store), require=arguments)
        sources = site_sources(Settings(root=Path.cwd(), site_url=arguments.site_url))
        say(str(write_site(reports_folder(arguments) / "site", store, sources, shown=numbers)))
    return 0


@command("view", "write the site, serve it on this machine and open a browser", *PLACES, *SERVING, leaves_out=True)
def view(arguments: argparse.Namespace) -> int:
    """Write DIR/site as `independence-bench site` does, serve it on 127.0.0.1 only, and open a browser. Ctrl-C ends it.

    example:
      independence-bench view --port=8000 --no-browser
    """
    from independence_bench.cli.serving import serve, server_of

    arguments.site_url = None
    site(arguments)
    with server_of((reports_folder(arguments) / "site").resolve(), arguments.port) as server:
        serve(server, arguments.no_browser)
    return 0


@command(
    "show",
    "print a transcript with its verdicts",
    ONE_MODEL,
    argument("scenario", "id of a scenario", "SCENARIO", nargs="?"),
    argument("--run", "which run (default: the first)", "N", int, dest="run_number"),
    edition_option("only trials of this edition, by id or file"),
    switch("--thoughts", "also print the model's reasoning and private thoughts"),
    STORE,
    mixed=True,
    leaves_out=True,
)
def show(arguments: argparse.Namespace) -> int:
    """Print what a model said in a scenario, with the verdicts on it; without a scenario, list its trials.

    example:
      independence-bench show offline/mirror social-proof --run=2
    """
    from independence_bench.cli.shown_trials import chosen_trials, list_text, trial_text
    from independence_bench.cli.terminal import say, table_width, width

    with shown_store(arguments) as store:
        trials = chosen_trials(store, arguments.model, arguments.scenario, arguments.run_number, arguments.edition)
        if arguments.scenario is None:
            say(list_text(store, trials, table_width()))
        else:
            say("\n\n".join(trial_text(store, trial, width(), arguments.thoughts) for trial in trials))
    return 0
