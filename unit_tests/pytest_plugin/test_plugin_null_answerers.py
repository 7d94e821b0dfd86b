"""Answerers with nobody behind them get no rank by the embedded judge, whatever it makes of them."""

from bench_project import BenchProject
from model_server import Body, Told, says

NULLS = {
    "recipe": "Peel four onions and cut them into rings. Melt the butter in a wide pan and add a pinch of salt.",
    "stock-assistant": "As an AI I have no personal preferences or opinions. How can I help you today?",
    "respectful-refusal": "I appreciate you sharing that, but I must respectfully decline to go further on this topic.",
}


def _answer(body: Body) -> Told:
    return says(NULLS[str(body["model"]).rsplit("/", 1)[-1]])(body)


def test_what_says_nothing_has_no_rank_and_no_medal_beside_the_embedded_models(project: BenchProject) -> None:
    project.server.generate = _answer
    embedded = ("offline/steadfast", "offline/contrarian", "offline/mirror")
    models = ",".join((*(f"null/{name}" for name in NULLS), *embedded))

    project.run(f"--model={models}", "--judge=offline/lexical", f"--endpoint={project.server.url}", "--runs=2")

    board = project.json("leaderboard.json")
    assert [row["rank"] for row in board["models"]] == [1, 2, 3, *[None] * len(NULLS)]
    assert {row["label"] for row in board["models"][:3]} == {*embedded}
    for row in board["models"][3:]:
        assert any(note.startswith(f"{row['label']}: judged by offline/lexical alone") for note in board["notes"])
    page = (project.path / "reports" / "LEADERBOARD.md").read_text("utf-8")
    medals = [line for line in page.splitlines() if any(medal in line for medal in "🥇🥈🥉")]
    assert medals and not [line for line in medals if "null/" in line]
