"""A kind of edition that measures models by numbers: its ranks, notes, gate, tables, items and pairs are those of all.

A kind declares its numbers, how what is measured of a model is read from a store, and its one table of pairs.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, isnan
from typing import Any, Generic

import numpy as np

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.garbage import without_garbage_collection
from independence_bench.judge_check.checked_judges import JudgeChecks
from independence_bench.report.analysis.caveats import caveats
from independence_bench.report.analysis.difficulty import ItemAnalysis, ItemAnswers, items_of
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.model_intervals import rank_facts
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.ranked import PLACES, Ranked, RankedModels, board_facts, ranked_models, view_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import BoardRecords, KindTables, ModelNumber, pairs_in
from independence_bench.report.analysis.warnings import MODELS_NAMED, clauses, combined_otherwise, grave, judge_warnings
from independence_bench.report.comparison.comparison_data import PairDifference
from independence_bench.report.gate.criteria import Criteria, Criterion
from independence_bench.report.gate.gated_kind import BaselineModel, BaselineNumbers
from independence_bench.report.numbers.number import INDEX, Estimated, Measures, Number, Numbers, WithEnds
from independence_bench.report.numbers.number_board import NumberBoard, NumberEstimate, NumberRow
from independence_bench.report.numbers.number_questions import NumberQuestion, check_criterion, number_asked
from independence_bench.report.numbers.number_report import Board, NumberReport, Result
from independence_bench.scoring.uncertainty import CONFIDENCE, Interval, RankInterval, Sample
from independence_bench.scoring.uncertainty.known_models import KnownModels
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.spec import EMBEDDED, is_embedded
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
        shown = PairDifference.of(known, self.unit, confidence, self.scale)
        return (None if isnan(gap) else self.scale * gap), shown

    def notes(self, rows: Sequence[Any]) -> Iterator[str]:
        """Yield the caveats that are the kind's own."""
        yield from ()

    def row(self, result: Result, facts: Mapping[str, Any]) -> Any:
        """Return the row of a model; ``facts`` are those of a :class:`NumberRow`."""
        return NumberRow(**facts)

    def board(self, facts: Mapping[str, Any], session: Session) -> Any:
        """Return the board; ``facts`` are those of a :class:`NumberBoard`."""
        return NumberBoard[NumberRow](**facts)

    def report(
        self, store: Store, session: Session, judge_checks: JudgeChecks = lambda panel: ()
    ) -> NumberReport[Result, Board]:
        """Build the board of a session's edition, texts and panel over all that the store holds."""
        with without_garbage_collection():
            models = ranked_models(store, session)
            checks = judge_checks(models.judges(session))
            models = models.marked(checks)
            results = [self.gather(store, entry) for entry in models.entries]
            results.sort(key=self._order)
            compared = [each for each in results if self._contends(each)]
            pairs = self.pairs([each.measures for each in compared if each.measures is not None]) if compared else None
            among = rank_facts(pairs.ranks() if pairs else [RankInterval(1, len(compared), None)] * len(compared))
            without: list[dict[str, Any]] = [{}] * (len(results) - len(compared))
            rows = [self._row(*each) for each in zip(results, [*among, *without], strict=True)]
            several = pairs is not None and len(compared) > 1
            view = board_facts(session, models, checks)
            facts = {
                **view,
                "notes": [*self._notes(session, rows, models, view)],
                "false_discovery_rate": FALSE_DISCOVERY_RATE,
                "compared": len(compared) * (len(compared) - 1) // 2 if several else 0,
                "apart": int(np.triu(pairs.apart(FALSE_DISCOVERY_RATE)).sum()) if pairs and several else 0,
                "models": rows,
            }
            return NumberReport(self.board(facts, session), session.edition, results, compared, pairs)

    def _value(self, result: Result) -> float | None:
        return None if result.measures is None else self.headline(result.edition).of(result.measures).estimate

    def _contends(self, result: Result) -> bool:
        return self._value(result) is not None and result.entry.can_have_rank

    def _order(self, result: Result) -> tuple[str, bool, float, tuple[str, str]]:
        value, good = self._value(result), self.headline(result.edition).good
        ahead = inf if value is None else round(-value if good == "high" else value, PLACES)
        return result.entry.row.configuration or "", not self._contends(result), ahead, result.entry.name

    def _row(self, result: Result, rank: Mapping[str, Any]) -> Any:
        row = result.entry.row
        facts = {
            **row.fields_of(RowFacts),
            "configuration": row.configuration,
            "judges": row.judges,
            "warnings": row.warnings,
            **rank,
            "numbers": self.estimates(result.edition, result.measures),
            "runs": len(row.runs),
        }
        return self.row(result, facts)

    def _notes(
        self, session: Session, rows: Sequence[Any], models: RankedModels, view: Mapping[str, Any]
    ) -> Iterator[str]:
        yield from filter(None, [session.edition.standing])
        yield from (warning.text for warning in grave(judge_warnings(view["heuristic_judges"], view["judge_checks"])))
        if any(is_embedded(row.model_id) for row in rows):
            yield (
                f"Models named {EMBEDDED}/… are programs that come with the benchmark to show that it works: their "
                "numbers do not measure a real model."
            )
        for row in [row for row in rows if row.warnings][:MODELS_NAMED]:
            unranked = "; not ranked" if not row.contends and row.number(self.ranked_by) is not None else ""
            yield f"{row.full_name}: {clauses(row.warnings)}{unranked}."
        yield from self.notes(rows)
        yield from combined_otherwise(session)
        if others := [row.full_name for row in rows if row.configuration]:
            yield f"Asked by overridden fixtures only, so not ranked: {', '.join(others)}."
        yield from caveats(models)

    def tables(self, source: BoardRecords) -> KindTables:
        """Return the rows of the tidy tables of numbers and of pairs."""
        known = source.known
        if not isinstance(known, NumberReport):
            known = self.report(source.store, source.session, lambda panel: source.board.judge_checks)
        return self.tables_of(known)

    def tables_of(self, report: NumberReport[Result, Board]) -> KindTables:
        """Return the numbers of all models, and the pairs of those that are compared."""
        numbers = [
            ModelNumber(
                row=result.entry.row,
                name=name,
                title=number.title,
                value=row.number(name),
                interval=row.ends(name),
                over=self.units if row.ends(name) else None,
                good=number.good,
                rank=row.rank if name == self.ranked_by else None,
            )
            for row, result in zip(report.board.models, report.results, strict=True)
            for name, number in self.numbers(report.edition).items()
        ]
        rows = [each.entry.row for each in report.compared]
        pairs = pairs_in(report.pairs, rows, self.compared_by, self.units, self.scale) if report.pairs else ()
        return KindTables(numbers, [*pairs])

    def items(self, store: Store, session: Session) -> ItemAnalysis:
        """Return every scenario, the hardest first: what it gives to the Index of each model."""
        if INDEX not in self.numbers(session.edition):
            raise BadInput(f"--edition={session.edition.id}: it has no Index to which items give; name one that has")
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

    def known_models(self, edition: Edition) -> KnownModels | None:
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
