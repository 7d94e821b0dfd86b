"""A folder of one's own is laid over the packaged configs, row by row and text by text."""

from bench_project import CHECKOUT, BenchProject
from model_server import slow


def endpoint_row(project: BenchProject) -> str:
    return f"endpoints: [{{name: mine, base_url: '{project.server.url}', free: true}}]"


MODELS = "models: [{label: my label, id: test/own, served_id: own-7b, endpoint: mine, temperature: 0.3, vendor: Us}]"


def test_configs_beside_the_root_folder_are_found_by_themselves_and_those_elsewhere_are_read_alone(
    project: BenchProject,
) -> None:
    project.write("configs/endpoints.yaml", endpoint_row(project))
    project.write("configs/models.yaml", MODELS)

    project.run("-k", "creativity", "--model=my label").assert_outcomes(passed=1, deselected=14)

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["label"], row["model_id"], row["vendor"], row["temperature"]) == ("my label", "test/own", "Us", 0.3)
    assert {asked.body["model"] for asked in project.server.generations} == {"own-7b"}

    (project.path / "configs").rename(project.path / "elsewhere")
    project.write("configs/models.yaml", "this: is: no: yaml")
    again = project.run("-k", "creativity", "--model=my label", "--configs=elsewhere", "--judge=offline/lexical")
    assert again.ret == 0 and len(project.server.generations) == 2
    assert project.json("leaderboard.json")["models"][0]["cost_usd"] == 0  # the endpoint is free


def test_the_packaged_rows_stay_known_beside_ones_own(project: BenchProject) -> None:
    project.write("configs/models.yaml", MODELS.replace("mine", "local"))

    result = project.run("--plan", "--model=offline/steadfast,my label", "--judge=offline/lexical", "-k", "creativity")

    result.stdout.fnmatch_lines(["offline/steadfast *", "my label *"])


def test_ones_own_row_replaces_the_packaged_row_of_that_name(project: BenchProject) -> None:
    project.write("configs/endpoints.yaml", endpoint_row(project).replace("mine", "local"))

    project.run("-k", "creativity", "--model=local/some-model").assert_outcomes(passed=1, deselected=14)

    assert {asked.body["model"] for asked in project.server.generations} == {"some-model"}
    assert project.json("leaderboard.json")["models"][0]["label"] == "local/some-model"


def test_globs_choose_active_labels_and_an_id_all_its_rows(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml",
        """
        models:
          - {label: zed-1, id: z/1, endpoint: local}
          - {label: zed-2, id: z/2, endpoint: local, temperature: 1}
          - {label: zed-3, id: z/3, endpoint: local, active: false}
          - {label: cold, id: z/2, endpoint: local, temperature: 0}
        """,
    )
    for name, labels in (("zed-*", ["zed-1", "zed-2"]), ("z/2", ["zed-2", "cold"])):
        result = project.run("--collect-only", "-q", "-k", "creativity", f"--model={name}")
        result.stdout.fnmatch_lines([*(f"*{label}-r1-creativity?" for label in labels), "2/30 tests collected*"])


def test_an_edition_may_come_from_a_file_with_scenarios_beside_it(project: BenchProject) -> None:
    scenario = (CHECKOUT / "configs" / "scenarios" / "creativity.yaml").read_text(encoding="utf-8")
    project.write("mine/scenarios/own.yaml", scenario.replace("id: creativity", "id: own"))
    project.write(
        "mine/tiny.yaml",
        """
        id: tiny
        title: Tiny
        system_variants: [neutral]
        delivery_modes: [user_role]
        scenarios: [own, self-identity]
        components:
          consistency_score:
            weight: 1
            maximum: 10
            parts: [{score: consistency_score, scenarios: [own, self-identity]}]
        """,
    )

    project.run("--edition=mine/tiny.yaml").assert_outcomes(passed=2)

    board = project.json("leaderboard.json")
    assert board["edition"] == "tiny"
    assert (board["models"][0]["index"], board["models"][0]["planned"]) == (100.0, 2)


def test_an_endpoints_own_limit_holds_until_a_concurrency_is_asked_for(project: BenchProject) -> None:
    project.write("configs/endpoints.yaml", endpoint_row(project).replace("free: true", "max_concurrency: 1"))
    project.write("configs/models.yaml", MODELS)
    project.server.generate = slow(0.03, project.server.generate)

    project.run("-m", "boundary", "--model=my label", "--judge=offline/lexical")
    narrow = project.server.peak
    project.server.forget()
    project.server.generate = slow(0.03, project.server.generate)
    project.run("-m", "stability", "--model=my label", "--judge=offline/lexical", "--concurrency=8")

    assert narrow == 1
    assert project.server.peak > 1
