"""The live page in a browser: what it draws, that hostile answers stay text, and that it asks no other server."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
from browser_reader import Reader, reading
from sample_site import Site

from independence_bench.cli.following import Following, live_server


@pytest.fixture
def live(chromium, site: Site) -> Iterator[Reader]:
    """A reader of the live page of a store whose last session has no process any more."""
    following = Following(site.store, lambda: None)
    following.write()
    with live_server(site.folder, 0, following) as server:
        thread = Thread(target=partial(server.serve_forever, poll_interval=0.01))
        thread.start()
        yield from reading(chromium, f"http://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()
        thread.join()


def test_progress_newest_answers_and_board_are_drawn_and_nothing_else_is_asked(live: Reader) -> None:
    page = live.page
    page.goto(live.base + "live.html")
    live.until("document.querySelectorAll('#live .answers > li').length > 0")
    assert live.text("#heading") == "The session has ended"  # none runs, and one has
    assert "trials measured" in live.text("#live .numbers")
    assert page.locator("#live tbody tr").count() == 5
    assert "[U+202E]" in live.text("#live table")
    axe = pytest.importorskip("axe_playwright_python")
    page.evaluate(next(Path(axe.__file__).parent.glob("axe.min.js")).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {preload: false})")
    assert [each["id"] for each in found["violations"] if each["impact"] in ("serious", "critical")] == []


def test_the_live_page_leads_to_pages_that_ask_nobody(live: Reader) -> None:
    page = live.page
    page.goto(live.base + "live.html")
    live.until("document.querySelectorAll('#live .answers > li').length > 0")
    assert page.locator("#to-board").is_visible()
    page.click("#to-board")
    page.wait_for_selector("h1")
    assert "connect-src 'none'" in page.locator("meta[http-equiv]").get_attribute("content")
