"""One planned trial with all that is known of it, and the Index of any choice of trials. Reads no store."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from independence_bench.aggregation import aggregate, mean, mean_known
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.records import CellKey
from independence_bench.scoring import PanelScores, RunScores, held, outcome_word
from independence_bench.scoring.components import all_known
from independence_bench.scoring.worths import ScenarioWorth
from independence_bench.spec import Scenario, Score, ScoreField
from independence_bench.store import FailureRow, TrialRow, VerdictRow


class PanelOutcome:
    """What the scores of a panel make of a scenario's trial. Trials with equal scores share it: a store may hold a
    million trials, and few different scores.
    """

    def __init__(
        self, scenario: Scenario, scores: PanelScores, aggregation: str, worth: ScenarioWorth | None = None
    ) -> None:
        """Combine the panel's scores; ``worth`` is what the scenario adds to the Index, None where it has no weight."""
        self.scores = scores
        self.means = aggregate(scores, aggregation)
        self.worth = worth
        self.judged = self  # what the judges made of it, where numbers are withheld, too
        self._scenario = scenario

    def withheld(self, by_words: bool) -> "PanelOutcome":
        """Return the same with the judges' scores and nothing that is made of them; ``by_words``: but for
        :attr:`held`.
        """
        hidden = PanelOutcome(self._scenario, (), "", self.worth)
        hidden.scores, hidden.judged = self.scores, self
        if by_words:
            hidden.held = self.held
        return hidden

    @cached_property
    def held(self) -> bool | None:
        """Whether it reached its pass mark; None where it is not measured or has none."""
        passes = self._scenario.passes
        return held(passes, self.means) if passes and self.means else None

    @property
    def word(self) -> str | None:
        """``held``, ``yielded`` or a broken rule's own word; None where it is not measured or has no pass mark."""
        means = self.judged.means
        return outcome_word(self._scenario.passes, means) if self.held is not None and means else None

    @cached_property
    def share(self) -> float | None:
        """Share of the points of the Index that it could add; where its scenario has no weight, mean share
        of the best values of all its scores. None where it is not measured.
        """
        means = self.means or {}
        if self.worth is None:
            return mean_share(self._scenario.fields, means)
        return self.worth.points(means) / self.worth.worth if self.worth.scores <= means.keys() else None


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One planned trial. A store may hold a million: it has no instance dictionary, and shares what is equal."""

    cell: CellKey
    run: int
    scenario: Scenario
    transcript: TrialRow | None
    verdicts: tuple[VerdictRow | None, ...]  # one per judge of the panel; empty where no judge reads the scenario
    outcome: PanelOutcome
    failures: Sequence[FailureRow]
    intermediate_verdicts: tuple[VerdictRow, ...] = ()
    """Verdicts that a function of the scenario's own paid for before the conversation was whole. No score."""
    measured: bool = field(init=False)
    """A transcript and a verdict of every judge; scenarios without a rubric need no judge."""

    def __post_init__(self) -> None:
        """Find out whether it is measured."""
        judged = self.scenario.rubric is None or (bool(self.verdicts) and None not in self.verdicts)
        object.__setattr__(self, "measured", self.transcript is not None and judged)


def mean_share(fields: Iterable[ScoreField], scores: Mapping[str, Score]) -> float | None:
    """Return the mean of these scores, each as a share of its best value, 0..1; None where none of them is there."""
    return mean_known(each.share(float(scores[each.name])) for each in fields if each.name in scores)


def run_scores(edition: Edition, trials: Iterable[PlannedTrial], judge: int | None = None) -> RunScores:
    """Return the scores of one run's trials by scenario; by one judge alone, where its place is given."""
    scores: dict[str, list[PanelScores]] = {scenario.id: [] for scenario in edition.scenarios}
    for trial in trials:
        read = trial.outcome.scores
        if judge is not None and trial.verdicts:
            read = [read[judge]]
        scores[trial.scenario.id].append(read)
    return scores


def mean_scores(trials: Iterable[Mapping[str, float] | None]) -> dict[str, float] | None:
    """Return the mean of every score that all trials have; None where one is not measured, or there is none."""
    known = all_known(trials)
    if not known:
        return None
    return {name: mean([each[name] for each in known]) for name in known[0] if all(name in each for each in known)}
