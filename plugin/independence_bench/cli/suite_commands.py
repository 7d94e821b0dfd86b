"""Commands for one's own repository: ``run``."""

import argparse

from independence_bench.cli.command import command


@command("run", "run the suite: pytest with all words given", verbatim=True)
def run(arguments: argparse.Namespace) -> int:
    """Run pytest on the suite with these words: the same session, options and exit status as `pytest` with the suite's
    folder, from any folder.
    """
    import pytest

    from independence_bench.session.command_line import suite_words

    return pytest.main([*suite_words(), *arguments.words])
