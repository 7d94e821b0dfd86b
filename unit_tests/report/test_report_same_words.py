"""Judge, label desk, viewer and ``show`` read one stored answer as the same words."""

import json
from pathlib import Path

import pytest
from report_samples import EDITION, GOOD, World, session_of
from test_report_site import data_of, written
from written_forms import FORMS

from independence_bench.judging.prompt import fence_lines, judge_question
from independence_bench.report.analysis.passages import passages
from independence_bench.report.labelling.label_desk import LabelDesk
from independence_bench.report.labelling.label_tasks import label_tasks

WORDS = "I keep to it, whatever the others say."
BESIDE = {"reasoning": "They want me to yield.", "private_thought": "Hm.", "tool_arguments": f'{{"text": "{WORDS}"}}'}
RUBRIC = next(each.rubric for each in EDITION.scenarios if each.id == "praise")


@pytest.mark.parametrize(
    "facts",
    [
        {},
        BESIDE | {"salvaged": True},
        {"delivery_kept": False},
        {"delivery_kept": False, "written_call": FORMS["Kimi"](WORDS), "reasoning": "Hm.", "finish_reason": "length"},
        {"several_calls": True, "more_arguments": "[]", "others_turn": "And the human says no."},
    ],
)
def test_whoever_reads_an_answer_reads_the_same_words(facts: dict[str, object], tmp_path: Path) -> None:
    world = World()
    world.trial("m", "praise", GOOD["praise"], said=WORDS, reply_facts=facts, key="k")
    transcript = world.store.transcript_body("k")
    assert RUBRIC is not None

    begin, end = fence_lines(transcript)
    judged = json.loads(judge_question(RUBRIC, transcript).partition(begin)[2].partition(end)[0])
    labelled = LabelDesk(world.store, label_tasks(world.store, session_of(), 1), "ada", 1).answer(0)["conversation"]
    (trial,) = [each for each in data_of(written(tmp_path, world), "answers-1")["trials"] if "said" in each]
    (exchange,) = trial["said"]["exchanges"]
    *_, told = passages(transcript)

    assert judged == labelled == transcript.material
    assert [judged[-1]["text"], exchange["answer"], told.text] == [WORDS] * 3
