"""Every shard knows the whole plan, asks its part of it, and says so in the store."""

import json

from bench_project import BenchProject


def test_two_shards_carry_one_plans_digest_and_together_ask_all_of_it(project: BenchProject) -> None:
    first = project.run("--shard=1/2")
    asked = project.server.calls()[1]
    second = project.run("--shard=2/2")

    cases = [result.parseoutcomes().get(word, 0) for result in (first, second) for word in ("passed", "xfailed")]
    assert sum(cases) == 15
    assert 0 < asked < 15
    sessions = [json.loads(body) for (body,) in project.rows("SELECT body FROM sessions ORDER BY started_at")]
    assert [session["shard"] for session in sessions] == ["1/2", "2/2"]
    assert len({session["plan_digest"] for session in sessions}) == 1
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["measured"], row["rank_interval"]) == (15, [1, 1])


def test_an_empty_shard_is_no_failure(project: BenchProject) -> None:
    empty = project.run("--shard=1/999999")
    of_k = project.run("--shard=1/2", "-k", "nothing")

    assert (empty.ret, of_k.ret) == (0, 5)
    empty.stdout.fnmatch_lines(["--shard=1/999999: no case falls to this part, which is no failure."])
    assert project.server.calls() == (0, 0)


def test_workers_of_a_shard_ask_nothing_of_another(project: BenchProject) -> None:
    project.run("--shard=1/2", "-n", "2")
    asked = project.server.calls()[0]
    assert 0 < asked < 26
    project.run("--shard=1/2")
    assert project.server.calls()[0] == asked
