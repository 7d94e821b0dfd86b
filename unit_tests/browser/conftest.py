"""A headless Chromium, and a site in it: opened from the folder and from a server. Run by .ci/browser."""

import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

sys.path.extend(  # the samples of interviews, of cases and of a published cache lie there
    str(Path(__file__).resolve().parents[1] / place)
    for place in ("kinds/roles/reporting", "kinds/dossiers/reporting", "published_cache")
)

from browser_reader import Reader, reading
from sample_site import Site, make_site

from independence_bench.cli.serving import server_of

INSTALL = (
    "the tests of the viewer need a browser: apt-get install chromium (or any package that brings chromium, "
    "chromium-browser or google-chrome), and pip install -e '.[browser]'"
)
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None
)


@pytest.fixture(scope="session")
def chromium():
    """The browser itself."""
    if CHROMIUM is None:
        pytest.fail(INSTALL)
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        pytest.fail(INSTALL)
    with sync_playwright() as playwright:
        # Without its own sandbox, which needs rights that containers do not give; it only opens what we wrote.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A small site with two judges, two editions, and hostile answers."""
    return make_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def served(site: Site) -> Iterator[str]:
    """The site over http."""
    with server_of(site.folder, 0) as server:
        thread = Thread(target=partial(server.serve_forever, poll_interval=0.01))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


@pytest.fixture(params=["file", "http"])
def reader(request: pytest.FixtureRequest, chromium, site: Site, served: str) -> Iterator[Reader]:
    """A reader who must meet no error, no dialog and no foreign request; from the folder and from a server."""
    yield from reading(chromium, site.folder.as_uri() + "/" if request.param == "file" else served)


@pytest.fixture
def at_home(chromium, site: Site) -> Iterator[Reader]:
    """The same, from the folder alone."""
    yield from reading(chromium, site.folder.as_uri() + "/")


@pytest.fixture
def reading_with(chromium, site: Site) -> Iterator[Callable[..., Reader]]:
    """Readers with options of their own: a narrow screen, a dark system."""
    open_ones = []

    def make(**options: object) -> Reader:
        readers = reading(chromium, site.folder.as_uri() + "/", **options)
        open_ones.append(readers)
        return next(readers)

    yield make
    for readers in open_ones:
        next(readers, None)


@pytest.hookimpl(tryfirst=True)  # before those marked `external` are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.external)
            item.add_marker(pytest.mark.xdist_group("browser"))
