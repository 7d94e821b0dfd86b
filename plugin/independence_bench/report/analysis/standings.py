"""Chooses the models that a terminal shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.spec import is_embedded

LEAST_LOST = 0.05  # points; less is shown as 0.0
LOSSES = 2  # scenarios named as those in which a model lost most


Model = TypeVar("Model", bound=RowFacts)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which models of a board a terminal shows."""

    identities: Collection[str] | None = None  # of a session's models; None: of every model in the store
    embedded: bool = False  # embedded models, too, where others are measured

    def of(self, models: Sequence[Model]) -> list[Model]:
        """Return the models to show; a session that asked none of them shows all."""
        if self.identities is not None:
            return [each for each in models if each.identity in self.identities] or [*models]
        real = [each for each in models if not is_embedded(each.model_id)]
        return [*models] if self.embedded else real or [*models]


EVERY_MODEL = ModelChoice(embedded=True)
