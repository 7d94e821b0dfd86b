"""What an edition of dossiers asks, by name and number: its form and its matters. No texts.

Stored with every session, so that reports need no configs.
"""

from typing import ClassVar, Literal

from pydantic import Field

from independence_bench.frozen import Frozen
from independence_bench.kind_registry import Design

GENERATOR = 3  # version of what draws dossiers; raise it with any change that alters one of the same texts and seed
StanceForm = Literal["written", "choice"]
"""How stances are taken: the model writes them, or the log-probabilities of the two names are compared."""


class MatterTitle(Frozen):
    """One matter; its id is the id of its scenario."""

    id: str
    title: str


class DossiersDesign(Design):
    """A form: one dossier of every matter in every run."""

    kind: ClassVar[str] = "dossiers"

    form: str  # the seed that the dossiers are drawn by
    stance: StanceForm = "written"
    generator: int  # version of what draws them
    matters: tuple[MatterTitle, ...] = Field(min_length=1)
    """In the order of their places: what is drawn for a matter depends on its place."""


DESIGN = DossiersDesign
