"""Every page as a reader meets it, from a folder and from a server."""

import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from sample_site import HOSTILE, HOSTILE_LABEL, NEEDLE

from independence_bench.report.formatting import percent
from independence_bench.report.site.chunks import LONG, chunk

MODEL = "birch/synthetic-001"
TRIAL = f"trajectory.html#model={MODEL}&scenario=negotiation&run=2"


def test_the_leaderboard_sorts_on_every_column_and_the_rank_breaks_ties(reader) -> None:
    keys = reader.open("index.html").evaluate(
        "[...document.querySelectorAll('table.leaderboard thead th')].map(each => each.dataset.key)"
    )
    page = reader.open(f"index.html#columns={','.join(keys)}")
    heads = page.locator("table.leaderboard thead button").count()

    assert heads == len(keys) >= 15
    for place in range(heads):
        button = page.locator("table.leaderboard thead button").nth(place)
        button.click()
        first = _column(page, place)
        button.click()
        assert _column(page, place) == sorted(_column(page, place), reverse=first == sorted(first))
        assert page.locator("table.leaderboard th[aria-sort]:not([aria-sort=none])").count() == 1
    assert _column(page, 0) != sorted(_column(page, 0))
    page.click("table.leaderboard thead th[data-key=runs] button")
    assert _column(page, 0) == sorted(_column(page, 0)), "all have three runs"


def _column(page, place: int) -> list:
    return page.evaluate(
        "place => [...document.querySelectorAll('table.leaderboard tbody tr')].map(row => { const cell = row.cells[place];"
        " return cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent.trim().toLowerCase(); })",
        place,
    )


def test_the_leaderboard_has_filters_that_live_in_the_address(reader) -> None:
    page = reader.open("index.html")
    page.fill("#filter-text", "birch")
    page.click("[data-facet=effort] summary")
    page.check("[data-facet=effort] input[value=none]")

    assert reader.text("#filter-count") == "1 of 5 models"
    assert "text=birch" in page.url and "effort=none" in page.url

    reader.open("index.html#vendor=cedar&vendor=birch&sort=-model")
    labels = "[...document.querySelectorAll('tr[data-label]')].map(each => each.dataset.label)"
    assert page.evaluate(labels) == ["cedar/synthetic-002", "birch/synthetic-001"]
    page.reload()
    assert page.evaluate(labels) == ["cedar/synthetic-002", "birch/synthetic-001"]

    page.click("button[type=reset]")
    page.fill("#filter-price", "0.5")
    assert reader.text("#filter-count") == "1 of 5 models"
    page.fill("#filter-price", "")
    page.click("[data-facet=open] summary")
    assert [" ".join(each.split()) for each in reader.texts("[data-facet=open] label")] == ["closed 3", "open 2"]
    page.check("[data-facet=open] input[value=yes]")
    assert reader.text("#filter-count") == "2 of 5 models"
    page.keyboard.press("Escape")
    assert not page.is_visible("[data-facet=open] label")


@pytest.mark.parametrize("asked", ["Synthetic 001", "001 birch", "birch synthetic-1", "SYNTHETIC_001"])
def test_the_search_reads_words_whatever_separates_them(at_home, asked: str) -> None:
    page = at_home.open("index.html")
    page.fill("#filter-text", asked.replace("synthetic-1", "synthetic-001"))
    assert page.evaluate("[...document.querySelectorAll('tr[data-label]')].map(each => each.dataset.label)") == [MODEL]


def test_a_column_is_a_choice_away_and_the_choice_is_in_the_address(at_home) -> None:
    page = at_home.open("index.html")
    assert not page.is_visible("table.leaderboard th[data-key=held]")
    page.click("[data-columns] summary")
    page.check("[data-columns] input[value=held]")
    assert page.is_visible("table.leaderboard th[data-key=held]")

    at_home.open(page.url.removeprefix(at_home.base))
    assert page.is_visible("table.leaderboard th[data-key=held]")
    assert page.locator("table.leaderboard tbody tr").first.locator("td:visible, th:visible").count() == 12


def test_the_first_screen_shows_the_ranking_and_its_head_stays(reading_with, site) -> None:
    wide = reading_with(viewport={"width": 1440, "height": 900}).open("index.html")
    rows = wide.locator("table.leaderboard tbody tr")
    first, within_tier = rows.first.bounding_box(), rows.last.bounding_box()
    assert first["y"] + first["height"] + 13 * within_tier["height"] < 900, "fourteen rows would be seen"
    assert wide.evaluate(
        "document.querySelector('table.leaderboard').scrollWidth <= document.querySelector('.scroll').clientWidth"
    )
    wide.evaluate("document.body.style.paddingBottom = '900px'")
    wide.evaluate("scrollTo(0, document.querySelector('.leaderboard tbody tr').getBoundingClientRect().top + scrollY)")
    bar, head = (wide.locator(each).first.bounding_box() for each in ("header.top", "table.leaderboard thead th"))
    assert bar["y"] == 0 and abs(head["y"] - bar["height"]) < 2

    narrow = reading_with(viewport={"width": 360, "height": 740}).open("index.html")
    card = narrow.locator("table.leaderboard tbody tr").nth(1).bounding_box()
    assert card["y"] + 3 * card["height"] <= 740, "four cards would be seen"
    assert card["x"] + card["width"] <= 360
    for page in (narrow, reading_with(viewport={"width": 720, "height": 450}).open("index.html")):
        axis, drawn = (page.locator(each).first.bounding_box() for each in ("th.intervals .axis", "svg.interval"))
        assert axis["x"] <= drawn["x"] and drawn["x"] + drawn["width"] <= axis["x"] + axis["width"] + 1
        at = [drawn["x"] + drawn["width"] / 2, axis["y"] + axis["height"] / 2]
        assert page.evaluate("at => Boolean(document.elementFromPoint(...at).closest('th.intervals'))", at), (
            "it is seen"
        )
    for page, width in (
        (narrow, 360),
        (reading_with(viewport={"width": 1024, "height": 700}).open("index.html"), 1024),
    ):
        links = [link.bounding_box() for link in page.locator(".top nav > :is(a, details)").all()]
        assert len(links) > 7 and all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in links)


def test_a_packed_chunk_is_unpacked_once(at_home) -> None:
    page = at_home.open("index.html")
    packed = json.loads(chunk("x", {"text": "fünf" * LONG}, packed=True).partition(",")[2].removesuffix(");\n"))
    twice = "async text => { bench.register('x', text); const first = await bench.load('x'); return (await bench.load('x')) === first && first }"
    assert page.evaluate(twice, packed) == {"text": "fünf" * LONG}


def test_charts_count_what_they_draw_and_no_scenario_loses_nothing(at_home, site) -> None:
    page = at_home.open("figures.html")
    ranked = page.evaluate("bench.site().models.filter(each => each.contends).length")
    assert page.inner_text("form.filters output") == f"{ranked} {'model' if ranked == 1 else 'models'} in the ranking"
    at_home.open(f"model.html#m={page.evaluate('bench.site().models[0].id')}")
    lost = page.locator("section[aria-labelledby=losses] td[data-value]:nth-child(2)").all_inner_texts()
    assert "0.00" not in [each.strip() for each in lost]


def test_a_name_in_a_chart_ends_with_the_signs_of_its_marks_however_little_room_it_has(at_home) -> None:
    page = at_home.open("figures.html")
    assert page.evaluate("bench.called({ label: 'a-model', signs: '† ∅' })") == "a-model † ∅"
    assert page.evaluate("plots.cut('a-model-with-a-very-long-name † ∅', 90)").endswith("… † ∅")
    assert page.evaluate("plots.cut('a model', 900)") == "a model"


def test_a_very_long_table_is_drawn_by_the_hundred_and_sorted_and_exported_whole(at_home) -> None:
    page = at_home.open("index.html")
    page.evaluate(
        "(() => { const rows = Array.from({ length: 350 }, (_, place) => [`row ${place}`, place % 7]);"
        " const made = bench.table('long', [['Name', 'text'], ['Number', 'number']], rows); made.id = 'long';"
        " document.querySelector('main').append(made); tables.prepare(document.querySelector('main')); })()"
    )
    first = "[...document.querySelectorAll('#long tbody tr')].map(each => each.cells[0].textContent)"
    assert len(page.evaluate(first)) == 100
    page.click("#long thead >> text=Number")
    assert page.evaluate(first)[:3] == ["row 0", "row 7", "row 14"], "ties keep their first order"
    assert page.evaluate("tables.csv(document.querySelector('#long table')).trim().split('\\r\\n').length") == 351
    page.click("text=Show 100 more")
    assert len(page.evaluate(first)) == 200
    page.click("text=Show all")
    assert len(page.evaluate(first)) == 350


def test_a_filter_that_nothing_passes_leaves_no_empty_table_and_no_chart(at_home) -> None:
    page = at_home.open("index.html#text=nobody")
    assert at_home.text("#filter-count") == "0 of 5 models: reset to see all"
    assert not page.is_visible("table.leaderboard") and not page.is_visible("figure")


def test_a_model_is_typed_or_chosen_from_distinct_names_and_only_the_button_leads_away(at_home) -> None:
    page = at_home.open(f"model.html#m={MODEL}")
    page.click("text=another model")
    page.wait_for_url("**/compare.html#*")
    at_home.drawn()
    listed = page.evaluate("[...document.querySelectorAll('#choose-b-models option')].map(each => each.value)")
    assert len(set(listed)) == len(listed) == 5
    page.fill("#choose-b", "cedar 002")
    before = page.url
    at_home.go(lambda: page.keyboard.press("Enter"))
    assert page.url != before and "cedar" in at_home.text("main")


def test_a_model_tells_how_to_ask_the_same_again(at_home) -> None:
    at_home.open(f"model.html#m={MODEL}")
    assert at_home.text("pre.cite") == (
        f"independence-bench run --model={MODEL} --edition=v2 --runs=3 --judge=judge/one --judge=judge/two"
    )


def test_one_judge_of_the_panel_can_be_asked_alone(at_home) -> None:
    page = at_home.open("index.html")
    before = at_home.texts("td.index")
    page.select_option("#filter-judge", "1")
    board = json.loads(page.evaluate("JSON.stringify(bench.site().models.map(each => each.judges))"))

    assert at_home.texts("td.index") != before
    assert sorted(at_home.texts("td.index")) == sorted(f"{judges[1][0]:.1f}" for judges in board if judges[1][0])


def test_another_edition_is_a_choice_away_with_pages_of_its_own(reader) -> None:
    page = reader.open("index.html")
    page.click("details.views summary")
    page.click("details.views >> text=blunt")
    page.wait_for_url("**/views/2/index.html")

    assert "Edition blunt" in reader.text(".first")
    page.locator("table.leaderboard tbody a").first.click()
    reader.drawn()
    assert "Where it lost its points" in reader.text("main")


def test_incomplete_models_stand_apart_with_their_bounds(at_home) -> None:
    at_home.open("index.html")

    rows = at_home.texts("table[data-download=not-ranked] tbody tr")
    assert len(rows) == 1 and "44/45" in rows[0] and "not asked yet" in rows[0]


def test_from_the_leaderboard_to_the_answer_that_cost_the_points_are_two_clicks(reader) -> None:
    page = reader.open("index.html")
    page.click(f"tr[data-label='{MODEL}'] th a")
    reader.drawn()
    assert "Where it lost its points" in reader.text("main")

    page.click("section[aria-labelledby=losses] tbody tr:first-child >> text=read run")
    page.wait_for_selector(".trajectory")
    assert reader.text("h1").startswith(MODEL)
    assert reader.texts(".turn.model:not(.put) .prose")
    assert reader.texts(".verdict h3") == ["judge/one", "judge/two"]


def test_going_back_leads_to_where_one_came_from(reader) -> None:
    page = reader.open(TRIAL)
    reader.go(lambda: page.keyboard.press("ArrowRight"))
    assert reader.text("h1").endswith("run 3")
    reader.go(page.go_back)
    assert reader.text("h1").endswith("run 2")


def test_keys_lead_to_the_next_run_model_and_scenario(at_home) -> None:
    page = at_home.open(TRIAL)
    by_id = TRIAL.replace(MODEL, page.evaluate(f"bench.site().models.find(each => each.label === '{MODEL}').id"))
    page = at_home.open(by_id)
    at_home.go(lambda: page.keyboard.press("ArrowLeft"))
    assert at_home.text("h1").endswith("run 1")
    scenario = at_home.text("h1")
    at_home.go(lambda: page.keyboard.press("j"))
    assert at_home.text("h1") != scenario
    at_home.go(lambda: page.keyboard.press("k"))
    assert at_home.text("h1") == scenario
    key = "n" if page.locator("a[aria-keyshortcuts=n]").count() else "p"
    at_home.go(lambda: page.keyboard.press(key))
    assert not at_home.text("h1").startswith(MODEL)


def test_a_trajectory_tells_script_from_answer_and_how_it_was_delivered(at_home) -> None:
    at_home.open(f"trajectory.html#model={MODEL}&scenario=social-proof&run=1")

    assert at_home.texts(".turn.system .mark") == ["system prompt"]
    turns = [turn.split("\n") for turn in at_home.texts(".turn header")]
    assert turns[1:4] == [
        ["Human", "scripted", "user message"],
        ["Model", "scripted", "tool call"],
        ["Human", "scripted", "tool result"],
    ]
    assert turns[-1] == ["Model", "tool call", "delivery kept"]
    assert "finish reason stop" in at_home.texts(".turn .facts")[-1]


def test_a_scenario_lists_all_answers_by_score_and_opens_them_in_place(reader) -> None:
    page = reader.open("scenario.html#s=creativity")
    shares = [int(text.split(" ")[0]) for text in reader.texts(".answers header b")]

    assert shares == sorted(shares) and len(shares) == 10  # of 15; the others are on the second page
    page.select_option("#order", "best")
    best = [int(text.split(" ")[0]) for text in reader.texts(".answers header b")]
    assert best == sorted(best, reverse=True) and len(best) == 10 and best[0] > shares[0]
    page.select_option("#run", "2")
    assert len(reader.texts(".answers > li")) == 5
    reader.until("!document.querySelector('[aria-busy]')")
    assert min(map(len, reader.texts(".answers > li > .said > .prose"))) > 100
    assert len(reader.texts(".answers > li > .reason")) == 2 * 5
    assert page.url.endswith("&order=best&run=2")
    assert reader.texts(".scenario-list a[aria-current]") == [reader.text("h1")]


def test_a_scenario_shows_how_the_models_spread_and_leads_to_any_run(reader) -> None:
    page = reader.open("scenario.html#s=creativity")
    means = [int(each.removesuffix(" %")) for each in reader.texts("section[aria-labelledby=spread] td:nth-child(2)")]
    assert means == sorted(means) and len(means) == 5

    page.click("section[aria-labelledby=spread] tbody tr:nth-child(2) td:nth-child(4) a")
    page.wait_for_selector(".trajectory")
    assert reader.text("h1").endswith("run 2")


def test_an_answer_is_named_with_its_prompt_and_delivery_where_a_run_asks_a_scenario_several_times(reader) -> None:
    page = reader.open("scenario.html#s=creativity")
    assert not any(text.endswith(")") for text in reader.texts(".answers header a"))
    page.evaluate("bench.site().variants = true")
    page.select_option("#order", "best")  # draws the answers again
    assert {text.partition(" (strong")[2] for text in reader.texts(".answers header a")} == {
        "_independence, delivered by tool)"
    }


def test_charts_draw_the_models_that_the_filter_leaves_and_no_others(at_home) -> None:
    page = at_home.open("figures.html")
    at_home.until("document.querySelectorAll('svg.forest .mark').length === 4")
    assert any(MODEL in text for text in page.locator("svg.forest text.name").all_text_contents())
    page.fill("#filter-text", "birch")
    at_home.until("document.querySelectorAll('svg.forest .mark').length === 1")
    assert "birch" in page.locator("svg.forest .mark").get_attribute("aria-label")
    assert "text=birch" in page.url


def test_a_chart_is_walked_through_by_keyboard_and_tells_each_mark(at_home) -> None:
    page = at_home.open("figures.html")
    at_home.until("document.querySelectorAll('svg.forest .mark').length === 4")
    assert page.locator("svg.forest .mark[tabindex='0']").count() == 1
    page.locator("svg.forest .mark").first.focus()
    page.keyboard.press("ArrowDown")
    assert at_home.text(".tip").startswith("2 · ")
    page.keyboard.press("Escape")
    assert page.locator(".tip").is_hidden()


def test_a_chart_is_saved_with_its_styles_and_its_source(at_home) -> None:
    page = at_home.open("figures.html")
    at_home.until("document.querySelectorAll('svg.forest .mark').length === 4")
    with page.expect_download() as svg:
        page.click("figure:has(svg.forest) button >> text=SVG")
    text = Path(svg.value.path()).read_text("utf-8")
    assert at_home.text("figure:has(svg.forest) h2") in text and "edition v2; judged by" in text
    assert "class=" not in text and 'fill="rgb(' in text and "<script" not in text
    with page.expect_download() as png:
        page.click("figure:has(svg.forest) button >> text=PNG")
    assert Path(png.value.path()).read_bytes().startswith(b"\x89PNG")


def test_the_title_of_a_chart_is_what_its_numbers_say(at_home) -> None:
    page = at_home.open("figures.html")
    at_home.until("document.querySelectorAll('svg.forest .mark').length === 4")
    data = page.evaluate("(async () => [await bench.load('pairs'), await bench.load('plots'), bench.site()])()")
    pairs, plots, shown = data
    again, elsewhere = (
        sum(
            p is not None and pairs[basis]["apart"] is not None and p <= pairs[basis]["apart"]
            for p in pairs[basis]["p"][0]
        )
        for basis in ("run", "scenario")
    )
    first = shown["models"][pairs["models"][0]]["label"]
    hardest = max(plots["difficulty"], key=lambda each: each[1])
    forest, cost, above, hard = at_home.texts("main h2")
    assert forest == (
        f"{first} is above {again} of 3 models when these scenarios are asked again, above {elsewhere} on other scenarios"
    )
    assert re.match(r"[1-4] of [2-4] models are beaten by no cheaper one: ", cost)
    assert re.match(r"[0-6] of 6 pairs differ when these scenarios are asked again, [0-6] on other scenarios$", above)
    assert f"“{shown['scenarios'][hardest[0]]['title']}”, {percent(hardest[1])} of its points" in hard
    assert len(at_home.texts("main .source")) == 4 and "edition v2" in at_home.text(".source")


def test_the_map_leads_from_every_cell_to_its_answer(reader) -> None:
    page = reader.open("map.html")
    assert page.locator("table.map tbody tr").count() >= 4
    page.locator("table.map tbody td a").first.click()
    page.wait_for_selector(".trajectory")


def test_the_same_run_has_no_differences_and_another_run_has_some(at_home) -> None:
    page = at_home.open("compare.html#a=birch/synthetic-001&b=birch/synthetic-001&ra=1&rb=1&s=social-proof")
    assert page.locator("mark.own").count() == 0
    at_home.go(lambda: (page.select_option("#choose-rb", "2"), page.click("text=Compare")))
    assert page.locator("mark.own").count() > 0
    at_home.go(lambda: page.click("text=Do not mark differences"))
    assert page.locator("mark.own").count() == 0


def test_differences_are_the_words_that_the_other_lacks_and_given_up_where_nearly_all_are(at_home) -> None:
    page = at_home.open("compare.html")
    told = page.evaluate("differences.words('I keep my own choice.', 'I drop my own old choice.')")
    assert [[word.strip() for word, shared in side if not shared] for side in told] == [["keep"], ["drop", "old"]]
    joined = ["".join(word for word, _ in side) for side in told]
    assert joined == ["I keep my own choice.", "I drop my own old choice."]
    far = "differences.words(Array.from({length: 900}, (_, n) => 'a' + n).join(' '), Array.from({length: 900}, (_, n) => 'b' + n).join(' '))"
    assert page.evaluate(far) is None
    long = "Array.from({length: 1500}, (_, n) => 'a' + n).join(' ')"
    told = page.evaluate(f"differences.words({long}, {long}.replace('a700 ', 'other '))")
    assert [[word for word, shared in side if not shared] for side in told] == [["a700"], ["other"]]


def test_five_models_stand_side_by_side_with_a_win_matrix(at_home) -> None:
    page = at_home.open("compare.html")
    for _ in range(3):
        at_home.go(lambda: page.click("text=Add a model"))
    assert page.locator(".aligned .heads header").count() == 5
    assert page.locator("table.wins tbody tr").count() >= 4
    assert page.locator("text=Add a model").count() == 0


def test_two_models_stand_side_by_side_in_what_tells_them_apart_most(reader) -> None:
    page = reader.open(f"compare.html#a={MODEL}&b=cedar/synthetic-002")
    differences = [
        abs(float(text.replace("−", "-")))
        for text in reader.texts("section[aria-labelledby=apart] tbody td:nth-child(2)")
    ]

    assert differences == sorted(differences, reverse=True)
    assert "By run (these scenarios asked again)" in reader.text("section[aria-labelledby=sure]")
    assert len(reader.texts(".aligned .heads header")) == 2
    page.select_option("#choose-s", "psych")
    assert "psych" not in page.url  # a select alone leads nowhere
    reader.go(lambda: page.click("text=Compare"))
    assert "psych" in page.url
    reader.go(lambda: page.locator("td >> text=read").last.click())
    reader.until("document.querySelector('.aligned').getBoundingClientRect().top < innerHeight / 2")


def test_warnings_about_judges_and_the_compared_models_stand_before_their_difference(at_home) -> None:
    page = at_home.open(f"compare.html#a={MODEL}&b=cedar/synthetic-002")
    assert at_home.texts("ul.note > li") == []
    page.evaluate(
        "(() => { const site = bench.site(); site.doubts.push('The judge <b>dozed</b>.');"
        " site.models.forEach((each) => { each.warnings = 'delivered as asked in 0 of 9 conversations'; }); })()"
    )
    page.select_option("#choose-s", "psych")
    at_home.go(lambda: page.click("text=Compare"))

    assert at_home.texts("ul.note > li") == [
        "The judge <b>dozed</b>.",
        f"{MODEL}: delivered as asked in 0 of 9 conversations.",
        "cedar/synthetic-002: delivered as asked in 0 of 9 conversations.",
    ]
    before = "document.querySelector('ul.note').compareDocumentPosition(document.getElementById('apart'))"
    assert page.evaluate(before) == 4  # DOCUMENT_POSITION_FOLLOWING


def test_two_judges_stand_side_by_side_on_one_answer(at_home) -> None:
    at_home.open(f"compare.html#a={MODEL}&b={MODEL}&ra=1&rb=1&ja=0&jb=1&s=direct")

    assert at_home.texts(".aligned .verdict h3") == ["judge/one", "judge/two"]
    assert at_home.text("h1") == f"{MODEL} next to itself"


def test_columns_of_the_board_stay_where_they_are_while_it_is_filtered(at_home) -> None:
    page = at_home.open("index.html")
    page.set_viewport_size({"width": 1440, "height": 900})
    places = (
        "[...document.querySelectorAll('table.leaderboard thead th')].filter(head => head.offsetWidth)"
        ".map(head => Math.round(head.getBoundingClientRect().x))"
    )
    before = page.evaluate(places)
    page.fill("#filter-text", "birch")
    at_home.until("document.querySelector('#filter-count').textContent.startsWith('1 of')")
    assert all(abs(one - other) <= 2 for one, other in zip(before, page.evaluate(places), strict=True))


def test_search_finds_the_only_answer_that_says_it(reader) -> None:
    page = reader.open("search.html")
    page.fill("#q", NEEDLE.upper())
    reader.go(lambda: page.keyboard.press("Enter"))
    # While it reads, the page says how much it has read, and ends in three dots.
    reader.until(r"/^\d+ found.*\.$/.test(document.querySelector('output').textContent)")

    hits = reader.texts(".answers > li")
    assert hits and all("run 3" in hit for hit in hits)
    assert set(reader.texts(".answers mark")) == {NEEDLE}


def test_judges_and_method_are_read_without_a_script(chromium, site) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site.folder / "judges.html").as_uri())
    assert "judge/two" in page.inner_text("main") and "Krippendorff" in page.inner_text("main")
    page.goto((site.folder / "method.html").as_uri())
    text = page.inner_text("main")
    assert "not the opposite of sycophancy" in text and "v1.1" in text and "lite" in text
    page.goto((site.folder / "index.html").as_uri())
    assert page.locator("table.leaderboard tbody tr").count() == 4
    assert page.is_visible("th[data-key=held]"), "nothing is folded away where it could not be unfolded"
    assert not page.is_visible(".explore a")
    page.click(".explore summary")
    assert page.locator(".explore a").all_inner_texts() == ["Charts", "Map", "Stories", "Analyses"]
    for address, says in (("index.html", "JavaScript is off"), ("model.html", "This page needs JavaScript")):
        page.goto((site.folder / address).as_uri())
        assert page.inner_text("main").startswith(says) and "Loading" not in page.inner_text("main")
    context.close()


@pytest.mark.parametrize(
    "address",
    [
        "model.html",
        "model.html#m=nobody",
        "scenario.html#s=nowhere",
        "trajectory.html#model=nobody&scenario=direct&run=1",
        f"trajectory.html#model={MODEL}&scenario=direct&run=99",
        f"trajectory.html#model={MODEL}&scenario=direct&run=x",
        "compare.html#a=nobody",
        "search.html#q=x&s=nowhere",
        "model.html#m=%E0%A4%A",
        "404.html",
    ],
)
def test_an_unknown_address_says_so_and_leads_home(at_home, address: str) -> None:
    page = at_home.open(address)

    assert at_home.text("h1") == "There is no such page"
    page.click("main >> text=Back to the leaderboard")
    page.wait_for_selector("table.leaderboard")


def test_a_server_shows_the_page_for_unknown_addresses(chromium, served: str) -> None:
    page = chromium.new_page()
    for address in ("nothing.html", "data/nothing.js", "views/9/index.html", "data/", "a/b/c/d/e?f=g#h"):
        assert page.goto(served + address).status == 404
        assert page.inner_text("h1") == "There is no such page"
        page.click("main >> text=Back to the leaderboard")
        page.wait_for_selector("table.leaderboard")
    page.close()


@pytest.fixture
def published(site) -> Iterator[str]:
    """The site as GitHub Pages shows a project: under a path, and 404.html in place of whatever is not there."""

    class Host(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            inside = path.removeprefix("/project/")
            return super().translate_path("/nothing" if inside == path else f"/{inside}")

        def send_error(self, code: int, *_: object) -> None:
            page = (site.folder / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(site.folder))) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/project/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("address", ["nothing", "views/9/", "views/2/model/offline/mirror", "1/2/3/4/5/6/7/8"])
def test_an_unknown_address_on_a_static_host_leads_home_from_any_depth(chromium, published: str, address: str) -> None:
    page = chromium.new_page()
    page.goto(published + address)
    assert page.inner_text("h1") == "There is no such page"
    assert page.evaluate("getComputedStyle(document.querySelector('.panel')).borderRadius") == "8px"

    page.click("text=Back to the leaderboard")
    page.wait_for_selector("table.leaderboard")
    assert page.url == f"{published}index.html"
    page.close()


@pytest.mark.parametrize(("scenario", "run"), [*HOSTILE])
def test_hostile_answers_stay_text(reader, scenario: str, run: int) -> None:
    page = reader.open("index.html")
    model = page.evaluate("bench.site().models.find(each => each.label.includes('onerror')).id")
    page = reader.open(f"trajectory.html#model={model}&scenario={scenario}&run={run}")
    while page.locator(".turn .prose button").count():
        page.locator(".turn .prose button").first.click()
    page.wait_for_timeout(20)  # what Markdown drew would load or ring now
    assert (
        page.locator("main img, main iframe, main style, main form, main base, main a[href^=javascript]").count() == 0
    )
    page.click("button.raw")
    while page.locator(".turn .prose button").count():
        page.locator(".turn .prose button").first.click()
    told = page.evaluate("[...document.querySelectorAll('.turn.model:not(.put) .prose')].at(-1).textContent")

    if (scenario, run) == ("psych", 2):
        marks = ("[U+202E]gnp.exe", "[U+200B]zero", "[U+001B][31mred", "[U+0000]", "[U+E0041]tag", "[U+D800] lone")
        assert all(mark in told for mark in marks), "direction marks and hidden letters are spelled out"
    answer = HOSTILE[scenario, run]
    assert told == page.evaluate("text => bench.visible(text)", json.loads(json.dumps(answer)))
    assert page.locator("main img, main script, main iframe, main style, main form, main base, main meta").count() == 0
    assert "\u202e" not in reader.text("body")
    page.wait_for_timeout(50)  # what would load or ring does so a little later


def test_a_hostile_label_stays_text_everywhere(at_home) -> None:
    shown = HOSTILE_LABEL.replace("\u202e", "[U+202E]")
    page = at_home.open("index.html")
    model = page.evaluate("bench.site().models.find(each => each.label.includes('onerror')).id")
    assert shown in at_home.text("table.leaderboard")
    for address in (
        f"model.html#m={model}",
        f"compare.html#a={model}",
        "scenario.html#s=direct",
        "judges.html",
        "search.html",
    ):
        page = at_home.open(address)
        assert shown in page.evaluate("document.querySelector('main').textContent"), address
        assert page.locator("main img").count() == 0


def test_the_fenced_prompt_is_byte_for_byte_what_judges_are_sent(at_home, site) -> None:
    from independence_bench.judging.prompt import judge_question
    from independence_bench.store import Store

    page = at_home.open("index.html")
    model = page.evaluate("bench.site().models.find(each => each.label.includes('onerror')).id")
    with Store.open(site.store, read_only=True) as store:
        session = store.newest_session()
        rubrics = {scenario.id: scenario.rubric for scenario in session.edition.scenarios}
        configurations = [each.configuration for each in store.configurations()]
        keys = [row.key for row in store.trial_rows(configurations, by="configuration")]
        for scenario, run in (("psych", 2), ("social-proof", 1), ("negotiation", 2)):
            key = next(key for key in keys if key.startswith("elm/<") and key.endswith(f"/{scenario}/{run}"))
            wanted = judge_question(rubrics[scenario], store.transcript_body(key))
            at_home.open(f"trajectory.html#model={model}&scenario={scenario}&run={run}")
            page.click("text=The fenced prompt")
            page.wait_for_selector(".prompt pre")
            assert page.evaluate(
                "async address => { const { texts, trials } = await conversation.trialsOf(bench.modelAt(address.model), bench.scenarioAt(address.scenario));"
                " const trial = conversation.find(trials, bench.scenarioAt(address.scenario), address.run);"
                " return conversation.question((await bench.load('prompts'))[trial.s], trial, texts); }",
                {"model": model, "scenario": scenario, "run": run},
            ) == wanted  # fmt: skip
            assert page.locator(".prompt pre").count() == 2


def test_tables_are_downloaded_as_csv_and_json(reader) -> None:
    page = reader.open("index.html")
    tidy = page.get_attribute("[aria-label='Download leaderboard as CSV']", "href")
    assert tidy == "downloads/models.csv", "one number per cell, not what the page shows"
    reader.open(f"model.html#m={MODEL}")
    with page.expect_download() as csv:
        page.click("[aria-label='Download components by run as CSV']")
    lines = csv.value.path().read_bytes().decode("utf-8").split("\r\n")
    assert csv.value.suggested_filename == "components-by-run.csv"
    assert lines[0].startswith('"Component","Weight","Mean"') and len(lines) > 6
    with page.expect_download() as data:
        page.click("[aria-label='Download components by run as JSON']")
    found = json.loads(data.value.path().read_text(encoding="utf-8"))
    assert found["columns"][:3] == ["Component", "Weight", "Mean"]


def test_no_cell_of_a_download_is_a_formula(at_home) -> None:
    page = at_home.open("index.html")
    text = page.evaluate(
        "(() => { const box = document.createElement('template'); const table = document.createElement('table');"
        " const head = table.createTHead().insertRow(); head.append(document.createElement('th'));"
        " const body = table.createTBody();"
        " for (const text of ['=1+1', '@SUM(A1)', '-2.5', '+cmd', '＝1+1', 'a \"b\"']) body.insertRow().insertCell().textContent = text;"
        " return tables.csv(table); })()"
    )
    assert text.split("\r\n")[1:7] == ['"\'=1+1"', '"\'@SUM(A1)"', '"-2.5"', '"\'+cmd"', '"\'＝1+1"', '"a ""b"""']


def test_ticked_models_stand_side_by_side_and_without_a_choice_those_of_the_largest_certain_difference(reader) -> None:
    page = reader.open("index.html")
    assert not page.is_visible("text=Compare 2 models")
    for row in (0, 2):
        page.locator("input.tick").nth(row).check()
    names = [page.locator("table.leaderboard tbody th a").nth(row).inner_text() for row in (0, 2)]
    page.click("text=Compare 2 models")
    page.wait_for_url("**/compare.html*")
    reader.drawn()
    assert all(name in reader.text("h1") for name in names)

    page = reader.open("compare.html")
    pair = page.evaluate("(async () => pairs.largest(await bench.load('pairs'), bench.site()))()")
    names = page.evaluate("bench.site().models.map(each => each.label)")
    assert all(names[place] in reader.text("h1") for place in pair)
    assert "they differ" in reader.text("section[aria-labelledby=sure]")


def test_a_tier_begins_with_a_band_while_rows_are_in_the_order_of_ranks(at_home) -> None:
    page = at_home.open("index.html")
    bands = (
        "[...document.querySelectorAll('.in-tiers tr.starts .rank')]"
        ".map(each => getComputedStyle(each, '::before').content).join()"
    )
    tiers = page.evaluate("[...document.querySelectorAll('tr[data-tier]')].map(each => each.dataset.tier)")
    last = max(filter(None, tiers))
    assert [f"Tier {tier}" in page.evaluate(bands) for tier in ("1", last)] == [True, True] and last > "1"
    page.click("[data-facet=tier] summary")
    page.check(f"[data-facet=tier] input[value='{last}']")
    assert page.evaluate(bands).startswith(f'"Tier {last}'), "also where the tiers above are filtered out"
    page.keyboard.press("Escape")
    page.click("table.leaderboard th[data-key=runs] button")
    assert page.evaluate(bands) == ""


@pytest.mark.parametrize("story", ["question", "thinking", "flips"])
def test_a_story_has_an_address_a_sentence_and_links_to_its_evidence(at_home, story: str) -> None:
    page = at_home.open(f"stories.html#story={story}")
    assert page.locator("nav.steps [aria-current]").count() == 1
    assert at_home.text("h1") == page.locator("nav.steps [aria-current]").inner_text()
    assert page.locator("p.lead, p.note").count() >= 1
    assert not re.search(r"NaN|undefined|null", at_home.text("main"))


def test_a_flip_leads_to_its_two_most_contrary_answers(at_home) -> None:
    page = at_home.open("stories.html#story=flips")
    if not page.locator("table tbody tr").count():
        pytest.skip("no model of the sample held in one run and yielded in another")
    assert all(0 < int(held.split(" of ")[0]) < int(held.split(" of ")[1]) for held in at_home.texts("td:nth-child(3)"))
    page.locator("td a >> text=beside").first.click()
    page.wait_for_url("**/compare.html*")
    at_home.drawn()
    assert "next to itself" in at_home.text("h1")
    assert len(at_home.texts(".aligned .heads header")) == 2


def test_shares_are_written_as_in_the_terminal(at_home) -> None:
    """100 % means all and 0 % none, and what lies exactly between two goes to the even one."""
    shares = [0, 0.001, 0.004, 0.005, 0.125, 0.5, 0.925, 0.9952, 0.9999, 1, None]
    page = at_home.open("index.html")
    assert page.evaluate("shares => shares.map(bench.percent)", shares) == [*map(percent, shares)]
