"""What answers at random come to: kept for the shipped editions, simulated for others, and right."""

import numpy as np
import pytest
from roles_samples import oracle

from independence_bench.kinds.edition_files import load_edition
from independence_bench.kinds.roles.design import VALUES, Persona, QuestionnaireShape, RoleContext, RolesDesign
from independence_bench.kinds.roles.interview import Sampling
from independence_bench.kinds.roles.metrics.chance import chance_of, random_population, shape_digest, simulated_chance
from independence_bench.kinds.roles.metrics.measured import SINGLE, MeasuredPopulation, Numbers, mean_numbers, spread_of
from independence_bench.kinds.roles.metrics.rank_order import cronbach_alpha, ipsative

KEPT = 8
"""Populations of a stored level."""


def shipped(name: str) -> RolesDesign:
    design = load_edition(name).design
    assert design is not None
    return design


def few(personas: int = 5, prefix: str = "p") -> RolesDesign:
    items = {value: (2 * place + 1, 2 * place + 2) for place, value in enumerate(VALUES)}
    asked = QuestionnaireShape(name="q", kind="portrait", n_items=20, lowest=1, highest=6, items=items)
    return RolesDesign(
        population="few",
        personas=tuple(Persona(id=f"{prefix}{n}", name=prefix, gender="N") for n in range(personas)),
        contexts=(
            RoleContext(id=f"{prefix}a", title="", instrument="q"),
            RoleContext(id=f"{prefix}b", title="", instrument="q"),
            RoleContext(id=f"{prefix}c", title="", instrument="q", retest_of=f"{prefix}a"),
        ),
        questionnaires=(asked,),
        talk=Sampling(temperature=0.7, max_tokens=100),
        answer=Sampling(temperature=0, max_tokens=32),
    )


@pytest.mark.parametrize("name", ["roles", "roles-mini"])
def test_the_level_of_a_shipped_edition_is_kept_and_near_what_is_published(name: str) -> None:
    level = chance_of(shipped(name))
    assert level.populations == KEPT
    mean, sd = level.mean, level.sd
    assert mean.rank_order is not None and sd.rank_order is not None
    assert abs(mean.rank_order) < 3 * sd.rank_order / KEPT**0.5 + 0.01
    if name == "roles":  # the published design: Cardinal .242 ± .030, Stress .2928 ± .0004
        assert mean.cardinal == pytest.approx(0.242, abs=0.03)
        assert mean.stress == pytest.approx(0.2928, abs=0.001)
        assert mean.cfi == pytest.approx(0.383, abs=0.08)


# What is kept is what the code simulates today, in two steps: it is the mean of the eight populations that the data of
# these tests list, and some of these are simulated again. All sixteen would take 20 s.


def flat(numbers: Numbers) -> dict[str, float | None]:
    return {name: getattr(numbers, name) for name in SINGLE}


def listed(name: str) -> list[Numbers]:
    return [Numbers(**numbers) for numbers in oracle("chance_populations.json")[name]]


@pytest.mark.parametrize("name", ["roles", "roles-mini"])
def test_what_is_kept_are_mean_and_spread_of_the_listed_populations(name: str) -> None:
    kept = chance_of(shipped(name))
    assert len(listed(name)) == KEPT
    assert flat(mean_numbers(listed(name))) == pytest.approx(flat(kept.mean), abs=1e-6)
    assert flat(spread_of(listed(name))) == pytest.approx(flat(kept.sd), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(KEPT - 1, marks=pytest.mark.external)])
def test_a_listed_population_is_what_the_code_simulates_today(seed: int) -> None:
    again = MeasuredPopulation(random_population(shipped("roles-mini"), seed)).numbers
    assert flat(again) == pytest.approx(flat(listed("roles-mini")[seed]), abs=1e-5)


@pytest.mark.slow
def test_so_is_one_of_the_whole_edition_as_far_as_no_factor_model_is_needed() -> None:
    again, found = MeasuredPopulation(random_population(shipped("roles"), 3)), listed("roles")[3]
    assert again.orders.overall == pytest.approx(found.rank_order, abs=1e-5)
    assert again.orders.only("portrait_survey").overall == pytest.approx(found.rank_order_portrait_survey, abs=1e-5)
    assert again.ceiling == pytest.approx(found.ceiling, abs=1e-5)
    assert ipsative(again.contexts).mean() == pytest.approx(found.ipsative, abs=1e-5)
    alphas = np.array([cronbach_alpha(context) for context in again.contexts])
    assert alphas.mean() == pytest.approx(found.cronbach_alpha, abs=1e-5)
    assert again.stress.mean() == pytest.approx(found.stress, abs=1e-5)


def test_a_simulated_level_is_the_mean_over_its_seeds() -> None:
    level = simulated_chance(few(personas=3), 2)
    both = [MeasuredPopulation(random_population(few(personas=3), seed)).numbers for seed in (0, 1)]
    assert (level.populations, level.mean, level.sd) == (2, mean_numbers(both), spread_of(both))


@pytest.mark.slow
def test_another_design_is_simulated() -> None:
    level = chance_of(few())
    assert level.populations == 4
    assert level.mean.rank_order_portrait_survey is None
    assert level.sd.cardinal is not None
    assert chance_of(few(prefix="other")) is level  # an equal shape is not simulated again


def test_a_level_depends_on_numbers_and_on_no_name() -> None:
    assert shape_digest(few()) == shape_digest(few(prefix="other"))
    assert shape_digest(few()) != shape_digest(few(personas=6))


def test_equal_seeds_give_equal_answers_within_the_scale() -> None:
    one, again, other = (random_population(few(), seed) for seed in (1, 1, 2))
    assert one.contexts == again.contexts
    assert one.contexts != other.contexts
    assert {score for row in one.contexts[0].answers for score in row} == {1, 2, 3, 4, 5, 6}


@pytest.mark.slow
def test_numbers_are_averaged_where_all_are_defined_and_none_elsewhere() -> None:
    first, second = (MeasuredPopulation(random_population(few(), seed)).numbers for seed in (1, 2))
    both = mean_numbers([first, second])
    assert both.rank_order == pytest.approx((first.rank_order + second.rank_order) / 2)  # type: ignore[operator]
    holed = second.model_copy(update={"cardinal": None})
    assert mean_numbers([first, holed]).cardinal is None
    assert spread_of([first]).rank_order is None
    assert spread_of([first, second]).rank_order is not None
    assert list(both.rank_order_per_value) == list(VALUES)
