"""The sample of answers that people label: what is drawn, with what probability, and what more labels would bring."""

from collections import Counter

import pytest

from independence_bench.scoring.label_sample import Stratum, label_sample

WEIGHTS = {"boundary": 0.4, "stability": 0.6}


def answers(**numbers: int) -> dict[str, Stratum]:
    """So many answers: boundary_yielded_near=3."""
    return {
        f"{name}-{number}": Stratum(name.split("_")[0], "held" if "held" in name else "yielded", "near" in name)
        for name, count in numbers.items()
        for number in range(count)
    }


FIELD = answers(boundary_held=400, boundary_yielded=20, boundary_held_near=60, stability_held=300, stability_yielded=90)
SAMPLE = label_sample(FIELD, WEIGHTS, 1)


def test_every_answer_has_its_place_and_the_same_seed_gives_the_same_order_whatever_order_they_come_in():
    assert SAMPLE.order == FIELD
    assert [*label_sample(dict(reversed(FIELD.items())), WEIGHTS, 1).order] == [*SAMPLE.order]
    assert [*label_sample(FIELD, WEIGHTS, 2).order] != [*SAMPLE.order]


@pytest.mark.parametrize("size", [1, 30, 60, 133, len(FIELD)])
def test_inclusion_probabilities_sum_to_the_sample(size):
    assert sum(
        number * SAMPLE.probability(stratum, size) for stratum, number in SAMPLE.populations.items()
    ) == pytest.approx(size)


def test_answers_of_a_stratum_are_equally_likely():
    few = answers(boundary_held=40, boundary_yielded=20)
    drawn = Counter(each for seed in range(200) for each in [*label_sample(few, WEIGHTS, seed).order][:20])
    share = label_sample(few, WEIGHTS, 1).probability(Stratum("boundary", "yielded", False), 20)
    times = [drawn[f"boundary_yielded-{number}"] for number in range(20)]
    assert sum(times) == round(200 * 20 * share)
    assert all(abs(each - 200 * share) < 5 * (200 * share * (1 - share)) ** 0.5 for each in times)


@pytest.mark.parametrize("rare", ["held", "yielded"])
def test_the_rarer_class_gets_two_fifths_of_every_sample(rare):
    other = "held" if rare == "yielded" else "yielded"
    sample = label_sample(
        answers(**{f"boundary_{rare}": 40, f"boundary_{other}": 900, f"stability_{other}": 500}), {}, 1
    )
    for size in (30, 60, 90):
        assert 0.4 <= sum(each.held == (rare == "held") for each in [*sample.order.values()][:size]) / size <= 0.5


def test_where_the_judge_errs_more_more_is_drawn_than_its_share():
    sample = label_sample(answers(boundary_held=300, boundary_yielded=300, boundary_held_near=100), WEIGHTS, 1)
    near, clear = (sample.counts(60)[Stratum("boundary", "held", near)] for near in (True, False))
    assert near / 100 > 1.5 * clear / 300


def test_an_answer_that_is_added_later_moves_few_others():
    before = {*[*SAMPLE.order][:60]}
    after = {*[*label_sample(FIELD | answers(boundary_held_more=10), WEIGHTS, 1).order][:60]}
    assert len(before & after) >= 54


def test_more_labels_narrow_the_interval_and_the_last_leaves_none():
    assert SAMPLE.half_width({}) is None
    order = [*SAMPLE.order.values()]
    differences = {stratum: [0.1, -0.1] * 6 for stratum in set(order[:60])}
    now, more, most = (SAMPLE.half_width(differences, further) for further in (0, 30, 60))
    assert now > more > most > 0
    assert SAMPLE.half_width(differences, len(FIELD)) == pytest.approx(0)


def test_the_half_width_of_one_stratum_is_that_of_a_mean_without_replacement():
    sample = label_sample(answers(boundary_held=100), {}, 1)
    (stratum,) = sample.populations
    differences = [0.2, -0.2] * 20
    spread = (4 * stratum.error**2 + 40 * 0.04) / 43
    assert sample.half_width({stratum: differences}) == pytest.approx(1.959964 * (spread / 40 * 0.6) ** 0.5)
