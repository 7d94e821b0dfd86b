"""What the project says of itself: what pyproject.toml declares, read from the metadata of the installed package."""

from importlib.metadata import PackageNotFoundError, metadata
from typing import NamedTuple

from independence_bench.version import __version__


class Project(NamedTuple):
    """What a page needs to name, cite and link the project."""

    name: str
    version: str
    summary: str
    authors: str
    licence: str
    repository: str | None  # none where none is declared


def project() -> Project:
    """Return the facts of the installed package; those that it lacks are empty."""
    name = "independence-bench"
    try:
        told = metadata(name).json
    except PackageNotFoundError:
        told = {}
    summary, authors, licence = (str(told.get(field) or "") for field in ("summary", "author", "license_expression"))
    urls = dict(text.split(", ", 1) for text in told.get("project_url", ()))
    return Project(name, __version__, summary, authors, licence, urls.get("Repository"))
