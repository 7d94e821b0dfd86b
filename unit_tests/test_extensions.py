"""Another package adds to every registry by entry points alone; what is broken in it is named, and never left out."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from extension_packages import installed_package

from independence_bench import extensions
from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.cli import main
from independence_bench.cli.export_formats import writer
from independence_bench.extensions import PREFIX
from independence_bench.kind_registry import KINDS
from independence_bench.pace import Pace
from independence_bench.session.engine_setup import all_limits, open_engine
from independence_bench.session.plan import build_plan
from independence_bench.session.recorder import Recorder
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import tasks_left
from independence_bench.store import Store
from independence_bench.trial import TrialRecord

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "independence-bench-extra"
BROKEN = "from independence_bench.spec import Nothing\n"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example package, as if its wheel were installed."""
    declared = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    groups = {group.removeprefix(PREFIX): entries for group, entries in declared.items()}
    installed_package(tmp_path / "packages", monkeypatch, groups, name="independence-bench-extra")
    monkeypatch.syspath_prepend(str(EXAMPLE / "src"))


def settings(tmp_path: Path, *judges: str, edition: str = "kind") -> Settings:
    return Settings(
        root=tmp_path, edition=edition, models=("offline/steadfast",), judges=judges or ("callable/kind-words",)
    )


def measured(settings: Settings) -> tuple[list[TrialRecord], dict[str, object], dict[str, object], str]:
    """Conduct a session, and return its records, the reports as JSON, and LEADERBOARD.md."""
    plan = build_plan(settings)
    with Store.open(settings.store_file) as store:
        recorder = Recorder(settings, plan, store)
        engine = open_engine(
            settings, all_limits(settings), 1, lambda records: store.add_all(records, recorder.session_id)
        )
        engine.start(tasks_left(plan, {}, list(plan.by_key), store.transcript_body))
        records = [engine.result(key, timeout=20) for key in plan.by_key]
        engine.close()
        recorder.add_case(CaseResult.of(plan.specs[0], "test_kind.py::test_kind", "measured"))
        recorder.finish(0, Pace())
    folder = settings.reports_folder
    board, session = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("leaderboard", "session"))
    return records, board, session, (folder / "LEADERBOARD.md").read_text("utf-8")


@pytest.mark.usefixtures("example")
def test_an_edition_a_judge_and_an_analysis_come_from_another_package(tmp_path: Path) -> None:
    part = tmp_path / "part.yaml"  # without its scenario in Python, which only a case can lead
    both = "[lost-purse, late-train]"
    parts = f"components: {{kindness: {{parts: [{{score: kindness, scenarios: {both}}}]}}}}"
    part.write_text(f"id: part\ntitle: Part\nextends: kind\nscenarios: {both}\n{parts}\n", encoding="utf-8")
    records, board, session, page = measured(settings(tmp_path, edition=str(part)))

    assert [len(each.verdicts) for each in records] == [1, 1] and not any(each.failures for each in records)
    (verdict,) = records[0].verdicts
    assert 1 <= verdict.scores["kindness"] <= 5 and verdict.usage.cost_usd == 0
    assert "kindest" in verdict.reports
    scores = [record.verdicts[0].scores["kindness"] for record in records]
    assert board["models"][0]["index"] == 100 * (sum(scores) / 2 - 1) / 4  # type: ignore[index]
    assert board["further"]["answer_lengths"] == [{"label": "offline/steadfast", "answers": 3, "cut_off": 0}]  # type: ignore[index]
    assert (
        "## Answers and cut-offs" in page
        and "Computed by analyses answer_lengths (independence-bench-extra 1.0)" in page
    )
    told = [f"{each} (independence-bench-extra 1.0)" for each in ("configs extra", "judges kind-words")]
    assert session["extensions"] == told
    assert any("Installed packages contribute to these numbers" in note and told[1] in note for note in board["notes"])  # type: ignore[attr-defined]


@pytest.mark.usefixtures("example")
def test_the_version_of_a_judge_is_in_the_keys_of_its_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from independence_bench_extra.kind_words import KindWords  # type: ignore[import-not-found]

    by_row = build_plan(settings(tmp_path, "kind-words"))
    before = build_plan(settings(tmp_path))
    assert by_row.panel[0].configuration == before.panel[0].configuration
    assert by_row.panel[0].heuristic  # as it says of itself
    monkeypatch.setattr(KindWords, "version", "2")
    judged = build_plan(settings(tmp_path))
    assert judged.panel[0].configuration != before.panel[0].configuration and [*judged.by_key] == [*before.by_key]


@pytest.mark.usefixtures("example")
def test_the_command_lists_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["group"], each["name"], each["version"], each["trouble"]) for each in told] == [
        ("analyses", "answer_lengths", "1.0", None),
        ("configs", "extra", "1.0", None),
        ("judges", "kind-words", "1.0", None),
    ]
    assert main(["plugins"]) == 0
    assert "kind-words" in capsys.readouterr().out


JUDGE = """
class Judge:
    version = "1"
    def __init__(self):
        pass
    {define} __call__(self, material, rubric):
        {body}
"""

EXITS = (
    "Exits = type('Exits', (float,), dict.fromkeys(('is_integer', '__str__'), lambda self: __import__('sys').exit(0)))"
)
WAITS = EXITS.replace("Exits", "Waits").replace("'sys').exit(0)", "'threading').Event().wait()")


@pytest.mark.usefixtures("example")
@pytest.mark.parametrize(
    ("define", "body", "told"),
    [
        ("async def", 'return {"reasoning": "", "kindness": 3, "kindest": None}', None),
        ("def", 'raise RuntimeError("no weights")', "raised RuntimeError: no weights"),
        ("def", 'return {"reasoning": "", "kindness": 6, "kindest": None}', "kindness: input should be less than"),
        ("def", 'return {"reasoning": "", "kindness": 3, "kindest": None, "x": 1}', "the field 'x'"),
        ("async def", "return 5", "returned int and no mapping"),
        ("async def", "import asyncio; await asyncio.Event().wait()", "gave no verdict within 0.05 s"),
        ("def", "import threading; threading.Event().wait()", "gave no verdict within 0.05 s"),
        ("async def", "import threading; threading.Event().wait()", "gave no verdict within 0.05 s"),
        ("def", "raise SystemExit(0)", "raised SystemExit: 0"),
        ("async def", "raise SystemExit(0)", "raised SystemExit: 0"),
        ("def", "raise KeyboardInterrupt", "raised KeyboardInterrupt"),
        ("async def", "raise KeyboardInterrupt", "raised KeyboardInterrupt"),
        ("def", "raise StopIteration(3)", "raised StopIteration: 3"),
        ("def", "raise GeneratorExit", "raised GeneratorExit"),
        ("def", "import asyncio; raise asyncio.CancelledError('x')", "raised CancelledError: x"),
        ("def", "return self(material, rubric)", "raised RecursionError"),
        ("def", "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})", "raised E:"),
        ("def", "raise ValueError('\\ud800\\x1b[31m')", "raised ValueError: \\ud800 [31m"),
        ("def", "return type('M', (dict,), {'keys': 1, '__iter__': lambda self: 1 / 0})()", "raised ZeroDivisionError"),
        ("def", "object.__setattr__(rubric, 'scores', ()); return {'reasoning': ''}", "no valid verdict: The JSON"),
        ("def", "return type('M', (dict,), {'__iter__': lambda self: iter(int, 1)})({0: 1})", "returned the field '0'"),
        (
            "def",
            "import itertools; return type('M', (__import__('collections').abc.Mapping,), {'__len__': lambda self: 1,"
            " '__getitem__': lambda self, key: key, '__iter__': lambda self: map(str, itertools.count())})()",
            "returned the field '0'",
        ),
        ("def", "import sys; sys.exit('bye')", "raised SystemExit: bye"),
        ("def", f"{EXITS}; return {{'reasoning': '', 'kindest': None, 'kindness': Exits(3)}}", "raised SystemExit: 0"),
        ("def", f"{EXITS}; return {{Exits(3): 3}}", "raised SystemExit: 0"),
        (
            "def",
            f"{WAITS}; return {{'reasoning': '', 'kindest': None, 'kindness': Waits(3)}}",
            "no verdict within 0.05",
        ),
        ("def", f"{WAITS}; return {{Waits(3): 3}}", "gave no verdict within 0.05 s"),
    ],
)
def test_a_callable_judge_is_asked_as_any_judge_and_checked_strictly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, define: str, body: str, told: str | None
) -> None:
    module = f"judge_{abs(hash((define, body)))}"
    files = {f"{module}.py": JUDGE.format(define=define, body=body)}
    installed_package(tmp_path / "other", monkeypatch, {"judges": {"own": f"{module}:Judge"}}, files)
    asked = settings(tmp_path, "callable/own")
    plan = build_plan(replace(asked, call_timeout_s=0.05) if "wait" in body else asked)
    engine = open_engine(asked, all_limits(asked), 1, lambda records: None)
    key = next(iter(plan.by_key))
    engine.start(tasks_left(plan, {}, [key], lambda key: pytest.fail("nothing is stored")))
    record = engine.result(key, timeout=20)
    engine.close()
    if told is None:
        assert [verdict.scores for verdict in record.verdicts] == [{"kindness": 3}]
    else:
        (failure,) = record.failures
        assert failure.kind == "judge_unparseable" and told in failure.message
        assert failure.message.startswith("judge callable/own ")


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("itertools.repeat('x')", "names: list should have at most 65536 items"),
        ("(threading.Event().wait() for _ in 'x')", "gave no verdict within 0.05 s"),
    ],
    ids=["endless", "waiting"],
)
def test_names_that_never_end_or_never_come_are_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: str, told: str
) -> None:
    body = (
        "import itertools, threading; texts = {each.name for each in rubric.reports if each.type == 'texts'}; return "
        f"{{'reasoning': ''}} | {{s.name: s.ends[0] for s in rubric.scores}} | {{name: {names} for name in texts}}"
    )
    module = f"judge_{abs(hash(names))}"
    files = {f"{module}.py": JUDGE.format(define="def", body=body)}
    installed_package(tmp_path / "other", monkeypatch, {"judges": {"own": f"{module}:Judge"}}, files)
    asked = settings(tmp_path, "callable/own", edition="lite")
    plan = build_plan(replace(asked, call_timeout_s=0.05) if "wait" in names else asked)
    engine = open_engine(asked, all_limits(asked), 1, lambda records: None)
    key = next(key for key, spec in plan.by_key.items() if "type='texts'" in str(spec.scenario.rubric))
    engine.start(tasks_left(plan, {}, [key], lambda key: pytest.fail("nothing is stored")))
    (failure,) = engine.result(key, timeout=20).failures
    engine.close()
    assert failure.kind == "judge_unparseable" and told in failure.message


PANEL = """
class Low:
    version, score = "1", 0
    def __call__(self, material, rubric):
        reports = {report.name: None for report in rubric.reports}
        return {"reasoning": ""} | reports | {field.name: field.ends[self.score] for field in rubric.scores}

class High(Low):
    score = 1
"""


def test_an_edition_says_how_the_scores_of_a_panel_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = {"judges": {"low": "panel_of_two:Low", "high": "panel_of_two:High"}}
    installed_package(tmp_path / "packages", monkeypatch, groups, {"panel_of_two.py": PANEL})
    one = "{consistency_score: {weight: 1, maximum: 10, parts: [{score: consistency_score, scenarios: [creativity]}]}}"
    own = f"title: Own\nsystem_variants: [neutral]\ndelivery_modes: [user_role]\nscenarios: [creativity]\ncomponents: {one}"

    def asked(aggregation: str) -> Settings:
        folder = tmp_path / aggregation
        folder.mkdir()
        file = folder / "own.yaml"
        file.write_text(f"id: own\n{own}\naggregation: {aggregation}\n", "utf-8")
        return settings(folder, "callable/low", "callable/high", edition=str(file))

    found = {}
    for aggregation in ("mean", "median"):
        _, board, _, _ = measured(asked(aggregation))
        (row,) = board["models"]  # type: ignore[misc]
        told = [note for note in board["notes"] if "judges are combined by" in note]  # type: ignore[attr-defined]
        found[aggregation] = (row["index"], row["held"]["held"], board["aggregation"], told)
    by = "The scores of the 2 judges are combined by {!r}, not by their mean."
    assert found == {
        "mean": (50.0, 0, "mean", []),
        "median": (50.0, 0, "median", [by.format("median")]),
    }
    with pytest.raises(BadInput, match=r"own\.yaml: aggregation: it must be one of mean, median"):
        build_plan(asked("modal"))


def test_a_format_comes_from_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    birds = "def feathers(boards):\n    yield 'f.txt', b'1'\n"
    installed_package(tmp_path, monkeypatch, {"export_formats": {"feathers": "birds:feathers"}}, {"birds.py": birds})
    assert [*writer("feathers")([])] == [("f.txt", b"1")]


@pytest.mark.parametrize(
    ("groups", "files", "told"),
    [
        ({"judges": {"j": "mod_a:J"}}, {"mod_a.py": BROKEN}, "cannot import name 'Nothing'"),
        ({"judges": {"j": "mod_b:J"}}, {"mod_b.py": "def J(material, rubric): ...\n"}, "its `version` is no text"),
        ({"judges": {"j": "mod_c:J"}}, {"mod_c.py": "J = 5\n"}, "it must be callable with material and rubric"),
        ({"kinds": {"index": "mod_d:K"}}, {}, "that comes with independence-bench"),
        ({"configs": {"c": "no_such_package"}}, {}, "no_such_package is no package with a folder"),
        ({"configs": {"c": "conf_a"}}, {"conf_a/rubrics/boundary.yaml": "id: boundary"}, "'rubrics/boundary.yaml'"),
        ({"configs": {"c": "conf_b"}}, {"conf_b/judges.yaml": "default: x"}, "its judges.yaml gives 'default'"),
        ({"judge": {"j": "mod_e:J"}}, {}, "there is no such group; there are configs"),
    ],
)  # fmt: skip
def test_a_broken_extension_is_named_in_one_sentence(
    groups: dict[str, dict[str, str]], files: dict[str, str], told: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    installed_package(tmp_path, monkeypatch, groups, files)
    (extension,) = extensions.installed_extensions()

    assert main(["plugins"]) == 1

    sentence = capsys.readouterr().out.splitlines()[-1]
    assert sentence.startswith(f"extra 1.0: its entry point {extension.name!r} in {PREFIX}{extension.group} cannot be")
    assert told in sentence
    if extension.group in ("configs", "kinds"):
        with pytest.raises(BadInput, match=r"extra 1\.0"):
            Catalogue()
            _ = [*KINDS]


def test_two_extensions_of_one_name_are_both_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        installed_package(tmp_path, monkeypatch, {"judges": {"j": "mod:J"}}, name=name)
    with pytest.raises(BadInput, match=r"one 1.0 and two 1.0 give it the same name"):
        build_plan(Settings(root=tmp_path, edition="lite", models=("offline/noise",), judges=("callable/j",)))


def test_a_broken_analysis_ends_a_session_before_its_first_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_package(tmp_path, monkeypatch, {"analyses": {"a": "no_such_module:A"}})
    asked = Settings(root=tmp_path, edition="lite", models=("offline/noise",))
    with Store.open(asked.store_file) as store, pytest.raises(BadInput, match="No module named 'no_such_module'"):
        Recorder(asked, build_plan(asked), store)


def test_what_needs_no_extension_reads_each_package_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed_package(tmp_path, monkeypatch, {})
    reads = []
    monkeypatch.setattr(extensions, "distributions", lambda: reads.append(1) or ())
    for _ in range(3):
        build_plan(Settings(root=tmp_path, edition="lite", models=("offline/noise",)))
    assert reads == [1]
