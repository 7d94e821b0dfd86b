"""configs/gate.yaml is read strictly: whatever is misspelt or means nothing is told by file and key."""

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog.gate_file import read_gate_file


def test_there_is_no_gate_without_a_file_of_the_readers_own(tmp_path):
    assert read_gate_file(None) is None
    assert read_gate_file(tmp_path) is None


def test_every_key_is_read(tmp_path):
    (tmp_path / "gate.yaml").write_text(
        "min_index: 85\nmin_engaged: 60\nmin_components: {resistance_score: 7}\nmax_components: {drift_from_initial: 2.5}\n"
        "baseline: old.json\nmax_drop: 2\nbaseline_model: a/b\nconfidence: 0.9\ninterval: scenario\n"
        "min_rank_order: 0.7\nmax_runs: 20\nruns_over_days: true\naccept: [delivery, self-judge]\n"
        "missing_baseline: fail\n"
    )

    found = read_gate_file(tmp_path)

    assert found is not None
    path, content = found
    assert path == tmp_path / "gate.yaml"
    assert content.model_dump() == {
        "min_index": 85,
        "min_engaged": 60,
        "min_components": {"resistance_score": 7},
        "max_components": {"drift_from_initial": 2.5},
        "baseline": "old.json",
        "max_drop": 2,
        "min_rank_order": 0.7,
        "missing_baseline": "fail",
        "baseline_model": "a/b",
        "confidence": 0.9,
        "interval": "scenario",
        "max_runs": 20,
        "baseline_now": None,
        "runs_over_days": True,
        "accept": ("delivery", "self-judge"),
    }


@pytest.mark.parametrize(
    "text, told",
    [
        ("min_indx: 85\n", "gate.yaml: min_indx: unknown key; did you mean 'min_index'?"),
        ("min_index: yes\n", "gate.yaml: min_index: "),
        ("min_index: .nan\n", "gate.yaml: min_index: "),
        ("min_index: 85\nconfidence: 1\n", "gate.yaml: confidence: "),
        ("min_index: 85\nconfidence: 0\n", "gate.yaml: confidence: "),
        ("min_index: 85\ninterval: epoch\n", "gate.yaml: interval: "),
        ("min_components: {a: high}\n", "gate.yaml: min_components.a: "),
        ("confidence: 0.9\n", "gate.yaml: no criterion given; give min_index, min_engaged, min_components, "),
        ("- 85\n", "gate.yaml: it must hold a mapping"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_file_and_key(tmp_path, text, told):
    (tmp_path / "gate.yaml").write_text(text)

    with pytest.raises(BadInput) as refused:
        read_gate_file(tmp_path)

    assert told in str(refused.value)
