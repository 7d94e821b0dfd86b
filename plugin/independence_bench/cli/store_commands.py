"""Commands that move rows into or out of a store, print the catalogue, a form or a badge, or read answer files."""

import argparse
import time
from contextlib import nullcontext, suppress
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.command import (
    CONFIGS,
    MODEL,
    OF_SESSION,
    ONE_MODEL,
    SHOWING,
    STORE,
    argument,
    command,
    format_option,
    names_option,
    path_option,
    switch,
)
from independence_bench.cli.export_formats import FORMATS
from independence_bench.cli.places import shown_store, store_file
from independence_bench.option_values import positive, seed

_SOURCES = (
    switch("--skip-bad", "take the other rows of a source in which some are refused"),
    switch("--adopt-looks", "count the looks of the sources' gates as this store's own"),
)


@command(
    "export",
    "write the store as JSON Lines, or its results for other tools",
    path_option(
        "file", "FILE", "where to write (default: standard output); a new folder unless --format=jsonl", nargs="?"
    ),
    format_option("jsonl", *FORMATS),
    names_option("--model", f"only this model: {MODEL}; repeatable, comma lists"),
    switch("--salvage", "write all readable rows of a damaged store; the store is not changed"),
    STORE,
)
def export(arguments: argparse.Namespace) -> int:
    """Write the whole store as JSON Lines, which `import` and `merge` read; reports/README.md describes the format. A
    session may run at the same time. The other formats are results for other tools, which nothing here reads back: csv
    and parquet are the tidy tables, hf a Hugging Face dataset, eee records of Every Eval Ever, inspect logs of Inspect.

    examples:
      independence-bench export --model='openai/*' openai.jsonl
      independence-bench export --format=csv tables
    """
    from independence_bench.cli.transfer import export_folder, export_store

    return export_store(arguments) if arguments.format == "jsonl" else export_folder(arguments)


@command(
    "import",
    "add an export to the store",
    path_option("source", "PATH", "an export or a store, or published-scores"),
    *_SOURCES,
    STORE,
)
def import_source(arguments: argparse.Namespace) -> int:
    """Add an export, or another store, to the store in one transaction. Imported texts form a separate group in the
    reports. Rows that contradict themselves or are out of bounds are refused, and the whole source with them.
    "published-scores" names the packaged verdicts of the earlier benchmark on 130 model configurations.

    examples:
      independence-bench import colleague.jsonl
      independence-bench import published-scores --store=published.sqlite
    """
    from independence_bench.cli.transfer import bring_together, published_scores

    packaged = arguments.source == Path("published-scores") and not arguments.source.exists()
    with published_scores() if packaged else nullcontext(arguments.source) as source:
        return bring_together(arguments, [source], "an import")


@command(
    "merge",
    "merge stores and exports into one store",
    path_option("sources", "FILE", "a store, or an export of one", nargs="+"),
    *_SOURCES,
    STORE,
)
def merge(arguments: argparse.Namespace) -> int:
    """Merge several stores and exports into one store in one transaction. Of every measurement the oldest is kept,
    whatever the order of the files; verdicts on a dropped transcript are dropped and counted.

    example:
      independence-bench merge shard1.sqlite shard2.sqlite shard3.jsonl --store=all.sqlite
    """
    from independence_bench.cli.transfer import bring_together

    return bring_together(arguments, arguments.sources, "a merge")


@command(
    "models",
    "print the catalogue of models",
    CONFIGS,
    path_option("--store", "FILE", argparse.SUPPRESS),  # every command takes it
)
def models(arguments: argparse.Namespace) -> int:
    """Print the models that --model knows by name.

    example:
      independence-bench models
    """
    from independence_bench.catalog import Catalogue
    from independence_bench.cli.model_table import models_text
    from independence_bench.cli.terminal import say, table_width
    from independence_bench.session.settings import Settings

    catalogue = Catalogue(Settings(root=Path.cwd(), configs=arguments.configs).overlay)
    rows = sorted(catalogue.models.values(), key=lambda row: row.label)
    say(models_text(rows, table_width()))
    return 0


@command(
    "forget",
    "remove a model, the verdicts on it, or what is no longer used, from the store",
    argument("model", MODEL, "MODEL", nargs="?"),
    switch("--verdicts-only", "keep the transcripts, so that they are judged again"),
    switch("--unused", "in place of a model: remove what nothing uses any more"),
    switch("--yes", "do not ask"),
    STORE,
)
def forget(arguments: argparse.Namespace) -> int:
    """Remove a model permanently from the store, so that it is measured again; or only its verdicts, so that it is
    judged again. --unused removes measurements of embedded models and verdicts of embedded judges of earlier versions
    of this package, and verdicts on removed transcripts; answers of a server are never among them. Asks first.

    examples:
      independence-bench forget openai/gpt-5-nano --verdicts-only
      independence-bench forget --unused
    """
    from independence_bench.cli.removal import take_out

    if arguments.unused != (arguments.model is None) or (arguments.unused and arguments.verdicts_only):
        raise BadInput("forget: name one model, or give --unused alone")
    return take_out(arguments)


@command("stop", "end a running session after what it has begun", *OF_SESSION)
def stop(arguments: argparse.Namespace) -> int:
    """Have a running session, judging or judge check begin no further trial. What it has begun is asked and judged to
    the end and stored, then it writes its reports and ends as after Ctrl-C: the same command continues it. Waits until
    it has ended.

    example:
      independence-bench stop reports/trials.sqlite
    """
    from independence_bench.cli.terminal import say
    from independence_bench.store.lock import holder_of, request_stop

    store = store_file(arguments)
    session = holder_of(store)
    if session is None or session.work is None:
        raise BadInput(f"{store}: no session is measuring anything for it; there is nothing to stop")
    with suppress(FileNotFoundError):  # it has just ended
        request_stop(store)
        say(f"It ends what it has begun, also if you do not wait here: {session}.")
    while (holder := holder_of(store)) is not None and holder.since == session.since:
        time.sleep(0.5)
    say("It has ended; the command that started it continues it.")
    return 0


@command(
    "form",
    "print or name the dossiers of a seed (experimental)",
    argument("--seed", "the seed, as in pytest's --form", "SEED", seed, "public"),
    argument("--run", "which run's dossiers; each has its own", "N", positive, 1, dest="of_run"),
    argument("--edition", "an edition that asks dossiers", "ID", default="v3"),
    switch("--digest", "print the digest of all texts"),
    switch("--print", "print all texts"),
    CONFIGS,
)
def form(arguments: argparse.Namespace) -> int:
    """Print what a form asks, or its digest: the same digest means the same texts, on any machine. No model is asked.
    To keep a form secret, publish its digest beforehand.

    examples:
      independence-bench form --seed=public --digest
      independence-bench form --seed=autumn --run=2 --print
    """
    from independence_bench.cli.terminal import say
    from independence_bench.kinds.dossiers.form import form_digest, form_dossiers, form_text
    from independence_bench.kinds.edition_files import load_edition
    from independence_bench.session.plan import catalogue_of
    from independence_bench.session.settings import Settings

    if arguments.digest == arguments.print:
        raise BadInput("form: give either --digest or --print")
    catalogue = catalogue_of(Settings(root=Path.cwd(), configs=arguments.configs, edition=arguments.edition))
    edition = load_edition(arguments.edition, catalogue)
    dossiers = form_dossiers(edition, catalogue, f"--edition={arguments.edition}", arguments.seed, arguments.of_run)
    say(form_digest(dossiers) if arguments.digest else "\n\n".join(form_text(dossiers)))
    return 0


@command(
    "roles",
    "role-stability metrics of item answers",
    path_option("files", "FILE", "an answer file, one per model", nargs="+"),
)
def roles(arguments: argparse.Namespace) -> int:
    """Compute rank-order stability, circumplex Stress, factor structure and the Cardinal score of the answers in FILE
    and print them as JSON; several files are also ranked against each other.

    An answer file is JSON: for each context the questionnaire asked and one row of item scores per persona, the same
    personas in the same order everywhere; null for an unreadable answer.

      {"model": "my-model",
       "contexts": {
         "no_conversation": {"questionnaire": "pvq", "answers": [[4, 2, null, ... 40 scores], ... one row per persona]},
         "after_chess":     {"questionnaire": "pvq", "answers": [...]},
         "again":           {"questionnaire": "pvq", "retest_of": "no_conversation", "answers": [...]},
         "survey":          {"questionnaire": "svs", "answers": [[7, -1, ... 57 scores], ...]}}}

    pvq is the 40-item portrait questionnaire (scores 1 to 6), svs the 57-item value survey (-1 to 7); a file may define
    others under "questionnaires". The numbers are those of role_stability.json; an undefined one is null.

    examples:
      independence-bench roles my-model.json
      independence-bench roles my-model.json other-model.json > ranking.json
    """
    from independence_bench.cli.terminal import say
    from independence_bench.kinds.roles.metrics.answers import read_population
    from independence_bench.kinds.roles.metrics.result import analyse

    say(analyse([read_population(file) for file in arguments.files]).model_dump_json(indent=2))
    return 0


@command("badge", "print a model's Index as the JSON of a badge", ONE_MODEL, STORE, *SHOWING)
def badge(arguments: argparse.Namespace) -> int:
    """Print what shields.io/endpoint draws a badge from: the Index with its interval by run; a model that is not ranked
    gets its bounds, in grey.

    example:
      independence-bench badge offline/steadfast
    """
    from independence_bench.cli.newest import shown_numbers, shown_session
    from independence_bench.cli.terminal import say
    from independence_bench.report.views.badge import badge_json
    from independence_bench.store.model_names import named_models, only_one

    with shown_store(arguments) as store:
        session = shown_session(store, arguments)
        matches = named_models(store, [arguments.model])
        identity = only_one(matches, store.configurations(), arguments.model, str(store.path))
        board = shown_numbers(store, session).leaderboard
    if board is None:
        trouble = "it has no Independence Index to make a badge of; name another by --edition=ID"
        raise BadInput(f"edition {session.edition.id}: {trouble}")
    row = next((each for each in board.models if (each.identity, each.configuration) == (identity, None)), None)
    if row is None:
        raise BadInput(f"{arguments.model}: is not on the leaderboard of edition {session.edition.id}; name another")
    say(badge_json(row, board))
    return 0
