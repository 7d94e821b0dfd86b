"""``gate --until-decided``: sessions of a stand-in for pytest, that measures what its words ask for, and looks between."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cli_samples import CELLS, GOOD, fill, trial
from test_cli_gate import planned

from independence_bench.cli import gate_rounds, pytest_rounds
from independence_bench.session.command_line import value_of, with_suite
from independence_bench.session.settings import Settings
from independence_bench.store import Session
from independence_bench.trial import TrialRecord

CONFTEST = (Path(__file__).parents[2] / "bench_tests" / "conftest.py").read_text(encoding="utf-8")


@dataclass
class Pytest:
    """Stands in for ``python -m pytest``: measures one model into the store that it is told."""

    folder: Path
    model: str = "some/model"
    asked: list[list[str]] = field(default_factory=list)
    """Arguments by their short names."""
    spelled: list[str] = field(default_factory=list)
    """The last arguments as they were given."""
    status: int = 0
    gap: bool = False
    """Leaves one trial out."""
    kept: bool = True
    """Whether its model answers as asked."""
    runs: int | None = None
    """Measures so many runs, whatever it is told."""
    interrupted: bool = False
    waited: int = 0

    def __call__(self, command: list[str], stdout: int | None = None, **_: object) -> "Pytest":
        self.spelled = command[3:]
        words = [word.replace("--bench-", "--", 1) for word in self.spelled]
        self.asked.append(words)
        if "--plan" in words or self.status == 4:
            return self
        runs = self.runs or int(value_of(words, "--runs") or 1)
        place = len(self.asked)
        begun = planned(self.model, runs=runs, id=f"s{place}", started_at=float(place))
        records = [self._trial(scenario, run) for run in range(1, runs + 1) for scenario in CELLS]
        fill(Path(str(value_of(words, "--store"))), *records[1 if self.gap else 0 :], begun=begun)
        return self

    def _trial(self, scenario: str, run: int) -> TrialRecord:
        record = trial(self.model, scenario, run=run)
        if self.kept or record.transcript is None:
            return record
        exchanges = [
            each.model_copy(update={"reply": each.reply.model_copy(update={"delivery_kept": False})})
            for each in record.transcript.exchanges
        ]
        transcript = record.transcript.model_copy(update={"exchanges": tuple(exchanges)})
        verdicts = [each.model_copy(update={"transcript_hash": transcript.hash}) for each in record.verdicts]
        return record.model_copy(update={"transcript": transcript, "verdicts": tuple(verdicts)})

    def wait(self) -> int:
        self.waited += 1
        if self.interrupted and self.waited == 1:
            raise KeyboardInterrupt
        return self.status

    @property
    def runs_asked(self) -> list[int]:
        return [int(str(value_of(words, "--runs"))) for words in self.asked if "--plan" not in words]


@pytest.fixture
def stand_in(folder, monkeypatch) -> Pytest:
    (folder / "bench_tests").mkdir()
    (folder / "bench_tests" / "conftest.py").write_text(CONFTEST)
    found = Pytest(folder)
    monkeypatch.setattr(pytest_rounds.subprocess, "Popen", found)
    return found


def gate(tell, mark: float, most: int, *words: str, options: tuple[str, ...] = ()):
    separator = ["--", *words] if words else []
    return tell("gate", f"--min-index={mark}", "--until-decided", f"--max-runs={most}", *options, *separator)


def test_it_begins_with_five_runs_after_a_plan_that_refuses_what_would_be_refused_later(tell, stand_in, folder):
    told = gate(tell, 5, 20, "bench_tests", "-q")

    assert told.status == 0
    store = f"--store={folder}/reports/trials.sqlite"
    assert stand_in.asked == [
        [
            "bench_tests",
            "-q",
            store,
            f"--reports={folder}/reports",
            "--runs=5",
            "--min-index=5",
            "--max-runs=20",
            "--plan",
        ],
        ["bench_tests", "-q", store, f"--reports={folder}/reports", "--runs=5", "--no-gate"],
    ]
    assert "gate: PASSED" in told.out


def test_runs_grow_to_what_would_probably_decide_and_each_look_is_stricter(tell, stand_in, folder):
    low = _low(tell, stand_in, folder)

    told = gate(tell, low + 0.5, 40, "bench_tests", "--runs=5")

    assert told.status == 0
    first, *more = stand_in.runs_asked[1:]
    assert first == 5
    assert len(more) == 1
    assert 5 < more[0] <= 40
    assert "look 2 of those declared up to 40 runs, judged at 9" in told.out


def _low(tell, stand_in: Pytest, folder: Path) -> float:
    """Where the interval of five runs begins."""
    gate(tell, 0, 40, "bench_tests")
    content = json.loads((folder / "reports" / "gate.json").read_text(encoding="ascii"))
    low: float = content["models"][0]["criteria"][0]["interval"][0]
    return low


def test_a_doubt_that_is_not_accepted_ends_the_rounds_because_no_run_would_settle_it(tell, stand_in):
    stand_in.kept = False

    told = gate(tell, 5, 40, "bench_tests")

    assert (told.status, stand_in.runs_asked) == (11, [5])
    assert "gate: more runs would not settle the doubts" in told.err

    accepted = gate(tell, 5, 40, "bench_tests", options=("--accept=delivery",))
    assert accepted.status == 0


@pytest.mark.parametrize(
    ("most", "words", "runs"), [(9, [], [5, 9]), (3, [], [3]), (9, ["--runs=2"], [2, 9])], ids=["", "few", "given"]
)
def test_what_runs_will_probably_not_decide_is_looked_at_once_more_with_the_most_runs(
    tell, stand_in, most, words, runs
):
    told = gate(tell, 80, most, "bench_tests", *words, options=("--json",))

    assert (told.status, stand_in.runs_asked) == (11, runs)
    assert json.loads(told.out)["answer"] == "inconclusive"  # alone on standard output


@pytest.mark.parametrize(
    ("gap", "status", "why"),
    [
        (True, 1, "the session failed, see above; fix the cause and run the same command again to continue"),
        (True, 0, "pytest skipped a part of the plan, though no test failed; look for an option that narrows it"),
        (False, 3, "pytest ended with status 3"),
    ],
)
def test_it_stops_where_not_all_could_be_measured(tell, stand_in, gap, status, why):
    stand_in.gap, stand_in.status = gap, status

    told = gate(tell, 80, 20, "bench_tests")

    assert (told.status, stand_in.runs_asked) == (11, [5])
    assert f"gate: {why}" in told.err


def test_what_pytest_refuses_is_bad_input(tell, stand_in):
    stand_in.status = 4

    told = gate(tell, 80, 20, "bench_tests")

    assert (told.status, len(stand_in.asked)) == (2, 1)
    assert "pytest refused its arguments, see above (exit status 4); correct them" in told.err


def test_another_measurement_than_was_asked_for_is_refused(tell, stand_in, monkeypatch):
    measure = Pytest.__call__

    def other(self: Pytest, command: list[str], stdout: int | None = None, **_: object) -> Pytest:
        self.model = "some/model" if len(self.asked) < 2 else "other/model"
        return measure(self, command, stdout)

    stand_in.runs = 1
    assert "did not measure 5 runs of the same models into this store" in gate(tell, 80, 20, "bench_tests").err
    stand_in.runs, stand_in.asked = None, []
    monkeypatch.setattr(Pytest, "__call__", other)

    assert "runs of the same models into this store" in gate(tell, 80, 20, "bench_tests").err


def test_after_ctrl_c_pytest_still_ends_in_order(tell, stand_in):
    stand_in.interrupted = True

    told = gate(tell, 80, 20, "bench_tests")

    assert (told.status, stand_in.waited) == (130, 2)
    assert told.err.endswith("independence-bench: interrupted\n")


@pytest.mark.parametrize(
    "words, told",
    [
        (["--min-index=9"], "--min-index=9: this is an option of the gate; give it before `--`"),
        (["--shard=1/2"], "--shard=1/2: a gate measures the whole plan; take it out"),
        (["-k", "creativity"], "-k: a gate measures the whole plan; take it out"),
        (["--lf"], "--lf: a gate measures the whole plan; take it out"),
        (["--maxfail", "1"], "--maxfail: a gate measures the whole plan; take it out"),
        (["--shard", "1/2"], "--shard: a gate measures the whole plan; take it out"),
        (["--bench-shard=1/2"], "--bench-shard=1/2: a gate measures the whole plan; take it out"),
        (["--bench-min-index", "9"], "--bench-min-index: this is an option of the gate; give it before `--`"),
        (
            ["--pyargs", "independence_bench.bench_tests.test_stability"],
            "independence_bench.bench_tests.test_stability: a gate measures the whole plan; give "
            "independence_bench.bench_tests instead",
        ),
        (
            ["--store=x.sqlite"],
            "--store=x.sqlite: the gate looks at reports/trials.sqlite; give --store=x.sqlite before",
        ),
        (["--configs=x"], "--configs=x: the gate looks at None; give --configs=x before `--`"),
        (["--runs=99"], "--runs=99: it must be from 1 to 20, the number of --max-runs"),
        (["--runs=x"], "--runs=x: it must be from 1 to 20, the number of --max-runs"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_words_that_contradict_the_gate_are_refused(tell, stand_in, words, told):
    refused = gate(tell, 80, 20, "bench_tests", *words)

    assert (refused.status, stand_in.asked) == (2, [])
    assert told in refused.err


@pytest.mark.parametrize("part", ["bench_tests/test_x.py", "bench_tests/test_x.py::test_it", "bench_tests/deep"])
def test_a_part_of_a_suite_is_refused(tell, stand_in, folder, part):
    (folder / "bench_tests" / "deep").mkdir()
    (folder / "bench_tests" / "test_x.py").touch()

    refused = gate(tell, 80, 20, part, "-q")

    assert (refused.status, stand_in.asked) == (2, [])
    assert f"{part}: a gate measures the whole plan; give bench_tests instead" in refused.err


def test_the_same_places_may_be_named_on_both_sides(tell, stand_in, folder):
    (folder / "mine").mkdir()

    told = gate(
        tell, 5, 5, "bench_tests", "--store=s.sqlite", "--configs", "mine",
        options=("--store=s.sqlite", "--configs=mine"),
    )  # fmt: skip

    assert told.status == 0
    assert stand_in.asked[1].count(f"--store={folder}/s.sqlite") == 1
    assert stand_in.asked[1][-2:] == ["--runs=5", "--no-gate"]


# --- as the newest session did ------------------------------------------------------------------------------------------


def noted(folder: Path, monkeypatch: pytest.MonkeyPatch, **options) -> Session:
    """A session in the default store that the command believes to be of the plan that its options make."""
    begun = planned("some/model", runs=2, id="s0", started_at=0.5, **options)
    records = [trial("some/model", scenario, run=run) for run in (1, 2) for scenario in GOOD]
    fill(folder / "reports" / "trials.sqlite", *records, begun=begun)
    return begun


@pytest.fixture
def same_plan(monkeypatch) -> list[Settings]:
    """Makes every plan that of the newest session, and notes what it was made of."""
    seen: list[Settings] = []

    class Made:
        digest = planned("some/model", runs=2).plan_digest

    def make(settings: Settings) -> Made:
        seen.append(settings)
        return Made()

    monkeypatch.setattr(gate_rounds, "build_plan", make)
    return seen


def test_without_words_it_looks_first_and_measures_as_the_newest_session_did(
    tell, stand_in, folder, monkeypatch, same_plan
):
    noted(folder, monkeypatch, edition="v2", temperature=0.5)
    assert gate(tell, 1, 9).status == 0
    assert stand_in.asked == []  # what is decided measures nothing

    told = gate(tell, 80, 4)

    assert (told.status, stand_in.runs_asked) == (11, [4])
    words = ["--model=some/model", "--edition=v2", "--temperature=0.5", f"--store={folder}/reports/trials.sqlite"]
    assert stand_in.asked[0][: len(words) + len(with_suite([]))] == [*with_suite([]), *words]
    assert (same_plan[0].models, same_plan[0].edition, same_plan[0].temperature) == (("some/model",), "v2", 0.5)


def test_without_words_the_session_s_limits_prices_and_key_variables_go_on_holding(
    tell, stand_in, folder, monkeypatch, same_plan
):
    noted(
        folder, monkeypatch, endpoint_key_env="MY_KEY", judge_endpoint="http://127.0.0.1:1/v1", max_cost=3.0,
        assume_price=[1.0, 2.0], requests_per_minute=20, tokens_per_minute=9000, concurrency=3, concurrency_per_model=2,
        call_timeout_s=1800.0, call_attempts=2, require_judge_check=True,
    )  # fmt: skip

    gate(tell, 80, 4)

    words = [
        "--endpoint-key-env=MY_KEY", "--judge-endpoint=http://127.0.0.1:1/v1", "--call-timeout=1800",
        "--call-attempts=2", "--concurrency=3", "--concurrency-per-model=2", "--rpm=20", "--tpm=9000", "--max-cost=3",
        "--assume-price=1,2", "--require-judge-check",
    ]  # fmt: skip
    first = len(with_suite([])) + 1
    assert stand_in.asked[0][first : first + len(words)] == words
    assert (same_plan[0].requests_per_minute, same_plan[0].endpoint_key_env) == (20, "MY_KEY")


def test_after_a_shard_the_whole_plan_is_measured_first(tell, stand_in, folder, monkeypatch, same_plan):
    noted(folder, monkeypatch, shard="1/2")

    assert gate(tell, 80, 4).status == 11
    assert stand_in.runs_asked == [2, 4]


def test_without_words_what_is_missing_is_measured_first(tell, stand_in, folder, monkeypatch, same_plan):
    begun = planned("some/model", runs=2, id="s0", started_at=0.5)
    (folder / "bench_tests" / "conftest.py").unlink()
    fill(folder / "reports" / "trials.sqlite", trial("some/model", "creativity"), begun=begun)

    told = gate(tell, 1, 9)

    assert (told.status, stand_in.runs_asked) == (0, [2])
    assert stand_in.asked[0][:2] == ["--pyargs", "independence_bench.bench_tests"]  # the folder marks no suite


@pytest.mark.parametrize(
    "options, why",
    [
        ({"temperature": "warm"}, "--temperature: 'warm' is not a temperature between 0 and 2, nor off"),
        ({"command": "judge"}, "it only judged"),
        ({"models": ["offline/mirror"]}, "its configs or its version differ from those here"),
    ],
    ids=["options", "judged", "configs"],
)
def test_what_the_store_does_not_tell_must_be_given(tell, stand_in, folder, monkeypatch, options, why):
    noted(folder, monkeypatch, **options)

    told = gate(tell, 80, 9)

    assert (told.status, stand_in.asked) == (2, [])
    assert f"({why}); give pytest's arguments after `--`" in told.err


@pytest.mark.external
def test_a_real_pytest_is_run_until_it_is_decided(folder):
    environment = os.environ | {"PYTHONPATH": str(Path(gate_rounds.__file__).parents[2])}
    command = [sys.executable, "-m", "independence_bench.cli", "gate", "--until-decided", "--max-runs=4"]
    words = ["--", "bench_tests", "--model=offline/mirror", "-p", "no:hypothesispytest"]
    shutil.copytree(Path(__file__).parents[2] / "bench_tests", folder / "bench_tests")

    decided = subprocess.run(
        [*command, "--min-index=90", *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )

    assert decided.returncode == 10, decided.stdout + decided.stderr
    assert "gate: FAILED (1 of 1 model failed)" in decided.stdout


def test_what_the_command_adds_is_spelled_so_that_no_other_plugin_takes_it(tell, stand_in):
    gate(tell, 5, 4, "bench_tests", "--model=somebody-elses")

    own = [word for word in stand_in.spelled[2:] if word.startswith("--")]
    assert stand_in.spelled[1] == "--model=somebody-elses"
    assert own
    assert all(word.startswith("--bench-") for word in own)
