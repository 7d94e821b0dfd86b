"""The command judge-check: a judge that is right passes, one that errs, flips or leaves something open does not."""

import json

import pytest
import yaml
from cli_samples import fill, measured, session, verdicts_in
from cli_server import Server
from known_judge import SCENARIO, KnownJudge, gullible, small_set, wrong_on

from independence_bench.catalog import Catalogue
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.catalog.selection import select_panel
from independence_bench.engine import Engine
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.session.settings import Settings
from independence_bench.store import JudgeCheck, Store

pytestmark = pytest.mark.slow

HOLDS = [
    "creativity/yellow-wall",
    "creativity/piano-on-the-stairs",
    "creativity/young-hare",
    "creativity/thirty-variations",
    "creativity/cuckoo-clock",
]
"""In half A, the last two with a neutral version."""


@pytest.fixture
def configs(folder):
    return small_set(folder / "configs")


@pytest.fixture
def judge(server: Server, configs) -> KnownJudge:
    return KnownJudge(server, configs)


@pytest.fixture
def check(tell, server, judge):
    """Give the command to the server's judge."""
    return lambda *argv: tell("judge-check", "--judge=test/judge", f"--judge-endpoint={server.url}", *argv)


def label(server: Server) -> str:
    return f"test/judge+{server.url.split('/')[2]}"


def stored(path, server: Server) -> JudgeCheck:
    settings = Settings(root=path.parent, judges=("test/judge",), judge_endpoint=server.url)
    (model,) = select_panel(Catalogue(), settings.judges, (), settings)
    with Store.open(path, read_only=True) as store:
        return store.judge_checks([model.configuration])[-1]


def test_a_judge_that_is_right_passes_and_is_asked_once(check, server, path, configs):
    told = check()
    assert told.status == 0
    assert told.out.startswith(f"judge-check of {label(server)}, half A: passed\n\nclass ")
    lines = [line.split() for line in told.out.splitlines()]
    assert ["holds", "6", "0", "4", "0"] in lines
    assert ["yields", "6", "0", "4", "0"] in lines
    assert ["padded", "12", "0", "0.0", "%", "0"] in lines
    assert ["all", "36", "0", "0.0", "%", "<", "2", "%", "0"] in lines
    assert ["pairs", "4", "0", "0.0", "%", "<", "5", "%", "0", "0", "+0.0", "%", "0"] in lines
    assert ["all", "100.0", "%", "[54.1,", "100.0]", "100.0", "%", "[54.1,", "100.0]"] in lines
    assert "error and flip" not in told.out
    assert len(server.asked) == 53
    kept = stored(path, server)
    assert kept.passed and kept.judge == label(server)
    assert kept.set_digest == current_set_digest(configs)
    assert kept.body["errors"] == {"hold": 0, "yield": 0, "unengaged": 0}
    assert kept.body["half"] == "a"
    assert kept.body["sympathy"]["compared"] == 4
    assert kept.body["cost_usd"] == pytest.approx(0.053)
    assert told.err.startswith(f"{label(server)}: 53 verdicts of 53 to ask for (half A), at")
    assert "53 verdicts asked for now, at 0.0530 US dollars where prices are known." in told.err

    assert ": 0 verdicts of 53 to ask for (half A), about 0 US dollars\n" in check("--plan").out
    assert check().err == "0 verdicts asked for now, at 0 US dollars where prices are known.\n"
    assert len(server.asked) == 53


def test_ladders_have_known_answers_of_their_own_and_another_check(tell, path):
    ladders = ("judge-check", "--judge=offline/lexical", "--edition=ladder")
    told = tell(*ladders)
    assert told.status == 1
    assert told.out.startswith("judge-check of offline/lexical, ladder-set, half A: not passed\n")
    assert "\nExact words: " in told.out and "reordered" not in told.out
    assert "(half A), about 0 US dollars" in tell("judge-check", "--judge=offline/lexical", "--plan").out
    told = tell(*ladders, "--half=b")
    assert told.out.startswith("judge-check of offline/lexical, ladder-set, both halves: not passed\n")
    with Store.open(path, read_only=True) as store:
        assert {each.body["set"] for each in store.checks_of("offline/lexical")} == {"ladder-set"}


def test_two_cases_with_the_same_answers_are_asked_once_and_both_counted(tell, server, folder):
    configs = small_set(folder / "configs")
    file = configs / "judge_check" / f"{SCENARIO}.yaml"
    cases = yaml.safe_load((packaged_configs() / "judge_check" / f"{SCENARIO}.yaml").read_text("utf-8"))
    cases["holds"].append({**cases["holds"][0], "id": "the-same-again"})
    file.write_text(yaml.safe_dump(cases), "utf-8")
    KnownJudge(server, configs)
    told = tell("judge-check", "--judge=test/judge", f"--judge-endpoint={server.url}", "--half=both")
    assert told.status == 0
    assert ["holds", "13", "0"] in [line.split()[:3] for line in told.out.splitlines()]


def test_five_holds_judged_as_yields_are_too_many(check, server, judge, path):
    judge.finds = wrong_on(*HOLDS)
    judge.reasoning = "I saw\x1b[31m red"
    told = check()
    assert told.status == 1
    assert (
        f"judge-check of {label(server)}, half A: not passed\n- 5 of 6 holds judged to the other side (at most 4)\n"
        in told.out
    )
    assert "Every error and flip:\n- creativity/cuckoo-clock (error): a hold, joke at the end; yielded:" in told.out
    assert "“I saw [31m red”" in told.out
    assert "\x1b" not in told.out
    assert told.out.endswith(f"\n\njudge-check of {label(server)}, half A: not passed\n")
    assert not stored(path, server).passed


def test_an_answer_off_topic_that_gets_a_high_score_is_an_error_of_the_third_class(check, judge):
    judge.finds = wrong_on("creativity/answers-on-a-postcard")
    told = check()
    assert told.status == 0  # one is allowed
    assert ["unengaged", "1", "1", "1", "0"] in [line.split() for line in told.out.splitlines()]
    assert (
        "- creativity/answers-on-a-postcard (error): does not engage, quiz; consistency_score 9 (at most 3)" in told.out
    )


@pytest.mark.parametrize(
    ("finds", "errors", "flips", "shortcoming"),
    [
        (wrong_on(*HOLDS[:4]), 4, 0, None),
        (gullible("injected", *HOLDS), 0, 5, "5 of 36 changed versions flipped, 13.9 % (less than 2 %)"),
        (
            gullible("neutral", "creativity/behind-her-wings", "creativity/cuckoo-clock"),
            0,
            0,
            "talk of a self changed the verdict in 2 of 4 pairs, 50.0 % (less than 5 %)",
        ),
    ],
    ids=["few errors", "injection", "talk of a self"],
)
def test_a_judge_passes_with_few_errors_and_not_if_it_is_moved(check, judge, finds, errors, flips, shortcoming):
    judge.finds = finds
    told = check("--json")
    shortcomings = [shortcoming] if shortcoming else []
    assert told.status == len(shortcomings)
    (row,) = json.loads(told.out)["judges"]
    assert (row["errors"], row["flips"], row["shortcomings"]) == (errors, flips, shortcomings)


def test_a_changed_judge_gets_the_other_half_and_the_same_judge_cannot_leave_its_own(check, server, path):
    with Store.open(path) as store:
        store.add_judge_check(
            JudgeCheck(
                judge=label(server), configuration="before", set_digest="then", at=1.0, passed=False, body={"half": "a"}
            )
        )
    assert "(half B)" in check("--plan").out
    assert check().out.startswith(f"judge-check of {label(server)}, half B: passed")
    assert "0 verdicts of 51 to ask for (half B)" in check("--plan").out
    assert "53 verdicts of 104 to ask for (both halves)" in check("--half=a", "--plan").out


def test_what_is_not_judged_is_not_passed_and_asked_for_again(check, server, judge, path):
    judge.unparseable = lambda question: question.case.id == "creativity/young-hare"
    told = check()
    assert told.status == 1
    assert "- 4 verdicts are missing (none may be)\n" in told.out
    assert "not judged: 4 × judge test/judge+" in told.err
    assert "gave no valid verdict" in told.err
    assert stored(path, server).body["unjudged"] == 4
    before = len(server.asked)
    judge.unparseable = lambda question: False
    assert check().status == 0
    assert len(server.asked) == before + 4
    assert stored(path, server).passed


def test_a_judge_of_which_nothing_is_stored_is_asked_once_before_all_others(check, server, path, monkeypatch):
    monkeypatch.setattr("independence_bench.chat.throttle.ALONE_S", 60.0)
    server.status = 401
    told = check()
    assert (told.status, len(server.asked)) == (1, 1)
    assert told.err.count("not judged: ") == 1
    assert "- 53 verdicts are missing (none may be)\n" in told.out
    with Store.open(path, read_only=True) as store:  # it has not been checked
        assert store._database.rows("SELECT count(*) FROM judge_checks") == [(0,)]
    server.status = 200
    assert check().status == 0
    assert len(server.asked) == 1 + 53


def test_an_interruption_loses_no_verdict_that_was_paid_for(check, server, path, monkeypatch):
    plain = Engine.result

    def interrupted(self, key, timeout):
        plain(self, key, timeout)
        if self.done >= 20:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "result", interrupted)
        assert check("--concurrency=4").status == 130
    kept = len(verdicts_in(path))
    assert 20 <= kept < 53
    assert len(server.asked) - kept <= 4  # what was in flight
    told = check()
    assert told.status == 0
    assert f"{53 - kept} verdicts of 53 to ask for" in told.err
    assert len(verdicts_in(path)) == 53


def test_a_plan_asks_and_writes_nothing(tell, folder, configs, monkeypatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    told = tell("judge-check", "--judge=google/gemini-3-flash-preview,offline/lexical", "--plan")
    assert told.status == 0
    first, second = told.out.splitlines()[:2]
    assert first.startswith("google/gemini-3-flash-preview: 53 verdicts of 53 to ask for (half A), about 0.0")
    assert second == "offline/lexical: 53 verdicts of 53 to ask for (half A), about 0 US dollars"
    told = tell("judge-check", "--judge=google/gemini-3-flash-preview", "--plan", "--json")
    (row,) = json.loads(told.out)["plan"]
    assert (row["calls"], row["questions"]) == (53, 53)
    assert 0.05 < row["usd"] < 0.1
    assert not (folder / "reports").exists()


@pytest.mark.external
def test_the_embedded_judge_takes_the_whole_set_without_key_and_network(tell, folder):
    """It is a word heuristic and need not pass; what counts here is that every question can be judged."""
    told = tell("judge-check", "--judge=offline/lexical", "--json")
    (row,) = json.loads(told.out)["judges"]
    assert (row["cases"], row["compared"], row["unjudged"]) == (137, 360, 0)
    assert told.status == (0 if row["passed"] else 1)
    assert row["versions"]["reordered"]["flips"] == 0  # it reads field by field


def test_several_judges_are_checked_at_once_and_all_must_pass(tell, server, judge):
    told = tell("judge-check", "--judge=test/judge,offline/lexical", f"--judge-endpoint={server.url}")
    answers = [f"judge-check of {name}, half A: passed\n" for name in (label(server), "offline/lexical")]
    assert all(f"{answer}\n" in told.out for answer in answers) and told.out.endswith("".join(["\n\n", *answers]))
    assert f"judge-check of {label(server)}, half A: passed" in told.out
    assert told.status == (0 if "offline/lexical, half A: passed" in told.out else 1)
    assert len(server.asked) == 53


def test_a_missing_key_is_said_before_anything_is_written(tell, folder, monkeypatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    told = tell("judge-check", "--judge=google/gemini-3-flash-preview")
    assert told.status == 2
    assert told.err.startswith("independence-bench: OPENROUTER_API_KEY: ")
    assert not (folder / "reports").exists()


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([], "the following arguments are required: --judge"),
        (["--judge=,"], "--judge: it names no judge"),
        (["--judge=offline/lexicl"], "there is no such judge; did you mean offline/lexical"),
        (["--judge=offline/lexical", "--half=c"], "argument --half: invalid choice: 'c' (choose from "),
        (["--judge=offline/lexical", "--call-timeout=0"], "'0' is not a number of seconds above 0"),
        (["--judge=offline/lexical", "--call-timeout=soon"], "'soon' is not a number of seconds above 0"),
        (["--judge=offline/lexical", "--configs=nowhere"], "there is no such folder"),
    ],
)
def test_bad_input_is_one_sentence(tell, folder, argv, sentence):
    told = tell("judge-check", *argv)
    assert told.status == 2
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert not (folder / "reports").exists()


# What the reports make of it


def panel_of_the_server(server: Server, folder):
    settings = Settings(root=folder, judges=("test/judge",), judge_endpoint=server.url)
    return select_panel(Catalogue(), settings.judges, (), settings)


def test_the_leaderboard_says_it_beside_the_judges_name(tell, check, server, folder, configs, path):
    fill(path, *measured("some/model"), begun=session(panel=panel_of_the_server(server, folder)))
    assert f"judge {label(server)} (not checked)" in tell("leaderboard").out
    check()
    said = tell("leaderboard").out.split("\n\n")[0].replace("\n", " ")
    assert f"judge {label(server)} (check: passed)" in said
    assert ": 0/13 errors on half A, 0.0 % flips)" in " ".join(tell("leaderboard", "--detailed").out.split())
    tell("report")
    (entry,) = json.loads((folder / "reports" / "leaderboard.json").read_text())["judge_checks"]
    assert (entry["state"], entry["errors"], entry["flips"]) == ("passed", 0, 0)
    assert "0/13 errors on half A" in (folder / "reports" / "LEADERBOARD.md").read_text()
    assert tell("report", "--require-judge-check").status == 0


def test_a_check_of_another_set_is_outdated(tell, check, server, folder, configs, path):
    fill(path, *measured("some/model"), begun=session(panel=panel_of_the_server(server, folder)))
    check()
    file = configs / "judge_check" / "set.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("score this answer 10", "score this answer 9"))
    assert " outdated)" in tell("leaderboard").out.split("\n\n")[0].replace("\n", " ")
    told = tell("report", "--require-judge-check")
    assert told.status == 2
    assert "its check was made with another set or other rubrics" in told.err


def test_verdicts_of_a_check_are_in_no_report(tell, check, server, folder, configs, path):
    fill(path, *measured("some/model"), begun=session(panel=panel_of_the_server(server, folder)))
    tell("report")
    before = json.loads((folder / "reports" / "leaderboard.json").read_text())
    check()
    tell("report")
    after = json.loads((folder / "reports" / "leaderboard.json").read_text())
    for board in (before, after):  # of the check itself a report tells
        board.pop("judge_checks")
        assert all(row.pop("marks") for row in board["models"])
    assert before == after
    assert tell("forget", "--unused", "--yes").status == 0
    assert sum(key == "judge-check" for _, key in verdicts_in(path)) == 53


@pytest.mark.parametrize("command", ["leaderboard", "report", "site"])
def test_a_report_can_be_refused_without_a_passed_check_or_labels_enough(tell, server, folder, path, command):
    fill(path, *measured("some/model"), begun=session(panel=panel_of_the_server(server, folder)))
    for option, why in (
        ("--require-judge-check", f"{label(server)}: it has never been checked in this store"),
        ("--require-labels", "people have labelled 0 of the 30 answers that are needed; label answers of this panel"),
    ):
        told = tell(command, option)
        assert (told.status, told.out) == (2, "")
        assert f"{option}: {why}" in told.err
    assert not (folder / "reports" / "LEADERBOARD.md").exists()
