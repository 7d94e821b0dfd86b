"""Makes the pictures of the viewer on README and the pages, from the embedded models: ``python benchmarks/pictures.py``.

Needs Chromium and `pip install -e '.[browser]'`. Each PNG keeps the words of its page (a text chunk, which no reader sees).
A picture is too old when its page has other words now: that is what a reader of the picture would be told wrongly. Pixels
differ by machine and fonts, and a digest of styles and scripts would ask for new pictures after changes that no one sees.
"""

import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

DOCS = Path(__file__).resolve().parents[1] / "docs"
CHROMIUM = next(
    filter(None, map(which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None
)
TRIAL = "trajectory.html#model=offline/weathervane&scenario=helpful-reframing&run=1"
TIMES = re.compile(r"( · )?\b([A-Z][a-z]{2} \d+, 20\d\d(, \d\d:\d\d)?( UTC)?|[\d.]+ s)\b")
"""When something was asked, and how long it took if that shows: another one in every session."""
KEYWORD = b"iTXtwords\0\0\0\0\0"


class Picture(NamedTuple):
    """A page of the viewer on a file: what is waited for on it, and whether it is scrolled to the answer."""

    file: str
    page: str
    ready: str
    scheme: str = "light"
    key: str = ""


PICTURES = (
    Picture("viewer-leaderboard.png", "index.html", "table.leaderboard tbody tr"),
    Picture("viewer-trajectory.png", TRIAL, ".trajectory mark", key="a"),
    Picture("viewer-trajectory-dark.png", TRIAL, ".trajectory mark", "dark", "a"),
)


def pictures_now(browser: Browser) -> Iterator[tuple[Picture, Page, str]]:
    """Measure the embedded models, and yield each picture's page as it is today, with its words."""
    with TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "independence_bench.cli", "run", "--runs=3", "--site", "-q"]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for picture in PICTURES:
            page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme=picture.scheme)
            page.goto(f"{(Path(folder) / 'reports' / 'site').as_uri()}/{picture.page}")
            page.wait_for_selector(picture.ready)
            text = " ".join(page.locator("main").inner_text().split())
            yield picture, page, TIMES.sub("", text)
            page.close()


def with_words(png: bytes, words: str) -> bytes:
    """Return a PNG that keeps these words, behind its header of 33 bytes."""
    chunk = KEYWORD + words.encode()
    length, check = (number.to_bytes(4, "big") for number in (len(chunk) - 4, zlib.crc32(chunk)))
    return png[:33] + length + chunk + check + png[33:]


def words_of(png: bytes) -> str:
    """Return the words that a PNG keeps, or none."""
    end = 41 + int.from_bytes(png[33:37], "big")
    return png[37:end].removeprefix(KEYWORD).decode() if png[37:].startswith(KEYWORD) else ""


def main() -> None:
    """Write all pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for picture, page, words in pictures_now(browser):
            page.evaluate("document.querySelector('body > footer').remove()")  # nothing of it is about the page
            if picture.key:
                page.keyboard.press(picture.key)
                page.wait_for_timeout(1000)  # it scrolls
            (DOCS / picture.file).write_bytes(with_words(page.screenshot(), words))
        browser.close()


if __name__ == "__main__":
    main()
