"""The pages of an edition of roles, from a folder and from a server: who moved where, every interview, every item."""

from sample_site import HOSTILE, HOSTILE_LABEL

ROLES = "views/3/"
INTERVIEW = f"{ROLES}trajectory.html#model=maple/keeper&scenario=chess-p3&run=1"


def _hostile(reader) -> str:
    page = reader.open(f"{ROLES}index.html")
    return page.evaluate("encodeURIComponent(bench.site().models.find(each => each.label.includes('onerror')).id)")


def test_leaderboard_and_roles_lead_to_each_other(reader) -> None:
    page = reader.open("index.html")
    page.click("nav >> text=Roles")
    page.wait_for_url("**/views/3/index.html")
    assert reader.text("h1") == "Do simulated people stay who they are?"
    assert reader.texts("nav[aria-label=Pages] a")[:3] == ["Leaderboard", "Roles", "Interviews"]

    page.click("nav >> text=Leaderboard")
    page.wait_for_selector("table.leaderboard")
    assert "views" not in page.url


def test_stability_stands_per_model_and_per_value_and_sorts(reader) -> None:
    page = reader.open(f"{ROLES}index.html")
    assert reader.texts("table[data-download=role-stability] tbody th")[0].startswith("maple/keeper")
    page.click("table[data-download=role-stability] thead >> text=Rank order")
    page.click("table[data-download=role-stability] thead >> text=Rank order")
    assert reader.texts("table[data-download=role-stability] tbody th")[-1].startswith("maple/keeper")
    assert len(reader.texts("table[data-download=rank-order-by-value] thead th")) == 11


def test_the_figure_of_a_model_is_drawn_on_its_page(reader) -> None:
    page = reader.open(f"{ROLES}model.html#m=maple/keeper")
    page.locator("img.drawn").scroll_into_view_if_needed()
    reader.until("[...document.querySelectorAll('img.drawn')].every(each => each.complete && each.naturalWidth > 0)")


def test_from_a_model_to_the_interview_in_which_a_persona_moved_the_most_is_a_click(reader) -> None:
    page = reader.open(f"{ROLES}model.html#m={_hostile(reader)}")
    assert reader.text(".crumbs").startswith("Roles ›")
    assert "start" in reader.text("section[aria-labelledby=moved] tbody tr:first-child td:nth-child(3)")
    rows = reader.texts("section[aria-labelledby=moved] tbody tr td:nth-child(2)")
    assert [int(each.removesuffix(" %")) for each in rows] == sorted(
        (int(each.removesuffix(" %")) for each in rows), reverse=True
    )

    page.click("section[aria-labelledby=moved] tbody tr:first-child td:nth-child(4) a")
    page.wait_for_selector(".trajectory")
    assert "A game of chess, run 1" in reader.text("h1") or "chess-p" in page.url


def test_an_interview_is_a_conversation_and_a_table_of_items_with_the_questions_below(reader) -> None:
    page = reader.open(INTERVIEW)
    assert len(reader.texts(".turn.model .prose")) == 2
    items = reader.texts("table[data-download=items] tbody tr")
    assert len(items) == 20 and items[0].split("\t")[:2] == ["1", "item 1?"]

    page.click("text=Every question as it was put, 20")
    page.wait_for_selector("details .turn")
    assert len(reader.texts("details .turn.human")) == len(reader.texts("details .turn.model")) == 20
    page.click("main p >> text=Asked again")
    reader.until("document.querySelector('h1').textContent !== '' && location.hash.includes('again-p3')")


def test_an_interview_loads_its_persona_alone(reader) -> None:
    reader.open(INTERVIEW)
    assert [url.rpartition("/")[2] for url in reader.requests if "answers-" in url] == ["answers-2-4.js"]


def test_personas_contexts_and_items_are_browsed(reader) -> None:
    page = reader.open(f"{ROLES}scenarios.html")
    assert len(reader.texts("table[data-download=interviews] tbody tr")) == 6
    assert "A game of chess" in reader.text("table[data-download=contexts]")
    assert reader.texts("table[data-download=items-of-people] tbody tr")[2].split("\t") == [
        "3",
        "Stimulation",
        "item 3?",
    ]

    page.click("[aria-label^='Person 3, A game of chess, moved']")
    page.wait_for_selector("table[data-download='items and answers']")
    assert len(reader.texts("table[data-download='items and answers'] tbody tr")) == 20
    assert len(reader.texts(".answers > li")) == 2


def test_search_reads_every_interview(reader) -> None:
    reader.open(f"{ROLES}search.html#q=1... c5")
    reader.until("/^\\d+ found[.,]/.test(document.querySelector('output').textContent)")
    assert len(reader.texts(".answers > li")) == 47


def test_two_models_stand_side_by_side_with_their_numbers(reader) -> None:
    reader.open(f"{ROLES}compare.html#a=maple/keeper&b={_hostile(reader)}&s=chess-p3")
    assert reader.texts("table[data-download='numbers side by side'] tbody th")[:2] == ["Rank order", "Cardinal"]
    assert len(reader.texts(".aligned table[data-download=items]")) == 2


def test_hostile_interviews_stay_text(reader) -> None:
    model = _hostile(reader)
    for address in (
        f"trajectory.html#model={model}&scenario=chess-p3&run=1",
        "scenario.html#s=chess-p3",
        "scenarios.html",
    ):
        page = reader.open(ROLES + address)
        for summary in page.locator("main details summary").all():
            summary.click()
        page.wait_for_timeout(50)  # what would load or ring does so a little later
        assert page.locator("main script, main iframe, main style, main form, main img").count() == 0, address
    page = reader.open(f"{ROLES}trajectory.html#model={model}&scenario=chess-p3&run=1")
    script = HOSTILE["direct", 1]
    assert reader.texts(".turn.model .prose")[0] == script
    assert script in reader.texts("table[data-download=items] tbody tr")[0]


def test_a_hostile_label_stays_text_in_tables_and_figures(reader) -> None:
    page = reader.open(f"{ROLES}index.html")
    shown = HOSTILE_LABEL.replace("\u202e", "[U+202E]")
    assert shown in reader.text("table[data-download=role-stability]")
    assert page.locator("img:not(.drawn)").count() == 0


def test_an_unknown_interview_says_so_and_leads_to_the_roles(at_home) -> None:
    page = at_home.open(f"{ROLES}trajectory.html#model=maple/keeper&scenario=chess-p99&run=1")
    assert at_home.text("h1") == "There is no such page"
    page.click("main >> text=Back to the leaderboard")
    page.wait_for_selector("table[data-download=role-stability]")
