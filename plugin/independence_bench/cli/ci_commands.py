"""Commands for CI jobs. Imports late, computes nothing."""

import argparse

from independence_bench.cli.command import ONE_MODEL, SHOWING, STORE, command
from independence_bench.cli.places import store_file


@command("badge", "print a model's Index as the JSON of a badge", ONE_MODEL, STORE, *SHOWING)
def badge(arguments: argparse.Namespace) -> int:
    """Print what shields.io/endpoint draws a badge from: the Index with its interval by run; a model that is not ranked
    gets its bounds, in grey.

    example:
      independence-bench badge offline/steadfast
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.cli.newest import shown_numbers, shown_session
    from independence_bench.cli.terminal import say
    from independence_bench.report.views.badge import badge_json
    from independence_bench.store import Store
    from independence_bench.store.model_names import named_models, only_one

    with Store.open(store_file(arguments), read_only=True) as store:
        session = shown_session(store, arguments)
        known = named_models(store, [arguments.model])
        identity = only_one(known, store.configurations(), arguments.model, str(store.path))
        board = shown_numbers(store, session).leaderboard
    if board is None:
        trouble = "it has no Independence Index to make a badge of; name another by --edition=ID"
        raise BadInput(f"edition {session.edition.id}: {trouble}")
    row = next((each for each in board.models if (each.identity, each.configuration) == (identity, None)), None)
    if row is None:
        raise BadInput(f"{arguments.model}: is not on the leaderboard of edition {session.edition.id}; name another")
    say(badge_json(row, board))
    return 0
