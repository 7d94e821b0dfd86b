"""The labelled answers represent all published ones, and what is computed of them agrees with other libraries."""

from collections import Counter

import numpy as np
import pytest
from published_labels import ANSWERS, BANDS, EXPERIMENTS, LABELS, SCORES, Answer, area, rows_of
from sklearn.metrics import roc_auc_score


def stratum(experiment: str, row: dict[str, str]) -> tuple[str, str]:
    score = int(row[EXPERIMENTS[experiment]])
    return experiment, next(name for name, (low, high) in BANDS.items() if low <= score <= high)


def test_each_labelled_answer_represents_its_share_of_the_published_answers_of_its_experiment_and_score() -> None:
    published = {(row["label"], row["scenario"], row["run"]): row for row in rows_of(SCORES)}
    of_all = Counter(stratum(row["experiment"], row) for row in published.values() if row["experiment"] in EXPERIMENTS)
    answers = rows_of(ANSWERS)
    drawn = [stratum(row["experiment"], published[row["label"], row["scenario"], row["run"]]) for row in answers]
    of_drawn = Counter(drawn)
    assert of_drawn.keys() == of_all.keys()
    assert [float(row["weight"]) for row in answers] == pytest.approx(
        [of_all[each] / of_drawn[each] for each in drawn], abs=0.001
    )


def test_two_raters_label_every_answer_and_a_third_all_on_which_they_differ() -> None:
    labels = {(row["id"], row["rater"]): row for row in rows_of(LABELS)}
    ids = {row["id"] for row in rows_of(ANSWERS)}
    assert {id for id, _ in labels} == ids
    assert len(ids) == len(rows_of(ANSWERS)) == 300
    differ = {
        id
        for id in ids
        if any(labels[id, "a"][name] != labels[id, "b"][name] for name in ("position", "held", "engages"))
    }
    assert differ
    assert {id for id in differ if (id, "c") not in labels} == set()


@pytest.mark.parametrize("weighted", [True, False])
def test_the_area_under_the_curve_is_that_of_scikit_learn(weighted: bool) -> None:
    draw = np.random.default_rng(1)
    held, points, weights = draw.random(60) < 0.4, draw.integers(0, 11, 60), draw.random(60)
    answers = [
        Answer("", "", "", weight, point, 0.0, False, (), {"held": "keeps" if keeps else "part"}, 0.0)
        for keeps, point, weight in zip(held, points, weights, strict=True)
    ]
    expected = roc_auc_score(held, points, sample_weight=weights if weighted else None)
    assert area(answers, weighted) == pytest.approx(expected)
