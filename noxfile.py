"""The contributor's tasks: ``nox`` checks and tests, ``nox -s lint`` only checks. They run in nox's own environment."""

import sys
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "tests"]


def run(session: nox.Session, tool: str, *words: str) -> None:
    """Run a tool of this environment, whether or not it is activated."""
    session.run(str(Path(sys.executable).parent / tool), *words, external=True)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, import layers, the links to the repository and the workflows."""
    run(session, "ruff", "check", ".")
    run(session, "ruff", "format", "--check", ".")
    run(session, "mypy")
    run(session, "lint-imports", "--no-cache")
    run(session, "python", ".ci/links", "--check")
    run(session, "zizmor", "--offline", "--quiet", ".github")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests that take no whole session; more words choose others."""
    run(session, "pytest", *(session.posargs or ("unit_tests", "-m", "not slow", "-n", "2", "-W", "error")))


@nox.session
def links(session: nox.Session) -> None:
    """Write the repository's URL where it is needed."""
    run(session, "python", ".ci/links")


@nox.session
def docs(session: nox.Session) -> None:
    """Write the documentation as a site to build/docs, with the published models in the viewer as build/docs/demo.

    Needs the extra ``docs``; a warning is an error.
    """
    run(session, "sphinx-build", "-W", "--keep-going", "-q", "-b", "html", "-c", "docs", ".", "build/docs")
    run(session, "independence-bench", "import", "published-scores", "--store=build/demo.sqlite")
    run(session, "independence-bench", "site", "--store=build/demo.sqlite", "--reports=build/docs/demo")


@nox.session
def ci(session: nox.Session) -> None:
    """Do what CI does, in a fresh clone."""
    session.run("bash", ".ci/run", external=True)
