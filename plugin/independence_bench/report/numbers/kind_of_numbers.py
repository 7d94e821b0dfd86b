"""A kind of edition that measures models by numbers: its gate, tables, items and pairs are the same for all such kinds.

A kind declares its numbers, how what is measured of a model is read from a store, and its one table of pairs.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan
from types import MappingProxyType
from typing import Generic

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.difficulty import ItemAnalysis, ItemAnswers, items_of
from independence_bench.report.analysis.ranked import Ranked, ranked_models, view_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.comparison.comparison_data import PairDifference
from independence_bench.report.gate.criteria import Criteria, Criterion
from independence_bench.report.gate.gated_kind import BaselineModel, BaselineNumbers
from independence_bench.report.numbers.facets import Facets, PartEstimate, PartOfModel, split_number
from independence_bench.report.numbers.number import INDEX, Estimated, Measures, Number, Numbers, WithEnds
from independence_bench.report.numbers.number_board import NumberEstimate
from independence_bench.report.numbers.number_questions import NumberQuestion, check_criterion, number_asked
from independence_bench.report.numbers.number_report import Board, Result
from independence_bench.scoring.uncertainty import CONFIDENCE, Interval, Sample
from independence_bench.scoring.uncertainty.planning import KnownVariances
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript


@dataclass(frozen=True)
class NumberBaseline(Generic[Measures]):
    """A model that another is compared with."""

    measures: Measures
    mean: float
    """Its Index."""
    runs: int


class KindOfNumbers(ABC, Generic[Measures, Result, Board]):
    """How a kind of numbers reports, compares and gates: the base of every such kind."""

    heading: str
    """What it measures."""
    trial: str
    """What one trial is called: case, interview, toy."""
    unit: str
    """What an interval is over: matter, persona, toy; empty where a gate's criteria choose it."""
    ranked_by: str
    """Name of the number that the board ranks by."""
    compared_by: str
    """Name of the number that pairs of models are compared by."""
    scale: float = 1.0
    """What 1 in the table of pairs is in that number."""

    facets: Facets = MappingProxyType({})
    """By which a model's items can be taken apart, by name."""

    @property
    def units(self) -> str:
        """What an interval is over, in the plural."""
        return f"{self.unit}s"

    @property
    def unknown(self) -> str:
        """Why a number has no interval."""
        return f"too few {self.units} know this number: there is no interval over {self.units}"

    @abstractmethod
    def numbers(self, edition: Edition) -> Numbers[Measures]:
        """Return every number of an edition by name, in the order of the tidy tables."""

    def headline(self, edition: Edition) -> Number[Measures]:
        """Return the number that the board ranks by."""
        return self.numbers(edition)[self.ranked_by]

    @abstractmethod
    def gather(self, store: Store, entry: Ranked) -> Result:
        """Read what is measured of a model configuration; nothing of one whose numbers are withheld.

        Raises StoreFailed: a transcript cannot be read.
        """

    @abstractmethod
    def pairs(self, models: Sequence[Measures]) -> PairTable | None:
        """Return all pairs of models: the one source of ranks, tiers and differences; None where none is known."""

    def sample(self, measures: Measures) -> Sample | None:
        """Return what a model's Index is the mean of, by scenario and run; None where it has none."""
        return None

    def estimates(
        self, edition: Edition, measures: Measures | None, confidence: float = CONFIDENCE
    ) -> dict[str, NumberEstimate]:
        """Return every number of what is measured of a model, by name; none where a planned trial is missing."""
        known = {} if measures is None else {name: each.of(measures) for name, each in self.numbers(edition).items()}
        return {
            name: NumberEstimate(estimate=each.estimate, interval=each.interval(confidence))
            for name, each in known.items()
        }

    def parts(self, result: Result, facet: str) -> Iterator[PartOfModel[Measures]]:
        """Yield what is measured of the items that share a value of a facet."""
        yield from ()

    def split(self, result: Result, number: str, facet: str) -> Iterator[PartEstimate]:
        """Yield any number of a model over the parts of its items that any facet makes."""
        return split_number(self.numbers(result.edition)[number], self.parts(result, facet))

    def difference(
        self, edition: Edition, first: Measures | None, second: Measures | None, confidence: float
    ) -> tuple[float | None, PairDifference | None]:
        """Return the first model's number minus the second's, alone and with its interval: the pair's in the table."""
        if first is None or second is None:
            return None, None
        table = self.pairs([first, second])
        if table is None:
            one, other = (self.numbers(edition)[self.compared_by].of(each).estimate for each in (first, second))
            return (None if one is None or other is None else one - other), None
        gap, known = float(table.gap[0, 1]), table.difference(0, 1, confidence)
        facts = {"basis": self.unit, "confidence": confidence}
        shown = PairDifference.of(known, self.scale, **facts) if known else None
        return (None if isnan(gap) else self.scale * gap), shown

    def items(self, store: Store, session: Session) -> ItemAnalysis:
        """Return every scenario, the hardest first: what it gives to the Index of each model."""
        if INDEX not in self.numbers(session.edition):
            edition = session.edition.id
            raise BadInput(f"--edition={edition}: no judge scores its scenarios; name an edition with an Index")
        models = []
        for row, sample in self._sampled(store, [each for each in ranked_models(store, session).entries if each.own]):
            shares = (sample.points.T / sample.worth).T.tolist()
            models.append(ItemAnswers(row, sample, dict(zip(sample.scenarios, shares, strict=True))))
        items = items_of(session.edition.scenarios, models) if models else []
        return ItemAnalysis(**view_of(session), models=len(models), scenarios=items)

    def samples(self, store: Store, session: Session) -> Sequence[tuple[LeaderboardRow, Sample]]:
        """Return the points of every ranked model; none where there is no Index."""
        return [*self._sampled(store, [each for each in ranked_models(store, session).entries if each.can_have_rank])]

    def _sampled(self, store: Store, entries: Sequence[Ranked]) -> Iterator[tuple[LeaderboardRow, Sample]]:
        for entry in entries:
            measures = self.gather(store, entry).measures
            if measures is not None and (sample := self.sample(measures)) is not None:
                yield entry.row, sample

    def usual_variances(self, edition: Edition) -> KnownVariances | None:
        """Return None: there is no Index."""
        return None

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return nothing."""
        return []

    def can_compare(self, edition: Edition) -> bool:
        """Return True: there is always a number to compare by."""
        return True

    def gate_interval(self, criteria: Criteria) -> str:
        """Return what an interval is over."""
        return self.unit or criteria.interval

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Check a gate's criteria against the numbers."""
        for criterion in criteria.criteria:
            check_criterion(criterion, edition, self.numbers(edition))
        if self.unit:
            criteria.refuse_interval(f"edition {edition.id} is decided by its interval over {self.units}")

    def baseline(self, store: Store, candidate: Ranked) -> BaselineNumbers | None:
        """Return what a drop is measured by; None where trials are missing, or there is no Index."""
        numbers = self.numbers(candidate.result.session.edition)
        measures = self.gather(store, candidate).measures if INDEX in numbers else None
        mean = None if measures is None else numbers[INDEX].of(measures).estimate
        return None if measures is None or mean is None else NumberBaseline(measures, mean, len(candidate.row.runs))

    def feasible(self, criteria: Criteria, edition: Edition, runs: int, baseline: object) -> Iterator[str]:
        """Yield nothing: more runs hardly narrow an interval over other people or matters."""
        yield from ()

    def gate_questions(
        self, store: Store, candidate: Ranked, criteria: Criteria, baseline: BaselineModel | None
    ) -> Sequence[NumberQuestion]:
        """Return every criterion applied to a fully measured model."""
        measures = self.gather(store, candidate).measures
        assert measures is not None, "every planned trial is measured"
        against = baseline.numbers if baseline else None
        assert against is None or isinstance(against, NumberBaseline), "so are baselines of this kind"
        runs, undecided = len(candidate.row.runs), f"the {self.units} differ too much"
        numbers = self.numbers(candidate.result.session.edition)

        def asked(criterion: Criterion) -> Estimated:
            if criterion.kind == "max_drop" and against is not None:
                own = numbers[INDEX].of(measures).estimate
                drop = None if own is None else against.mean - own
                return WithEnds(drop, partial(self.drop, against.measures, measures))
            return numbers[number_asked(criterion, numbers)].of(measures)

        return [NumberQuestion(each, asked(each), runs, self.unknown, undecided) for each in criteria.criteria]

    def drop(self, baseline: Measures, measures: Measures, confidence: float, runs: int | None) -> Interval | None:
        """Return the interval of the baseline's Index minus a model's; ``runs``: project it to this many runs."""
        table = self.pairs([baseline, measures]) if runs is None else None
        known = table.difference(0, 1, confidence) if table else None
        return Interval(*(self.scale * end for end in known.interval)) if known else None
