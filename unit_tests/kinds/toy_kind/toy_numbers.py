"""One number of toys: the share of their descriptions that have more than a word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.facets import Facet, PartOfModel, parts_by
from independence_bench.report.numbers.number import Number, sample_number
from independence_bench.report.numbers.number_board import NumberBoard, NumberRow
from independence_bench.report.numbers.number_report import MeasuredModel, NumberReport, NumberView
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.site.edition_views import EditionView
from independence_bench.scoring.uncertainty import Pairs, Sample, pairs_of
from independence_bench.store import Store
from independence_bench.trial import Transcript

Board = NumberBoard[NumberRow]
DESCRIBED: Number[Sample] = Number(
    "described",
    "Described",
    "share of the descriptions that have more than a word.",
    "high",
    0.0,
    1.0,
    lambda found: sample_number(found, "scenario"),
)
PARITY = Facet[str](lambda toy: "even" if int(toy[-1]) % 2 == 0 else "odd", "whether its number is even.")


@dataclass(frozen=True, eq=False)
class ToyModel(MeasuredModel[Sample]):
    """One model with the share of each toy's descriptions that have more than a word."""

    shares: dict[str, list[float]]
    """By toy and run; empty where a planned toy is missing."""

    @cached_property
    def found(self) -> Sample | None:
        return sample_of(self.shares) if self.shares else None


def sample_of(shares: dict[str, list[float]]) -> Sample:
    """Return shares as points that add up to their mean."""
    worth, toys = 1 / len(shares), [*shares]
    return Sample.of(
        base=0.0,
        points=[[worth * share for share in runs] for runs in shares.values()],
        worth=[worth] * len(toys),
        rounding=[0.0] * len(toys),
        scenarios=toys,
        experiments=["toys"] * len(toys),
    )


def share_of(transcript: Transcript) -> float:
    """Return the share of a toy's descriptions that have more than a word."""
    answers = [each.reply.answer for each in transcript.exchanges]
    return sum(" " in answer for answer in answers) / len(answers)


class Toys(RankedKind[Sample, ToyModel, Board]):
    """Toys, ranked by how many of them were described."""

    heading, unit, trial = "Toys", "toy", "toy"
    ranked_by = compared_by = "described"
    page, file = "TOYS.md", "toys.json"
    introduction = "Models describe toys."
    interval_means = "for other toys."
    ranks_mean = "best and worst rank that other toys could give it."
    numbers = MappingProxyType({"described": DESCRIBED})
    facets = MappingProxyType({"parity": PARITY})

    def gather(self, store: Store, entry: Ranked) -> ToyModel:
        shares: dict[str, list[float]] = {}
        for trial in entry.result.trials if entry.result.complete else ():
            assert trial.transcript is not None
            body = store.transcript_body(trial.transcript.key)
            shares.setdefault(trial.scenario.id, []).append(share_of(body))
        return ToyModel(entry, shares)

    def pairs(self, models: Sequence[Sample]) -> Pairs:
        return pairs_of(tuple(models), "scenario")

    def parts(self, result: ToyModel, facet: str) -> Iterator[PartOfModel[Sample]]:
        yield from parts_by(
            self.facets[facet], result.shares, lambda toys: sample_of({toy: result.shares[toy] for toy in toys})
        )

    def explanations(self, board: Board) -> Iterator[str]:
        yield "A description has more than a word."

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        return [f"{len(transcript.exchanges)} descriptions"]

    def view(self, view: EditionView, report: NumberReport[ToyModel, Board] | None, trouble: str | None) -> "ToyView":
        return ToyView(view, report, trouble)


class ToyView(NumberView[ToyModel, Board]):
    """What the viewer shows of toys."""

    heading = "Toys"

    def overview(self) -> int:
        return len(self.view.session.edition.scenarios)


KIND = Toys()
