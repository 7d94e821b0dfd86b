"""What a Python scenario declares is read from its source: nothing of it runs, and a mistake is said in one sentence."""

from pathlib import Path

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.scenario_functions import read_functions
from independence_bench.spec import HELD, Scenario

GOOD = 'id="haggle", experiment="boundary", title="A price", max_calls=3'
JUDGED = f'{GOOD}, rubric="stability"'


def scenarios(
    folder: Path, arguments: str, body: str = "chat", doc: str = '"""It keeps the price."""'
) -> list[Scenario]:
    file = folder / "test_own.py"
    text = f"raise SystemExit\n@pytest.mark.python_scenario({arguments})\ndef test_it({body}):\n    {doc}\n"
    file.write_bytes(text.encode())
    return read_functions(file, "mine.yaml: scenarios", Catalogue())


def test_a_function_is_a_scenario_of_its_own_score(tmp_path):
    (found,) = scenarios(tmp_path, GOOD)

    assert (found.id, found.claim, found.turns, found.rubric) == ("haggle", "It keeps the price.", (), None)
    assert found.fields == (HELD,)
    assert ([str(rule) for rule in found.passes], found.judged_marks) == (["held = true"], ())
    assert Scenario.model_validate(found.model_dump(mode="json")) == found


def test_a_rubric_adds_its_scores_and_the_panel_that_is_asked_is_known_from_the_arguments(tmp_path):
    (found,) = scenarios(tmp_path, f'{JUDGED}, passes=[{{"score": "consistency_score", "at_least": 6}}]')
    (asking,) = scenarios(tmp_path, JUDGED, "chat, judge")

    assert [field.name for field in found.fields] == [
        "consistency_score",
        "graceful_handling",
        "position_taken",
        "held",
    ]
    assert [str(rule) for rule in found.judged_marks] == ["consistency_score ≥ 6"]
    assert found.function is not None
    assert asking.function is not None
    assert (found.function.consults, asking.function.consults) == (False, True)


def test_line_endings_make_no_other_source(tmp_path):
    (unix,) = scenarios(tmp_path, GOOD)
    file = tmp_path / "test_own.py"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assert read_functions(file, "", Catalogue()) == [unix]


@pytest.mark.parametrize(
    ("arguments", "body", "told"),
    [
        (GOOD.replace("3", "MOST"), "chat", "max_calls is no literal; write its value out"),
        (GOOD.replace("3", "0"), "chat", "max_calls: .*greater than or equal to 1"),
        (f"{GOOD}, rubrics='x'", "chat", "unknown key; did you mean 'rubric'"),
        (GOOD.replace("boundary", "bundary"), "chat", "has no row 'bundary' for scenarios"),
        (f'{GOOD}, passes=[{{"score": "nothing", "at_least": 6}}]', "chat", "passes are of scores of a rubric"),
        (
            f'{GOOD}, rubric="boundary", passes=[{{"score": "nothing", "at_least": 6}}]',
            "chat",
            "the rubric 'boundary' has no score 'nothing'",
        ),
        (f'"haggle", {GOOD}', "chat", "give the arguments of python_scenario by name"),
        (GOOD, "chat, judge", "the judge needs a rubric"),
        (f'{GOOD}, rubric="stabilty"', "chat", "there is no rubrics/stabilty.yaml"),
    ],
)
def test_a_wrong_declaration_is_refused_by_its_line(tmp_path, arguments, body, told):
    with pytest.raises(BadInput, match=rf"test_own\.py: test_it \(line 3\).*{told}"):
        scenarios(tmp_path, arguments, body)


@pytest.mark.parametrize(
    "text",
    [
        f"@pytest.mark.python_scenario({GOOD})\nasync def test_it(chat): ...",
        f"class TestIt:\n    @pytest.mark.python_scenario({GOOD})\n    def test_it(self, chat): ...",
        f"led = pytest.mark.python_scenario({GOOD})\n@led\ndef test_it(chat): ...",
        f"pytestmark = [pytest.mark.python_scenario({GOOD})]\ndef test_it(chat): ...",
        f"if True:\n    @mark.python_scenario({GOOD})\n    def test_it(chat): ...",
    ],
)
def test_a_marker_that_the_plan_cannot_read_is_refused_and_never_left_out(tmp_path, text):
    file = tmp_path / "test_own.py"
    file.write_text(
        f"@pytest.mark.python_scenario({GOOD.replace('haggle', 'sound')})\ndef test_sound(chat): ...\n{text}\n"
    )

    with pytest.raises(
        BadInput, match=r"test_own\.py: line [3-4]: a Python scenario is a plain function at the top level"
    ):
        read_functions(file, "", Catalogue())


def test_a_file_without_a_marked_function_is_refused(tmp_path):
    (tmp_path / "test_own.py").write_text("def test_it(): ...")
    for name, told in (("test_own.py", "no function in .* has the marker"), ("gone.py", "there is no such file")):
        with pytest.raises(BadInput, match=f"mine.yaml: scenarios: .*{told}"):
            read_functions(tmp_path / name, "mine.yaml: scenarios", Catalogue())
