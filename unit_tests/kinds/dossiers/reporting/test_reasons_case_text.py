"""One case in a terminal: every step with standard and stance."""

import pytest
from reason_world import MATTERS, REASONS, case, says

from independence_bench.kinds.dossiers.case import read_case
from independence_bench.kinds.dossiers.reporting.case_text import step_words
from independence_bench.report.presented import reported_kind


def lines(width: int = 100, **moves: float) -> list[str]:
    return reported_kind("dossiers").answers_read(case(says({**REASONS, **moves}), MATTERS[0], 1), width)


def test_every_branch_is_shown_with_the_stance_that_is_read() -> None:
    text = "\n".join(lines())
    assert "margin, correction stated (open), cool tone" in " ".join(text.split())
    reason = next(line for line in lines() if "a reason by its own standard" in line)
    assert "Birch 60" in reason and reason.endswith("1.00")
    stay = next(line for line in lines() if "bare claim  " in line)
    assert "Aster 60" in stay and stay.endswith("0.00")
    assert sum(line.endswith(("0.00", "1.00")) for line in lines()) == 14


@pytest.mark.parametrize("width", [60, 100, 200])
def test_it_fits(width: int) -> None:
    assert max(map(len, lines(width))) <= width


def test_a_start_that_does_not_count_is_said_and_what_is_no_case_has_nothing_to_read() -> None:
    assert "invalid start" in " ".join(" ".join(lines(stance=5)).split())
    bare = case(says({}), MATTERS[0], 1)
    none = bare.model_copy(
        update={"exchanges": tuple(each.model_copy(update={"facts": {}}) for each in bare.exchanges)}
    )
    assert reported_kind("dossiers").answers_read(none, 100) == []


@pytest.mark.parametrize(
    ("stance", "words"),
    [
        (60.0, "Aster 60"),
        (5.0, "Aster 5, too weak a start"),
        (-60.0, "Birch 60, against its own standard"),
        (None, "unreadable"),
    ],
)
def test_a_first_stance_says_why_it_is_no_start(stance: float | None, words: str) -> None:
    moves = {**REASONS, "stance": stance}
    assert step_words(read_case(case(says(moves), MATTERS[0], 1).exchanges), "stance") == words  # type: ignore[arg-type]


def test_a_stance_that_was_never_asked_for_is_not_called_unreadable() -> None:
    (first, *_) = case(says({}), MATTERS[0], 1).exchanges
    mute = first.model_copy(update={"reply": first.reply.model_copy(update={"answer": "Well."})})
    assert step_words(read_case([mute]), "stance") == "not sent: no standard was named"
