"""Health: what is wrong, in numbers, and the command that mends it."""

import pytest
from report_samples import GOOD, JUDGE, SECOND_JUDGE, World, board_of, cells, section_of, session_of

from independence_bench.kind_registry import KINDS
from independence_bench.report.analysis.health import Health


def health(world: World, label: str = "a") -> Health:
    (found,) = [each for each in board_of(world).health if each.label == label]
    return found


def test_a_sound_model_has_nothing_to_report(world):
    world.run("a")
    found = health(world)
    assert found.sound
    assert (found.planned, found.answers, found.repairs, found.remark) == (3, 3, [], None)
    assert "Nothing to report on 1 of 1 models." in section_of(world, "Health")
    assert "| Model |" not in section_of(world, "Health")


def test_everything_that_went_wrong_is_counted(world):
    world.trial("a", "who", GOOD["who"], kept=False, reply_facts={"attempts": 4, "empty_attempts": 2})
    world.trial("a", "praise", None, reply_facts={"finish_reason": "length"})
    world.failure("a", "crowd", "refused")
    found = health(world)
    assert not found.sound
    assert (found.missing, found.unjudged, found.answers, found.failures) == (1, 1, 2, 1)
    assert (found.retries, found.empty, found.cut_off, found.undelivered) == (3, 2, 1, 1)
    assert "| `a` | 1 of 3 | 1 | 2 | 3 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 1 |" in section_of(world, "Health")


def test_several_calls_unknown_ends_and_unread_answers_are_counted(world):
    world.run("a")
    world.trial("b", "who", GOOD["who"], reply_facts={"several_calls": True})
    world.trial("b", "praise", GOOD["praise"], said='"several_calls":true', reply_facts={"end_unknown": True})
    world.failure("b", "crowd", "an answer in a wrapping", kind="unread")
    counts = [
        (each.several_calls, each.end_unknown, each.unread, each.failures)
        for each in (health(world), health(world, "b"))
    ]
    assert counts == [(0, 0, 0, 0), (1, 1, 1, 1)]


@pytest.mark.parametrize("fixed_length", [True, False])
def test_a_transcript_of_fewer_answers_than_others_is_counted_unless_it_may_end_early(world, monkeypatch, fixed_length):
    monkeypatch.setitem(KINDS.builtin, "index", KINDS["index"]._replace(fixed_length=fixed_length))
    world.run("a")
    with world.store._database.transaction() as rows:
        rows.execute("UPDATE transcripts SET answers = 5 WHERE scenario = 'who'")
    world.trial("b", "who", GOOD["who"])
    assert (health(world).partial, health(world, "b").partial) == (0, int(fixed_length))


def test_the_command_that_measures_what_is_missing(world):
    world.trial("some/model@low", "who", GOOD["who"], run=2)
    found = health(world, "some/model@low")
    assert found.repairs == ["independence-bench run --model=some/model@low --edition=small --runs=2 --judge=judge/one"]
    assert f"`{found.repairs[0]}`" in section_of(world, "Health")


def test_the_command_that_judges_what_is_unjudged():
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
    for name in GOOD:
        world.trial("a model", name, GOOD[name], judges=(JUDGE,))
    found = health(world, "a model")
    assert found.repairs == ["independence-bench judge --edition=small --judge=judge/one --judge=judge/two 'a model'"]


def test_a_model_of_this_session_is_repaired_by_the_session_s_own_command():
    session = session_of().model_copy(
        update={
            "labels": ("served+127.0.0.1:8090#b7",),
            "options": {"models": ["served"], "endpoint": "http://127.0.0.1:8090/v1", "build": "b7", "temperature": 0},
        }
    )
    world = World(session)
    world.trial("C", "who", GOOD["who"])
    world.know("C", "served+127.0.0.1:8090#b7", build="b7")
    (repair,) = health(world, "served+127.0.0.1:8090#b7").repairs
    assert repair == (
        "independence-bench run --model=served --edition=small --runs=1 --judge=judge/one "
        "--endpoint=http://127.0.0.1:8090/v1 --build=b7 --temperature=0"
    )


def test_a_session_is_repaired_with_its_keys_variables_its_limits_and_its_own_edition():
    served = {"endpoint": "http://127.0.0.1:1/v1", "endpoint_key_env": "MY_KEY", "edition": "/mine/firm.yaml"}
    judged = {"judges": ["j"], "judge_endpoint": "http://127.0.0.1:2/v1", "judge_endpoint_key_env": "JUDGE_KEY"}
    limits = {"requests_per_minute": 20, "concurrency": 3, "shard": "1/2", "unheard_of": 1}
    options = {"models": ["served"], **served, **judged, **limits}
    world = World(session_of().model_copy(update={"labels": ("served+127.0.0.1:1",), "options": options}))
    world.trial("C", "who", None)
    world.know("C", "served+127.0.0.1:1")

    assert health(world, "served+127.0.0.1:1").repairs == [
        "independence-bench run --model=served --edition=/mine/firm.yaml --runs=1 --judge=j "
        "--endpoint=http://127.0.0.1:1/v1 --endpoint-key-env=MY_KEY --judge-endpoint=http://127.0.0.1:2/v1 "
        "--judge-endpoint-key-env=JUDGE_KEY --concurrency=3 --rpm=20",
        "independence-bench judge --edition=small --judge=j --judge-endpoint=http://127.0.0.1:2/v1 "
        "--judge-endpoint-key-env=JUDGE_KEY served+127.0.0.1:1",
    ]


def test_a_model_of_another_session_is_repaired_with_this_session_s_judges():
    options = {"models": ["other"], "judges": ["j"], "judge_endpoint": "http://127.0.0.1:2/v1"}
    world = World(session_of().model_copy(update={"options": options}))
    world.trial("a", "who", GOOD["who"])

    assert health(world).repairs == [
        "independence-bench run --model=a --edition=small --runs=1 --judge=j --judge-endpoint=http://127.0.0.1:2/v1"
    ]


def test_other_configurations_are_repaired_as_such():
    world = World(session_of(planned=cells() + cells("neutral", "user_role", official=False)))
    world.run("a")
    world.trial("a", "who", GOOD["who"], variant="neutral", delivery="user_role")
    (own, other) = board_of(world).health
    assert (own.configuration, own.sound) == (None, True)
    assert other.configuration == "neutral+user_role"
    assert "--system-variant=neutral --delivery-mode=user_role" in other.repairs[0]
    assert "`a` (neutral+user_role): `independence-bench run" in section_of(world, "Health")


def test_what_was_measured_elsewhere_is_not_mended_by_asking(world):
    world.trial("a", "who", GOOD["who"], origin="published cache")
    world.trial("a", "praise", None, origin="published cache")
    world.failure("a", "crowd", "not there")
    found = health(world)
    assert found.repairs == []
    assert (found.failures, found.missing, found.unjudged) == (0, 1, 1)
    assert "measured elsewhere" in (found.remark or "")
    assert "`a`: measured elsewhere" in section_of(world, "Health")


def test_a_label_can_neither_leave_the_command_nor_the_code(world):
    world.trial("x`; rm -rf / #|<b>", "who", GOOD["who"])
    (found,) = board_of(world).health
    assert found.repairs[0].endswith(" --edition=small --runs=1 --judge=judge/one")
    assert "'--model=x`; rm -rf / #|<b>'" in found.repairs[0]
    assert "<b>" not in section_of(world, "Health")
    assert "x`" not in section_of(world, "Health")


def test_a_model_of_which_no_session_says_how_it_was_asked_gets_a_remark_instead_of_a_wrong_command(world):
    world.trial("C", "who", GOOD["who"])
    world.know("C", "served+127.0.0.1:8090#b7", build="b7")
    found = health(world, "served+127.0.0.1:8090#b7")
    assert found.repairs == []
    assert found.remark == "no session of this store says how it was asked: give the options that it was measured with"


def test_an_empty_panel_is_asked_for_no_verdict():
    world = World(session_of(panel=()))
    world.trial("a", "who", None)
    assert [repair.split()[0] for repair in health(world).repairs] == ["independence-bench"]
