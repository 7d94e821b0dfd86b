"""Somebody in front of a page in the browser, who must meet no error, no dialog and no request to elsewhere."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass
class Reader:
    """Somebody who reads the site, and everything that went wrong meanwhile."""

    page: object
    base: str
    troubles: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, address: str):
        """Open a page and wait until it is drawn."""
        self.page.goto("about:blank")
        self.page.goto(self.base + address)
        self.drawn()
        return self.page

    def follow(self, address: str) -> None:
        """Go to an address as a link does: another state of the page that is open is drawn in its place."""
        (here, state), (there, wanted) = self.page.url.partition("#")[::2], address.partition("#")[::2]
        if here == self.base + there and "=" in state and "=" in wanted:
            self.go(lambda: self.page.evaluate("state => { location.hash = state; }", wanted))
        else:
            self.open(address)

    def until(self, condition: str) -> None:
        """Wait until an expression is true; playwright's own way needs eval, which the pages forbid."""
        deadline = time.monotonic() + 15
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, condition
            time.sleep(0.01)

    def drawn(self) -> None:
        self.until(
            "document.readyState === 'complete' && (!document.getElementById('content')"
            " || Boolean(document.getElementById('content').dataset.drawn))"
        )

    def go(self, act: Callable[[], object]) -> None:
        """Do something that draws the page anew in its place."""
        before = self.page.evaluate("document.getElementById('content').dataset.drawn")
        act()
        self.until(f"document.getElementById('content').dataset.drawn !== '{before}'")

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(selector).all_inner_texts()


def reading(browser, base: str, **options: object) -> Iterator[Reader]:
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
    page = context.new_page()
    reader = Reader(page, base)
    page.on(
        "console",
        lambda message: _looks_for_home(message.location["url"]) or reader.troubles.append(f"console: {message.text}"),
    )
    page.on("pageerror", lambda error: reader.troubles.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (reader.troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: reader.requests.append(request.url))
    page.set_default_timeout(15_000)
    yield reader
    context.close()
    foreign = [
        url
        for url in reader.requests
        if not url.startswith((base, "about:", "data:", "blob:")) and not _looks_for_home(url)
    ]
    assert reader.troubles == [], "\n".join(reader.troubles)
    assert foreign == []


def _looks_for_home(url: str) -> bool:
    """Whether the page for unknown addresses asks for home: at every height, and it stands at one of them only."""
    return url.endswith("/assets/independence-bench-home.js")
