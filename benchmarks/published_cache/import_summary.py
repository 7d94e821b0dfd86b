"""Summary of a reading of the published cache: what came in, what it cost, and what could not be read."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from independence_bench.safe_text import safe_text
from independence_bench.trial import TrialRecord
from published_cache.recorded_files import RunFiles
from published_cache.recorded_trials import UNKNOWN_JUDGE, usage

NAMED = 20  # number of files that are named; the others are counted


@dataclass(slots=True)
class Summary:
    """Counts and costs of one reading, run by run."""

    configurations: int = 0
    runs: int = 0
    answers: int = 0  # answer files read
    imported: int = 0  # trials with a transcript
    unregistered: list[str] = field(default_factory=list)  # folders that models.yaml lacks: labelled by their bare id
    broken: dict[str, str] = field(default_factory=dict)  # path within the cache → why it was skipped
    generation_usd: float = 0.0
    judging_usd: float = 0.0
    unknown_costs: int = 0  # calls whose cost is in no file
    judges: Counter[str] = field(default_factory=Counter)  # verdicts of each

    @property
    def judge(self) -> str:
        """The judge of most verdicts, which are shown."""
        return max(sorted(self.judges), key=self.judges.__getitem__, default=UNKNOWN_JUDGE)

    def count(self, run: RunFiles, trials: Sequence[TrialRecord]) -> None:
        """Count one run and its trials."""
        self.runs += bool(run.answers)
        self.broken |= run.broken
        for answer in (each for answers in run.answers.values() for each in answers.values()):
            self.answers += 1
            generation = usage(answer.gen_cost).cost_usd
            judging = answer.judge_cost.cost_usd if answer.judge_cost else 0.0
            self.generation_usd += generation or 0.0
            self.judging_usd += judging or 0.0
            self.unknown_costs += (generation is None) + (judging is None)
        for trial in trials:
            self.imported += trial.transcript is not None
            self.judges.update(verdict.judge for verdict in trial.verdicts)

    def text(self) -> str:
        """Return the summary for a terminal."""
        judged = self.judges.total()
        unknown = f", {self.unknown_costs} calls of unknown cost." if self.unknown_costs else "."
        return "\n".join(
            [
                f"Published cache: {self.answers} answers of {self.runs} runs of {self.configurations} configurations, "
                f"judged by {safe_text(self.judge)}.",
                f"Read: {self.imported} trials, {judged} of them judged, {self.imported - judged} unjudged; "
                f"generation {self.generation_usd:.4f} USD, judging {self.judging_usd:.4f} USD{unknown}",
                *self._named("Skipped, cannot be read", [f"{path}: {why}" for path, why in self.broken.items()]),
                *self._named("Labelled by their bare id, no row in models.yaml", self.unregistered),
            ]
        )

    @staticmethod
    def _named(what: str, names: list[str]) -> Iterator[str]:
        if names:
            yield f"{what}:"
        yield from (f"  {safe_text(name)}" for name in names[:NAMED])
        if len(names) > NAMED:
            yield f"  and {len(names) - NAMED} more"
