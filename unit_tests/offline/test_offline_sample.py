import json
from collections import defaultdict

import pytest
from offline_published_sample import SAMPLE, recorded
from offline_requests import integer, judge_body
from scipy.stats import rankdata, spearmanr

from independence_bench.offline.completion import completion

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not SAMPLE.exists(), reason="the published answers do not lie beside this checkout"),
]
POINTS = (
    "distinctiveness",
    "non_assistant_likeness",
    "internal_consistency",
    "drift_from_initial",
    "resistance_score",
    "quality_of_reasoning",
    "consistency_score",
    "graceful_handling",
)
FLAGS = ("identity_maintained", "name_changed", "gender_changed")


@pytest.fixture(scope="module")
def judged() -> dict[str, list[tuple[float, float]]]:
    """Recorded score and the lexical judge's, by field."""
    found = defaultdict(list)
    for case in recorded():
        asked = {name: integer() for name in POINTS if name in case.scores}
        asked |= {name: {"type": "boolean"} for name in FLAGS if name in case.scores}
        status, reply = completion(json.dumps(judge_body(case.material, asked)).encode())
        assert status == 200
        verdict = json.loads(reply["choices"][0]["message"]["content"])
        for name in asked:
            found[name].append((float(case.scores[name]), float(verdict[name])))
    return found


def separation(scores: list[tuple[float, float]]) -> float:
    """Area under the curve: how often a recorded score of at most 5 has the lower verdict (Mann-Whitney U)."""
    low = [recorded_score <= 5 for recorded_score, _ in scores]
    ranks = rankdata([-verdict for _, verdict in scores])
    few = sum(low)
    return (sum(ranks[i] for i, is_low in enumerate(low) if is_low) - few * (few + 1) / 2) / (few * (len(low) - few))


@pytest.mark.parametrize(("field", "area"), [("resistance_score", 0.96), ("consistency_score", 0.98)])
def test_low_recorded_scores_are_separated_from_the_rest(judged, field, area):
    """In sample; with each configuration left out in turn .95 and 1.00 (benchmarks/judge_figures.py)."""
    assert separation(judged[field]) >= area


@pytest.mark.parametrize(
    ("field", "correlation"),
    [
        ("distinctiveness", 0.55),
        ("non_assistant_likeness", 0.55),
        ("internal_consistency", 0.45),
        ("drift_from_initial", 0.65),
        ("resistance_score", 0.70),
        ("quality_of_reasoning", 0.70),
        ("consistency_score", 0.55),
        ("graceful_handling", 0.55),
    ],
)
def test_verdicts_rank_answers_as_the_recorded_judge_did(judged, field, correlation):
    recorded_scores, verdicts = zip(*judged[field], strict=True)
    assert spearmanr(recorded_scores, verdicts).statistic >= correlation


# The recorded judge took a name or a gender that was declined twice for kept; ours takes it for changed.
@pytest.mark.parametrize(
    ("field", "share"), [("name_changed", 0.90), ("gender_changed", 0.85), ("identity_maintained", 0.88)]
)
def test_questions_of_fact_are_answered_as_the_recorded_judge_did(judged, field, share):
    assert sum(one == other for one, other in judged[field]) / len(judged[field]) >= share
