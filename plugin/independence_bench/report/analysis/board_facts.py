"""What every board says of itself, and its rows as a terminal shows them. Ranks nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, Literal, Self, TypeVar

from pydantic import Field

from independence_bench.aggregation import MEAN
from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.marks import MARKS, PROVISIONAL, distinguishing
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.row import BoardRow
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.confidence import CONFIDENCE
from independence_bench.spec import is_embedded

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
Row = TypeVar("Row", bound=BoardRow)


class BoardFacts(ReportData, Generic[Row]):
    """A view of the store: one edition, one set of texts, one panel."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    edition: str
    title: str
    texts: str
    """Digest of all that is said in the edition's own configurations."""
    judges: list[str] = Field(default_factory=list)
    heuristic_judges: list[str] = Field(default_factory=list)
    """Those of the rows that are not language models."""
    updated: str | None
    """When the newest record was made, ISO 8601, UTC."""
    notes: list[str]
    """Caveats for the reader, one sentence each."""
    models: list[Row]
    """Contenders by the number that ranks, then the others."""
    aggregation: str = MEAN
    experimental: bool = False
    """Numbers of this edition are not to be cited yet."""
    confidence: float = CONFIDENCE
    """Of every interval."""
    judge_configurations: list[str] = Field(default_factory=list)
    """Digests of the panel, in the order of ``judges``: equal ones judge alike."""
    rubrics: str
    """Digest of all rubrics that they judge by."""
    judge_checks: list[CheckedJudge] = Field(default_factory=list)
    """How each judge of a row did on the known-answer set."""

    @property
    def judges_of_rows(self) -> list[str]:
        """The judges of its rows with a measured trial, or else of all."""
        rows = [row for row in self.models if row.measured] or self.models
        return list(dict.fromkeys(chain(*(row.judges or self.judges for row in rows)))) or self.judges

    @property
    def ranked(self) -> list[Row]:
        """Models in the running for a rank."""
        return [row for row in self.models if row.contends]

    @property
    def unranked(self) -> list[Row]:
        """Models with trials missing, or in doubt."""
        return [row for row in self.models if not row.contends]

    def narrowed(self, choice: ModelChoice) -> Self:
        """Return the board of some models as a terminal shows it: with the marks that distinguish them only, and
        without the notes that explain marks or concern other models.
        """
        shown = choice.of(self.models)
        there, telling = {id(row) for row in shown}, distinguishing(shown)
        rows = [
            row.model_copy(update={"marks": {name: row.marks[name] for name in telling if name in row.marks}})
            for row in shown
        ]
        others = tuple(f"{row.label}{end}" for row in self.models if id(row) not in there for end in (": ", " ("))
        explained = {PROVISIONAL, *(MARKS[name].sentence for name in telling)}
        notes = [note for note in self.notes if note not in explained and not note.startswith(others)]
        return self.model_copy(update={"models": rows, "notes": notes})
