"""Chooses the models that a terminal shows, and finds where one of them lost points."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.spec import is_embedded

if TYPE_CHECKING:
    from independence_bench.report.analysis.ranked import RankedModels
    from independence_bench.scoring.uncertainty import Sample

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


@dataclass(frozen=True, slots=True)
class Standings:
    """Index points of the complete models."""

    samples: "Mapping[str, Sample]"  # by identity

    @classmethod
    def of(cls, results: "RankedModels") -> "Standings":
        """Keep the points of the edition's own configurations; the results themselves may be freed."""
        found = [(entry.row.identity, entry.result.sample) for entry in results.entries if entry.own]
        return cls({identity: sample for identity, sample in found if sample is not None})

    def losses(self, identity: str) -> list[tuple[str, float]]:
        """Return the scenarios in which a model lost most, with the points that it lost; none without an Index."""
        losses = self.samples[identity].losses[:LOSSES] if identity in self.samples else ()
        return [(scenario, points) for scenario, points in losses if points >= LEAST_LOST]
