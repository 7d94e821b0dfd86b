"""Answerers with nobody behind them, through server, client, embedded judge and Index: what v2 gives to each."""

import pytest
from bench_project import BenchProject
from null_answerers import NULLS, null_answerers


@pytest.mark.slow
def test_an_index_tells_nonsense_from_somebody(project: BenchProject) -> None:
    project.server.generate = null_answerers()
    models = ",".join(f"null/{name}" for name in NULLS)

    project.run(f"--model={models}", "--judge=offline/lexical", f"--endpoint={project.server.url}")

    board = {row["label"].split("/")[1].split("+")[0]: row for row in project.json("leaderboard.json")["models"]}
    for name, row in board.items():
        print(
            "NULL",
            name,
            row["index"],
            {k: v.get("value", v) if isinstance(v, dict) else v for k, v in row.get("components", {}).items()}
            or list(row),
        )
    assert board.keys() == NULLS.keys()
