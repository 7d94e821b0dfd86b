"""A person must be able to read the answer in a CI log, in a job's summary, and nothing in it may be markup."""

import json

import pytest
from gate_samples import Looking, criterion, looking, measured, planned
from report_samples import World

from independence_bench.bad_input import BadInput
from independence_bench.report.gate.gate_files import gate_json, gate_markdown, write_gate
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.gate.gate_text import gate_text, per_cent, value_shown


def two_models() -> GateResult:
    world = measured("good", session=planned("good", "missing"))
    world.know("good", "good", build="2026-02")
    world.know("missing", "missing")
    for number, reason in enumerate(["a", "b", "c", "d", "e", "f"]):
        world.failure("missing", ("who", "praise", "crowd")[number % 3], f"HTTP {reason}", 1 + number // 3)
    return Looking(world, (criterion(mark=70.0),)).look()


def test_the_text_says_what_was_asked_of_whom_on_what_evidence_and_what_would_decide():
    text = gate_text(two_models())

    assert text.startswith("Note: judge/one is not checked in this store: run")
    assert "\ngate: INCONCLUSIVE (1 of 2 models passed, none failed; judge not checked)\n" in text
    told = " ".join(text.split())
    assert "at 95 % confidence, by run: these scenarios, other runs; edition small, judged by judge/one" in told
    assert (
        "\ngood: PASSED, build 2026-02, 5 runs of 1970-01-01 (it holds for this day), 15 of 15 trials\n"
        "  Index ≥ 70: 96.0 (" in text
    )
    assert ") passed\nmissing: INCONCLUSIVE, 5 runs, 0 of 15 trials\n  Index ≥ 70: – (–) inconclusive\n" in text
    assert "not measured: 1 × HTTP a, 1 × HTTP b, 13 more for other reasons; the Index would be between 0.0 –" in told
    assert "look" not in text
    assert text.endswith("\nto measure the missing trials:\n  measure what is missing")
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("mark", [70.0, 96.0, 100.0])
def test_no_model_takes_more_than_four_lines(mark):
    asked = (criterion(mark=mark), criterion("min_component", 5.0, "resistance"))
    gate = looking("a", asked=asked, runs_over_days=True)

    text = gate_text(gate.look(), 120)

    assert len(text[text.index("\na: ") :].strip().split("\n\n")[0].splitlines()) <= 4
    assert "this holds for the day of the measurement: --runs-over-days needs 3 dates, and there is 1" in text


@pytest.mark.parametrize(
    ("models", "mark", "answer"),
    [("a", 70.0, "PASSED (1 model passed; "), ("ab", 100.0, "FAILED (2 of 2 models failed; ")],
)
def test_a_decided_gate_counts_its_models_and_names_no_command(models, mark, answer):
    text = gate_text(looking(*models, asked=(criterion(mark=mark),)).look())

    assert f"gate: {answer}judge not checked)\n" in text
    assert "measure" not in text.replace("measured", "")


def test_why_it_is_inconclusive_stands_in_full_below_the_answers():
    text = gate_text(looking("a", asked=(criterion(mark=96.0),)).look())

    assert "more runs will probably not decide: it is too close to the mark" in " ".join(text.split())
    assert "…" not in text


def test_what_the_interval_is_over_is_said():
    gate = looking("a", interval="scenario")

    assert "by scenario and run: other scenarios of these kinds, too" in " ".join(gate_text(gate.look()).split())


def test_only_a_look_that_is_not_the_planned_one_is_spoken_of():
    gate, declared = Looking(measured("a", runs=9)), Looking(measured("b", runs=9), options={"max_runs": 20})
    first = gate_text(gate.look(planned("a", runs=5)))
    extra = " ".join(gate_text(gate.look(planned("a", runs=9))).split())

    assert "look" not in first
    assert "look 2, which no --max-runs had declared, is an extra look and judged at 97.3 %" in extra
    assert "look 1 of those declared up to 20 runs, judged at 99.4" in gate_text(declared.look(planned("b", runs=5)))


def test_markdown_shows_the_same():
    text = gate_markdown(two_models())

    assert text.startswith("> judge/one is not checked in this store: run independence-bench judge-check")
    assert "\n## ❔ Independence gate: INCONCLUSIVE (1 of 2 models passed, none failed; judge not checked)\n" in text
    assert "### ✅ `good`: passed\n" in text
    assert "| Index ≥ 70 | 96.0 | " in text
    assert "- not measured: 1 × HTTP a, 1 × HTTP b, 13 more" in text
    assert text.endswith("\nto measure the missing trials:\n\n    measure what is missing\n")


def test_hostile_labels_and_reasons_can_neither_steer_a_terminal_nor_be_markup():
    label = "<script>\x1b[31m|`x`"
    world = World(planned(label))
    world.know(label, label)
    world.failure(label, "who", "<img src=x>\x1b[2J **bold**", 1)
    result = Looking(world).look()

    text, markdown = gate_text(result), gate_markdown(result)

    assert "\x1b" not in text + markdown + gate_json(result)
    assert "<script" not in markdown
    assert "<img" not in markdown
    assert "**bold" not in markdown


def test_notes_stand_in_text_and_markdown():
    result = Looking(measured("a", session=planned("a", keys=["other"]))).look()

    assert "Note: the trials in the store are not those" in gate_text(result)
    assert "> the trials in the store are not those" in gate_markdown(result)


def test_gate_json_is_what_the_result_says(tmp_path):
    result = two_models()

    write_gate(tmp_path / "reports", result)

    written = json.loads((tmp_path / "reports" / "gate.json").read_text(encoding="ascii"))
    assert (written["schema"], written["answer"]) == (1, "inconclusive")
    assert GateResult.model_validate(written) == result
    assert [model["label"] for model in written["models"]] == ["good", "missing"]
    assert written["models"][0]["criteria"][0]["answer"] == "passed"


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "reports").write_text("a file")

    with pytest.raises(BadInput, match=r"cannot be written .*; name another folder with --reports"):
        write_gate(tmp_path / "reports", two_models())


def test_a_value_is_never_rounded_onto_the_mark():
    (found,) = looking("a", asked=(criterion(mark=85.0),)).one().criteria

    assert value_shown(84.99, found) == "84.99"
    assert value_shown(85.0, found) == "85.0"
    assert value_shown(85.04, found) == "85.04"
    assert value_shown(86.04, found) == "86.0"
    assert value_shown(84.9999999999, found) == "85.000000"
    assert value_shown(None, found) == "–"


def test_confidence_is_shown_as_it_is():
    shares = (0.95, 0.975, 0.9984375, 0.99999731, 1.0, 0.05, 1 - 0.95)
    assert [per_cent(share) for share in shares] == [
        "95 %", "97.5 %", "99.84 %", "99.99973 %", "100 %", "5 %", "5 %",
    ]  # fmt: skip


def test_criteria_that_are_not_shown_are_counted_by_their_answers():
    asked = [criterion(mark=mark) for mark in (100.0, 99.9, 99.8, 99.7, 10.0, 11.0)]

    text = " ".join(gate_text(looking("a", asked=tuple(asked)).look()).split())

    assert text.endswith("; 1 more failed; 2 more passed") or "; 1 more failed; 2 more passed " in text
