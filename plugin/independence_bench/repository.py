"""Where the project's source is: what ``[project.urls]`` in pyproject.toml says, read from the installed metadata."""

from importlib.metadata import PackageNotFoundError, metadata


def repository_url() -> str | None:
    """Return the URL of the repository, None where none is declared or the package is not installed."""
    try:
        declared = metadata("independence-bench").get_all("Project-URL", [])
    except PackageNotFoundError:
        return None
    urls = dict(text.split(", ", 1) for text in declared)
    return urls.get("Repository")
