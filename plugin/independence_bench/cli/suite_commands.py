"""Commands for one's own repository: ``run``, ``init`` and ``schema``."""

import argparse
from pathlib import Path

from independence_bench.cli.command import argument, command, path_option


@command("run", "run the suite: pytest with all words that follow", verbatim=True)
def run(arguments: argparse.Namespace) -> int:
    """Run pytest on the suite: the same session, options and exit status, from any folder. The suite is one that the
    words name, else the one around the edition's file or this folder, else bench_tests here, else the packaged one.
    """
    import pytest

    from independence_bench.session.command_line import with_suite

    return pytest.main(with_suite(arguments.words))


@command(
    "init",
    "write a bench folder and a workflow into a repository",
    path_option("folder", "FOLDER", "the new folder", nargs="?", default=Path("bench")),
)
def init(arguments: argparse.Namespace) -> int:
    """Write a bench folder to begin with: an edition with one scenario, its rubric and a system prompt, and the test
    module that runs it. A workflow with a gate for GitHub goes to the root of the repository around the folder, and
    `reports/` into its .gitignore. No file is replaced.

    example:
      independence-bench init bench
    """
    from independence_bench.cli.starter import write_starter
    from independence_bench.cli.terminal import say

    say("\n".join(write_starter(arguments.folder)))
    say(f"\nRun it with the embedded models: pytest {arguments.folder}")
    return 0


@command(
    "schema",
    "print the JSON Schema of a YAML file",
    argument("file_kind", "the kind of file; without it, list the kinds", "KIND", nargs="?"),
)
def schema(arguments: argparse.Namespace) -> int:
    """Print the JSON Schema of a kind of YAML file in configs/ or in a bench folder, for editors and other checkers.

    example:
      independence-bench schema scenario > scenario.schema.json
    """
    import json

    from independence_bench.catalog.file_schemas import FILE_SHAPES, file_schema
    from independence_bench.cli.terminal import say

    if arguments.file_kind is None:
        say("\n".join(f"{name:<18}{place}" for name, (place, _) in FILE_SHAPES.items()))
    else:
        say(json.dumps(file_schema(arguments.file_kind), indent=1))
    return 0
