"""Who reads with a keyboard, a screen reader, a narrow screen, in the dark or on paper."""

from pathlib import Path

import pytest

MODEL = "birch/synthetic-001"
PAGES = {
    "leaderboard": "index.html",
    "model": f"model.html#m={MODEL}",
    "explained": f"explain.html#m={MODEL}",
    "scenarios": "scenarios.html",
    "scenario": "scenario.html#s=negotiation",
    "trajectory": f"trajectory.html#model={MODEL}&scenario=negotiation&run=2",
    "compare": f"compare.html#a={MODEL}&b=cedar/synthetic-002",
    "charts": "figures.html",
    "map": "map.html",
    "stories": "stories.html",
    "five": "compare.html#a=birch/synthetic-001&b=cedar/synthetic-002&c=dogwood/synthetic-003",
    "analyses": "analyses.html",
    "judges": "judges.html",
    "data": "data.html",
    "method": "method.html",
    "search": "search.html#q=barnacle",
    "not-found": "404.html",
    "roles": "views/3/index.html",
    "roles-model": "views/3/model.html#m=maple/keeper",
    "roles-interviews": "views/3/scenarios.html",
    "roles-items": "views/3/scenario.html#s=chess-p3",
    "roles-interview": "views/3/trajectory.html#model=maple/keeper&scenario=chess-p3&run=1",
    "roles-compare": "views/3/compare.html#a=maple/keeper",
    "roles-method": "views/3/method.html",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES.values(), ids=PAGES)
def test_axe_finds_nothing(reading_with, address: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python")
    script = next(Path(axe.__file__).parent.glob("axe.min.js")).read_text(encoding="utf-8")
    reader = reading_with(color_scheme=scheme)
    page = reader.open(address)
    page.evaluate(script)
    # In the dark nothing but colours is another.
    rules = (
        ["color-contrast"]
        if scheme == "dark"
        else ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    )
    found = page.evaluate("rules => axe.run(document, {preload: false, runOnly: rules})", rules)
    assert found["passes"]

    assert [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found["violations"]] == []


@pytest.mark.parametrize("address", PAGES.values(), ids=PAGES)
def test_a_page_fits_a_screen_of_360_pixels(reading_with, address: str) -> None:
    page = reading_with(viewport={"width": 360, "height": 740}).open(address)

    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_colours_follow_the_system_until_the_reader_chooses(reading_with) -> None:
    reader = reading_with(color_scheme="dark")
    page = reader.open("index.html")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    assert reader.text("#theme") == "Light"
    page.click("#theme")
    light = page.evaluate(ground)
    assert light == "rgb(255, 255, 255)" != dark

    reader.open("method.html")
    assert page.evaluate(ground) == light


def test_the_keyboard_reaches_content_filters_and_sorting(reading_with) -> None:
    page = reading_with().open("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"

    page.focus("table.leaderboard thead th:nth-child(2) button")
    page.keyboard.press("Enter")
    labels = page.locator("table.leaderboard tbody th a").all_inner_texts()
    assert labels == sorted(labels, key=str.lower)


def test_the_menu_opens_by_keyboard_and_closes_with_escape(reading_with) -> None:
    page = reading_with().open("map.html")
    menu = page.locator(".explore summary")
    menu.focus()
    page.keyboard.press("Enter")
    assert menu.get_attribute("aria-current") == "true"
    assert page.locator(".explore a[aria-current=page]").inner_text() == "Map"
    page.keyboard.press("Escape")
    assert not page.is_visible(".explore a")
    assert page.evaluate("document.activeElement.textContent") == "Explore"


def test_paper_is_light_whatever_the_reader_or_the_system_has_chosen(reading_with) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    page = reading_with(color_scheme="dark").open(PAGES["model"])
    assert page.evaluate(ground) != "rgb(255, 255, 255)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"

    page.emulate_media(media="screen", color_scheme="light")
    page.click("#theme")
    assert page.evaluate(ground) != "rgb(255, 255, 255)"
    page.emulate_media(media="print", color_scheme="light")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('td[class*=heat-]')).color") == "rgb(0, 0, 0)"


def test_a_model_prints_without_navigation_and_boards_and_figures_fit_the_paper(reading_with) -> None:
    page = reading_with().open(PAGES["model"])
    page.emulate_media(media="print")
    assert not page.is_visible("header.top") and not page.is_visible(".downloads")
    assert page.is_visible("#losses")

    page = reading_with(viewport={"width": 1032, "height": 700}).open("index.html")
    page.evaluate("for (const box of document.querySelectorAll('[data-columns] input')) if (!box.checked) box.click()")
    assert page.evaluate("document.querySelector('.leaderboard').scrollWidth") > 1032
    page.emulate_media(media="print")
    assert page.is_visible("th[data-key=ranks-by-scenario]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1032

    assert page.evaluate("getComputedStyle(document.querySelector('td.intervals')).backgroundImage") == "none"
    for name in ("map", "charts"):
        page = reading_with(viewport={"width": 1920, "height": 1000}).open(PAGES[name])
        models = page.evaluate("bench.site().models.filter(each => each.contends).length")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.set_viewport_size({"width": 1032, "height": 700})
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1032
        cut = "[...document.querySelectorAll('.mapped, .mapped th, .frame')].filter(each => each.scrollWidth > each.clientWidth + 2 || each.scrollHeight > each.clientHeight + 2).map(each => each.textContent.slice(0, 50))"
        assert page.evaluate(cut) == []
        assert page.locator("table.map tbody tr").count() >= models > 2
        assert page.locator("svg.forest .mark").count() == (models if name == "charts" else 0)

    page = reading_with(viewport={"width": 718, "height": 1000}).open(PAGES["roles-model"])
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
