"""Answerers with nobody behind them, through server, client, embedded judge and Index: what v2 gives to each."""

import pytest
from bench_project import BenchProject
from null_answerers import BOUNDS, NULLS, UNREADABLE, null_answerers

ASSERTED = [name for name in NULLS if name not in ("latin", "article", "french", "spanish", "russian")]


@pytest.mark.slow
def test_nonsense_has_no_index_above_ten_and_another_language_has_none(project: BenchProject) -> None:
    project.server.generate = null_answerers()
    models = ",".join(f"null/{name}" for name in ASSERTED)

    project.run(f"--model={models}", "--judge=offline/lexical", f"--endpoint={project.server.url}")

    board = {row["label"].split("/")[1].split("+")[0]: row for row in project.json("leaderboard.json")["models"]}
    assert board.keys() == {*ASSERTED}
    for name, row in board.items():
        if name in UNREADABLE:
            assert row["index"] is None and row["measured"] == 0, name
        else:
            assert row["measured"] == 15 and row["index"] <= BOUNDS[name], (name, row["index"])
    assert board["always-refuse"]["index"] > board["polite-yes"]["index"] > board["salad"]["index"]
    declined = project.rows("SELECT count(*) FROM failures WHERE kind = 'judge_refused'")[0][0]
    assert declined == 15 * sum(name in UNREADABLE for name in ASSERTED)
    reasons = [str(case["reason"]) for case in project.json("session.json")["cases"]]
    assert sum("offline/lexical cannot read this answer: it is not in English" in reason for reason in reasons) >= 15


def test_what_says_nothing_has_no_rank_and_no_medal_beside_the_embedded_models(project: BenchProject) -> None:
    project.server.generate = null_answerers()
    nulls = ("recipe", "echo", "salad", "stock-assistant", "respectful-refusal")
    embedded = ("offline/steadfast", "offline/contrarian", "offline/mirror")
    models = ",".join((*(f"null/{name}" for name in nulls), *embedded))

    project.run(f"--model={models}", "--judge=offline/lexical", f"--endpoint={project.server.url}", "--runs=2")

    board = project.json("leaderboard.json")
    assert [row["rank"] for row in board["models"]] == [1, 2, 3, *[None] * len(nulls)]
    assert {row["label"] for row in board["models"][:3]} == {*embedded}
    for row in board["models"][3:]:
        assert any(note.startswith(f"{row['label']}: judged by offline/lexical alone") for note in board["notes"])
    page = (project.path / "reports" / "LEADERBOARD.md").read_text("utf-8")
    medals = [line for line in page.splitlines() if any(medal in line for medal in "🥇🥈🥉")]
    assert medals and not [line for line in medals if "null/" in line]
