"""Every page as a reader meets it, from a folder and from a server."""

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from sample_site import HOSTILE, HOSTILE_LABEL, NEEDLE

MODEL = "birch/synthetic-001"
TRIAL = f"trajectory.html#model={MODEL}&scenario=negotiation&run=2"


def test_the_leaderboard_sorts_on_every_column(reader) -> None:
    page = reader.open("index.html")
    heads = page.locator("table.leaderboard thead button").count()

    assert heads >= 10
    for place in range(heads):
        button = page.locator("table.leaderboard thead button").nth(place)
        button.click()
        first = _column(page, place)
        button.click()
        assert _column(page, place) == sorted(_column(page, place), reverse=first == sorted(first))
        assert page.locator("table.leaderboard th[aria-sort]:not([aria-sort=none])").count() == 1


def _column(page, place: int) -> list:
    return page.evaluate(
        "place => [...document.querySelectorAll('table.leaderboard tbody tr')].map(row => { const cell = row.cells[place];"
        " return cell.dataset.value !== undefined ? Number(cell.dataset.value) : cell.textContent.trim().toLowerCase(); })",
        place,
    )


def test_the_leaderboard_has_filters_that_live_in_the_address(reader) -> None:
    page = reader.open("index.html")
    page.fill("#filter-text", "birch")
    page.select_option("#filter-thinking", "no")

    assert reader.text("#filter-count") == "1 of 5 models"
    assert "text=birch" in page.url and "thinking=no" in page.url

    reader.open("index.html#vendor=cedar")
    assert reader.texts("tr[data-label]:not([hidden]) th") == ["cedar/synthetic-002"]

    page.click("button[type=reset]")
    page.fill("#filter-price", "0.5")
    assert reader.text("#filter-count") == "1 of 5 models"
    page.fill("#filter-price", "")
    page.select_option("#filter-open", "yes")
    assert reader.text("#filter-count") == "2 of 5 models"


def test_one_judge_of_the_panel_can_be_asked_alone(at_home) -> None:
    page = at_home.open("index.html")
    before = at_home.texts("td.index")
    page.select_option("#filter-judge", "1")
    board = json.loads(page.evaluate("JSON.stringify(bench.site().models.map(each => each.judges))"))

    assert at_home.texts("td.index") != before
    assert sorted(at_home.texts("td.index")) == sorted(f"{judges[1][0]:.1f}" for judges in board if judges[1][0])


def test_another_edition_is_a_choice_away_with_pages_of_its_own(reader) -> None:
    page = reader.open("index.html")
    page.select_option("#filter-view", "views/2/index.html")
    page.wait_for_url("**/views/2/index.html")

    assert "edition blunt" in reader.text(".lead")
    page.locator("table.leaderboard tbody a").first.click()
    reader.drawn()
    assert "Where it lost its points" in reader.text("main")


def test_incomplete_models_stand_apart_with_their_bounds(at_home) -> None:
    at_home.open("index.html")

    rows = at_home.texts("table[data-download=not-ranked] tbody tr")
    assert len(rows) == 1 and "44 of 45" in rows[0] and "not asked yet" in rows[0]


def test_from_the_leaderboard_to_the_answer_that_cost_the_points_are_two_clicks(reader) -> None:
    page = reader.open("index.html")
    page.click(f"table.leaderboard >> text={MODEL}")
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

    assert shares == sorted(shares) and len(shares) == 15
    page.select_option("#order", "best")
    assert [int(text.split(" ")[0]) for text in reader.texts(".answers header b")] == sorted(shares, reverse=True)
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
    counts = page.locator("section[aria-labelledby=spread] svg text.tick").all_text_contents()[:-5]
    assert sum(map(int, counts)) == 5

    page.click("section[aria-labelledby=spread] tbody tr:nth-child(2) td:nth-child(4) a")
    page.wait_for_selector(".trajectory")
    assert reader.text("h1").endswith("run 2")


def test_charts_name_models_and_draw_filtered_ones_as_a_shadow(at_home) -> None:
    page = at_home.open("index.html")
    assert page.locator(".multiples .mark").count() == 5 * 4
    assert sum(MODEL in text for text in page.locator("figure svg text.name").all_text_contents()) == 2
    page.fill("#filter-text", "birch")
    kept = page.evaluate("[...document.querySelectorAll('svg .mark:not(.away) title')].map(each => each.textContent)")
    assert len(kept) == 7 and all("birch" in each for each in kept)


def test_two_models_stand_side_by_side_in_what_tells_them_apart_most(reader) -> None:
    page = reader.open(f"compare.html#a={MODEL}&b=cedar/synthetic-002")
    differences = [
        abs(float(text.replace("−", "-")))
        for text in reader.texts("section[aria-labelledby=apart] tbody td:nth-child(2)")
    ]

    assert differences == sorted(differences, reverse=True)
    assert "with 95 % by scenario:" in reader.text("section[aria-labelledby=apart]")
    assert len(reader.texts(".columns > section")) == 2
    reader.go(lambda: page.select_option("#choose-s", "psych"))
    assert "psych" in page.url
    reader.go(lambda: page.locator("text=read both").last.click())
    reader.until("document.querySelector('.columns').getBoundingClientRect().top < innerHeight / 2")


def test_warnings_about_judges_and_the_compared_models_stand_before_their_difference(at_home) -> None:
    page = at_home.open(f"compare.html#a={MODEL}&b=cedar/synthetic-002")
    assert at_home.texts("ul.note > li") == []
    page.evaluate(
        "(() => { const site = bench.site(); site.doubts.push('The judge <b>dozed</b>.');"
        " site.models.forEach((each) => { each.warnings = 'delivered as asked in 0 of 9 conversations'; }); })()"
    )
    at_home.go(lambda: page.select_option("#choose-s", "psych"))

    assert at_home.texts("ul.note > li") == [
        "The judge <b>dozed</b>.",
        f"{MODEL}: delivered as asked in 0 of 9 conversations.",
        "cedar/synthetic-002: delivered as asked in 0 of 9 conversations.",
    ]
    before = "document.querySelector('ul.note').compareDocumentPosition(document.getElementById('apart'))"
    assert page.evaluate(before) == 4  # DOCUMENT_POSITION_FOLLOWING


def test_two_judges_stand_side_by_side_on_one_answer(at_home) -> None:
    at_home.open(f"compare.html#a={MODEL}&b={MODEL}&ra=1&rb=1&ja=0&jb=1&s=direct")

    assert at_home.texts(".columns .verdict h3") == ["judge/one", "judge/two"]
    assert at_home.text("h1") == f"{MODEL} next to itself"


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


def test_a_label_in_an_address_is_as_good_as_an_id(at_home) -> None:
    page = at_home.open(f"model.html#m={MODEL}")
    by_id = page.evaluate("bench.site().models.find(each => each.label === 'birch/synthetic-001').id")
    at_home.open(f"model.html#m={by_id}")

    assert at_home.text("h1") == MODEL


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

    answer = HOSTILE[scenario, run]
    assert told == page.evaluate("text => bench.visible(text)", json.loads(json.dumps(answer)))
    assert page.locator("main img, main script, main iframe, main style, main form, main base, main meta").count() == 0
    assert "\u202e" not in reader.text("body")
    page.wait_for_timeout(50)  # what would load or ring does so a little later


def test_direction_marks_and_hidden_letters_are_spelled_out(at_home) -> None:
    page = at_home.open("index.html")
    model = page.evaluate("bench.site().models.find(each => each.label.includes('onerror')).id")
    at_home.open(f"trajectory.html#model={model}&scenario=psych&run=2")

    told = at_home.texts(".turn.model:not(.put) .prose")[-1]
    for mark in ("[U+202E]gnp.exe", "[U+200B]zero", "[U+001B][31mred", "[U+0000]", "[U+E0041]tag", "[U+D800] lone"):
        assert mark in told


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
        keys = [row.key for row in store.trials_of([each.facts.configuration for each in store.configurations()])]
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
    with page.expect_download() as csv:
        page.click("[aria-label='Download leaderboard as CSV']")
    lines = csv.value.path().read_bytes().decode("utf-8").split("\r\n")
    assert csv.value.suggested_filename == "leaderboard.csv"
    assert lines[0].startswith('"Rank","Model","Index"') and len(lines) == 6
    with page.expect_download() as data:
        page.click("[aria-label='Download leaderboard as JSON']")
    found = json.loads(data.value.path().read_text(encoding="utf-8"))
    assert found["columns"][:3] == ["Rank", "Model", "Index"] and len(found["rows"]) == 4
    assert all(isinstance(row[2], float) for row in found["rows"])


def test_no_cell_of_a_download_is_a_formula(at_home) -> None:
    page = at_home.open("index.html")
    text = page.evaluate(
        "(() => { const box = document.createElement('template'); const table = document.createElement('table');"
        " const head = table.createTHead().insertRow(); head.append(document.createElement('th'));"
        " const body = table.createTBody();"
        " for (const text of ['=1+1', '@SUM(A1)', '-2.5', '+cmd', 'a \"b\"']) body.insertRow().insertCell().textContent = text;"
        " return tables.csv(table); })()"
    )
    assert text.split("\r\n")[1:6] == ['"\'=1+1"', '"\'@SUM(A1)"', '"-2.5"', '"\'+cmd"', '"a ""b"""']
