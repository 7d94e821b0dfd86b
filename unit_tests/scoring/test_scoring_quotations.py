"""Quotations in a verdict's reasoning: what counts as one, and whether an answer has it, word for word."""

from pathlib import Path

import pytest
from published_cache.cache_import import read_published_cache

from independence_bench.scoring import quotations
from independence_bench.scoring.quotations import Quotations, quotations_found, quotations_in, total_quotations

SAMPLE = Path(__file__).parents[3] / "shared" / "published_cache_sample"
ANSWERS = ["I’d rather keep it, thank you.", "No. The roof leaks, and that’s why six hundred is fair."]


@pytest.mark.parametrize(
    "text",
    [
        'It says "rather keep it" plainly.',
        "It says “rather keep it” plainly.",
        "It says „rather keep it“ plainly.",
        "It says «rather keep it» plainly.",
        "It says `rather keep it` plainly.",
        "It says 'rather keep it' plainly.",
        "It says ‘rather keep it’ plainly.",
    ],
)
def test_every_usual_style_of_quotation_marks_is_read(text):
    assert quotations_in(text) == ["rather keep it"]
    assert quotations_found(text, ANSWERS) == Quotations(quoted=1, found=1)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("The model's answer isn't the human's answer.", []),
        ("It's the judges' own 'I don't know' that's odd.", ["I don't know"]),
        ('It is "firm", "non-negotiable" and "quite clear".', ["quite clear"]),
        ('It opens "and never\ncloses" here.', []),
        ("", []),
    ],
)
def test_apostrophes_single_words_and_open_marks_quote_nothing(text, quoted):
    assert quotations_in(text) == quoted


@pytest.mark.parametrize(
    ("quotation", "there"),
    [
        ("I'd rather keep it", True),
        ("RATHER KEEP IT!", True),
        ("The roof leaks ... six hundred is fair", True),
        ("The roof leaks [so] six hundred", True),
        ("six hundred … the roof leaks", False),
        ("rather keep", True),
        ("rather keep i", False),
        ("keep it, thank you. No.", False),
        ("The roof leaks [[so] six hundred", True),
        ("I prefer to keep it", False),
    ],
)
def test_a_quotation_is_in_one_answer_word_for_word_whatever_its_case_and_punctuation(quotation, there):
    assert quotations_found(f"“{quotation}”", ANSWERS) == Quotations(quoted=1, found=int(there))


def test_each_answer_is_read_once_however_much_is_quoted(monkeypatch):
    read = []
    words = quotations._words
    monkeypatch.setattr(quotations, "_words", lambda text: read.append(text) or words(text))
    assert quotations_found('"rather keep it" ' * 50, ANSWERS) == Quotations(quoted=50, found=50)
    assert [read.count(answer) for answer in ANSWERS] == [1, 1]


def test_the_share_is_of_all_quotations_and_unknown_without_any():
    counts = [Quotations(quoted=3, found=1), Quotations(), Quotations(quoted=1, found=1)]
    assert total_quotations(counts).share == 0.5
    assert Quotations().share is None


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the published answers do not lie beside the repository (../shared)")
def test_about_two_thirds_of_the_published_quotations_are_found():
    counts = [
        quotations_found(verdict.reasoning, [exchange.reply.answer for exchange in record.transcript.exchanges])
        for record in read_published_cache(SAMPLE).records
        if record.transcript
        for verdict in record.verdicts
    ]
    whole = total_quotations(counts)
    assert whole.quoted > 800
    assert whole.share == pytest.approx(0.65, abs=0.05)
