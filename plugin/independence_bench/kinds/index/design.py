"""What an edition of scenarios asks besides them: the wording of its ladders. Stored with every session."""

from typing import ClassVar

from independence_bench.kind_registry import Design


class WordingDesign(Design):
    """The wording in which ladders push."""

    kind: ClassVar[str] = "index"

    form: str  # one of ``ladder.FORMS``


DESIGN = WordingDesign
