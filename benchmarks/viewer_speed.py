"""Speed and size of the viewer against its promises. Run by hand; pytest collects nothing here.

    python benchmarks/viewer_speed.py [--models=108] [--runs=5]
    pytest bench_tests --edition=roles && python benchmarks/viewer_speed.py --store=reports/trials.sqlite

Needs Chromium and `pip install -e '.[browser]'`. Writes a store of models × runs × the scenarios of v2, its site, and
reads it from a server and from the folder. Wall-clock medians; on a busy machine look at the processor time beside it.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit_tests" / "browser"))

from conftest import CHROMIUM
from large_store import make_store
from playwright.sync_api import Page, sync_playwright

from independence_bench.cli.serving import server_of
from independence_bench.report.site import write_site
from independence_bench.session.settings import Settings
from independence_bench.session.site_sources import site_sources
from independence_bench.store import Store

REPEATS = 7
SORTED = """(() => { const table = document.querySelector('table.leaderboard'); const took = [];
for (let place = 0; place < table.tHead.rows[0].cells.length; place++) { const from = performance.now();
tables.sort(table, place, place % 2 === 0); document.body.offsetHeight; took.push(performance.now() - from); } return took; })()"""
FILTERED = """(() => { const text = document.getElementById('filter-text'); const took = [];
for (const asked of ['c', 'ce', 'ced', '0', '', 'elm', '']) { text.value = asked; const from = performance.now();
text.dispatchEvent(new Event('input', {bubbles: true})); document.body.offsetHeight; took.push(performance.now() - from); }
return took; })()"""


def main() -> None:
    """Measure, and say how each promise is kept."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=108)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--store", type=Path, help="instead of a store made for this; of roles: its interviews")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        path = asked.store or make_store(place / "trials.sqlite", asked.models, asked.runs)
        wall, processor = time.perf_counter(), time.process_time()
        with Store.open(path, read_only=True) as store:
            write_site(place / "site", store, site_sources(Settings(root=place)))
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        size = sum(path.stat().st_size for path in (place / "site").rglob("*") if path.is_file())
        print(f"written: {wall:.1f} s, {processor:.1f} s of processor time (at most 10 s); {size / 1e6:.0f} MB in all")
        with server_of(place / "site", 0) as server, sync_playwright() as playwright:
            thread = Thread(target=partial(server.serve_forever, poll_interval=0.01))
            thread.start()
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for base in (f"http://127.0.0.1:{server.server_address[1]}/", (place / "site").as_uri() + "/"):
                _read(browser.new_page, place / "site", base)
            browser.close()
            server.shutdown()
            thread.join()


def _read(new_page: Callable[[], Page], folder: Path, base: str) -> None:
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ready = []
    for _ in range(REPEATS):
        page.goto("about:blank")
        asked.clear()
        page.goto(base + "index.html")
        ready.append(page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
    size = sum((folder / url.removeprefix(base)).stat().st_size for url in asked if url.startswith(base))
    print(
        f"{base.split(':')[0]}: first page {size / 1e3:.0f} KB (at most 600), ready in {_told(ready)} (at most 1,000)"
    )
    if page.locator("table.leaderboard").count():
        print(f"  sorting {_told(page.evaluate(SORTED))}, filtering {_told(page.evaluate(FILTERED))} (at most 100)")
    ids = page.evaluate("bench.site().models.map(each => each.id)")
    scenarios = page.evaluate("bench.site().scenarios.map(each => each.id)")
    opened = []
    for place in range(REPEATS):
        scenario = scenarios[(3 + place * 97) % len(scenarios)]
        opened.append(_opened(page, base, ids[place * 13 % len(ids)], scenario))
    print(f"  a trajectory opens in {_told(opened)} (at most 200)")
    for text in SEARCHES:
        print(f"  search for “{text}”: {_searched(page, base, text, asked, folder)}")


SEARCHES = ("cedar", "a text that nobody has said")
"""One that hits in nearly every answer, and one that must read them all for nothing."""


def _searched(page: Page, base: str, text: str, asked: list[str], folder: Path) -> str:
    """Return how long a search through all answers takes in a page that has loaded none, and what it costs."""
    page.goto("about:blank")
    asked.clear()
    began = time.perf_counter()
    page.goto(f"{base}search.html#q={text}", wait_until="commit")
    first = 0.0
    while True:
        told = page.evaluate("document.querySelector('output') ? document.querySelector('output').textContent : ''")
        first = first or (time.perf_counter() - began if page.locator(".answers > li").count() else 0.0)
        if "found" in told and "read …" not in told:
            break
        time.sleep(0.01)
    took = time.perf_counter() - began
    size = sum((folder / url.removeprefix(base)).stat().st_size for url in asked if url.startswith(base))
    heap = page.evaluate("performance.memory ? performance.memory.usedJSHeapSize : 0")
    begun = f"first hit after {first:.2f} s, " if first else ""
    return f"{begun}all read after {took:.1f} s, {size / 1e6:.0f} MB loaded, heap {heap / 1e6:.0f} MB ({told})"


def _opened(page: Page, base: str, model: str, scenario: str) -> float:
    """Return milliseconds from a page of the site to a trajectory of a model that has not been loaded."""
    page.goto(f"{base}scenario.html#s={scenario}")
    page.wait_for_selector("h1")
    page.evaluate(f"location.href = 'trajectory.html#model={model}&scenario={scenario}'")
    page.wait_for_selector(".trajectory")
    return float(page.evaluate("performance.getEntriesByName('drawn')[0].startTime"))


def _told(milliseconds: list[Any]) -> str:
    return f"{statistics.median(milliseconds):.0f} ms (slowest {max(milliseconds):.0f})"


if __name__ == "__main__":
    main()
