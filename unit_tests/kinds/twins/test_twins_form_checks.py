"""What a program counts of an answer: words, list items, lines, language."""

import pytest

from independence_bench.kinds.twins.form_checks import FormCheck

THREE = "Here you are:\n\n1. First\n2. Second, at last\n3. Third"
VERSE = "Gladly.\n\nOne line,\ntwo lines,\nthree lines,\nfour."


@pytest.mark.parametrize(
    ("check", "answer", "met"),
    [
        ({"words": 5}, "One two three four five", True),
        ({"words": 5}, "One two three four five six", True),  # a greeting is no long text
        ({"words": 5}, "One two three four five six seven", False),
        ({"items": 3}, THREE, True),
        ({"items": 2}, THREE, False),
        ({"items": 3}, "- a thing\n* another\n• and one more", True),
        ({"items": 3}, "First, second and third.", False),
        ({"lines": 4}, VERSE, True),
        ({"lines": 4}, VERSE.replace(",\nthree lines,\nfour", ", three, four"), False),
        ({"language": "fr"}, "Avec plaisir. Je pense que la première des deux est plus belle.", True),
        ({"language": "de"}, "Gern. Ich halte das erste für besser, weil es länger bleibt.", True),
        ({"language": "es"}, "Con gusto. Yo prefiero el segundo, porque no grita.", True),
        ({"language": "fr"}, "With pleasure. I think that the first of the two is more beautiful.", False),
        ({"language": "de"}, "", False),
    ],
)
def test_a_form_is_counted(check: dict[str, object], answer: str, met: bool) -> None:
    assert FormCheck.model_validate(check).met(answer) is met


@pytest.mark.parametrize("fields", [{}, {"words": 3, "items": 2}])
def test_one_thing_is_counted_at_a_time(fields: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="exactly one"):
        FormCheck.model_validate(fields)
