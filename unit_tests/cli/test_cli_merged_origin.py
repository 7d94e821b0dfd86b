"""What a store believes of sessions, looks and labels from elsewhere: nothing that decides, names or spends for us."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cli_samples import EDITION, GOOD, JUDGE, configuration, fill, measured, trial
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_cli_gate import planned

import independence_bench
from independence_bench.bad_input import BadInput
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.running import RunningSession
from independence_bench.report.gate.watched import watched_candidate
from independence_bench.session.settings import Settings
from independence_bench.session.store_selection import with_stored_models
from independence_bench.spec import Endpoint, Model, PanelJudge
from independence_bench.store import JudgeCheck, Look, Session, Store
from independence_bench.trial import Failure, Usage

OURS, EVIL, KEY = "http://127.0.0.1:9/v1", "http://evil.example/v1", "MY_SECRET"
OWN = STRONG, WEAK = "some/model", "other/model"
WORSE: dict[str, Any] = {
    "social-proof": {"resistance_score": 2, "quality_of_reasoning": 3, "identity_maintained": False},
    "creativity": {"consistency_score": 3, "graceful_handling": 3, "position_taken": True},
}
OTHER_JUDGE = Model(label="judge/two", id="judge/two", served_id="two", endpoint=Endpoint(name="e", base_url=EVIL))


def own_store(path: Path, *, complete: bool = True) -> Path:
    """Two models measured twice at an endpoint with a key, all but one trial unless ``complete``."""
    begun = planned(STRONG, WEAK, runs=2, id="ours", endpoint=OURS, endpoint_key_env=KEY, build="b1")
    begun = begun.model_copy(update={"chosen_as": (STRONG, WEAK)})
    worse = [trial(WEAK, scenario, run=run, scores=WORSE[scenario]) for run in (1, 2) for scenario in GOOD]
    models = [configuration(name, build="b1") for name in (STRONG, WEAK)]
    return fill(path, *measured(STRONG, 2), *(worse if complete else worse[:-1]), models=models, begun=begun)


def foreign_session(at: float, *labels: str, id: str = "theirs", **given: Any) -> Session:
    update = {"labels": labels or (STRONG, WEAK), "configurations": (STRONG, WEAK), "started_at": at} | given
    return planned(STRONG, WEAK, runs=2, id=id).model_copy(update=update)


def foreign_store(path: Path, *sessions: Session, looks: tuple[Look, ...] = ()) -> Path:
    path.unlink(missing_ok=True)
    with Store.open(path) as store:
        for each in sessions:
            store.begin_session(each, [])
        for look in looks:
            store.look(look)
    return path


@pytest.fixture
def store(path, monkeypatch) -> Path:
    monkeypatch.setattr("independence_bench.report.gate.deciding.time", SimpleNamespace(time=lambda: 5000.0))
    monkeypatch.setenv(KEY, "sk-0123456789abcdef")
    return own_store(path)


DECIDED = ("--min-index=50", "--max-runs=9", "--gate-confidence=0.5")
OPEN = ("--min-index=52", "--max-runs=40")


def gate(tell, *options: str) -> dict[str, Any]:
    told = tell("gate", "--json", *(options or OPEN))
    assert told.err == ""
    content: dict[str, Any] = json.loads(told.out)
    return content


def merged(tell, theirs: Path, *options: str):
    told = tell("merge", theirs, "--store=reports/trials.sqlite", *options)
    assert told.status == 0, told.err
    return told


def test_a_merged_session_looks_and_configurations_bear_it_and_an_export_says_nothing_of_it(tell, store, folder):
    theirs = fill(folder / "theirs.sqlite", *measured("third/model"), begun=foreign_session(9.0))
    with Store.open(theirs) as opened:
        opened.look(Look(subject="G", runs=3, at=4.0, body={}))
        lines = [*opened.export_lines()]
    with Store.empty() as target, Store.open(theirs) as source:
        target.merge([source])
        assert [each.merged for each in target.sessions()] == [True]
        assert [each.merged for each in target.configurations()] == [True]
        assert target.looks("G") == []
        assert "merged" not in "".join(line for line in target.export_lines() if '"line":"look"' not in line)
        target.merge([source], adopt_looks=True)
        assert [look.runs for look in target.looks("G")] == [3]
    assert "merged" not in "".join(lines)


@pytest.mark.parametrize(
    "options",
    [
        {"command": "judge", "endpoint": EVIL},
        {"command": "judge", "judge_endpoint": EVIL},
        {"endpoint": EVIL, "models": [STRONG], "endpoint_key_env": KEY},
    ],
)
@pytest.mark.parametrize("complete", [True, False])
def test_no_printed_command_pairs_our_key_with_an_address_from_elsewhere(tell, store, folder, options, complete):
    store.unlink()
    own_store(store, complete=complete)
    merged(tell, foreign_store(folder / "theirs.sqlite", foreign_session(3000.0, options=options)))
    command = gate(tell)["next"]["command"]
    assert EVIL not in command
    assert f"--endpoint={OURS} --endpoint-key-env={KEY} --build=b1" in command
    with Store.open(store) as opened:
        for shown in opened.sessions():
            repairs = [text for each in build_leaderboard(opened, shown).health for text in each.repairs]
            assert bool(repairs) is not complete
            assert not [text for text in repairs if EVIL in text and KEY in text]


def test_a_judging_adds_its_judges_to_the_options_of_the_session_before_and_nothing_else(tell, store):
    judged = foreign_session(9.0, id="judged", options={"command": "judge", "endpoint": EVIL, "judges": ["judge/one"]})
    with Store.open(store) as opened:
        opened.begin_session(judged, [])
    command = gate(tell)["next"]["command"]
    assert f"--judge=judge/one --endpoint={OURS} --endpoint-key-env={KEY}" in command
    assert EVIL not in command


@pytest.mark.parametrize("labels", [(WEAK, STRONG), (STRONG, STRONG), ("x", "y")])
def test_a_foreign_session_renames_no_model_in_the_gate(tell, store, folder, labels):
    before = gate(tell, *DECIDED)
    assert [(each["label"], each["answer"]) for each in before["models"]] == [(STRONG, "passed"), (WEAK, "failed")]
    merged(tell, foreign_store(folder / "theirs.sqlite", foreign_session(3000.0, *labels)))
    assert gate(tell, *DECIDED) == before


def test_in_a_store_of_merged_data_alone_the_gate_names_models_as_the_store_does(tell, store, folder):
    store.rename(folder / "one.sqlite")
    merged(tell, folder / "one.sqlite")
    merged(tell, foreign_store(folder / "theirs.sqlite", foreign_session(3000.0, WEAK, STRONG)))
    assert [each["label"] for each in gate(tell, *DECIDED)["models"]] == [STRONG, WEAK]


PLANTED = [(1000, None), (1, 10_000), (2, 6)]


@pytest.mark.parametrize(("runs", "max_runs"), PLANTED)
def test_a_look_from_elsewhere_is_listed_and_spends_nothing_until_it_is_adopted(tell, store, folder, runs, max_runs):
    pristine = shutil.copy(store, folder / "pristine.sqlite")
    before = gate(tell, *DECIDED)
    with Store.open(store) as opened:
        subjects = [subject for (subject,) in opened._database.rows("SELECT subject FROM looks ORDER BY subject")]
    looks = tuple(
        Look(subject=each, runs=runs, at=1.0, body={"label": "a\x1b[31m", "max_runs": max_runs}) for each in subjects
    )
    theirs = foreign_store(folder / "theirs.sqlite", looks=looks)
    shutil.copy(pristine, store)
    told = merged(tell, theirs)
    assert "2 looks of gates elsewhere are kept, and no gate of this store counts them: a" in told.out
    assert f" at {runs} runs, 1970-01-01T00:00:01Z" in told.out
    assert "\x1b" not in told.out
    assert gate(tell, *DECIDED) == before
    shutil.copy(pristine, store)
    merged(tell, theirs)
    assert "--adopt-looks" not in merged(tell, theirs, "--adopt-looks").out
    assert gate(tell, *DECIDED) != before


def test_a_look_that_was_foreign_to_the_source_is_adopted_by_nobody(folder):
    theirs = foreign_store(folder / "theirs.sqlite", looks=(Look(subject="G", runs=3, at=4.0, body={}),))
    with Store.empty() as own, Store.empty() as fresh, Store.open(theirs) as source:
        own.merge([source])
        own.look(Look(subject="H", runs=2, at=5.0, body={}))
        fresh.merge([own], adopt_looks=True)
        assert (fresh.looks("G"), [look.runs for look in fresh.looks("H")]) == ([], [2])


def test_a_copy_of_our_own_looks_that_comes_back_is_ours(tell, store, folder):
    gate(tell)
    copy = shutil.copy(store, folder / "copy.sqlite")
    assert "looks of gates elsewhere" not in merged(tell, Path(copy)).out


def test_only_pytest_arguments_measure_on_from_a_merged_session(tell, store, folder):
    store.rename(folder / "one.sqlite")
    merged(tell, folder / "one.sqlite")
    told = tell("gate", *OPEN, "--until-decided")
    assert told.status != 0
    assert "(it was merged from elsewhere); give pytest's arguments after `--`" in told.err
    assert KEY not in gate(tell)["next"]["command"]


def test_shards_merged_into_a_new_store_are_shown_compared_judged_and_decided_on(tell, folder):
    for shard in (1, 2):
        begun = planned(STRONG, WEAK, runs=2, id=f"s{shard}", started_at=float(shard), shard=f"{shard}/2")
        records = [trial(model, scenario, run=shard) for model in (STRONG, WEAK) for scenario in GOOD]
        fill(folder / f"{shard}.sqlite", *records, begun=begun)
    for shard in (1, 2):
        merged(tell, folder / f"{shard}.sqlite")
        decided = gate(tell, "--min-index=5")
        assert decided["shards_missing"] == (["2/2"] if shard == 1 else [])
    assert decided["answer"] == "passed"
    rows = json.loads(tell("leaderboard", "--format=json").out)
    assert [(row["label"], row["measured"]) for row in rows] == [(WEAK, 4), (STRONG, 4)]
    assert STRONG in tell("compare", STRONG, WEAK).out
    assert json.loads(tell("status", "--json").out)["session"] == "s2"
    with independence_bench.open(folder / "reports") as results:
        assert [each["session"] for each in results.sessions.to_dicts()] == ["s2", "s1"]


def test_a_session_of_ours_is_shown_before_a_later_one_from_elsewhere(tell, store, folder):
    elsewhere = EDITION.model_copy(update={"id": "elsewhere"})
    later = foreign_session(3000.0, edition=elsewhere, configurations=(), labels=())
    merged(tell, foreign_store(folder / "theirs.sqlite", later))
    assert "small" in tell("leaderboard").out
    with Store.open(store) as opened:
        assert [each.id for each in opened.sessions()] == ["ours", "theirs"]
        running = RunningSession.read(opened, 5000.0)
        assert running is not None
        assert running.session == "ours"


def test_what_a_merge_adds_to_our_models_is_believed(tell, store, folder):
    lost = trial(
        WEAK, "creativity", failures=(Failure(kind="endpoint", message="no", usage=Usage(cost_usd=3.0), at=7.0),)
    )
    records = [
        *(trial(STRONG, name, run=3) for name in GOOD),
        lost.model_copy(update={"transcript": None, "verdicts": ()}),
    ]
    theirs = fill(folder / "theirs.sqlite", *records, begun=foreign_session(3000.0))
    with Store.open(theirs) as opened:
        opened.add_judge_check(JudgeCheck(judge="j", configuration="J", set_digest="s", at=1.0, passed=True, body={}))
    merged(tell, theirs)
    rows = {row["label"]: row for row in json.loads(tell("leaderboard", "--format=json").out)}
    assert (rows[STRONG]["measured"], rows[WEAK]["measured"]) == (6, 4)
    with Store.open(store) as opened:
        assert [each.cost_usd for each in opened.failure_rows([f"{WEAK}/creativity/1"], by="trial_key")] == [3.0]
        assert [check.passed for check in opened.judge_checks(["J"])] == [True]


def test_a_model_that_came_by_a_merge_is_ours_once_a_session_of_ours_asks_it(store, folder):
    """However late the other store says that it was seen: until the day after the merge."""
    theirs = fill(folder / "theirs.sqlite", *measured("third/model"), begun=foreign_session(3000.0))
    with Store.open(store) as opened, Store.open(theirs) as source:
        opened.merge([source])
        opened.begin_session(planned("third/model", id="next", started_at=20.0), [configuration("third/model")])
        assert {each.configuration: each.merged for each in opened.configurations()}["third/model"] is False


def test_measured_means_the_models_of_the_store_by_what_they_are_not_by_their_names(store, folder):
    """A foreign configuration of the same label must not say which id is asked."""
    theirs = folder / "theirs.sqlite"
    evil = configuration("zzz", label=STRONG, model_id="evil/model")
    fill(theirs, models=[evil], begun=foreign_session(3000.0))
    with Store.open(store) as opened, Store.open(theirs) as source:
        opened.merge([source])
    given = Settings(
        root=folder, edition="small", models=("measured",), build="b1", endpoint=OURS, endpoint_key_env=KEY
    )
    told: list[str] = []
    with pytest.raises(BadInput, match="measured with other options"):  # sample configurations are no digests
        with_stored_models(given, told.append)
    assert "evil" not in " ".join(told)


PACKAGE = Path(independence_bench.__file__).parent
READ_OPTIONS = {
    "cli/analysis_commands.py",  # the edition to plan
    "cli/gate_rounds.py",  # refuses merged ones
    "cli/gating.py",  # of the session that decides
    "report/analysis/repairs.py",  # without addresses from elsewhere
    "report/analysis/session_report.py",  # the running session's
    "report/gate/candidates.py",  # which cells were asked
    "store/merging.py",  # removes key variables
}


def test_no_module_finds_a_session_or_reads_its_options_in_another_way() -> None:
    """A new reader of options must think of merged sessions first, and all take the one order of ``Store.sessions``."""
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    reading = re.compile(r"(?<!bench\.)\b(?:_?session|newest|earlier|shown)\.options\b")
    assert {name for name, text in texts.items() if reading.search(text)} == READ_OPTIONS
    queries = {name for name, text in texts.items() if re.search(r"FROM sessions\b", text)}
    assert queries == {"store/store.py", "store/removing.py"}


# --- any foreign store ------------------------------------------------------------------------------------------------

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "command": st.just("judge"),
        "endpoint": st.sampled_from([EVIL, OURS]),
        "endpoint_key_env": st.sampled_from([KEY, "PATH"]),
        "judge_endpoint": st.just(EVIL),
        "models": st.just([STRONG]),
        "judges": st.just(["judge/two"]),
        "edition": st.just("elsewhere.yaml"),
        "max_cost": st.just(1e6),
        "system_variants": st.just(["strong"]),
    },
)
NAMES = (STRONG, WEAK, "third/model", "some/model#b1")
TIMES = st.floats(0, 9e4)


@st.composite
def foreign_sessions(draw: st.DrawFn) -> Session:
    configurations = draw(st.lists(st.sampled_from(NAMES[:3]), unique=True))
    labels = draw(st.lists(st.sampled_from(NAMES), min_size=len(configurations), max_size=len(configurations)))
    edition = draw(st.sampled_from([EDITION, EDITION.model_copy(update={"id": "elsewhere"})]))
    panel = draw(st.sampled_from([(JUDGE,), (OTHER_JUDGE,), (JUDGE, OTHER_JUDGE)]))
    return foreign_session(
        draw(TIMES),
        id=draw(st.sampled_from(["a", "z", "import-a", "~"])),
        labels=tuple(labels),
        configurations=tuple(configurations),
        chosen_as=draw(st.sampled_from([(), tuple(labels)])),
        edition=edition,
        panel=tuple(map(PanelJudge.of, panel)),
        runs=draw(st.integers(1, 9)),
        shard=draw(st.sampled_from([None, "1/2"])),
        plan_digest=draw(st.sampled_from([planned(STRONG, WEAK, runs=2).plan_digest, "x"])),
        options=draw(OPTIONS),
    )


@st.composite
def foreign_files(draw: st.DrawFn, subjects: list[str]) -> Callable[[Path], Path]:
    sessions = draw(st.lists(foreign_sessions(), min_size=1, max_size=4, unique_by=lambda each: each.id))
    of_model = st.tuples(st.sampled_from(NAMES[:3]), st.sampled_from(sorted(GOOD)), TIMES)
    # A second measurement would be a failed attempt with its cost, which is believed.
    trials = draw(st.lists(of_model, max_size=6, unique_by=lambda each: each[:2]))
    models = draw(st.lists(st.tuples(st.sampled_from([*NAMES, "f" * 32]), st.sampled_from(NAMES)), max_size=4))
    bodies = st.fixed_dictionaries({"max_runs": st.none() | st.integers(1, 10_000), "label": st.sampled_from(NAMES)})
    of_looks = st.builds(Look, subject=st.sampled_from(subjects), runs=st.integers(1, 1000), at=TIMES, body=bodies)
    looks = draw(st.lists(of_looks, max_size=4))

    def make(path: Path) -> Path:
        path.unlink(missing_ok=True)
        with Store.open(path) as store:
            for place, each in enumerate(sessions):
                named = [configuration(digest, label=label) for digest, label in models] if not place else []
                store.begin_session(each, named)
            said = [trial(model, name, at=at, answer=f"no, {model}", scores=WORSE[name]) for model, name, at in trials]
            store.add_all(said, sessions[0].id)
            for look in looks:
                store.look(look)
        return path

    return make


RELATIVE = re.compile("rank|tier|medal|separat")
"""Fields of a row that depend on the other rows of its board."""


def believed(tell, path: Path) -> dict[str, Any]:
    """What is decided, printed and run by the store, and its rows of our models."""
    shown: dict[str, Any] = {}
    for options in (DECIDED, OPEN):
        shown[options[0]] = tell("gate", *options).out, (path.parent / "gate.json").read_bytes()
    with Store.open(path) as store:
        newest = store.newest_session()
        assert newest is not None
        board = build_leaderboard(store, newest)
        shown |= {
            f"{row.identity} {name}": value
            for row in board.models
            if row.identity in OWN and row.configuration is None
            for name, value in row.model_dump().items()
            if not RELATIVE.search(name)
        }
        shown["next steps"] = {each.label: each.repairs for each in board.health if each.label in OWN}
        watched = watched_candidate(store, None, STRONG)
        assert watched is not None
        shown["watched"] = (watched.result.session.id, watched.label)
    return shown


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data(), complete=st.booleans())
def test_no_foreign_store_changes_what_we_decide_print_and_show_of_our_models(tell, store, folder, data, complete):
    for file in (store, ours := folder / "ours.sqlite"):
        file.unlink(missing_ok=True)
    shutil.copy(own_store(ours, complete=complete), store)
    before = believed(tell, store)
    with closing(sqlite3.connect(store)) as connection:
        subjects = [subject for (subject,) in connection.execute("SELECT subject FROM looks")]
    theirs = data.draw(foreign_files([*subjects, "another"]))(folder / "theirs.sqlite")
    shutil.copy(ours, store)
    merged(tell, theirs)
    assert believed(tell, store) == before
