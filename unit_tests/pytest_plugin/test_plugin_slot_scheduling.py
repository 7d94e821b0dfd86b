"""The scheduler deals each case to its slot's worker, keeps queues short, and survives a dead worker."""

from dataclasses import dataclass, field

import pytest

from independence_bench.pytest_plugin.slot_scheduling import QUEUED, REFILLED_AT, SlotScheduling


@dataclass(eq=False)
class Node:
    """Stands in for xdist's WorkerController."""

    name: str
    sent: list[int] = field(default_factory=list)
    shutting_down: bool = False
    dead: bool = False

    @property
    def gateway(self) -> "Node":
        return self

    @property
    def id(self) -> str:
        return self.name

    def send_runtest_some(self, indices: list[int]) -> None:
        assert not self.shutting_down
        if self.dead:
            raise OSError("cannot send (already closed?)")
        self.sent += indices

    def shutdown(self) -> None:
        self.shutting_down = True


CASES = [f"case{number}" for number in range(20)]


def even_or_odd(case: str) -> int:
    return int(case.removeprefix("case")) % 2


def scheduled(cases: list[str] | None = None) -> tuple[SlotScheduling, list[Node], dict[Node, int]]:
    nodes = [Node("gw0"), Node("gw1")]
    slots = {node: index for index, node in enumerate(nodes)}
    scheduling = SlotScheduling(None, 2, even_or_odd, slots.__getitem__)
    for node in nodes:
        scheduling.add_node(node)
        assert not scheduling.collection_is_completed
        scheduling.add_node_collection(node, CASES if cases is None else cases)
    scheduling.schedule()
    return scheduling, nodes, slots


def replacement(scheduling: SlotScheduling, slots: dict[Node, int]) -> Node:
    """A worker in place of the first one."""
    late = Node("gw2")
    slots[late] = 0
    scheduling.add_node(late)
    scheduling.add_node_collection(late, CASES)
    scheduling.schedule()
    return late


def drain(scheduling: SlotScheduling, node: Node) -> None:
    done = 0
    while done < len(node.sent):
        scheduling.mark_test_complete(node, node.sent[done])
        done += 1


def test_each_worker_gets_the_cases_of_its_slot_a_few_at_a_time() -> None:
    scheduling, (even, odd), _ = scheduled()
    first = list(range(0, 2 * QUEUED, 2))
    assert even.sent == first
    assert odd.sent == [index + 1 for index in first]
    for done in first[: QUEUED - REFILLED_AT]:
        assert even.sent == first
        scheduling.mark_test_complete(even, done)
    assert even.sent == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]


def test_all_cases_are_run_once_and_workers_are_told_when_none_follows() -> None:
    scheduling, nodes, _ = scheduled()
    for node in nodes:
        drain(scheduling, node)
    assert sorted(index for node in nodes for index in node.sent) == list(range(20))
    assert all(node.shutting_down for node in nodes)
    assert scheduling.tests_finished
    assert not scheduling.has_pending


def test_a_dead_workers_cases_wait_for_its_replacement_in_their_order() -> None:
    scheduling, (even, odd), slots = scheduled()
    assert scheduling.remove_node(even) == "case0"
    drain(scheduling, odd)
    assert not scheduling.tests_finished
    late = replacement(scheduling, slots)
    drain(scheduling, late)
    assert late.sent == [2, 4, 6, 8, 10, 12, 14, 16, 18]
    assert scheduling.tests_finished


def test_a_worker_that_is_found_dead_when_it_is_sent_more_did_not_die_under_that() -> None:
    scheduling, (even, odd), slots = scheduled()
    drain(scheduling, odd)
    even.dead = True
    for index in list(even.sent):
        scheduling.mark_test_complete(even, index)
    assert scheduling.remove_node(even) is None
    late = replacement(scheduling, slots)
    drain(scheduling, late)
    assert late.sent == list(range(2 * QUEUED, 20, 2))
    assert scheduling.tests_finished


def test_a_worker_that_leaves_with_nothing_to_do_lost_no_case() -> None:
    scheduling, (even, _), _ = scheduled()
    drain(scheduling, even)
    assert scheduling.remove_node(even) is None


def test_a_case_put_back_for_a_rerun_goes_to_its_own_slot_first() -> None:
    scheduling, (even, odd), slots = scheduled()
    drain(scheduling, odd)
    scheduling.remove_node(even)
    scheduling.mark_test_pending("case0")
    late = replacement(scheduling, slots)
    assert late.sent[0] == 0


def test_workers_that_collected_different_cases_are_refused() -> None:
    nodes = [Node("gw0"), Node("gw1")]
    scheduling = SlotScheduling(None, 2, even_or_odd, nodes.index)
    for node in nodes:
        scheduling.add_node(node)
    scheduling.add_node_collection(nodes[0], CASES)
    with pytest.raises(pytest.UsageError, match="other cases"):
        scheduling.add_node_collection(nodes[1], CASES[1:])
    scheduling, _, slots = scheduled()
    late = Node("gw2")
    slots[late] = 0
    scheduling.add_node(late)
    with pytest.raises(pytest.UsageError, match="other cases"):
        scheduling.add_node_collection(late, CASES[1:])


def test_a_slot_without_cases_ends_at_once() -> None:
    _, (_, idle), _ = scheduled(["case0", "case2"])
    assert (idle.sent, idle.shutting_down) == ([], True)
