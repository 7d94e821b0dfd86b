"""Judges are held to the known answers of the reader's own configs, wherever a command or the API shows their check."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_samples import JUDGE, configuration, fill, measured, session

import independence_bench as bench
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.store import JudgeCheck, Store

DOORS: dict[str, Callable[[Any, Path], str]] = {
    "report": lambda tell, folder: tell("report").out + (folder / "reports/leaderboard.json").read_text("utf-8"),
    "leaderboard as csv": lambda tell, folder: tell("leaderboard", "--format=csv").out,
    "compare": lambda tell, folder: tell("compare", "some/model", "other/model", "--format=json").out,
    "gate": lambda tell, folder: tell("gate", "--min-index=50").out,
    "site": lambda tell, folder: written(folder, "site", tell("site")),
    "export": lambda tell, folder: written(folder, "tables", tell("export", "--format=csv", "tables")),
    "table of the API": lambda tell, folder: records(lambda results: results.leaderboard()),
    "comparison of the API": lambda tell, folder: records(lambda results: results.compare("some/model", "other/model")),
}
"""What each door shows, as text."""


def written(folder: Path, name: str, _done: object) -> str:
    roots = [path for path in (folder / name, folder / "reports" / name) if path.is_dir()]
    files = sorted(path for root in roots for path in root.rglob("*") if path.suffix in (".html", ".js", ".csv"))
    assert files
    return "".join(path.read_text("utf-8") for path in files if path.parent.name != "assets")


def records(ask: Callable[[bench.Results], Any]) -> str:
    with bench.open("reports/trials.sqlite") as results:
        found = ask(results)
        return json.dumps(found.data if isinstance(found, bench.Report) else list(found))


@pytest.fixture
def own_configs(folder: Path) -> Path:
    """Configs beside the current folder, with one known answer changed."""
    cases = folder / "configs" / "judge_check" / "creativity.yaml"
    cases.parent.mkdir(parents=True)
    text = (packaged_configs() / "judge_check" / "creativity.yaml").read_text("utf-8")
    head, answers, rest = text.partition("answers:")
    cases.write_text(head + answers + rest.replace(".", "!", 1), "utf-8")
    assert current_set_digest(folder / "configs") != current_set_digest()
    return folder / "configs"


@pytest.fixture
def checked_on(folder: Path) -> Callable[[Path | None], None]:
    """Store two models of three runs each, and a passed check of their judge on the known answers of these configs."""

    def store(configs: Path | None) -> None:
        names = ("some/model", "other/model")
        path = fill(
            folder / "reports" / "trials.sqlite",
            *(each for name in names for each in measured(name, runs=3)),
            models=[configuration(name) for name in names],
            begun=session().model_copy(update={"labels": names, "configurations": names, "runs": 3}),
        )
        body = {"half": "a", "cases": 9, "errors": {"hold": 0, "yield": 0}, "flips": 0, "compared": 9}
        check = JudgeCheck(
            judge=JUDGE.label,
            configuration=JUDGE.configuration,
            set_digest=current_set_digest(configs),
            at=1.0,
            passed=True,
            body=body,
        )
        with Store.open(path) as opened:
            opened.add_judge_check(check)

    return store


@pytest.mark.parametrize("door", DOORS)
def test_a_check_on_ones_own_known_answers_is_up_to_date(door, tell, folder, own_configs, checked_on) -> None:
    checked_on(own_configs)
    assert "outdated" not in DOORS[door](tell, folder)


@pytest.mark.parametrize("door", DOORS)
def test_a_check_on_the_packaged_known_answers_is_outdated_there(door, tell, folder, own_configs, checked_on) -> None:
    checked_on(None)
    assert "outdated" in DOORS[door](tell, folder)
