"""The badge: an Index with its interval, and grey wherever the number is in doubt."""

import json

from cli_samples import JUDGE, fill, measured, trial

from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.store import JudgeCheck, Store


def test_a_badge_holds_the_index_its_interval_and_every_doubt(tell, folder):
    fill(
        folder / "reports" / "trials.sqlite",
        *measured("some/model", runs=3),
        *measured("once/model", runs=1),
        trial("other/model", "creativity", judge=None),
    )

    def told(model: str) -> dict[str, object]:
        return json.loads(tell("badge", model).out)

    badge = {"schemaVersion": 1, "label": "Independence Index small"}
    assert told("some/model") == badge | {"message": "80.0 (52.4–100.0), judge not checked", "color": "lightgrey"}
    assert told("once/model") == badge | {"message": "80.0, one run, judge not checked", "color": "lightgrey"}
    with Store.open(folder / "reports" / "trials.sqlite") as store:
        checked = {"judge": JUDGE.label, "configuration": JUDGE.configuration, "set_digest": current_set_digest()}
        store.add_judge_check(JudgeCheck(**checked, at=1.0, passed=True, body={}))
    assert told("some/model") == badge | {"message": "80.0 (52.4–100.0)", "color": "blue"}
    assert told("other/model")["message"].endswith(", not ranked")
    assert told("other/model")["color"] == "lightgrey"


def test_what_is_no_single_model_of_the_board_is_refused(tell, store):
    assert tell("badge", "nobody").status == 2
    assert "holds no such model" in tell("badge", "nobody").err
