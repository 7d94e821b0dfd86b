"""One number of toys: how well a judge finds them described."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.number import Number, Numbers, sample_number
from independence_bench.report.numbers.number_board import NumberBoard, NumberRow
from independence_bench.report.numbers.number_report import MeasuredModel
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.scoring.uncertainty import Pairs, Sample, pairs_of
from independence_bench.store import Store
from toy_kind import SCORE

Board = NumberBoard[NumberRow]
DESCRIBED: Number[Sample] = Number(
    "described",
    "Described",
    "how well a judge finds the toys described, of the best that it can say.",
    "high",
    0.0,
    1.0,
    lambda found: sample_number(found, "scenario"),
)


@dataclass(frozen=True, eq=False)
class ToyModel(MeasuredModel[Sample]):
    """One model with the judges' scores of each toy's descriptions."""

    shares: Mapping[str, Sequence[float]]
    """By toy and run, 0..1; empty where a planned toy is missing, or nobody has understood the answers."""

    @cached_property
    def measures(self) -> Sample | None:
        return sample_of(self.shares) if self.shares else None


def sample_of(shares: Mapping[str, Sequence[float]]) -> Sample:
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


class Toys(RankedKind[Sample, ToyModel, Board]):
    """Toys, ranked by how well they were described."""

    heading, unit, trial = "Toys", "toy", "toy"
    ranked_by = compared_by = "described"
    page, file = "TOYS.md", "toys.json"
    introduction = "Models describe toys."
    interval_means = "for other toys."
    ranks_mean = "best and worst rank that other toys could give it."

    def numbers(self, edition: Edition) -> Numbers[Sample]:
        return {"described": DESCRIBED}

    def gather(self, store: Store, entry: Ranked) -> ToyModel:
        shares: dict[str, list[float]] = {}
        for trial in entry.result.trials if entry.result.counts else ():
            shares.setdefault(trial.scenario.id, []).append((trial.outcome.means or {})[SCORE] / 10)
        return ToyModel(entry, shares)

    def pairs(self, models: Sequence[Sample]) -> Pairs:
        return pairs_of(tuple(models), "scenario")


KIND = Toys()
