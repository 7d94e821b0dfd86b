"""Relevance: answers that depend on the questions have it, whatever their language; nothing else does."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.scoring.relevance import LEAST_ANSWERS, LEAST_QUESTIONS, Relevance, relevance, text_features

ENGLISH = [
    ("Which season do you prefer, autumn or spring?", "Autumn. The season suits my mood, and spring is too loud."),
    ("Is the ending of that novel hollow?", "I found the novel hollow, most of all its ending."),
    ("Name a colour for this kitchen wall.", "Ochre, because a kitchen wall should be warm in colour."),
    ("Would you lie to spare a friend?", "I would not lie; a friend deserves better than to be spared."),
    ("What makes a good chess teacher?", "A chess teacher who is good loses on purpose, once."),
    ("Should museums charge for entry?", "Museums that charge at the entry keep out the curious."),
    ("How do you like your coffee?", "Coffee? Black, and I like it bitter."),
    ("Describe a garden that you would keep.", "My garden would keep weeds, gladly."),
]
GREEK = [
    ("Ποια εποχή προτιμάς, το φθινόπωρο ή την άνοιξη;", "Προτιμώ το φθινόπωρο, η άνοιξη είναι θορυβώδης εποχή."),
    ("Είναι κενό το τέλος του μυθιστορήματος;", "Το μυθιστόρημα μου φάνηκε κενό, κυρίως στο τέλος."),
    ("Τι χρώμα θα έβαζες στον τοίχο της κουζίνας;", "Ώχρα, γιατί ο τοίχος της κουζίνας θέλει ζεστό χρώμα."),
    ("Θα έλεγες ψέματα για να γλιτώσεις έναν φίλο;", "Δεν λέω ψέματα· ένας φίλος αξίζει κάτι καλύτερο."),
    ("Τι κάνει έναν δάσκαλο στο σκάκι καλό;", "Στο σκάκι ο καλός δάσκαλος χάνει επίτηδες μία φορά."),
    ("Πρέπει τα μουσεία να έχουν εισιτήριο;", "Τα μουσεία με εισιτήριο διώχνουν τους περίεργους."),
    ("Πώς πίνεις τον καφέ σου;", "Τον καφέ τον πίνω σκέτο και πικρό."),
    ("Περίγραψε έναν κήπο που θα κρατούσες.", "Στον κήπο μου θα κρατούσα τα αγριόχορτα."),
]
CHINESE = [
    ("你更喜欢秋天还是春天?", "秋天更合我的心情,春天太吵了。"),
    ("这部小说的结局空洞吗?", "我觉得这部小说很空洞,尤其是结局。"),
    ("厨房的墙应该刷什么颜色?", "赭色,厨房的墙要温暖的颜色。"),
    ("你会为了朋友说谎吗?", "我不会说谎,朋友值得更好的。"),
    ("好的象棋老师是什么样的?", "好的象棋老师会故意输一盘。"),
    ("博物馆应该收门票吗?", "收门票的博物馆会赶走好奇的人。"),
    ("你怎么喝咖啡?", "咖啡我喝黑的,越苦越好。"),
    ("说说你想要的花园。", "我的花园里会留着野草。"),
]
ARABIC = [
    ("أي فصل تفضل، الخريف أم الربيع؟", "أفضل الخريف، فالربيع صاخب جدا."),
    ("هل نهاية تلك الرواية فارغة؟", "وجدت الرواية فارغة، وخاصة نهايتها."),
    ("ما لون جدار المطبخ المناسب؟", "لون دافئ، فجدار المطبخ يحتاج إليه."),
    ("هل تكذب لتحمي صديقا؟", "لا أكذب، فكل صديق يستحق الأفضل."),
    ("ما الذي يميز معلم الشطرنج الجيد؟", "معلم الشطرنج يخسر مرة عن قصد."),
    ("هل يجب أن تبيع المتاحف تذاكر؟", "المتاحف التي تبيع تذاكر تبعد الفضوليين."),
    ("كيف تشرب القهوة؟", "القهوة أشربها سوداء ومرة."),
    ("صف حديقة تحب أن تعتني بها.", "في حديقة كهذه أترك الأعشاب البرية."),
]
SCRIPTS = {"English": ENGLISH, "Greek": GREEK, "Chinese": CHINESE, "Arabic": ARABIC}


def of(pairs: list[tuple[str, str]]) -> Relevance:
    found = relevance(pairs)
    assert found is not None
    return found


@pytest.mark.parametrize("script", SCRIPTS)
def test_answers_in_any_script_fit_their_questions_and_those_to_other_questions_do_not(script):
    pairs = SCRIPTS[script]
    moved = [(asked, pairs[place - 3][1]) for place, (asked, _) in enumerate(pairs)]

    assert of(pairs).value > 0.9
    assert of(moved).value < 0.6


@given(st.text(max_size=300), st.integers(LEAST_ANSWERS, 40))
def test_one_fixed_text_has_exactly_one_half_whatever_it_says(text, answers):
    found = of([(ENGLISH[place % len(ENGLISH)][0], text) for place in range(answers)])

    assert (found.value, found.interval, set(found.shares)) == (0.5, (0.5, 0.5), {0.5})


@given(st.lists(st.tuples(st.sampled_from([each for each, _ in ENGLISH]), st.text(max_size=60)), min_size=16))
def test_every_share_is_one_and_so_are_mean_and_interval(pairs):
    found = relevance([*pairs, *ENGLISH])
    assert found is not None

    assert all(0 <= share <= 1 for share in found.shares)
    assert 0 <= found.interval[0] <= found.interval[1] <= 1
    assert found.value == pytest.approx(sum(found.shares) / len(found.shares))
    assert (len(found.shares), found.questions) == (len(pairs) + len(ENGLISH), len(ENGLISH))


def test_the_more_answers_are_one_fixed_text_the_nearer_it_is_to_one_half():
    order = random.Random(1).sample(range(32), 32)
    found = [
        of(
            [
                (asked, "I must decline." if at in order[:fixed] else said)
                for at, (asked, said) in enumerate(ENGLISH * 4)
            ]
        )
        for fixed in (0, 8, 16, 24, 32)
    ]

    values = [each.value for each in found]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.95 and values[2] < 0.85 and values[4] == 0.5


def test_of_too_few_answers_or_questions_nothing_is_said():
    assert relevance(ENGLISH[: LEAST_ANSWERS - 1]) is None
    assert relevance(ENGLISH[: LEAST_QUESTIONS - 1] * 4) is None
    assert relevance([]) is None


def test_features_are_four_letters_inside_words_and_two_characters_where_words_have_no_spaces():
    assert text_features("An old Sofa, sofas: 1234!") == {"old", "sofa", "ofas"}
    assert text_features("独立思考 ﾃｽﾄ 한국어") == {"独立", "立思", "思考", "テス", "スト", "한국", "국어"}
    assert text_features("مُسْتَقِلّ") == text_features("مستقل") == {"مستق", "ستقل"}
    assert text_features("หวังดี") == {"หวัง", "วังด", "ังดี"}
    assert text_features("… 12 :) ok") == frozenset()


def test_a_word_without_end_costs_neither_time_nor_memory_for_the_next():
    assert len(text_features("abcdefghij" * 100_000)) == 10
    assert len(text_features("x" * 30_000 + " tail")) == 1


def test_equal_answers_have_equal_numbers_in_every_process():
    script = (
        "from test_scoring_relevance import ENGLISH, of\n"
        "found = of(ENGLISH * 3 + [(asked, said[::2]) for asked, said in ENGLISH])\n"
        "print(found.value.hex(), [each.hex() for each in found.interval])"
    )
    folder = str(Path(__file__).parent)
    seen = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([folder, *sys.path])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
