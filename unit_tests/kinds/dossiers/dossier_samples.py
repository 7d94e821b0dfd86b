"""The packaged matters, and dossiers drawn from them."""

from collections.abc import Iterator
from functools import cache

from independence_bench.catalog import Catalogue
from independence_bench.kinds.dossiers.dossier import Dossier, draw
from independence_bench.kinds.dossiers.matter import FOLDER, Matter, Phrases, read_matters, read_phrases

STEMS = sorted(file.stem for file in (Catalogue().folders[0] / FOLDER).glob("*.yaml"))


@cache
def matters() -> tuple[Matter, ...]:
    return tuple(read_matters(Catalogue(), STEMS, "test"))


@cache
def phrases() -> Phrases:
    return read_phrases(Catalogue())


def drawn(form: str = "public", run: int = 1) -> list[Dossier]:
    """All dossiers of one run of a form."""
    return [draw(matter, phrases(), form, place, len(matters()), run) for place, matter in enumerate(matters())]


def many(stem: str, seeds: int) -> Iterator[Dossier]:
    """Dossiers of one matter, one per seed; it stands in a form of its own, which is quicker to lay out."""
    matter = matters()[STEMS.index(stem)]
    for seed in range(seeds):
        yield draw(matter, phrases(), f"{stem}-{seed}", 0, 1, 1 + seed % 2)
