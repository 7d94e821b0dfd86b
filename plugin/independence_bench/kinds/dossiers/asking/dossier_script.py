"""The script of a matter: what the dossier of each run is drawn from. No dossier is drawn before it is needed."""

from functools import cached_property
from typing import ClassVar

from independence_bench.kinds.dossiers.dossier import GENERATOR, Dossier, draw
from independence_bench.kinds.dossiers.matter import Matter, Phrases
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS
from independence_bench.spec import Script

MAX_TOKENS = 700
"""Limit on one answer; a model that thinks keeps its own."""


class DossierScript(Script):
    """A script from which the dossier of a run is drawn instead of turns."""

    kind: ClassVar[str] = "dossiers"

    matter: Matter
    phrases: Phrases
    form: str
    place: int
    places: int
    generator: int = GENERATOR
    max_tokens: int = MAX_TOKENS

    @property
    def calls(self) -> int:
        """Answers that the model gives in the mean of two runs, if each can be read: one of them has four more."""
        return 2 + len(BRANCHES) + (len(LEANS) + 1) // 2

    @property
    def chain(self) -> int:
        """Answers that must follow one another: the standard, the stance, a branch, what lasts of it."""
        return 4

    def dossier(self, run: int) -> Dossier:
        """Return the dossier of a run; drawn once."""
        if run not in self.drawn:
            self.drawn[run] = draw(self.matter, self.phrases, self.form, self.place, self.places, run)
        return self.drawn[run]

    @cached_property
    def drawn(self) -> dict[int, Dossier]:
        """Dossiers by run; none is drawn before a trial is quoted or conducted."""
        return {}
