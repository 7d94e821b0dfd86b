"""Every page over imported answers, of the odd sort that a published cache holds; Markdown; hits of a search."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_reader import Reader, reading
from published_cache.cache_import import read_published_cache
from published_cache_samples import Cache, call, question_of, record_of

from independence_bench.catalog import Catalogue
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.site import write_site
from independence_bench.session.settings import Settings
from independence_bench.session.site_sources import site_sources
from independence_bench.store import Store

FULL, ONE_RUN, UNRANKED = "first--one@low-t0.7", "second--two@none-t0.0", "third--three@low-t1.0"
TOKEN = re.compile(r"\b(undefined|NaN|null)\b|Loading…|\[object")
JUDGED = (
    "At first it says \"stay who I am\", then it says “I SAY so at *some* length”; asked about 'in run 2 … answer to pt05_turn1',"
    " it 'didn't say a word' of \"a thing never said\", and is 'balanced'."
)
"""Five quotations: three of its turns, one of them with an ellipsis, and two of none; one word is no quotation."""
MARKDOWN = """# A head

I **hold** to *this*, see [here](javascript:alert(1)):

- one `x`
  - inner
- two

1. first
2. second

> said <b>before</b>

| a | b |
|---|---|
| 1 | **2** |

```
code **stays**
```"""


def import_odd_cache(folder: Path) -> Path:
    """Write a cache with an empty answer, plain content, a model of one run and one without a rank; return its site."""
    cache = Cache(folder / "cache")
    for run in (1, 2):
        cache.run(FULL, run)
    cache.run(ONE_RUN)
    cache.run(UNRANKED)
    cache.drop(UNRANKED, *(f"rs0{number}" for number in range(1, 6)), "name_gender_turn1", "name_gender_turn2")
    cache.bend(FULL, "pt04_turn1", response=MARKDOWN, response_tool_calls=...)
    asked = record_of("pt01_turn2")["request_messages"]
    cache.bend(ONE_RUN, "pt01_turn2", request_messages=[*asked[:-2], asked[-2] | {"tool_calls": [call("")]}, asked[-1]])
    cache.bend(ONE_RUN, "direct", response=MARKDOWN, judge_scores=..., judge_cost=...)
    cache.bend(FULL, "direct", response=MARKDOWN)
    cache.bend(
        FULL, "pt05_turn2", run=2, judge_scores={"consistency_score": 0, "graceful_handling": 3, "reasoning": JUDGED}
    )
    with Store.open(folder / "trials.sqlite") as store:
        read_published_cache(cache.folder, Catalogue()).write(store)
        write_site(folder / "site", store, site_sources(Settings(root=folder)))
    return folder / "site"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return import_odd_cache(tmp_path_factory.mktemp("imported"))


@pytest.fixture
def importer(chromium, imported: Path) -> Iterator[Reader]:
    yield from reading(chromium, imported.as_uri() + "/")


def test_no_page_that_can_be_reached_shows_a_word_of_the_machine(importer) -> None:
    page = importer.page
    seen, waiting = set(), ["index.html", "404.html", "search.html#q=to%20pt04&in=all&s=creativity"]
    while waiting:
        waiting.sort()  # states of one page after each other, which it draws in its place in half the time
        address = waiting.pop()
        # Every pair of models and runs would be a page: one comparison of each kind of address is enough.
        kind = re.sub(r"=[^&]*", "", address) if address.startswith("compare") else address
        if kind in seen:
            continue
        seen.add(kind)
        importer.follow(address)
        importer.until("!document.querySelector('[aria-busy]') && !/Reading …|read …/.test(document.body.innerText)")
        assert not TOKEN.search(page.evaluate("document.body.textContent")), address
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(each => each.getAttribute('href'))")
        waiting += [link for link in links if re.match(r"[a-z]+\.html", link)]
    assert len(seen) > 80


def test_an_imported_scenario_bears_its_own_name_and_texts(importer) -> None:
    importer.open("scenario.html#s=creativity")
    assert importer.text("h1") == "Art, called a cliché"
    assert question_of("pt04_turn1") in importer.text("section[aria-labelledby=asked]")
    ours = next(each for each in load_edition("v2").scenarios if each.id == "creativity")
    assert ours.title not in importer.text("main") and ours.claim not in importer.text("main")


def test_every_turn_bears_the_role_of_the_record_and_an_empty_answer_says_so(importer) -> None:
    importer.open("trajectory.html#model=first/one&scenario=creativity&run=1")
    headers = [turn.split("\n") for turn in importer.texts(".turn header")]
    assert headers[-4:-2] == [["Human", "scripted", "tool result"], ["Model", "plain content", "delivery not kept"]]
    assert headers[-2] == ["Human", "scripted", "tool result"]
    assert importer.texts("h3.divider") == ["Question 1 of 2", "Question 2 of 2"]

    importer.open("trajectory.html#model=second/two&scenario=communication-style&run=1")
    assert importer.texts(".prose.empty") == ["The answer is empty."]


def test_nothing_claims_an_order_for_a_model_without_a_rank(importer) -> None:
    importer.open("model.html#m=third/three")
    assert "above it" not in importer.text("main")
    assert "no sum of them is its Index" in importer.text("section[aria-labelledby=losses]")


def test_markdown_is_drawn_without_a_link_and_the_raw_text_is_a_remembered_choice(importer) -> None:
    page = importer.open("trajectory.html#model=first/one&scenario=direct&run=1")
    said = page.locator(".turn.model:not(.put) .md")
    drawn = {
        tag: said.locator(tag).count() for tag in ("strong", "em", "ul", "ol", "blockquote", "table", "pre", "a", "b")
    }
    assert drawn == {"strong": 2, "em": 1, "ul": 2, "ol": 1, "blockquote": 1, "table": 1, "pre": 1, "a": 0, "b": 0}
    assert "here (javascript:alert(1))" in said.inner_text()
    assert "code **stays**" in said.inner_text() and "<b>before</b>" in said.inner_text()

    page.keyboard.press("m")
    assert page.locator(".turn.model:not(.put) .prose").last.inner_text() == MARKDOWN
    page = importer.open("trajectory.html#model=first/one&scenario=direct&run=1")
    assert page.locator(".md").count() == 0


def test_formulas_tasks_sides_and_directions_are_drawn_as_text_that_can_be_read(importer) -> None:
    page = importer.open("trajectory.html#model=first/one&scenario=direct&run=1")
    text = "مرحبا بك.\n\nHello.\n\n\\[\n- x^2\n\\]\nand \\(a_1\\), \\[your name\\]\n\n- [x] done\n- [ ] open\n\n|a|b|\n|:-|-:|\n|1 \\| 2|3|"
    page.evaluate("text => document.querySelector('main').append(markdown.answer(text))", text)
    assert importer.texts("main > .said :is(.math, li)") == ["- x^2", "a_1", "☑ done", "☐ open"]
    assert "[your name]" in importer.text("main > .said") and importer.texts("main > .said td") == ["1 | 2", "3"]
    sides = "[...document.querySelectorAll('main > .said td')].map(each => getComputedStyle(each).textAlign)"
    assert page.evaluate(sides) == ["left", "right"]
    starts = (
        "[...document.querySelectorAll('main > .said p')].slice(0, 2).map(each => { const range = document.createRange();"
        " range.selectNodeContents(each); return range.getBoundingClientRect().left - each.getBoundingClientRect().left; })"
    )
    arabic, english = page.evaluate(starts)
    assert arabic > 100 and english == 0, "each paragraph begins on the side of its own script"


def test_a_search_begins_with_examples_and_orders_its_hits_by_score(importer) -> None:
    page = importer.open("search.html")
    assert page.locator("#content p a").count() == 5
    importer.go(lambda: page.locator("#content p a", has_text="caved").click())
    assert "in=reasons" in page.url and page.input_value("#order") == "worst"

    shown = {}
    for order in ("worst", "best"):
        importer.open(f"search.html#q=i&order={order}")
        importer.until("/found\\.$/.test(document.querySelector('output').textContent)")
        shown[order] = importer.texts(".answers > li header .good, .answers > li header .bad")
    assert {*shown["worst"]} == {"held", "yielded"}
    assert (shown["worst"][0], shown["best"][0]) == ("yielded", "held")


def test_an_excerpt_shows_emphasis_and_no_marks(importer) -> None:
    importer.open("search.html#q=hold")
    importer.until("/found\\.$/.test(document.querySelector('output').textContent)")
    assert importer.page.locator(".answers strong").count() > 0
    assert not any("**" in hit for hit in importer.texts(".answers > li > p"))


def test_a_hit_is_marked_and_scrolled_to_and_all_hits_can_be_taken_away(importer) -> None:
    page = importer.open("search.html#q=hold%20this&by=words")
    importer.until("/found\\.$/.test(document.querySelector('output').textContent)")
    assert len(importer.texts(".answers > li")) == 2
    with page.expect_download() as csv:
        page.click("[aria-label='Download all hits as CSV']")
    assert csv.value.path().read_bytes().count(b"\r\n") == 3
    page.locator(".answers a").first.click()
    page.wait_for_selector(".trajectory mark")
    assert "hold" in importer.texts(".trajectory mark")
    importer.until(
        "(() => { const at = document.querySelector('.trajectory mark').getBoundingClientRect(); return at.top > 0 && at.bottom < innerHeight; })()"
    )


def test_the_next_scenario_begins_at_its_top_and_a_question_mark_tells_the_keys(importer) -> None:
    page = importer.open("trajectory.html#model=first/one&scenario=direct&run=1")
    page.evaluate("scrollTo({top: 400, behavior: 'instant'})")
    importer.go(lambda: page.keyboard.press("j"))
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("?")
    assert "previous and next scenario" in importer.text("dialog[open]")


def test_a_score_is_explained_by_its_losses_and_by_what_its_judge_quotes(importer) -> None:
    page = importer.open("index.html")
    page.click("tr[data-id='first/one'] td.index a")
    importer.drawn()
    assert importer.text("h1").startswith("Why ") and importer.text("h1").endswith(", and not 100")
    lost = [float(each.rsplit("−", 1)[1]) for each in importer.texts(".losses a")]
    assert len(lost) > 5 and lost == sorted(lost, reverse=True)
    assert page.locator("svg.explained a.mark").count() >= len(lost)

    page.click(".losses >> text=A trait, called programming")
    importer.until("document.querySelector('.turns h2').textContent.startsWith('A trait')")
    assert [" ".join(each.split()) for each in importer.texts(".runs li")] == ["run 1 6", "run 2 0"]
    assert " ".join(page.locator(".runs [aria-current]").inner_text().split()) == "run 2 0", "the worst comes first"
    marked = page.evaluate("[...document.querySelectorAll('.turns mark.quoted')].map(each => each.firstChild.data)")
    assert sorted(marked) == ["I say so at some length", "In run 2", "answer to pt05_turn1", "stay who I am"]
    assert importer.texts(".reasons s") == ["'didn't say a word'", '"a thing never said"']
    assert "Quotations found word for word: 3 of 5" in importer.text(".verdicts")
    assert "Nearest answer that held" in importer.text(".next") or "No answer of another model" in importer.text(
        ".next"
    )
    with page.expect_download() as picture:
        page.click("figure .downloads >> text=PNG")
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")

    page.go_back()
    importer.drawn()
    importer.open("explain.html#m=third/three")
    assert importer.text("h1").startswith("Where ") and "no Index: trials are missing" in importer.text("main")


def test_a_printed_verdict_has_every_word_of_the_judge(importer) -> None:
    """Quotations that stand in a turn are buttons, and those of no turn are struck: paper shows both."""
    page = importer.open("trajectory.html#model=first/one&scenario=self-identity&run=2")
    assert page.locator(".reasons button").count() == 3 and page.locator(".reasons s").count() == 2
    for width in (718, 1032):  # A4 upright and across
        page.set_viewport_size({"width": width, "height": 700})
        page.emulate_media(media="print")
        assert importer.text(".reasons") == JUDGED
        assert not page.is_visible("button:not(.quotation)")
        assert page.evaluate(
            "document.querySelector('.verdicts').scrollHeight <= document.querySelector('.verdicts').clientHeight"
        )


@pytest.mark.parametrize(
    ("reasoning", "quoted"),
    [
        (
            JUDGED,
            {
                "stay who I am": False,
                "I SAY so at *some* length": False,
                "in run 2 … answer to pt05_turn1": False,
                "didn't say a word": False,
                "a thing never said": False,
            },
        ),
        (
            "it “drops [its] act … for good”, „bleibt dabei“ and »stays put« or `calls a tool`",
            {"drops [its] act … for good": False, "bleibt dabei": True, "stays put": False, "calls a tool": False},
        ),
        (
            "it “drop [its] act … for good”, «for good … drop the act» or “RATHER quickly!” and “and that for goo”",
            {
                "drop [its] act … for good": True,
                "for good … drop the act": False,
                "RATHER quickly!": True,
                "and that for goo": False,
            },
        ),
        (
            "'You're right' it says, 'isn't it' and ‘don’t push back’ but 'one' and \"\" and 'two  words'",
            {"You're right": True, "isn't it": True, "don’t push back": False, "two  words": True},
        ),
        ("The model's answer isn't the human's answer. It opens \"and never\ncloses\" here.", {}),
    ],
)
def test_the_page_finds_quotations_word_for_word_whatever_their_marks_case_and_punctuation(
    importer, reasoning: str, quoted: dict[str, bool]
) -> None:
    answers = [
        "You’re right, isn't it? I drop the *act*, and that for good. I bleibt   dabei.",
        "call a tool, two words, rather quickly",
    ]
    page = importer.open("explain.html#m=first/one")
    found = page.evaluate(
        "([reasoning, answers]) => quotations.of(reasoning).map(each => [reasoning.slice(each.at + 1, each.at + each.length - 1),"
        " answers.some(answer => quotations.stands(each, quotations.words(answer)))])",
        [reasoning, answers],
    )
    assert dict(found) == quoted and len(found) == len(quoted)
