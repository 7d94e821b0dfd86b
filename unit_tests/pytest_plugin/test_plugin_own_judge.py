"""A judge of the suite's own: a function, a class or an object, returned by its fixture or named by --judge."""

import pytest
from bench_project import NO_FOREIGN_PLUGINS, BenchProject

KIND = """
def kind(material, rubric):
    said = " ".join(turn["text"] for turn in material if turn["speaker"] == "model")
    good = "thank" in said
    return {"reasoning": "counted", "resistance_score": 8, "quality_of_reasoning": 5, "identity_maintained": good}

kind.version = "1"
kind.name = "counts-thanks"
"""
BENCH = {"bench/test_bench.py": "import pytest\n\n@pytest.mark.boundary\ndef test_it(trial):\n    trial.scores"}
CONFTEST = """
import pytest
{head}
independence_bench_suite = True

@pytest.fixture(scope="session")
def judge():
    return {value}
"""
OTHER = "kind = print\n"  # of a conftest.py that pytest imports by the same name


def suite(project: BenchProject, value: str = "kind", head: str = KIND, **files: str) -> None:
    """Write a bench folder whose conftest.py overrides the judge."""
    project.write("bench/conftest.py", CONFTEST.format(head=head, value=value))
    project.write("tests/conftest.py", OTHER)
    project.write("tests/test_own.py", "def test_own(): ...")
    for name, text in {**BENCH, **{f"bench/{name}.py": text for name, text in files.items()}}.items():
        project.write(name, text)


def run(project: BenchProject, *words: str) -> pytest.RunResult:
    """Run the bench folder and the repository's own tests, whose conftest.py comes last."""
    options = ("--bench-model=offline/diplomat", *words)
    return project.pytester.runpytest_subprocess(*NO_FOREIGN_PLUGINS, "bench", "tests", *options, timeout=60)


def judges(project: BenchProject) -> set[tuple[str, int]]:
    """The judges of the store's verdicts, with their number."""
    return set(project.rows("SELECT judge, count(*) FROM verdicts GROUP BY judge, judge_configuration"))


HELD = "return {'reasoning': '', 'resistance_score': 8, 'quality_of_reasoning': 5, 'identity_maintained': True}"
CLASS = f"class Kind:\n    version = '1'\n    def __call__(self, material, rubric): {HELD}\n"
KNOWS = CLASS.replace("version = '1'", "version = '1'\n    def __init__(self, words=3): self.words = words")
LOOSE = f"def kind(material, rubric): {HELD}\n"
PLACE = "fixture judge, overridden in bench[/\\\\]conftest.py:*: "
UNNAMED = PLACE + "{} is no attribute of a module, by which other sessions could name it; define*"


@pytest.mark.parametrize(
    ("head", "value", "said"),
    [
        (CLASS, "Kind", {"bench.conftest:Kind"}),
        (CLASS, "Kind()", {"bench.conftest:Kind"}),
        (KNOWS + "kind = Kind(4)", "kind", {"bench.conftest:kind"}),
        ("from helper import kind", "['offline/lexical', kind]", {"bench.helper:kind", "offline/lexical"}),
        ("import functools, helper\nkind = functools.partial(helper.kind)\nkind.version = '1'", "kind", {"bench.conftest:kind"}),
        ("", "'bench.helper:kind'", {"bench.helper:kind"}),
        (KNOWS, "Kind(4)", UNNAMED.format("Kind")),
        (LOOSE, "lambda material, rubric: kind(material, rubric)", UNNAMED.format("<lambda>")),
        (LOOSE, "kind", PLACE + 'bench.conftest:kind: it has no `version`; *: kind.version = "1"'),
        (CLASS.replace(", rubric", ""), "Kind", PLACE + "bench.conftest:Kind: it must be callable with material and*"),
        (CLASS, "[Kind, Kind()]", PLACE + "two judges are the same model with the same sampling*"),
        (LOOSE.replace(HELD, "return None") + "kind.version = '1'", "kind", "*returned NoneType and no mapping; return a*"),
        (LOOSE.replace(HELD, "1 / 0") + "kind.version = '1'", "kind", "*raised ZeroDivisionError: * (conftest.py:3)"),
        (LOOSE.replace(HELD, "import json; json.loads('')") + "kind.version = '1'", "kind", "*JSONDecodeError: * (conftest.py:3)"),
    ],
)  # fmt: skip
def test_what_a_fixture_may_return_as_a_judge_and_what_is_said_of_the_rest(
    project: BenchProject, head: str, value: str, said: set[str] | str
) -> None:
    suite(project, value, head, helper=LOOSE + "kind.version = '1'")
    ended = run(project, "-k", "helpful-reframing")
    if isinstance(said, str):
        ended.stdout.fnmatch_lines([f"not measured: {said}"])
    else:
        assert {judge for judge, _ in judges(project)} == said


@pytest.mark.parametrize("words", ["", "--import-mode=importlib", "--import-mode=importlib -n2", "-n2"])
def test_a_function_in_a_conftest_judges_and_has_one_name_in_every_mode(project: BenchProject, words: str) -> None:
    suite(project)
    run(project, *words.split()).assert_outcomes(passed=6)
    assert judges(project) == {("counts-thanks", 5)}

    run(project, "--judge=bench.conftest:kind").assert_outcomes(passed=6)
    assert judges(project) == {("counts-thanks", 5)}, "it is the same judge by its name"


def test_a_judge_beside_the_file_of_the_edition_is_found_and_is_one_judge_by_both_names(project: BenchProject) -> None:
    project.write("bench/wording.py", KIND)
    project.write("bench/talk.yaml", "id: talk\ntitle: Talk\nextends: v2\n")
    words = ("--pyargs", "independence_bench.bench_tests", "--edition=bench/talk.yaml", "--model=offline/diplomat")
    for judge in ("wording:kind", "bench.wording:kind"):
        project.pytester.runpytest_subprocess(
            *NO_FOREIGN_PLUGINS, *words, f"--judge={judge}", "-k", "helpful-reframing", timeout=60
        )
    assert judges(project) == {("counts-thanks", 1)}
