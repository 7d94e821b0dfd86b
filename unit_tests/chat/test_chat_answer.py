import pytest

from independence_bench.chat.delivery import content_of, part_thinking
from independence_bench.replies.call_arguments import visible_text


@pytest.mark.parametrize(
    ("text", "visible", "thought"),
    [
        ("Plain words.", "Plain words.", ""),
        ("<think>Hm.</think>Words.", "Words.", "Hm."),
        ("\n <think>\nHm.\n</think>\n\nWords.", "Words.", "Hm."),
        ("Hm, let me see.\n</think>\n\nWords.", "Words.", "Hm, let me see."),
        ("<think>Hm, and then it was cut", "", "Hm, and then it was cut"),
        ("Words.\n<think>More</think>\nAnd words.", "Words.\n\nAnd words.", "More"),
        ("<think>a</think><think>b</think>Words.", "Words.", "a\n\nb"),
        ("<think></think>Words.", "Words.", ""),
        ("I never wrap things in <think> tags.", "I never wrap things in <think> tags.", ""),
        ("They use <think> and </think> around it.", "They use <think> and </think> around it.", ""),
    ],
)
def test_thinking_in_tags_is_parted_from_what_is_said(text: str, visible: str, thought: str) -> None:
    assert part_thinking(text) == (visible, thought)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": None}, ("", None)),
        ({}, ("", None)),
        ({"content": 7}, ("", None)),
        ({"content": " Hi. \n"}, ("Hi.", None)),
        ({"content": [{"type": "text", "text": "Hi"}, " there", 3, {"type": "image"}]}, ("Hi there", None)),
        ({"content": "Hi.", "reasoning": "Because."}, ("Hi.", "Because.")),
        ({"content": "Hi.", "reasoning_content": "Because."}, ("Hi.", "Because.")),
        ({"content": "Hi.", "reasoning": "Because.", "reasoning_content": "Because."}, ("Hi.", "Because.")),
        ({"content": "<think>b</think>Hi.", "reasoning": "a"}, ("Hi.", "a\n\nb")),
        ({"content": "Hi.", "reasoning": {"odd": 1}}, ("Hi.", None)),
        (
            {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "So"}]}, {"text": "Hi"}]},
            ("Hi", "So"),
        ),
        ({"content": [{"type": "thinking", "thinking": "So"}, {"type": "text", "text": "Hi"}]}, ("Hi", "So")),
    ],
)
def test_content_and_thinking_are_found_in_every_shape_they_come_in(message: object, expected: object) -> None:
    assert content_of(message) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u200d", "\ufeff", "\ud83d"])
def test_text_without_a_visible_character_says_nothing(text: str) -> None:
    assert visible_text(text) == ""


@pytest.mark.parametrize("text", [":", "}", "No.", "否"])
def test_a_short_answer_is_an_answer(text: str) -> None:
    assert visible_text(f" {text} ") == text


def test_parting_thinking_from_a_huge_hostile_text_takes_no_quadratic_time() -> None:
    visible, thought = part_thinking("\n<think>x</think>" * 100_000 + " " * 100_000 + "\nWords.")
    assert visible == "Words."
    assert thought.count("x") == 100_000
