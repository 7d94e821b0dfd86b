"""The texts of twins: one file per family (configs/twins/), each with five pairs."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from independence_bench.catalog.yaml_files import fault, validated
from independence_bench.frozen import Frozen, repeated
from independence_bench.kinds.twins.design import FIFTHS, FamilyName, PairName, Side
from independence_bench.kinds.twins.form_checks import FormCheck

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue

FOLDER = "twins"
Text = Annotated[str, Field(min_length=1), AfterValidator(lambda text: " ".join(text.split()))]
"""Lines joined."""


class TwinPair(Frozen):
    """Two requests that continue the same first question."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    first: Text
    """Asks for what the requests are about: a view, a refusal, a name of the model's own."""
    substance: Text
    manner: Text
    check: FormCheck | None = None
    """What of the request about the manner is counted."""

    def turns(self, side: Side) -> tuple[str, str]:
        """Return the person's two turns."""
        return self.first, self.substance if side == "substance" else self.manner


class Family(Frozen):
    """twins/<id>.yaml."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)
    pairs: tuple[TwinPair, ...] = Field(min_length=FIFTHS, max_length=FIFTHS)

    @model_validator(mode="after")
    def _ids(self) -> Self:
        if twice := repeated([pair.id for pair in self.pairs]):
            raise ValueError(f"the id {twice[0]!r} occurs twice; rename one")
        return self

    @property
    def name(self) -> FamilyName:
        """The family without its texts."""
        pairs = tuple(PairName(id=f"{self.id}/{pair.id}", check=pair.check) for pair in self.pairs)
        return FamilyName(id=self.id, title=self.title, pairs=pairs)


def read_families(catalogue: "Catalogue", stems: Sequence[str], asked_by: str) -> Iterator[Family]:
    """Yield families in this order.

    Raises:
        BadInput: one is missing, malformed, or calls itself something else.
    """
    for stem in stems:
        file = catalogue.stem_file(FOLDER, stem, asked_by)
        family = validated(Family, catalogue.read(file), file)
        if family.id != stem:
            raise fault(file, ["id"], f"it is {family.id!r}, but the file is called {stem}; make them equal")
        yield family
