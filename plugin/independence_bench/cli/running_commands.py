"""The command that shows a session while it runs. Reads the store for a moment and computes nothing."""

import argparse
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.command import STORE, argument, command, path_option, switch
from independence_bench.cli.places import store_file


@command(
    "status",
    "say how far a session is",
    path_option("of_session", "STORE", "the session's store; the same as --store", nargs="?"),
    STORE,
    argument("--session", "id of a session (default: the newest)", metavar="ID"),
    switch("--json", "as one JSON object, for programs"),
)
def status(arguments: argparse.Namespace) -> int:
    """Say how far a session is, while it runs or afterwards: trials done and left, rate, cost, time left, failures. It
    reads the store once and disturbs no session.

    example:
      independence-bench status reports/trials.sqlite --json
    """
    from independence_bench.cli.terminal import say
    from independence_bench.report.analysis.running import RunningSession
    from independence_bench.report.views.running_text import running_text
    from independence_bench.store import Store

    arguments.store = arguments.of_session or arguments.store
    file: Path = store_file(arguments)
    with Store.open(file, read_only=True) as store:
        try:
            session = store.session(arguments.session) if arguments.session else None
        except KeyError:
            raise BadInput(f"--session={arguments.session}: {file} holds no session of that id") from None
        found = store.reading(lambda readable: RunningSession.read(readable, session))
    if found is None:
        raise BadInput(f"{file}: holds no session yet; run `pytest bench_tests`, or name another store")
    say(found.model_dump_json(indent=1) if arguments.json else running_text(found))
    return 0
