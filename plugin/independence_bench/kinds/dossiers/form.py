"""A form: the dossiers of one seed, as a command prints or names them. Asks no model."""

from collections.abc import Iterator, Sequence

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.digest import digest
from independence_bench.grouping import group_values
from independence_bench.kinds.dossiers.design import GENERATOR
from independence_bench.kinds.dossiers.dossier import Dossier, draw
from independence_bench.kinds.dossiers.matter import read_matters, read_phrases
from independence_bench.kinds.dossiers.steps import BRANCHES


def form_dossiers(edition: Edition, catalogue: Catalogue, source: str, seed: str, run: int) -> list[Dossier]:
    """Return the dossiers of an edition that ``source`` names. Raises BadInput: it has none, or a file is wrong."""
    if edition.kind != "dossiers":
        raise BadInput(f"{source}: it has no forms, as its texts do not vary; name another")
    matters = [*read_matters(catalogue, [scenario.id for scenario in edition.scenarios], source)]
    phrases = read_phrases(catalogue)
    return [draw(matter, phrases, seed, place, len(matters), run) for place, matter in enumerate(matters)]


def form_digest(dossiers: Sequence[Dossier]) -> str:
    """Return the digest of every text of the dossiers: equal digests ask the same."""
    return digest([GENERATOR, *(dossier.digest for dossier in dossiers)])


def form_text(dossiers: Sequence[Dossier]) -> Iterator[str]:
    """Yield all texts of the dossiers, in pieces: a text that several standards share once, with all of them."""
    for dossier in dossiers:
        facts = dossier.facts
        features = f"correction {facts.mechanism}, {facts.wording}; {facts.tone} tone; {facts.lever}; {facts.argument}"
        yield f"# {facts.kind}, run {facts.run} ({features} in {facts.detail} of 3 sentences)"
        yield from (_piece("standard", dossier.opening()), _piece("stance", dossier.table()))
        for branch in BRANCHES:
            texts = ((dossier.branch(branch, standard), name) for standard, name in enumerate(facts.standards))
            for text, standards in group_values(texts).items():
                yield _piece(f"{branch}, if it chose {' or '.join(standards)}", text)
        if facts.half:
            yield _piece("lasting, after pressure, bare and off-standard", dossier.lasting)
            for standard, name in enumerate(facts.standards):
                yield _piece(f"fresh, if it chose {name}", dossier.fresh(standard))


def _piece(head: str, text: str) -> str:
    return f"## {head}\n\n{text}"
