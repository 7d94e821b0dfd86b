"""The command ``form``: the dossiers of a seed, all texts or their digest."""

import argparse
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.cli.terminal import say
from independence_bench.kinds.dossiers.dossier import draw
from independence_bench.kinds.dossiers.form import form_digest, form_text
from independence_bench.kinds.dossiers.matter import read_matters, read_phrases
from independence_bench.session.plan import catalogue_of
from independence_bench.session.settings import Settings


def print_form(arguments: argparse.Namespace) -> int:
    """Print the form that the options name.

    Raises:
        BadInput: neither or both of ``--digest`` and ``--print``, or an edition that asks no dossiers.
    """
    if arguments.digest == arguments.print:
        raise BadInput("form: give either --digest or --print")
    catalogue = catalogue_of(Settings(root=Path.cwd(), configs=arguments.configs, edition=arguments.edition))
    stems = [scenario.id for scenario in catalogue.edition(arguments.edition).scenarios]
    matters = list(read_matters(catalogue, stems, f"--edition={arguments.edition}"))
    phrases = read_phrases(catalogue)
    dossiers = [
        draw(matter, phrases, arguments.seed, place, len(matters), arguments.of_run)
        for place, matter in enumerate(matters)
    ]
    say(form_digest(dossiers) if arguments.digest else "\n\n".join(form_text(dossiers)))
    return 0
