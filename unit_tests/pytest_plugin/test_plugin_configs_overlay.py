"""A folder of one's own is laid over the packaged configs, row by row and text by text."""

from bench_project import BenchProject
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
