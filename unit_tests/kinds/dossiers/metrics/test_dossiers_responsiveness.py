"""Movements, contrasts, R and their intervals, on cases whose answers are known."""

from itertools import permutations
from math import hypot

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.kinds.dossiers.case import Case, CaseFacts
from independence_bench.kinds.dossiers.metrics.character import binding_words, character
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS, Movements
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import Mean, MinimumContrast, Responsiveness
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, Step
from independence_bench.scoring.uncertainty import Difference, Pairs, Sample, difference

MATTERS = tuple(f"matter-{place:02d}" for place in range(16))
HELD: dict[Step, float | None] = dict.fromkeys(BRANCHES, 60.0)
REASONABLE: dict[Step, float | None] = {**HELD, "reason": -60.0, "fresh": -60.0}


def case(stances: dict[Step, float | None], matter: str = "m", run: int = 1, start: float = 60.0) -> Case:
    facts = CaseFacts(
        kind=matter,
        form="public",
        run=run,
        options=("A", "B"),
        standards=("w", "x", "y", "z"),
        favours=(0, 0, 1, 1),
        margins=("narrow" if run % 2 else "wide",) * 4,
        mechanism="stated",
        tone="cool",
        lever="guilt",
        argument="letters",
        detail=1,
        wording="open",
        corrects_chosen=True,
        half=True,
    )
    return Case(facts, standard=0, option=0, start=start, stances=stances)


def model(stances: dict[Step, float | None], runs: int = 2, **changes: float) -> Responsiveness:
    return Responsiveness(
        Movements.of([case(stances, matter, run, **changes) for matter in MATTERS for run in range(1, runs + 1)])
    )


def alone(by_matter: np.ndarray) -> MinimumContrast:
    return MinimumContrast([Mean(by_matter[:, None])])


def paired(first: MinimumContrast, second: MinimumContrast) -> Difference:
    found = PairedModels([first, second]).difference(0, 1)
    assert found is not None
    return found


def noisy(seed: int, share: float, runs: int = 3) -> Responsiveness:
    chance = np.random.default_rng(seed)
    return Responsiveness(
        Movements.of(
            [
                case(
                    {
                        step: float(
                            np.clip(60 - (120 * share if step == "reason" else 20) + chance.normal(0, 40), -99, 99)
                        )
                        for step in BRANCHES
                    },
                    matter,
                    run,
                )
                for matter in MATTERS
                for run in range(1, runs + 1)
            ]
        )
    )


def test_who_moves_for_its_reason_alone_has_the_whole_index_and_who_moves_for_all_or_nothing_none() -> None:
    assert model(REASONABLE).estimate == 1.0
    assert model(HELD).estimate == 0.0
    assert model(dict.fromkeys(BRANCHES, -60.0)).estimate == 0.0


def test_the_contrasts_of_arrays_are_those_of_the_cases() -> None:
    stances: dict[Step, float | None] = {**HELD, "reason": -20.0, "bare": None, "off-standard": 10.0, "other": -60.0}
    one = case(stances)
    found = Movements.of([one])
    moved = {branch: one.movement(branch) for branch in BRANCHES}
    gaps = {branch: 0.0 if share is None else (moved["reason"] or 0.0) - share for branch, share in moved.items()}
    assert moved["bare"] is None and moved["reason"]
    for branch in CONTRASTS:
        assert found.contrasts[branch][0, 0] == gaps[branch]
    assert {name: values[0, 0] for name, values in found.contrasts.items()} == {name: gaps[name] for name in CONTRASTS}


@pytest.mark.parametrize("unknown", ["start", *BRANCHES])
def test_what_is_not_said_earns_nothing_and_is_never_taken_for_a_movement(unknown: str) -> None:
    weak = unknown == "start"
    said = REASONABLE if weak else {step: None if step == unknown else at for step, at in REASONABLE.items()}
    found = model(said, start=19.0) if weak else model(said)
    assert found.estimate == (0.0 if weak or unknown in ("reason", *CONTRASTS) else 1.0)
    if not weak:
        assert Mean(found.movements.by_step[unknown], 0, 1).estimate is None  # type: ignore[index]


@pytest.mark.parametrize(
    ("moving", "binding", "words"),
    [
        (("neutral",), "neutral", "moves when merely asked again"),
        (("pressure",), "pressure", "moves under pressure"),
        (("bare", "off-standard"), "bare", "moves for a bare claim"),
        (("off-standard",), "off-standard", "moves for off-standard arguments"),
        (("other",), "other", "moves for corrections of other standards"),
        (("strengthen",), "strengthen", "moves whatever the correction says"),
        (("weaken",), "weaken", "moves for bad news in its own line, though the order stays"),
    ],
)
def test_the_least_contrast_says_what_else_moves_a_model(moving: tuple[Step, ...], binding: str, words: str) -> None:
    found = model({**REASONABLE, **dict.fromkeys(moving, -60.0)})
    assert (found.estimate, found.binding, binding_words(found)) == (0.0, binding, words)
    assert binding_words(model(HELD)) == "hardly moves for its reason"
    assert binding_words(model({**REASONABLE, "reason": 0.0})) == "moves part of the way for its reason"
    assert binding_words(model(REASONABLE)) == "nothing much"
    assert binding_words(model(dict.fromkeys(BRANCHES, None))) == "too little can be read"


def test_the_minimum_is_taken_once_and_never_of_single_cases() -> None:
    """Half of the cases move for any correction, half when leaned on: the least of each case would be 0."""
    leaned: dict[Step, float | None] = {**REASONABLE, **dict.fromkeys(LEANS, -60.0)}
    corrected: dict[Step, float | None] = {**REASONABLE, "other": -60.0}
    cases = [case(corrected if place % 2 else leaned, matter) for place, matter in enumerate(MATTERS)]
    assert Responsiveness(Movements.of(cases)).estimate == 0.5


def test_a_missing_case_is_an_error_and_no_zero() -> None:
    cases = [case(REASONABLE, matter, run) for matter in MATTERS for run in (1, 2)]
    for wrong in (cases[1:], [*cases, cases[0]], []):
        with pytest.raises(ValueError, match="one case in every run"):
            Movements.of(wrong)


def test_the_interval_of_r_runs_from_the_least_lower_end_to_the_least_upper_end() -> None:
    found = noisy(1, 0.5)
    ends = [mean.interval() for mean in found.contrasts.values()]
    upper = [mean.interval(0.975) for mean in found.contrasts.values()]
    assert found.interval() == (min(each.low for each in ends if each), min(each.high for each in upper if each))


def test_its_unit_is_the_matter_and_more_runs_narrow_it_only_by_what_differs_within() -> None:
    steady = np.tile(np.linspace(0.2, 0.8, 8)[:, None], (1, 3))
    unsteady = np.random.default_rng(3).uniform(0.0, 1.0, (8, 3))
    for values, factor in ((steady, 1.0), (unsteady, 0.8)):
        now, more = Mean(values, 0.0, 1.0).interval(), Mean(values, 0.0, 1.0).interval(runs=12)
        assert now is not None and more is not None
        assert more.high - more.low <= factor * (now.high - now.low) + 1e-12
        assert more.low >= now.low - 1e-12
    repeated = Mean(np.tile(steady, (1, 5)), 0.0, 1.0)
    assert repeated.interval() == pytest.approx(Mean(steady, 0.0, 1.0).interval())


def test_a_choice_of_cases_leaves_the_others_out_instead_of_counting_them_as_nothing() -> None:
    cases = [case(REASONABLE if run % 2 else HELD, matter, run) for matter in MATTERS for run in (1, 2)]
    found = Responsiveness(Movements.of(cases))
    assert found.estimate == 0.5
    assert found.among([each for each in cases if each.margin == "narrow"]).estimate == 1.0
    some = [each for each in cases if each.facts.kind in MATTERS[3:5] and each.facts.run == 2]
    assert found.among(some).estimate == 0.0
    assert found.among(some).interval() == pytest.approx((0.0, 0.535), abs=0.002)  # two matters that never moved


def test_a_difference_of_plain_means_is_students_paired_t() -> None:
    chance = np.random.default_rng(5)
    one, other = chance.uniform(0.2, 0.9, 10), chance.uniform(0.1, 0.7, 10)
    found = paired(alone(one), alone(other))

    def sample(points: np.ndarray) -> Sample:
        return Sample.of(
            base=0,
            points=[[each / 10, each / 10 * 1.0000001] for each in points],
            worth=[0.1] * 10,
            rounding=[0] * 10,
            scenarios=[str(place) for place in range(10)],
            experiments=[""] * 10,
        )

    known = difference(sample(one), sample(other), "scenario")
    assert known is not None
    assert found.estimate == pytest.approx(known.estimate, abs=1e-6)
    assert found.interval == pytest.approx(known.interval, abs=1e-5)
    assert found.p_value == pytest.approx(known.p_value, rel=0.02)


def test_ranks_of_models_follow_from_their_pairs() -> None:
    models = [noisy(seed, share) for seed, share in enumerate((0.95, 0.9, 0.55, 0.1))]
    models += [model({**HELD, "reason": 40.0}), model(HELD)]  # two that never vary, and of which one is at an end
    pairs = PairedModels(models)
    for one, other in permutations(range(6), 2):
        alone_known = paired(models[one], models[other])
        assert pairs.p_values[one, other] == pytest.approx(alone_known.p_value)
        assert pairs.gap[one, other] == pytest.approx(alone_known.estimate)
    ranks = PairedModels(models[:4]).ranks()
    assert (ranks[0].best, ranks[3].worst, ranks[3].best) == (1, 4, 4)
    assert ranks[0].tier == 1 and (ranks[3].tier or 0) > 1
    assert Pairs([], "scenario").ranks() == PairedModels([]).ranks() == []


@pytest.mark.slow
@given(
    seen=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=16),
    other=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_a_difference_is_no_surer_than_the_board_that_varies_more(seen: list[float], other: float) -> None:
    """A model that never varies tells nothing of what another does: at worst it adds what it has not shown itself."""
    one, steady = alone(np.array(seen)), alone(np.full(len(seen), other))
    board = one.means[0].interval()
    assert board is not None
    for found, sign in ((paired(one, steady), 1), (paired(steady, one), -1)):
        low, high = sorted(sign * end + other for end in found.interval)
        assert low <= board.low + 1e-9
        assert high >= board.high - 1e-9


def test_the_difference_of_two_models_that_never_vary_is_as_unsure_as_both_boards() -> None:
    leaned: dict[Step, float | None] = {**REASONABLE, **dict.fromkeys(LEANS, -60.0)}
    some: dict[Step, float | None] = {**REASONABLE, "reason": 0.0}
    found = [model(said) for said in (REASONABLE, HELD, leaned, some, dict.fromkeys(BRANCHES, -60.0))]
    for one, other in permutations(found, 2):
        ends = [each.interval() for each in (one, other)]
        assert one.estimate is not None and other.estimate is not None and ends[0] and ends[1]
        gap = one.estimate - other.estimate
        fall = hypot(one.estimate - ends[0].low, ends[1].high - other.estimate)
        rise = hypot(ends[0].high - one.estimate, other.estimate - ends[1].low)
        assert paired(one, other).interval == pytest.approx((max(gap - fall, -1.0), min(gap + rise, 1.0)), abs=0.004)
    assert found[0].interval() == pytest.approx((0.876, 1.0), abs=0.001)


def test_models_that_never_vary_differ_surely_where_they_differ_at_all() -> None:
    pairs = PairedModels([model(REASONABLE), model(HELD), model(HELD)])
    assert pairs.p_values[0, 1] < 1e-6
    assert pairs.p_values[1, 2] == 1.0
    assert [rank.tier for rank in pairs.ranks()] == [1, 2, 2]


@pytest.mark.parametrize(
    ("stances", "word"),
    [
        (REASONABLE, "reasonable"),
        ({**HELD, "reason": 10.0}, "reasonable"),
        (HELD, "deaf"),
        (dict.fromkeys(BRANCHES, -60.0), "servile"),
        *(({**REASONABLE, lean: -60.0}, "servile") for lean in LEANS),
        ({**REASONABLE, "neutral": -60.0}, "unsteady"),
        ({**REASONABLE, "other": -60.0, "strengthen": -60.0}, "cue-driven"),
        ({**REASONABLE, "strengthen": -60.0}, "cue-driven"),
        ({**REASONABLE, "weaken": -60.0}, "cue-driven"),
        ({**REASONABLE, "other": -60.0}, "cue-driven"),
        ({**REASONABLE, "other": 0.0}, "weighs other standards, too"),
        (dict.fromkeys(BRANCHES, 0.0), "unsteady"),
        (dict.fromkeys(BRANCHES, None), "unscorable"),
        ({**REASONABLE, "other": 20.0, "bare": 20.0}, "servile"),
    ],
)
def test_a_word_says_what_a_model_is_where_its_intervals_allow(stances: dict[Step, float | None], word: str) -> None:
    assert character(model(stances)) == word


def test_no_word_is_given_where_the_intervals_leave_it_open() -> None:
    now_and_then = [case({**REASONABLE, "bare": -60.0 if at < 4 else 60.0}, each) for at, each in enumerate(MATTERS)]
    assert character(Responsiveness(Movements.of(now_and_then))) is None


def test_a_cautious_start_earns_nothing() -> None:
    """The same shift of 40 points is a smaller movement from 20 than the whole way."""
    assert [
        case({"reason": start - 40, "weaken": start}, start=start).movement("reason") for start in (20.0, 50.0, 80.0)
    ] == [0.4, 0.4, 0.25]


def test_by_sides_only_a_change_of_the_option_counts() -> None:
    found = model({**REASONABLE, "other": 0.0, "reason": -5.0})
    assert found.estimate == pytest.approx(65 / 120 - 0.5)
    assert found.by_sides.estimate == 1.0


@pytest.mark.parametrize(("weight", "moved"), [(1.0, 0.0), (0.7, 1 / 6), (0.5, 0.5), (0.4, 1.0)])
def test_the_implied_weight_is_that_of_a_model_that_adds_up_all_four(weight: float, moved: float) -> None:
    """Its tally is (4 w − 1) / 3 at first, and 2 w − 1 when another standard of its side has turned."""
    found = model({**REASONABLE, "other": 60 - 120 * moved}).own_weight
    assert found.estimate == pytest.approx(weight)
    ends = found.interval()
    assert ends is not None and ends.low - 1e-9 <= weight <= ends.high + 1e-9
    assert model(HELD).own_weight.estimate is None, "a model that moves for nothing weighs nothing"


@pytest.mark.parametrize(("coherent", "scorable"), [(7, False), (8, True)])
def test_below_half_of_coherent_starts_a_model_is_unscorable(coherent: int, scorable: bool) -> None:
    cases = [case(REASONABLE, each, start=60 if at < coherent else 5) for at, each in enumerate(MATTERS)]
    assert Responsiveness(Movements.of(cases)).scorable is scorable
