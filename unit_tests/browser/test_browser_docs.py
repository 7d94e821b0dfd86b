"""The documentation as a site: it is built without a warning, asks no other host, and its search works from the folder."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sample_site import Site

CHECKOUT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.external


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``nox -s docs`` builds it."""
    folder = tmp_path_factory.mktemp("docs")
    words = ["-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", folder / "read", "-c", "docs", "."]
    done = subprocess.run([sys.executable, *words, folder / "html"], cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_the_search_finds_a_page_from_the_folder_and_asks_no_other_host(chromium, docs: Path) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(f"{docs.as_uri()}/index.html")
    page.wait_for_url("**/docs/index.html")
    page.locator("input[name=q]").first.fill("inconclusive baseline delivery")
    page.keyboard.press("Enter")
    page.locator("#search-results li a", has_text="Gate a deployment").first.click()
    page.wait_for_url("**/docs/guide/gate.html*")

    assert page.title().startswith("Gate a deployment")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_the_front_page_has_the_demo_in_it_and_its_picture_where_there_is_none(
    chromium, docs: Path, site: Site
) -> None:
    page = chromium.new_page()
    page.goto(f"{docs.as_uri()}/docs/index.html")
    page.wait_for_selector("object.demo img")
    assert page.evaluate("document.querySelector('object.demo img').naturalWidth") > 0
    demo = docs / "demo" / "site"
    shutil.copytree(site.folder, demo)
    page.reload()
    page.wait_for_load_state("networkidle")
    frame = next(each for each in page.frames if each.url == f"{demo.as_uri()}/index.html")
    frame.wait_for_selector("table.leaderboard tbody tr")
    page.close()
    shutil.rmtree(demo.parent)


def test_every_page_of_the_project_is_in_the_navigation(docs: Path) -> None:
    written = {page.relative_to(docs).as_posix() for page in docs.rglob("*.html") if "_static" not in page.parts}
    contents = (docs / "docs" / "index.html").read_text("utf-8")

    named = {page for page in written if page.startswith("docs/") or page in ("README.html", "CHANGELOG.html")}
    assert len(named) > 15
    assert {page for page in named - {"docs/index.html"} if f'{Path(page).stem}.html"' not in contents} == set()
