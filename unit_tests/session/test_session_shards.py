"""Shards cut a plan into parts that together are all of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.bad_input import BadInput
from independence_bench.session.shards import Shard

IDS = [f"some/model-r{run}-scenario-{number}" for run in range(1, 6) for number in range(15)]


@given(st.integers(1, 12))
def test_every_case_is_in_exactly_one_shard(count: int) -> None:
    parts = [[name for name in IDS if Shard(number, count).holds(name)] for number in range(1, count + 1)]
    assert sorted(name for part in parts for name in part) == sorted(IDS)


def test_a_shard_does_not_leave_a_worker_of_its_host_without_cases() -> None:
    from zlib import crc32

    for number in (1, 2):
        mine = [name for name in IDS if Shard(number, 2).holds(name)]
        assert len({crc32(name.encode()) % 2 for name in mine}) == 2


@pytest.mark.parametrize("text", ["5/4", "0/4", "1/0", "1", "a/b", "1/4/2", "-1/4", "", "1.5/4"])
def test_what_is_no_shard_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadInput, match=r"for example --shard=1/4"):
        Shard.read(text)


def test_a_shard_reads_as_it_is_written() -> None:
    assert str(Shard.read(" 2/4 ")) == "2/4"


def array(**variables: int) -> dict[str, str]:
    """Return the variables of a task of a Slurm array."""
    return {f"SLURM_ARRAY_TASK_{name.upper()}": str(value) for name, value in variables.items()}


@pytest.mark.parametrize("first, step", [(0, 1), (1, 1), (5, 1), (0, 4), (3, 2)])
def test_the_tasks_of_a_slurm_array_share_the_plan(first: int, step: int) -> None:
    tasks = [array(id=first + step * place, count=4, min=first, step=step) for place in range(4)]

    assert [str(Shard.read("auto", task)) for task in tasks] == ["1/4", "2/4", "3/4", "4/4"]


def test_an_array_that_does_not_say_where_it_begins_begins_at_one() -> None:
    assert str(Shard.read("auto", array(id=4, count=4))) == "4/4"


@pytest.mark.parametrize(
    "variables",
    [
        {},
        array(id=3),
        array(id=3, count=1, min=3),  # one failed task, repeated
        array(id=0, count=4),
        array(id=7, count=3, min=1),
        array(id=4, count=4, min=1, step=2),
        {"SLURM_ARRAY_TASK_ID": "x", "SLURM_ARRAY_TASK_COUNT": "4"},
    ],
)
def test_a_task_whose_part_is_unsure_measures_nothing(variables: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"--shard=auto: .*write .*k/n"):
        Shard.read("auto", variables)
