"""The repository is declared once, in pyproject.toml; what names it follows, and leaves itself out where none is declared."""

import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.metadata import PackageNotFoundError
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from independence_bench import repository

CHECKOUT = Path(__file__).resolve().parents[1]
URL = "https://code.example/some/project"
CITATION = (CHECKOUT / "CITATION.cff").read_text("utf-8")
README = (CHECKOUT / "README.md").read_text("utf-8")


def links() -> Any:
    loader = SourceFileLoader("links", str(CHECKOUT / ".ci" / "links"))
    spec = spec_from_loader("links", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_the_pages_agree_with_pyproject() -> None:
    done = subprocess.run([sys.executable, CHECKOUT / ".ci" / "links", "--check"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_declared_repository_is_cloned_and_cited_and_an_undeclared_one_is_not() -> None:
    derived = links()

    readme, citation = derived.readme(README, URL), derived.citation(CITATION, URL)

    assert f"`git clone {URL}`" in readme
    assert yaml.safe_load(citation)["repository-code"] == URL
    assert derived.readme(readme, URL) == readme
    assert derived.citation(citation, URL) == citation
    assert derived.readme(readme, None) == README and "git clone" not in README
    assert "repository-code" not in yaml.safe_load(derived.citation(citation, None))


def test_badges_are_there_where_an_address_is_and_show_only_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    derived = links()
    project = derived.PROJECT | {"urls": {"Repository": URL, "Documentation": "https://docs.example"}}

    here = derived.readme(README, URL)
    monkeypatch.setattr(derived, "PROJECT", project)
    documented = derived.readme(README, URL)

    assert f"[![Licence](https://img.shields.io/badge/licence-MIT-blue)]({URL}/blob/HEAD/LICENSE)" in here
    assert "/python-%3E%3D3.11-blue)" in here
    assert ("/ci.yml/badge.svg" in here) is (CHECKOUT / ".github" / "workflows" / "ci.yml").exists()
    assert "[![Documentation]" not in here and "](https://docs.example)" in documented
    assert "[![" not in README


def test_the_action_is_that_of_the_repository_and_has_a_placeholder_without_one() -> None:
    guide = (CHECKOUT / "docs" / "guide" / "ci.md").read_text("utf-8")

    declared = links().action(guide, URL)

    assert "uses: some/project/.github/actions/gate@VERSION" in declared
    assert links().action(declared, None) == guide


@pytest.mark.parametrize(
    ("urls", "found"), [([], None), ([f"Repository, {URL}"], URL), (["Documentation, https://docs.example"], None)]
)
def test_the_package_reads_it_from_its_metadata(
    urls: list[str], found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "metadata", lambda name: SimpleNamespace(json={"project_url": urls}))
    assert repository.project().repository == found


def test_a_package_that_is_not_installed_knows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(repository, "metadata", missing)
    assert repository.project().repository is None


def test_an_unreleased_version_has_no_date_of_release() -> None:
    version = yaml.safe_load(CITATION)["version"]
    unreleased = f"## {version} (unreleased)" in (CHECKOUT / "CHANGELOG.md").read_text("utf-8")
    assert ("date-released" in yaml.safe_load(CITATION)) is not unreleased
