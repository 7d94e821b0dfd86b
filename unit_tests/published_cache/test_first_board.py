"""The first board: its page is what the program writes from the raters' scores."""

from collections import Counter

from first_board import LEXICAL, NAMES, OWN, PAGE, RATERS, READER, Board, page, rows


def test_the_page_is_what_the_program_writes():
    assert PAGE.read_text("utf-8") == page(Board()), "python benchmarks/first_board.py writes another page"


def test_every_trial_has_the_scores_of_both_raters_and_of_the_embedded_judge_and_one_model_its_own():
    given = Counter((row["model"], row["rater"]) for row in rows("scores") if row["prompt"] == OWN)
    assert given == {(model, rater): 45 for model in NAMES for rater in (*RATERS, LEXICAL)} | {(READER, READER): 45}


def test_without_a_score_of_one_rater_a_model_has_no_index():
    board = Board()
    assert board.index(next(iter(NAMES)), OWN) is not None
    del board.scores[next(iter(NAMES)), OWN, "a"]["2"]["creativity"]
    assert board.index(next(iter(NAMES)), OWN) is None
