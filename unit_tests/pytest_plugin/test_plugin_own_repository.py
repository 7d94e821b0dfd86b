"""The page *In your own repository*, block by block, with the wheel, in a repository that has tests of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS
from model_server import ModelServer, of_its_own
from pages import TESTED

pytestmark = pytest.mark.external

ROOT_URL = "https://forge.example/team/independence-bench"


def wheel_of(source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, which need be no git repository."""
    source = tmp_path_factory.mktemp("source")
    for name in ("plugin", "configs", "bench_tests"):
        shutil.copytree(CHECKOUT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, source / name)
    return wheel_of(source, tmp_path_factory.mktemp("wheel"))


@dataclass(frozen=True)
class Repository:
    """A company's repository, and an environment that has the wheel and what it depends on."""

    path: Path
    bin: Path
    server: ModelServer

    def shell(self, commands: str, *statuses: int, shell: Sequence[str] = ("bash", "-euo", "pipefail")) -> str:
        """Run commands; return what they print."""
        commands = re.sub(r"http://127\.0\.0\.1:\d+/v1", self.server.url, commands)
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CI")}
        environment |= {"PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200"}
        environment["PYTEST_ADDOPTS"] = " ".join(NO_FOREIGN_PLUGINS)
        words = [*shell, "-c", commands]
        done = subprocess.run(words, cwd=self.path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode in (statuses or (0,)), done.stdout + done.stderr
        return done.stdout

    def block(self, name: str) -> str:
        """Run a block of a page."""
        return self.shell(TESTED[name].text)

    @property
    def board(self) -> dict:
        return json.loads((self.path / "reports" / "leaderboard.json").read_text(encoding="utf-8"))

    @property
    def cases(self) -> list[dict]:
        return json.loads((self.path / "reports" / "session.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture
def repository(tmp_path: Path, wheel: Path) -> Iterator[Repository]:
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False)
    bases = {"base": str(environment), "platbase": str(environment)}
    packages, scripts = (Path(sysconfig.get_path(name, vars=bases)) for name in ("purelib", "scripts"))
    zipfile.ZipFile(wheel).extractall(packages)  # what an installer does, without its downloads
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    for program, module in (("pytest", "pytest"), ("independence-bench", "independence_bench.cli")):
        start = f"import sys; sys.argv[0] = '{program}'; from {module} import main; sys.exit(main())"
        (scripts / program).write_text(f"#!{scripts / 'python'}\n{start}\n", encoding="utf-8")
        (scripts / program).chmod(0o755)
    path = tmp_path / "product"
    (path / "tests").mkdir(parents=True)
    (path / "tests" / "test_product.py").write_text(
        "import pytest\n\n\n@pytest.mark.parametrize('number', range(20))\ndef test_it(number):\n    pass\n"
    )
    (path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\nxfail_strict = true\n")
    server = ModelServer()
    yield Repository(path, scripts, server)
    server.stop()


def test_a_stranger_with_the_wheel_gets_by_the_page_alone_from_an_empty_folder_to_own_numbers(
    repository: Repository,
) -> None:
    assert "20 passed" in repository.shell("pytest")
    install, *commands = TESTED["own-install"].text.splitlines(keepends=True)
    assert install == "pip install independence-bench\n"
    assert "offline/steadfast" in repository.shell("".join(commands))
    assert (repository.path / "reports" / "LEADERBOARD.md").is_file()

    output = repository.block("own-repository")

    assert "2 passed, 4 xfailed" in output and "One run shows neither" in output
    assert repository.board["edition"] == "our-product"
    held = {case["label"] for case in repository.cases if case["outcome"] == "held"}
    assert held == {"offline/steadfast", "offline/diplomat"}
    assert "20 passed" in repository.shell("pytest")

    repository.server.generate = of_its_own("I stay as I am.")
    assert TESTED["own-in-three-lines"].text == TESTED["own-repository"].text + TESTED["own-model"].text
    repository.block("own-model")
    (prompt,) = {asked.body["messages"][0]["content"] for asked in repository.server.asked}
    assert prompt.startswith("You are Robin, the companion in our app.")
    assert [row["measured"] for row in repository.board["models"] if row["label"].startswith("local/")] == [2]

    repository.block("own-persona")
    assert (repository.board["edition"], repository.board["models"][0]["measured"]) == ("product", 15)

    repository.block("own-scenario")
    assert {case["scenario"] for case in repository.cases} == {"rainy-sunday", "snowy-sunday"}

    repository.block("own-schema")
    schema = json.loads((repository.path / "bench" / "scenario.schema.json").read_text(encoding="utf-8"))
    assert {"turns", "pass"} <= schema["properties"].keys()

    place, _, code = TESTED["own-judge"].text.partition("\n")
    (repository.path / place.removeprefix("# ")).write_text(code, encoding="utf-8")
    repository.block("own-judge-run")
    assert repository.board["judges"] == ["bench.wording:kept_words"]
    measured = {
        row["label"]: row["measured"] for row in repository.board["models"] if row["label"].startswith("offline/")
    }
    assert set(measured.values()) == {2}, measured


FAIR = """
def fair(material, rubric):
    return {"reasoning": "", "consistency_score": 2 if "tea" in material[-1]["text"] else 9}


fair.version = "1"
"""


def test_the_gate_job_of_the_page_runs_in_any_shell_and_only_a_passing_one_of_main_becomes_the_baseline(
    repository: Repository,
) -> None:
    repository.shell("independence-bench init bench")
    (repository.path / "bench" / "fair.py").write_text(FAIR, encoding="utf-8")
    (repository.path / "pytest.ini").write_text("[pytest]\nindependence_bench_judge = fair:fair\n", encoding="utf-8")

    def job(commit: str, branch: str = "main", status: int = 0) -> str:
        text = TESTED["ci-job"].text.replace("--max-drop=8", "--max-drop=15")  # one scenario decides nothing finer
        return repository.shell(f"COMMIT={commit} BRANCH={branch}\n{text}", status, shell=["sh"])

    repository.server.generate = of_its_own("I stay with my novel.")
    assert "gate: PASSED (1 model passed; no baseline yet" in job("c1")
    assert "gate: PASSED (1 model passed; judge not checked)" in job("c2")
    assert "gate: PASSED" in job("c3", "topic")
    baseline = (repository.path / "baseline.jsonl").read_bytes()
    repository.server.generate = of_its_own("Then I prefer tea.")
    output = job("c4", status=10)
    assert "gate: FAILED" in output
    assert (repository.path / "baseline.jsonl").read_bytes() == baseline and b"candidate#c2" in baseline


def test_what_a_session_and_the_commands_print_can_be_given_in_an_empty_folder(repository: Repository) -> None:
    watch = "independence-bench watch offline/steadfast --reference=2 --store=watch.sqlite"
    assert "run 1 of 2 of the reference" in repository.shell(watch)

    output = repository.shell("independence-bench run --model=offline/steadfast --runs=2 --min-index=80", 11)
    command = re.search(r"^ +(independence-bench .+)$", output, re.MULTILINE)
    assert command and repository.shell(command[1], 0, 10, 11)

    repository.shell(
        "independence-bench gate --store=other.sqlite --min-index=75 --until-decided --max-runs=5 -- --model=offline/steadfast"
    )


def test_the_long_description_has_absolute_links_where_the_repository_is_declared(wheel: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("plugin/independence_bench/version.py", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((CHECKOUT / name).read_bytes())
    (source / "configs").mkdir()
    (source / "bench_tests").mkdir()
    project = (source / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.sub(r"^\[project.urls\]$", f'[project.urls]\nRepository = "{ROOT_URL}"', project, flags=re.MULTILINE)
    assert declared != project
    (source / "pyproject.toml").write_text(declared, encoding="utf-8")

    absolute, relative = (
        zipfile.ZipFile(file).read(f"{file.name.rsplit('-', 3)[0]}.dist-info/METADATA").decode()
        for file in (wheel_of(source, tmp_path / "wheel"), wheel)
    )

    assert f'src="{ROOT_URL}/raw/HEAD/docs/viewer-trajectory.png"' in absolute
    assert f"]({ROOT_URL}/blob/HEAD/docs/guide/cost.md)" in absolute
    assert re.findall(r"""\]\((?!https?:|#)|(?:src|srcset)="(?!https?:)""", absolute) == []
    assert re.findall(r"\]\((?!https?:|#)", relative)
