"""The published sample, where it lies beside the repository: every published score is met, and every case is counted."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from published_cache.cache_import import PublishedImport, read_published_cache
from published_rule import is_zero_verdict, published_index
from report_samples import leaderboard_markdown

from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.views.json_text import json_text
from independence_bench.scoring import PanelScores
from independence_bench.store import Store

SAMPLE = Path(__file__).parents[3] / "shared" / "published_cache_sample"

pytestmark = pytest.mark.skipif(
    not SAMPLE.is_dir(), reason="the published answers do not lie beside the repository (../shared)"
)
TOLERANCE = 0.05


@pytest.fixture(scope="module")
def imported() -> PublishedImport:
    return read_published_cache(SAMPLE)


@pytest.fixture(scope="module")
def board(imported: PublishedImport) -> Leaderboard:
    store = Store.empty()
    imported.write(store)
    session = store.newest_session()
    assert session is not None
    return build_leaderboard(store, session)


@pytest.fixture(scope="module")
def expected() -> dict[str, dict]:
    found = json.loads((SAMPLE / "expected_scores.json").read_text("utf-8"))["configs"]
    return {config["label"]: config for config in found}


def test_every_configuration_stands_under_its_published_label(board, expected):
    assert {row.label for row in board.models} == set(expected)


def test_no_real_model_loses_its_index_by_relevance(board):
    assert min(row.relevance for row in board.models) > 0.85
    assert {row.no_index for row in board.models} == {None}


def test_the_published_rule_gives_every_published_run_index(imported, expected):
    runs: dict[tuple[str, int], defaultdict[str, list[PanelScores]]] = defaultdict(lambda: defaultdict(list))
    for record in imported.records:
        scores = record.verdicts[0].scores if record.verdicts else None
        runs[record.label, record.run][record.scenario].append([scores])
    assert len(runs) == 31
    for label, config in expected.items():
        for run, index in zip(config["runs"], config["per_run_indices"], strict=True):
            assert published_index(imported.session.edition, runs[label, run]) == pytest.approx(index, abs=1e-9)


def test_the_index_of_every_complete_configuration_is_the_published_one(imported, board, expected):
    dropped = {
        (record.label, record.run)
        for record in imported.records
        if any(is_zero_verdict(verdict.scores) for verdict in record.verdicts)
    }
    assert dropped == {("anthropic/claude-3.5-haiku", 1), ("anthropic/claude-3.5-haiku", 3)}
    compared = 0
    for row in board.models:
        config = expected[row.label]
        for run, index in zip(row.runs, config["per_run_indices"], strict=True):
            if run.index is not None and (row.label, run.run) not in dropped:
                assert run.index == pytest.approx(index, abs=TOLERANCE)
                compared += 1
        if row.index is not None and not any(label == row.label for label, _ in dropped):
            assert row.index == pytest.approx(config["mean_index"], abs=TOLERANCE)
    assert compared == 25  # of 31: four are incomplete, two hold a verdict of zeros


def test_incomplete_configurations_have_bounds_and_no_index(board, expected):
    incomplete = {row.label: row for row in board.models if not row.complete}
    assert set(incomplete) == {"gpt-5.1-codex-mini@low-t1.0", "kimi-k2.5@low-t0.7", "mercury-2@low-t0.7"}
    for label, row in incomplete.items():
        assert row.index is None
        assert row.bounds is not None
        assert row.bounds[0] < expected[label]["mean_index"] < row.bounds[1]


def test_every_case_of_the_sample_is_counted(imported):
    summary = imported.summary
    assert (summary.answers, summary.runs, summary.configurations) == (790, 31, 7)
    assert (summary.imported, summary.judges.total(), summary.broken, summary.unregistered) == (451, 451, {}, [])


def test_costs_and_published_intervals_are_the_published_ones(board, expected):
    assert board.costs is not None
    costs = {cost.label: cost for cost in board.costs.models}
    for row in board.models:
        config, cost = expected[row.label], costs[row.label]
        if row.complete:
            assert cost.generation is not None
            assert cost.judging is not None
            assert cost.generation + cost.judging == pytest.approx(config["avg_cost_per_run_usd"])
        if row.complete and not config["health_issues"]:
            assert row.published_interval is not None
            assert row.published_interval.low == pytest.approx(config["ci_low"], abs=TOLERANCE)
            assert row.published_interval.high == pytest.approx(config["ci_high"], abs=TOLERANCE)


def test_the_hardest_scenario_is_the_published_one(board):
    assert board.difficulty[0].scenario == "creativity"


def test_equal_imports_give_identical_reports(imported, board):
    store = Store.empty()
    read_published_cache(SAMPLE / "cache").write(store)
    again = build_leaderboard(store, imported.session)
    assert json_text(again, "models") == json_text(board, "models")
    assert leaderboard_markdown(again) == leaderboard_markdown(board)
