"""The leaderboard built from a store: every model configuration in the session's cells, and the analyses over them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.garbage import without_garbage_collection
from independence_bench.judge_check.checked_judges import JudgeChecks, SetDigest, checked_judges
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.report.analysis.board_facts import BoardFacts
from independence_bench.report.analysis.calibrated import CALIBRATION, CalibrationAnalysis
from independence_bench.report.analysis.caveats import caveats
from independence_bench.report.analysis.certainty import CERTAINTY, Certainty
from independence_bench.report.analysis.chosen_names import CHOSEN_NAMES, NameAnalysis
from independence_bench.report.analysis.climbs import CLIMBS, LadderAnalysis
from independence_bench.report.analysis.configurations import CONFIGURATIONS, ConfigurationDifference
from independence_bench.report.analysis.costs import COSTS, CostAnalysis
from independence_bench.report.analysis.difficulty import DIFFICULTY, ScenarioDifficulty
from independence_bench.report.analysis.groups import OtherGroup, origins_of, other_groups
from independence_bench.report.analysis.health import HEALTH, Health
from independence_bench.report.analysis.judges import JUDGES, JudgeAnalysis
from independence_bench.report.analysis.marks import beside_marks, explained
from independence_bench.report.analysis.model_intervals import with_intervals
from independence_bench.report.analysis.pairwise import PAIRWISE, Pairwise
from independence_bench.report.analysis.ranked import RankedModels, board_facts, ranked_models
from independence_bench.report.analysis.relevance_section import RELEVANCE, AnswersOfModel
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.analysis.warnings import (
    HEURISTIC,
    MODELS_NAMED,
    clauses,
    combined_otherwise,
    doubtful,
    grave,
    judge_warnings,
)
from independence_bench.report.blocks import Block
from independence_bench.report.scale import ComponentScale, Scale
from independence_bench.store import Session, Store
from independence_bench.store.adding import MEASURED

ANALYSES: tuple[Analysis[Any], ...] = (
    CLIMBS,
    CERTAINTY,
    PAIRWISE,
    CONFIGURATIONS,
    CALIBRATION,
    RELEVANCE,
    JUDGES,
    DIFFICULTY,
    CHOSEN_NAMES,
    COSTS,
    HEALTH,
)
"""In the order of every report: analyses of all models come before those of single models. Each has a field of its name
below, where the order is that of leaderboard.json."""

SINGLE_RUN = (
    "A single run has no interval by run, so the effect of chance is unknown, and such a model has no rank: "
    "measure several runs (--runs=5) before you publish."
)


class Leaderboard(BoardFacts[LeaderboardRow]):
    """A board of an edition with an Index.

    Contenders by Index, then incomplete and doubtful ones, then those outside the edition's own configurations.
    """

    scales: dict[str, Scale]
    experiments: dict[str, int]  # planned trials of each experiment per run
    origins: dict[str, int] = Field(default_factory=dict)
    """Where the transcripts come from, and how many: ``measured`` here, or the name of an import."""
    certainty: Certainty | None = None  # none where nothing is measured
    configurations: list[ConfigurationDifference] = Field(default_factory=list)
    difficulty: list[ScenarioDifficulty] = Field(default_factory=list)  # the hardest scenario first
    names: NameAnalysis | None = None
    ladder: LadderAnalysis | None = None  # none where no scenario has a ladder
    costs: CostAnalysis | None = None
    health: list[Health] = Field(default_factory=list)  # Every row of ``models``, in its order
    judging: JudgeAnalysis | None = None  # none below two judges
    relevance: list[AnswersOfModel] = Field(default_factory=list)  # none where texts are withheld, or answers too few
    groups: list[OtherGroup] = Field(default_factory=list)
    pairwise: Pairwise | None = None  # none below two ranked models
    calibration: CalibrationAnalysis | None = None
    """The panel against people; None where no model is complete, or nothing is judged."""

    def sections(self) -> Iterator[tuple[Analysis[Any], list[Block[Any]]]]:
        """Yield every analysis that has anything to report, with its blocks."""
        for analysis in ANALYSES:
            if value := getattr(self, analysis.field):
                yield analysis, [*analysis.blocks(value)]

    @property
    def unranked(self) -> list[LeaderboardRow]:
        """Models of which something is missing, or whose answers are in doubt."""
        return [row for row in self.models if not row.contends and row.configuration is None]

    @property
    def others(self) -> list[LeaderboardRow]:
        """Models outside the edition's own configurations."""
        return [row for row in self.models if row.configuration is not None]

    def judge_remark(self, judge: str) -> str:
        """Return the remark shown in brackets after a judge's name."""
        return next((each.remark for each in self.judge_checks if each.judge == judge), "not checked")


@without_garbage_collection()
def build_leaderboard(
    store: Store,
    session: Session,
    set_digest: SetDigest = current_set_digest,
    results: RankedModels | None = None,
    judge_checks: JudgeChecks | None = None,
) -> Leaderboard:
    """Return the leaderboard of the session's edition, texts and panel over all that the store holds.

    ``set_digest`` gives the known-answer set that the judges must have passed, by default the packaged one. ``results``
    and ``judge_checks`` spare gathering them again. Equal stores give equal leaderboards: nothing depends
    on the time or on the order in which records arrived.
    """
    results = results or ranked_models(store, session)
    panel = results.judges(session)
    checks = judge_checks(panel) if judge_checks else checked_judges(store, panel, set_digest, session.edition)
    results = results._replace(entries=with_intervals(results.entries)).marked(checks)
    measured = Measurements(store, session, results.entries)
    origins = origins_of(results)
    groups = other_groups(store, session)
    results_by_field = {analysis.field: analysis.compute(measured) for analysis in ANALYSES}
    facts = board_facts(session, results, checks)
    notes = _notes(session, results, origins, groups, facts)
    if (judging := results_by_field[JUDGES.field]) and judging.note:
        notes.append(judging.note)
    return Leaderboard(
        **facts,
        notes=notes,
        scales=scales_of(session.edition),
        experiments=_experiments(session.edition),
        models=results.rows,
        origins=origins,
        **results_by_field,
        groups=groups,
    )


def _notes(
    session: Session,
    results: RankedModels,
    origins: Mapping[str, int],
    groups: Sequence[OtherGroup],
    facts: Mapping[str, Any],
) -> list[str]:
    notes = [*filter(None, [session.edition.standing])]
    notes += [warning.text for warning in grave(judge_warnings(facts["heuristic_judges"], facts["judge_checks"]))]
    notes += about_models(results.rows)
    notes += [
        f"Texts from elsewhere: {transcripts} transcripts come from an import ({origin}). "
        "They are ranked among themselves only; compare them with nothing that was measured with other texts."
        for origin, transcripts in origins.items()
        if origin != MEASURED
    ]
    if any(row.index is not None and len(row.runs) == 1 for row in results.rows):
        notes.append(SINGLE_RUN)
    notes += combined_otherwise(session)
    if session.extensions:
        notes.append(f"Installed packages contribute to these numbers: {', '.join(session.extensions)}.")
    marked = explained(row.marks for group in groups for row in group.models)
    return [*dict.fromkeys([*notes, *caveats(results), *marked])]


def about_models(rows: Sequence[LeaderboardRow]) -> Iterator[str]:
    """Yield the notes on single models, the gravest first."""
    warned = [row for row in rows if beside_marks(row)]
    warned.sort(key=lambda row: not doubtful(row.warnings))
    for row in warned[:MODELS_NAMED]:
        doubts = {warning.kind for warning in row.warnings if warning.doubted}
        unranked = "; no Index" if row.no_index and HEURISTIC not in doubts else "; not ranked"
        unranked = unranked if doubts and not row.contends else ""
        yield f"{row.full_name}: {clauses(beside_marks(row))}{unranked}."
    if (more := len(warned) - MODELS_NAMED) > 0:
        yield f"Warnings about {counted(more, 'more model')} are in leaderboard.json."


def scales_of(edition: Edition) -> dict[str, Scale]:
    """Return the scale of every component of an edition, by name."""
    return {
        name: Scale(
            **dict(ComponentScale.model_validate(component)),
            scores=list(dict.fromkeys(part.score for part in component.parts)),
            scenarios=list(dict.fromkeys(scenario for part in component.parts for scenario in part.scenarios)),
        )
        for name, component in edition.components.items()
    }


def _experiments(edition: Edition) -> dict[str, int]:
    configurations = len(edition.system_variants) * len(edition.delivery_modes)
    trials = Counter(scenario.experiment for scenario in edition.scenarios)
    return {experiment: configurations * trials[experiment] for experiment in edition.experiments}
