"""What an edition of toys asks."""

from typing import ClassVar

from independence_bench.kind_registry import Design


class ToyDesign(Design):
    """So many toys."""

    kind: ClassVar[str] = "toy"
    toys: int


DESIGN = ToyDesign
