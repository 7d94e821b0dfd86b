"""The word of a rule of its own, such as *no position*, wherever a trial's outcome has a word."""

import json

from report_samples import board_of, mute, session_of
from test_report_site import data_of, written

from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.formats.every_eval_ever import eval_files
from independence_bench.report.formats.inspect_logs import log_files
from independence_bench.report.labelling.label_tasks import label_tasks


def test_a_trial_without_a_position_is_nowhere_said_to_have_yielded(tmp_path):
    world = mute(session_of())
    source = BoardRecords.of(world.store, world.session, board_of(world))
    data = written(tmp_path, world)
    (log,) = (json.loads(content) for _, content in log_files([source]))
    lines = [line for name, content in eval_files([source]) if name.endswith("l") for line in content.splitlines()]
    instances = {(each["sample_id"], each["metadata"]["run"]): each for each in map(json.loads, lines)}

    words = {
        "page of the model": [run.get("word") for cell in data_of(data, "model-1")["cells"] for run in cell["runs"]],
        "page of the trial": [trial.get("word") for trial in data_of(data, "answers-1")["trials"]],
        "page of the scenario": [row[-1] for n in (1, 2, 3) for row in data_of(data, f"scenario-{n}")["rows"]],
        "Inspect": [sample["metadata"]["outcome"] for sample in log["samples"]],
        "Every Eval Ever": [each["metadata"]["pass_mark"] for each in instances.values()],
    }
    for place, found in words.items():
        found = [None if each == "none" else each for each in found]
        assert sorted(map(str, found)) == ["None"] * 2 + ["held"] * 3 + ["no position"], place
    tasks = label_tasks(world.store, world.session, 1)
    assert "boundary, judged no position, near the mark" in {stratum.name for stratum in tasks.sample.populations}


def test_a_trial_keeps_its_word_where_its_numbers_are_withheld():
    world = mute(session_of())
    (result,) = (entry.result for entry in BoardRecords.of(world.store, world.session, board_of(world)).entries)
    result.withhold("its judge is a heuristic", by_words=True)
    assert sorted(str(trial.outcome.word) for trial in result.trials)[-1] == "no position"
