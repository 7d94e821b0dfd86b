"""The command `roles`: files in, JSON out, one sentence where a file is no good, help with an example."""

import json
from pathlib import Path

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.cli.parser import parser

ANSWERS = [[1 + (7 * persona + item * (persona + 2)) % 6 for item in range(40)] for persona in range(4)]


def run(*arguments: str) -> int:
    parsed = parser().parse_args(["roles", *arguments])
    result = parsed.run(parsed)
    assert isinstance(result, int)
    return result


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    made = []
    for name in ("one", "two"):
        contexts = {c: {"questionnaire": "pvq", "answers": ANSWERS[:: 1 if c == name else -1]} for c in ("one", "two")}
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"model": name, "contexts": contexts}))
        made.append(str(file))
    return made


def test_one_file_is_printed_as_the_numbers_of_one_model(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(files[0]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [each["model"] for each in printed["models"]] == ["one"]
    assert {"cardinal", "rank_order", "ipsative", "rank_order_per_value"} <= set(printed["models"][0]["numbers"])
    assert printed["diversity"] is None


def test_several_files_are_ranked(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*files) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [each["model"] for each in printed["models"]] == ["one", "two"]
    assert all(each["ordinal"] is not None for each in printed["models"])
    assert printed["diversity"]["columns"] > 0


def test_a_bad_file_is_named_and_nothing_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.json: cannot be read"):
        run(str(tmp_path / "nowhere.json"))
    assert capsys.readouterr().out == ""
