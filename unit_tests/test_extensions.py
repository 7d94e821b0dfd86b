"""Another package adds editions, texts and kinds by entry points, and a callable judges; what is broken is named."""

import json
import linecache
import re
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from extension_packages import installed_package

from independence_bench.bad_input import BadInput
from independence_bench.callable_judge import importable_from
from independence_bench.case_result import CaseResult
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.extensions import PREFIX
from independence_bench.kind_registry import KINDS
from independence_bench.pace import Pace
from independence_bench.session.engine_setup import all_limits, open_engine
from independence_bench.session.plan import Plan, build_plan
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


def module(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    """Write a module where it can be imported, in place of one of the same name."""
    (folder / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, name, raising=False)
    linecache.clearcache()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importable_from([folder], list)


def settings(tmp_path: Path, *judges: str, edition: str = "kind") -> Settings:
    return Settings(root=tmp_path, edition=edition, models=("offline/steadfast",), judges=judges or ("kind-words",))


def measured(settings: Settings) -> tuple[list[TrialRecord], dict[str, object], dict[str, object]]:
    """Conduct a session, and return its records, leaderboard.json and session.json."""
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
    return records, board, session


@pytest.mark.usefixtures("example")
def test_an_edition_and_a_judge_come_from_another_package(tmp_path: Path) -> None:
    part = tmp_path / "part.yaml"  # without its scenario in Python, which only a case can lead
    both = "[lost-purse, late-train]"
    parts = f"components: {{kindness: {{parts: [{{score: kindness, scenarios: {both}}}]}}}}"
    part.write_text(f"id: part\ntitle: Part\nextends: kind\nscenarios: {both}\n{parts}\n", encoding="utf-8")
    records, board, session = measured(settings(tmp_path, edition=str(part)))

    assert [len(each.verdicts) for each in records] == [1, 1] and not any(each.failures for each in records)
    (verdict,) = records[0].verdicts
    assert 1 <= verdict.scores["kindness"] <= 5 and verdict.usage.cost_usd == 0
    assert "kindest" in verdict.reports
    scores = [record.verdicts[0].scores["kindness"] for record in records]
    assert board["models"][0]["index"] == 100 * (sum(scores) / 2 - 1) / 4  # type: ignore[index]
    assert session["extensions"] == ["configs extra (independence-bench-extra 1.0)"]
    assert any(f"contribute to these numbers: {session['extensions'][0]}" in note for note in board["notes"])  # type: ignore[attr-defined, index]


@pytest.mark.usefixtures("example")
def test_a_judge_has_one_identity_by_whatever_name_it_is_called(tmp_path: Path) -> None:
    by_row, by_name = (
        build_plan(settings(tmp_path, name)).panel[0]
        for name in ("kind-words", "independence_bench_extra.kind_words:KindWords")
    )
    assert by_row.configuration == by_name.configuration
    assert by_row.heuristic  # as it says of itself


OWN = "class Own:\n    version = {version!r}\n    def __call__(self, material, rubric): return {body}\n"


def test_the_version_and_the_source_of_a_judge_are_in_the_keys_of_its_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planned(version: str, body: str) -> Plan:
        module(tmp_path, monkeypatch, "judge_own", OWN.format(version=version, body=body))
        return build_plan(settings(tmp_path, "judge_own:Own", edition="lite"))

    plans = [planned("1", "{}"), planned("1", "{}"), planned("2", "{}"), planned("1", "None")]
    first, again, *others = [plan.panel[0].configuration for plan in plans]
    assert first == again and len({first, *others}) == 3
    assert len({tuple(plan.by_key) for plan in plans}) == 1  # a conversation does not depend on its judge


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
    module(tmp_path, monkeypatch, "judge_own", JUDGE.format(define=define, body=body))
    asked = settings(tmp_path, "judge_own:Judge")
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
        assert failure.message.startswith("judge judge_own:Judge ")


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
    module(tmp_path, monkeypatch, "judge_own", JUDGE.format(define="def", body=body))
    asked = settings(tmp_path, "judge_own:Judge", edition="lite")
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
        ends = {field.name: field.ends[self.score] for field in rubric.scores if field.type == "integer"}
        flags = {field.name: bool(self.score) for field in rubric.scores if field.type == "boolean"}
        return {"reasoning": ""} | reports | ends | flags

class High(Low):
    score = 1
"""


def test_an_edition_says_how_the_scores_of_a_panel_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, monkeypatch, "panel_of_two", PANEL)
    one = "{consistency_score: {weight: 1, maximum: 10, parts: [{score: consistency_score, scenarios: [creativity]}]}}"
    own = f"title: Own\nsystem_variants: [neutral]\ndelivery_modes: [user_role]\nscenarios: [creativity]\ncomponents: {one}"

    def asked(aggregation: str) -> Settings:
        folder = tmp_path / aggregation
        folder.mkdir()
        file = folder / "own.yaml"
        file.write_text(f"id: own\n{own}\naggregation: {aggregation}\n", "utf-8")
        return settings(folder, "panel_of_two:Low", "panel_of_two:High", edition=str(file))

    found = {}
    for aggregation in ("mean", "median"):
        _, board, _ = measured(asked(aggregation))
        (row,) = board["models"]  # type: ignore[misc]
        told = [note for note in board["notes"] if "judges are combined by" in note]  # type: ignore[attr-defined]
        found[aggregation] = (row["index"], row["held"]["held"], board["aggregation"], told)
    by = "The scores of the 2 judges are combined by {!r}, not by their mean."
    assert found == {"mean": (50.0, 0, "mean", []), "median": (50.0, 0, "median", [by.format("median")])}
    with pytest.raises(BadInput, match=r"own\.yaml: aggregation: it must be one of mean, median"):
        build_plan(asked("modal"))


@pytest.mark.parametrize(
    ("groups", "files", "message"),
    [
        ({"kinds": {"index": "mod_d:K"}}, {}, "that comes with independence-bench"),
        ({"kinds": {"own": "mod_k:K"}}, {"mod_k.py": "K = 5"}, "it must be a `KindEntry`"),
        ({"kinds": {"own": "mod_b:K"}}, {"mod_b.py": BROKEN}, "cannot import name 'Nothing'"),
        ({"configs": {"c": "no_such_package"}}, {}, "no_such_package is no package with a folder"),
        ({"configs": {"c": "conf_a"}}, {"conf_a/rubrics/boundary.yaml": "id: boundary"}, "'rubrics/boundary.yaml'"),
        ({"configs": {"c": "conf_b"}}, {"conf_b/judges.yaml": "default: x"}, "its judges.yaml gives 'default'"),
        ({"judges": {"j": "mod_e:J"}}, {}, "there is no such group; there are configs, kinds"),
    ],
)  # fmt: skip
def test_a_broken_extension_is_named_in_one_sentence(
    groups: dict[str, dict[str, str]], files: dict[str, str], message: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    installed_package(tmp_path, monkeypatch, groups, files)
    ((group, (name, *_)),) = groups.items()
    start = re.escape(f"extra 1.0: its entry point {name!r} in {PREFIX}{group} cannot be used: ")
    with pytest.raises(BadInput, match=f"{start}.*{re.escape(message)}"):
        Catalogue()
        _ = [KINDS[name] for name in list(KINDS)]


def test_two_extensions_of_one_name_are_both_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        installed_package(tmp_path, monkeypatch, {"kinds": {"own": "mod:K"}}, name=name)
    with pytest.raises(BadInput, match=r"one 1.0 and two 1.0 give it the same name"):
        _ = KINDS["own"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BROKEN, "it cannot be imported (ImportError: cannot import name 'Nothing'"),
        ("raise SystemExit(3)", "it cannot be imported (SystemExit: 3)"),
        ("", "it cannot be imported (AttributeError: module 'judge_own' has no attribute 'Judge')"),
        (
            "def Juge(): ...",
            "it cannot be imported (AttributeError: module 'judge_own' has no attribute 'Judge'); did you mean Juge?",
        ),
        (
            "def Judge(material, rubric): ...",
            "it has no `version`; give it one by a line in its module: Judge.version = ",
        ),
        ("class Judge:\n    version = '1'\n    def __call__(self, material): ...", "callable with material and rubric"),
        ("def Judge(material, rubric): ...\nJudge.version, Judge.name = '1', 'a b'", "its `name` is no label"),
        (
            "def Judge(material, rubric): ...\nJudge.version, Judge.name = '1', 'offline/lexical'",
            "its `name` is that of another judge",
        ),
        (
            "class Judge:\n    @property\n    def version(self): raise OSError('x')",
            "it cannot be imported (OSError: x)",
        ),
        ("Judge = 5", "it must be callable with material and rubric"),
    ],
)
def test_a_callable_that_cannot_judge_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    module(tmp_path, monkeypatch, "judge_own", text)
    with pytest.raises(BadInput, match=re.escape(message)) as refusal:
        build_plan(settings(tmp_path, "judge_own:Judge", edition="lite"))
    assert str(refusal.value).startswith("--judge=judge_own:Judge: ") and "\n" not in str(refusal.value)
