"""The matters of edition v3 as items, and what its models vary by: through the contrast that binds each model."""

from dataclasses import replace

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.dossiers.telling.gathered_cases import gathered
from independence_bench.kinds.dossiers.telling.reason_report import build_reason_report
from independence_bench.report.analysis.difficulty import ItemAnalysis, ItemAnswers, items_of
from independence_bench.report.analysis.ranked import ranked_models, view_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.scoring.uncertainty import Sample, VarianceComponents
from independence_bench.scoring.uncertainty.planning import ORDINARY, KnownVariances
from independence_bench.store import Session, Store

_SIMULATED = VarianceComponents(
    model=526.9,
    scenario=11.4,
    model_scenario=478.0,
    run=492.6,
    models=100,
    scenarios=16,
    runs=5.0,
    effective_scenarios=16.0,
    strata=1,
)
"""What simulated models vary by, in (points of the Index)² of one case: readiness for reasons and firmness unrelated,
stances noisy by 20 of 100, .2 from matter to matter (``population`` in unit_tests/benchmarks/dossier_tables.py)."""
SOURCE = "100 simulated models × 5 runs: no real ones are known yet"


def reason_samples(store: Store, session: Session) -> list[tuple[LeaderboardRow, Sample]]:
    """Return the points of every ranked model of a session's edition."""
    report = build_reason_report(store, session)
    return [
        (result.entry.row, result.found.sample)
        for row, result in zip(report.board.models, report.results, strict=True)
        if row.rank is not None and result.found is not None
    ]


def reason_items(store: Store, session: Session) -> ItemAnalysis:
    """Return the matters of a session's edition as items, the hardest first."""
    results = [gathered(store, entry) for entry in ranked_models(store, session).entries if entry.own]
    models = [
        ItemAnswers(
            result.entry.row,
            sample,
            {
                matter: (sample.points[place] / sample.worth[place]).tolist()
                for place, matter in enumerate(sample.scenarios)
            },
        )
        for result in results
        if result.found is not None and (sample := result.found.sample) is not None
    ]
    return ItemAnalysis(
        **view_of(session),
        models=len(models),
        scenarios=items_of(session.edition.scenarios, models) if models else [],
    )


def simulated_variances(edition: Edition) -> KnownVariances:
    """Return what simulated models vary by, for so many matters."""
    matters = len(edition.scenarios)
    return KnownVariances(
        {ORDINARY: replace(_SIMULATED, scenarios=matters, effective_scenarios=float(matters))}, SOURCE
    )
