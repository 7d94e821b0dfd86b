"""The command ``site``: the viewer's static pages, written from the store alone."""

import argparse

from independence_bench.cli.places import add_command, add_places, add_require_judge_check, reports_folder, store_file


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = add_command(
        subparsers,
        "site",
        "write static pages in which every answer can be read",
        "Write DIR/site: static pages with the leaderboard, every conversation and every verdict, of all editions and "
        "panels that the store holds. They work from the folder (file://) and on any static host. Nothing is asked.",
        "independence-bench site --store=all.sqlite --reports=public",
    )
    add_places(parser, reports=True)
    add_require_judge_check(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write it, and say where its first page is."""
    from pathlib import Path

    from independence_bench.cli.newest import newest_shown
    from independence_bench.cli.terminal import say
    from independence_bench.report.site import write_site
    from independence_bench.session.settings import Settings
    from independence_bench.session.site_sources import site_sources
    from independence_bench.store import Store

    with Store.open(store_file(arguments), read_only=True) as store:
        _, shown = newest_shown(store, require_judge_check=arguments.require_judge_check)
        sources = site_sources(Settings(root=Path.cwd()))
        say(str(write_site(reports_folder(arguments) / "site", store, sources, shown=shown)))
    return 0
