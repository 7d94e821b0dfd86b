"""The pages of edition v3: from a model's word to a case as a tree, with a needle for each stance."""

import re

import pytest
from reason_world import four
from sample_site import Site

from independence_bench.report.site import Sources, write_site

BRANCHES = [
    "Asked again",
    "Pressure",
    "Bare claim",
    "Off-standard argument",
    "A reason by its own standard should move",
    "Other correction",
    "Strengthening",
    "Weakening",
    "Other standard urged",
    "Other option mentioned",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site of four models of known nature; nothing else of the sample site is in it."""
    folder = tmp_path_factory.mktemp("reasons")
    return Site(write_site(folder / "site", four().store, Sources()).parent, folder)


def test_a_case_is_a_tree_whose_branches_stand_side_by_side_with_their_needles(at_home) -> None:
    page = at_home.open("index.html")
    assert "(experimental)" in at_home.text("main")
    page.click("section[aria-labelledby=ranking] table >> text=cued")
    page.wait_for_selector("section[aria-labelledby=cases]")
    page.click("section[aria-labelledby=cases] tbody tr:first-child a")
    page.wait_for_selector(".branches")

    assert at_home.texts(".branches:not(:last-child) h3") == BRANCHES
    first, second = (page.locator(".branches").first.locator(".step").nth(at).bounding_box() for at in (0, 1))
    assert first["y"] == second["y"] and first["x"] < second["x"]
    stances = "[...document.querySelectorAll('.branches .step .needle')].map(each => each.getAttribute('aria-label'))"
    stayed, moved = "60 for its first choice", "60 for the other option"
    assert page.evaluate(stances)[:8] == [stayed] * 4 + [moved] * 4
    assert page.locator(".step.reason .turn").count() == 2, "what was asked, and the answer"


def test_a_branch_marks_what_it_says_of_its_own_and_folds_what_another_says_too(at_home) -> None:
    page = at_home.open("index.html")
    label = page.evaluate("bench.site().models[0].label")
    scenario = page.evaluate("bench.site().scenarios[0].id")
    page = at_home.open(f"trajectory.html#model={label}&scenario={scenario}&run=1")
    at_home.go(
        lambda: page.evaluate(  # the sample's branches share nothing
            "bench.load(conversation.chunk(0, 0)).then(chunk => {"
            " chunk.texts = chunk.texts.map(text => `${text}\\n\\nThese words end all of them.`); dispatchEvent(new Event('hashchange')); })"
        )
    )
    texts = page.evaluate(
        "[...document.querySelectorAll('.branches')][0].querySelectorAll('.step').values().map(step => ["
        "[...step.querySelectorAll('mark.own')].map(each => each.textContent).join(' '),"
        "[...step.querySelectorAll('.common p')].map(each => each.textContent).join(' ')]).toArray()"
    )
    assert len(texts) == len(BRANCHES) and all(own for own, _ in texts), "each says something that no other does"
    assert len({own for own, _ in texts}) == len(texts)
    assert {common for _, common in texts} == {"These words end all of them."}
    assert not page.is_visible(".branches .common p")


def test_on_a_narrow_screen_a_row_is_a_card_with_the_names_of_its_numbers(at_home) -> None:
    page = at_home.open("index.html")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    row = page.locator("section[aria-labelledby=ranking] table tbody tr").first
    name, index = row.locator("th"), row.locator("td.index")
    assert index.get_attribute("data-head") == "Index"
    below = [
        row.locator("td").nth(place).bounding_box() for place in (0, 2, 4)
    ]  # rank, interval, the first of the others
    ends = name.bounding_box()["y"] + name.bounding_box()["height"]
    assert abs(name.bounding_box()["y"] - index.bounding_box()["y"]) < 2 and ends <= below[0]["y"] + 1
    assert below[0]["y"] == below[1]["y"] < below[2]["y"], "one headline, then rank and interval, then all others"
    sizes = row.evaluate("row => [...row.cells].map(cell => Number.parseFloat(getComputedStyle(cell).fontSize))")
    assert sizes.count(max(sizes)) == 1 and max(sizes) == sizes[2]
    frame, below = (
        page.locator("section[aria-labelledby=ranking] table"),
        page.locator("section[aria-labelledby=ranking] p.downloads").first,
    )
    assert frame.bounding_box()["y"] + frame.bounding_box()["height"] <= below.bounding_box()["y"] + 1


def test_the_ranking_fits_and_says_which_columns_it_leaves_out(at_home) -> None:
    page = at_home.open("index.html")
    page.set_viewport_size({"width": 1440, "height": 900})
    ranking = "section[aria-labelledby=ranking] table"
    frame = f"document.querySelector('{ranking}').closest('.scroll')"
    assert page.evaluate(f"{frame}.scrollWidth <= {frame}.clientWidth")
    assert not page.is_visible(f"{ranking} th[data-key=strengthening]")

    button = page.locator(".unfold")
    assert re.match(r"Show 8 columns: Strengthening, Weakening, .*, USD$", button.text_content())
    before = page.locator(f"{ranking} thead th:visible").count()
    button.focus()
    page.keyboard.press("Enter")

    assert (button.get_attribute("aria-expanded"), button.text_content().split()[0]) == ("true", "Hide")
    heads, cells = (
        page.locator(f"{ranking} {part}:visible").count() for part in ("thead th", "tbody tr:first-child > *")
    )
    assert heads == cells == before + 8
    button.click()
    assert not page.is_visible(f"{ranking} th[data-key=tier]")
