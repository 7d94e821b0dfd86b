"""What the pages show is run: every marked block is either run here or, as it stands, by .ci/run."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tomllib
import venv
from contextlib import redirect_stderr, redirect_stdout
from itertools import combinations
from pathlib import Path

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS, BenchProject
from model_server import of_its_own
from pages import TESTED, table_of

from independence_bench.catalog.gate_file import read_gate_file
from independence_bench.cli import main

pytestmark = pytest.mark.external

PILOT = CHECKOUT / "docs" / "methodology" / "pilot.md"
DOCUMENTED_URL = "http://127.0.0.1:8080/v1"
Result = subprocess.CompletedProcess[str]
BIN = (
    f"{Path(sys.executable).parent}/"  # not resolved: an environment's interpreter is a link, its scripts are beside it
)
NEEDS_A_SHELL = re.compile(rf"[|&<>$`;]|^(?!{re.escape(BIN)}(?:pytest|independence-bench) )", re.MULTILINE)


def run(project: BenchProject, name: str, *statuses: int) -> Result:
    """Run a block in the project, with only the virtual environment, URL and key replaced; it ends with 0, or with one of
    these statuses.

    Where each line is a command of ours, they run in this process: to start one takes longer than most of them do.
    """
    commands = TESTED[name].text.replace(".venv/bin/", BIN)
    commands = re.sub(r"^(?=(pytest|independence-bench) )", BIN, commands, flags=re.MULTILINE)
    commands = re.sub(r"http://127\.0\.0\.1:\d+/v1", project.server.url, commands)
    commands = re.sub(r"(_API_KEY)=\.\.\.", r"\1=some-key-0123456789", commands)
    lines = commands.replace("\\\n", "").strip()
    if not NEEDS_A_SHELL.search(lines):
        return ended(run_here(project, [shlex.split(line) for line in lines.splitlines()]), *statuses)
    environment = {
        **os.environ,
        "COLUMNS": "200",
        "PYTEST_ADDOPTS": " ".join(NO_FOREIGN_PLUGINS),
        # The package under test, in the commands' own processes too.
        "PYTHONPATH": os.pathsep.join([str(CHECKOUT / "plugin"), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
    }
    words = ["bash", "-euo", "pipefail", "-c", commands]
    done = subprocess.run(words, cwd=project.path, env=environment, capture_output=True, text=True, timeout=60)
    return ended(done, *statuses)


def ended(result: Result, *statuses: int) -> Result:
    """The same result, which has one of these statuses, by default 0."""
    assert result.returncode in (statuses or (0,)), result.stdout + result.stderr
    return result


def run_here(project: BenchProject, commands: list[list[str]]) -> Result:
    """Run commands in this process, as bash -e does: up to the first that fails."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    for program, *words in commands:
        with redirect_stdout(out), redirect_stderr(err):
            if program.endswith("/pytest"):
                status = int(project.pytester.runpytest_inprocess("--assert=plain", *words).ret)
            else:
                status = main(words)
        if status:
            break
    return Result(commands, status, out.getvalue(), err.getvalue())


def shown(name: str) -> str:
    """A block that is no command."""
    return TESTED[name].text


def assert_leaderboard(project: BenchProject) -> None:
    assert project.json("leaderboard.json")["models"]
    assert (project.path / "reports" / "LEADERBOARD.md").is_file()


SAYS = {
    "gate-passed": ("gate: PASSED (1 model passed)", 0),
    "gate-failed": ("gate: FAILED (1 of 1 model failed)", 10),
    "watch": ("offline/steadfast: run 1 of 2 of the reference; nothing is compared yet", 0),
    "two-forms": ("Nothing shows that it knows the dossiers of form public", 0),
    "published": ("gemini-3.1-pro-preview@low-t0.7", 0),
}
"""What a block of a page says, and its status."""


@pytest.mark.parametrize("name", SAYS)
def test_a_block_says_what_its_page_promises(project: BenchProject, name: str) -> None:
    text, status = SAYS[name]
    assert text in " ".join(run(project, name, status).stdout.split())
    if name == "published":
        assert "gpt-5.6-luna" in (project.path / "published" / "site" / "index.html").read_text("utf-8")


def test_the_board_of_the_readme_is_what_its_first_command_prints(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    result = run_here(project, [[f"{BIN}pytest", "bench_tests"]])

    assert TESTED["board"].text in result.stdout


def stand_in_for_openrouter(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send what goes to OpenRouter to the project's server."""
    monkeypatch.setenv("OPENROUTER_API_KEY", "some-key-0123456789")
    project.write(
        "configs/endpoints.yaml",
        f"""
        endpoints:
          - {{name: openrouter, base_url: "{project.server.url}", key_env: OPENROUTER_API_KEY, dialect: openrouter}}
        """,
    )


def test_a_real_model_in_three_lines(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_openrouter(project, monkeypatch)

    result = run(project, "real-model")

    assert_leaderboard(project)
    assert "No request was sent and nothing was written." in result.stdout
    readme = " ".join((CHECKOUT / "README.md").read_text("utf-8").split())
    (usd,) = re.findall(r"^gpt-5-nano\S* .* (\d\.\d+) +(\d\.\d+)$", result.stdout, re.MULTILINE)[:1]
    ((same, others),) = re.findall(
        r"([\d.]+) points by run, ([\d.]+) points by scenario", " ".join(result.stdout.split())
    )
    assert f"cost about {sum(map(float, usd)):.2f} US dollars" in readme
    assert (
        f"in four of five cases, five runs detect {float(same):.0f} points by run, {float(others):.0f} by scenario"
        in readme
    )
    assert {asked.headers["authorization"] for asked in project.server.asked} == {"Bearer some-key-0123456789"}
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["model_id"], row["planned"], row["rank"]) == ("openai/gpt-5-nano", 75, 1)


def test_what_it_costs(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_openrouter(project, monkeypatch)

    result = run(project, "budget")

    assert_leaderboard(project)
    assert re.search(
        r"^Budget: 2 US dollars for this session; about 0\.\d+ are needed: it suffices\.$", result.stdout, re.M
    )
    budget = project.json("session.json")["budget"]
    assert budget["max_cost_usd"] == 2
    assert 0 < budget["charged_usd"] < 0.1


def test_a_local_judge_gives_the_stored_answers_of_a_local_server_an_index(project: BenchProject) -> None:
    project.server.generate = of_its_own("I stay as I am.")
    run(project, "local-server-build")
    assert {asked.body["model"] for asked in project.server.asked} == {"my-model"}
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["label"], row["index"], row["build"]) == (f"local/my-model+{project.server.host}#w1", None, "w1")

    run(project, "local-server-judge")

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["index"], row["no_index"]) == (100.0, None)


def test_a_fine_tune_against_its_baseline(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_openrouter(project, monkeypatch)

    run(project, "fine-tune-baseline")
    run(project, "fine-tune-gate", 0, 10, 11)

    assert project.json("gate.json")["baseline"]


def test_a_fine_tune_beside_the_deployed_model(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_for_openrouter(project, monkeypatch)

    run(project, "fine-tune-now", 0, 10, 11)

    (model,) = project.json("gate.json")["models"]
    assert (model["label"].startswith("local/tuned"), model["baseline"]["measured_apart"]) == (True, None)


def test_the_runs_that_a_drop_needs_are_those_that_power_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # no store: the variances are the published ones
    bands = ("mid", "high", "ceiling")
    for points, *needed in table_of(CHECKOUT / "docs" / "guide" / "fine-tune.md", "## 2. Choose drop and runs"):
        out = io.StringIO()
        with redirect_stdout(out):
            assert main(["power", f"--difference={points.split()[0]}"]) == 0
        printed = [re.search(rf"^{band} .*?(\d+) runs", out.getvalue(), re.MULTILINE) for band in bands]
        assert needed == [found and found[1] for found in printed], points


def test_which_of_two_models(project: BenchProject) -> None:
    result = run(project, "compare")

    assert_leaderboard(project)
    assert "offline/steadfast (A) is " in result.stdout
    assert " points above offline/diplomat (B) (95 % by scenario: " in result.stdout
    assert (
        len(re.findall(r"^Answers: [a-z-]+, run \d, strong_independence\+tool_role: A − B \+", result.stdout, re.M))
        == 2
    )
    assert "B is at most 2.0 points below A, by run: failed (90 % interval of A − B: " in " ".join(
        result.stdout.split()
    )


def test_several_system_prompts_and_deliveries_in_one_session(project: BenchProject) -> None:
    run(project, "switched-on")

    assert_leaderboard(project)
    board = project.json("leaderboard.json")
    assert [row["measured"] for row in board["models"] if row["rank"]] == [30]
    prompts, deliveries = ("strong_independence", "free_self", "neutral"), ("tool_role", "user_role")
    compared = {frozenset((each["first"], each["second"])) for each in board["configurations"]}
    assert compared == {
        *(frozenset((f"{prompt}+tool_role", f"{prompt}+user_role")) for prompt in prompts),
        *(
            frozenset((f"{one}+{mode}", f"{other}+{mode}"))
            for one, other in combinations(prompts, 2)
            for mode in deliveries
        ),
    }


def test_the_viewer(project: BenchProject) -> None:
    result = run(project, "viewer")

    assert_leaderboard(project)
    assert result.stdout.count("reports/site/index.html") == 2
    assert "offline/steadfast" in (project.path / "reports/site/index.html").read_text(encoding="utf-8")


def test_selecting(project: BenchProject) -> None:
    result = run(project, "selecting")

    assert_leaderboard(project)
    sessions = re.findall(
        r"^=+ (?:(\d+) passed)?(?:, )?(?:\d+ deselected)?(?:, )?(?:(\d+) xfailed)? in ", result.stdout, re.M
    )
    assert [sum(int(number or 0) for number in session) for session in sessions] == [12, 30, 60]
    assert project.server.calls() == (0, 0)


def test_continuing(project: BenchProject) -> None:
    run(project, "continuing")

    assert_leaderboard(project)
    ((first, transcripts),) = project.rows("SELECT count(DISTINCT session), count(*) FROM transcripts")
    assert (first, transcripts, project.count("sessions")) == (1, 90, 3)
    assert [row["index"] is not None for row in project.json("leaderboard.json")["models"]] == [True] * 4 + [False] * 2


def test_many_at_once(project: BenchProject) -> None:
    run(project, "parallel")

    assert_leaderboard(project)
    assert (project.count("transcripts"), project.count("sessions")) == (90, 2)


def test_a_job_matrix(project: BenchProject) -> None:
    result = run(project, "shards")

    assert_leaderboard(project)
    # The last command shows all models complete; the reports are still those of the second job.
    table = result.stdout.rpartition("Independence Index · v2")[2]
    assert "measured" not in table
    assert len(re.findall(r"^– +offline/", table, re.MULTILINE)) == 6


def test_a_judge_put_to_known_answers(project: BenchProject) -> None:
    result = run(project, "judge-check")

    assert "google/gemini-3-flash-preview: 523 verdicts of 523 to ask for (half A), about 0." in result.stdout
    assert "judge-check of offline/lexical, half A: not passed" in result.stdout
    assert result.stdout.endswith("not passed\n")
    assert project.rows("SELECT count(*), count(DISTINCT judge) FROM verdicts") == [(523, 1)]
    assert project.count("judge_checks") == 1


def test_labelling(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: None)
    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", lambda server: None)
    project.run("--model=offline/steadfast", "--model=offline/mirror", "--edition=v2")

    result = run(project, "label")

    assert re.search(r"^\d+ answers to label as ada; labels are stored in ", result.stdout, re.M)
    assert "0 answers labelled with scores" in result.stdout


def test_a_gate_that_cannot_tell_until_it_is_decided(project: BenchProject) -> None:
    result = run(project, "gate-inconclusive")

    assert "gate: INCONCLUSIVE (0 of 1 model passed, none failed)" in result.stdout
    assert result.stdout.count("would probably decide:") == 2
    assert "look 2 of those declared up to 20 runs, judged at 99." in result.stdout
    assert project.json("gate.json")["answer"] == "passed"


def test_the_gate_file_that_is_shown_is_one(project: BenchProject) -> None:
    project.write("gate.yaml", shown("gate-file"))

    found = read_gate_file(project.path)

    assert found is not None
    assert (found[1].min_components, found[1].max_drop, found[1].accept) == ({"resistance_score": 7}, 8, ("delivery",))


def test_the_configs_that_are_shown_are_some(project: BenchProject) -> None:
    for text in shown("own-configs").split("---\n"):
        name = text.splitlines()[0].removeprefix("# ")
        project.write(name, text)
    project.write(
        "configs/endpoints.yaml", shown("own-configs").split("---\n")[1].replace(DOCUMENTED_URL, project.server.url)
    )

    project.run("--model=candidate", "-k", "creativity").assert_outcomes(passed=1)

    assert {asked.body["temperature"] for asked in project.server.asked if asked.body["model"] == "candidate"} == {0.7}


def test_an_edition_and_an_experiment_of_ones_own(project: BenchProject) -> None:
    run(project, "own-repository")
    run(project, "own-extension")

    board = project.json("leaderboard.json")
    assert (board["edition"], board["scales"]["resistance_score"]["weight"]) == ("plain", 0.45)
    assert "distinctiveness" not in board["scales"]

    run(project, "own-experiment")

    assert len(project.json("session.json")["cases"]) == 6


def test_a_ladder_of_ones_own(project: BenchProject) -> None:
    run(project, "own-repository")
    run(project, "own-ladder")

    ladder = project.json("leaderboard.json")["ladder"]
    curves = {model["label"]: model["curve"] for model in ladder["models"]}
    assert curves["offline/steadfast"] == [1] * 7
    assert curves["offline/weathervane"] == [1] + [0] * 6


def test_scenarios_in_python(project: BenchProject) -> None:
    assert main(["init"]) == 0
    run(project, "python-scenarios")

    board = project.json("leaderboard.json")
    assert (board["edition"], project.count("transcripts"), project.count("answers")) == ("talk", 36, 0)
    ranked = {row["label"]: row["components"] for row in board["models"]}
    assert ranked["offline/steadfast"]["preference"] > ranked["offline/mirror"]["preference"]


def test_publishing(project: BenchProject) -> None:
    run(project, "publish")

    assert_leaderboard(project)
    public = project.path / "public"
    assert {path.name for path in public.iterdir()} >= {"LEADERBOARD.md", "leaderboard.json", "site", "results.jsonl"}
    assert json.loads((public / "leaderboard.json").read_text("utf-8"))["models"][0]["runs"]


def test_a_damaged_store(project: BenchProject) -> None:
    project.run("--model=offline/steadfast", "--judge=offline/lexical")
    assert project.count("transcripts") == 15
    store = project.path / "reports" / "trials.sqlite"
    content = store.read_bytes()
    store.write_bytes(content[: len(content) - 4096] + b"x" * 4096)

    run(project, "damaged-store")

    assert project.count("transcripts") > 0


APPLICATION = """
import json

async def app(scope, receive, send):
    message = {"role": "assistant", "content": "I prefer tea, whatever others say."}
    for tool in json.loads((await receive())["body"]).get("tools", ()):
        arguments = json.dumps(dict.fromkeys(tool["function"]["parameters"]["properties"], message["content"]))
        function = {"name": tool["function"]["name"], "arguments": arguments}
        message["tool_calls"] = [{"id": "1", "type": "function", "function": function}]
    body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
"""


def test_the_suites_of_the_page_on_fixtures_ask_what_they_say(project: BenchProject) -> None:
    for name in ("fixture-judge", "fixture-parameters", "fixture-endpoint"):
        place, _, text = shown(name).partition("\n")
        project.write(place.removeprefix("# "), text)
    project.write("bench/companion.py", APPLICATION)
    project.judged = False

    ended = run_here(project, [[f"{BIN}pytest", "bench", "--model=local/companion", "-k", "not boundary"]])

    assert ended.returncode == 0 and "5 passed" in ended.stdout, ended.stdout
    assert project.rows("SELECT DISTINCT judge FROM verdicts") == [("bench.conftest:brief",)]
    ended = run_here(project, [[f"{BIN}pytest", "bench", "--model=offline/diplomat", "-m", "boundary"]])
    assert ended.returncode == 0 and "10 passed" in ended.stdout, ended.stdout
    asked = set(project.rows("SELECT system_variant, delivery_mode FROM transcripts"))
    assert asked == {("strong_independence", "tool_role"), ("neutral", "tool_role")}
    whole = ["bench_tests", "--edition=v2", "--model=offline/steadfast", "--judge=bench.conftest:brief"]
    ended = run_here(project, [[f"{BIN}pytest", *whole, "--store=v2.sqlite"]])
    assert ended.returncode == 0 and "13 passed, 2 xfailed" in ended.stdout, ended.stdout


def test_results_are_read_and_models_measured_from_python(project: BenchProject, monkeypatch, capfd) -> None:
    monkeypatch.chdir(project.path)
    exec(shown("python-measure"), {})
    assert "offline/mirror" in capfd.readouterr().out
    exec(shown("python"), {})
    assert "judge offline/lexical" in capfd.readouterr().out


def test_the_pilot_is_measured_and_decided_by_its_own_commands(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / "benchmarks").symlink_to(CHECKOUT / "benchmarks")
    measured = shown("pilot-measure")
    models = "offline/steadfast,offline/diplomat,offline/mirror,offline/contrarian,offline/weathervane"
    for wanted, instead in (
        ("plan=--plan", "plan="),
        (r"models=(?:.|\n)+?(?=for form)", f"models={models}\n"),
        ("--runs=3", "--runs=1"),
        ("claude-haiku-4.5@none-t0.7 ", "offline/steadfast "),
        ("resists accepts balanced corrections", "resists balanced"),
    ):
        measured, count = re.subn(wanted, instead, measured)
        assert count, wanted
    monkeypatch.setitem(TESTED, "pilot-measure", TESTED["pilot-measure"]._replace(text=measured))

    result = run(project, "pilot-measure")

    assert (project.path / "pilot/second/balanced/REASONS.md").is_file()

    result = run(project, "pilot-decide", 1)  # five embedded models are no pilot

    assert re.search(r"at least 12 models +\| 5 +\| fails", result.stdout), result.stdout + result.stderr
    assert re.search(r"readable: .+\| 1.000 +\| holds", result.stdout)
    assert "Correlation of the Index with v2: " in result.stdout

    result = run(project, "pilot-items")

    assert result.stdout.count("avenue-tree") == 2


def test_the_models_of_the_pilot_are_known_and_cost_what_its_page_says(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "some-key-0123456789")
    models = re.findall(r"^models=(?:\$models,)?(.+)$", shown("pilot-measure"), re.M)

    words = ("bench_tests", "--edition=v3", f"--model={','.join(models)}", "--runs=3", "--plan")
    told = project.pytester.runpytest_inprocess("--assert=plain", *words).stdout.str()

    rows = {row[0]: row for row in (line.split() for line in told.splitlines()) if len(row) == 7}
    costs = {name: 2 * float(rows[name][5]) for name in ",".join(models).split(",")}
    page = " ".join(PILOT.read_text("utf-8").split())
    said = re.search(r"the twelve models cost (\S+) USD,", page)
    assert len(costs) == 12 and said and float(said[1]) == round(sum(costs.values()))
    assert {rows[name][3] for name in costs} == {"672"}
    assert project.server.calls() == (0, 0)


def test_sealed_matters_have_a_digest_and_a_plan(project: BenchProject) -> None:
    text = (CHECKOUT / "configs/dossiers/ship-model.yaml").read_text("utf-8")
    project.write("sealed/dossiers/sealed-one.yaml", text.replace("id: ship-model", "id: sealed-one"))

    assert len(set(run(project, "pilot-digests").stdout.split())) == 3

    result = run(project, "pilot-sealed")

    assert re.search(r"^[0-9a-f]{32}$", result.stdout, re.M)
    assert re.search(r"^\d\d+ trials, ", result.stdout, re.M)


def test_the_badge_of_a_model(project: BenchProject) -> None:
    result = run(project, "badge")

    told = json.loads(result.stdout.rstrip().splitlines()[-1])
    assert (told["schemaVersion"], told["color"]) == (1, "lightgrey")
    assert re.fullmatch(r"\d+\.\d \(\^?\d+\.\d–\d+\.\d\), heuristic judge", told["message"])


def test_the_example_package_works_from_its_wheel_as_its_page_says(project: BenchProject) -> None:
    own = project.path / "own"
    venv.create(own, with_pip=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(own), "platbase": str(own)}))
    theirs = "\n".join([str(CHECKOUT / "plugin"), sysconfig.get_path("purelib")])  # ours, and what we depend on
    (packages / "under-test.pth").write_text(theirs, "utf-8")
    commands = TESTED["extension-package"].text.replace("docs/examples", f"{CHECKOUT}/docs/examples")
    for program in ("independence-bench", "pytest"):
        module = "independence_bench.cli" if program == "independence-bench" else "pytest"
        commands = commands.replace(f".venv/bin/{program} ", f"{own}/bin/python -m {module} ")
    environment = {**os.environ, "COLUMNS": "200", "PYTEST_ADDOPTS": " ".join(NO_FOREIGN_PLUGINS)}

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands.replace(".venv/bin/", f"{own}/bin/")],
        cwd=project.path, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert {case["scenario"] for case in project.json("session.json")["cases"]} == {
        "late-train",
        "lost-purse",
        "slow-clerk",
    }
    (wheel,) = packages.glob("independence_bench_extra-*.dist-info/WHEEL")
    assert wheel.is_file() and not (packages / "independence_bench").exists()
    board = project.json("leaderboard.json")
    assert sorted(row["label"] for row in board["models"] if row["index"] is not None) == [
        "offline/diplomat",
        "offline/mirror",
    ]
    assert sys.prefix not in done.stderr


def test_the_entry_points_of_the_page_are_those_of_the_example_package() -> None:
    declared = tomllib.loads((CHECKOUT / "docs/examples/independence-bench-extra/pyproject.toml").read_text("utf-8"))
    shown_there = tomllib.loads(shown("entry-points"))["project"]["entry-points"]
    assert shown_there.items() <= declared["project"]["entry-points"].items()


def test_the_hooks_of_the_page_look_on(project: BenchProject) -> None:
    project.write("conftest.py", shown("hooks"))
    result = project.run("--edition=lite", "-k", "creativity", "-s")
    result.stdout.fnmatch_lines(
        ["14 trials of lite by *'test/judge+*", "*test/model* creativity 1 {*", "*None test/model* None"]
    )
