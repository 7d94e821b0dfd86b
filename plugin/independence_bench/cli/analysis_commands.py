"""Commands that analyse what a store holds, and the one that shows a session while it runs. Imports late."""

import argparse
from dataclasses import replace

from independence_bench.bad_input import BadInput
from independence_bench.cli.command import (
    CONFIGS,
    FORMAT,
    MODEL,
    OF_SESSION,
    SHOWING,
    STORE,
    argument,
    command,
    format_option,
    path_option,
    session_options,
    switch,
)
from independence_bench.cli.places import readable, shown_store
from independence_bench.option_table import BY_SPELLING, MAX_DROP, RUN_OR_NAME
from independence_bench.option_values import above_half, confidence, count, points, positive, seed

_EDITION = BY_SPELLING["--edition"]


@command("items", "print difficulty and discrimination of every scenario", STORE, *SHOWING, FORMAT, leaves_out=True)
def items(arguments: argparse.Namespace) -> int:
    """Print every scenario as an item of a test: difficulty, corrected discrimination, and share at the best score.
    Imports count like any other models.

    example:
      independence-bench items --store=all.sqlite --format=csv
    """
    from independence_bench.cli.newest import board_records, shown_session
    from independence_bench.cli.terminal import say, width
    from independence_bench.report.analysis.difficulty import DIFFICULTY
    from independence_bench.report.analysis.tidy import tabled_kind
    from independence_bench.report.analysis.tidy_tables import ITEMS
    from independence_bench.report.blocks import Paragraph
    from independence_bench.report.views.blocks_text import blocks_text
    from independence_bench.report.views.json_text import json_text
    from independence_bench.report.views.markdown import markdown
    from independence_bench.report.views.tidy_text import csv_text

    with shown_store(arguments) as store:
        session = shown_session(store, arguments)
        table = tabled_kind(session.edition.kind).items(store, session)
        if not table.scenarios:
            raise BadInput(f"{store.path}: holds no trial of edition {table.edition}; name another with --edition")
        match arguments.format:
            case "text" | "markdown":
                standing = " (experimental)" if table.experimental else ""
                judges = ", ".join(table.judges) or "no judge"
                heading = Paragraph([f"Scenarios of edition {table.edition}{standing}, judged by {judges}"])
                blocks = [heading, *DIFFICULTY.blocks(table.scenarios)]
                say(blocks_text(blocks, width()) if arguments.format == "text" else markdown(blocks))
            case "json":
                say(json_text(table, "scenarios").rstrip("\n"))
            case _:
                records = ITEMS.records(board_records(store, session))
                say(csv_text(ITEMS.names, records).rstrip("\n"))
    return 0


@command(
    "compare",
    "compare two models, or say how much more data that needs",
    argument("first", f"{MODEL}; label#build if several share it", "A"),
    argument("second", "the other model (default with --other: A's label)", "B", nargs="?"),
    STORE,
    path_option("--other", "PATH", "read B from here: a store or an export"),
    argument("--form", "with --against-form: the form that A may know (default: public)", "SEED", seed),
    argument("--against-form", "instead of B: A again, on the dossiers of this form", "SEED", seed),
    *SHOWING,
    argument("--confidence", "confidence of the intervals, 0 to 1", "C", confidence, 0.95),
    argument("--answers", "print both models' answers in the N scenarios that differ most", "N", count, 1),
    argument(
        MAX_DROP.flag,
        "say whether B is at most so many Index points below A: passed, failed or inconclusive",
        MAX_DROP.metavar,
        MAX_DROP.type,
    ),
    format_option("text", "markdown", "json"),
    mixed=True,
    leaves_out=True,
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

    from independence_bench.cli.compared_sides import compared_models
    from independence_bench.cli.terminal import say, width

    with ExitStack() as stack:
        comparison = compared_models(arguments, stack)
        if arguments.format == "text":
            say(comparison.text(width()))
        else:
            say((comparison.markdown() if arguments.format == "markdown" else comparison.json()).rstrip("\n"))
    return 0


@command(
    "power",
    "say how many runs, scenarios, calls and dollars a question needs",
    argument("--difference", "a difference of two models' Indices to detect", "POINTS", points),
    argument("--width", "a width of one model's interval to reach, from end to end", "POINTS", points),
    argument("--power", "probability of detecting the difference", "P", above_half, 0.8),
    argument("--runs", "runs to plan with", "N", positive, 5),
    argument("--edition", "edition or its YAML file (default: the newest session's, or v2)", "ID", dest=_EDITION.dest),
    format_option("text", "json"),
    *session_options("model", "judge", "endpoint", "judge-endpoint"),  # calls and prices follow from it
    CONFIGS,
    STORE,
    leaves_out=True,
)
def power(arguments: argparse.Namespace) -> int:
    """Plan a measurement: what so many runs can tell, and how many runs or scenarios a difference or an interval needs,
    with calls and cost. The spread is that of the store's models in the newest session of the edition, else that of the
    predecessor's published answers. No model is called.

    example:
      independence-bench power --edition=v2 --difference=3 --runs=5
      independence-bench power --width=4 --model=openai/gpt-5-nano
    """
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
    question = PowerQuestion(arguments.runs, arguments.power, arguments.difference, arguments.width)
    source = Store.open(arguments.store, read_only=True) if arguments.store else stored_now(settings)
    with readable(arguments, source) as store:
        if not settings.edition:
            newest = store.newest_session()
            options = newest.options if newest else {}
            settings = replace(settings, edition=str(options.get("edition") or _EDITION.default))
        plan = build_plan(settings)
        plan_answer = power_plan(question, plan, store, bool(settings.models))
    say(power_text(plan_answer) if arguments.format == "text" else json_text(plan_answer, "kinds").rstrip("\n"))
    return 0


@command("status", "say how far a session is", *OF_SESSION, switch("--json", "as one JSON object, for programs"))
def status(arguments: argparse.Namespace) -> int:
    """Say how far the newest session is, while it runs or afterwards: trials done and left, rate, cost, time left and
    failures. It reads the store once and disturbs no session.

    example:
      independence-bench status reports/trials.sqlite --json
    """
    from independence_bench.cli.terminal import say
    from independence_bench.report.analysis.running import RunningSession
    from independence_bench.report.views.running_text import running_text

    with shown_store(arguments) as store:
        running = store.reading(RunningSession.read)
    if running is None:
        raise BadInput(f"{store.path}: holds no session yet; {RUN_OR_NAME}")
    say(running.model_dump_json(indent=1) if arguments.json else running_text(running))
    return 0
