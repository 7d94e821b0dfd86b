"""The documentation as a site: ``nox -s docs`` writes it to ``build/docs``.

The pages are the Markdown files of the project as they stand on a code host, so Sphinx reads all of it and leaves out
what is no page. Fonts, scripts and the index of the search are part of the site: it works without a network and from
``file://``.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from independence_bench import __version__
from independence_bench.repository import project

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = project().repository

project = "independence-bench"
author = "The independence-bench maintainers"
version = release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
root_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/*.rst",
    "docs/*.ipynb",
    "docs/guide/*",
    "docs/methodology/*",
    "reports/README.md",
]
nitpicky = True
myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 4
nb_execution_mode = "force"  # the repository keeps no results; the site shows what the notebook prints today
nb_execution_in_temp = True
nb_execution_timeout = 180
nb_execution_raise_on_error = True
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 110
nitpick_ignore_regex = [("py:.*", r"(?!independence_bench\.(api\.|\w+$)).*")]  # what is not public has no page here
suppress_warnings = ["myst.header"]  # the changelog begins below the level of a page's title

smartquotes_action = "qe"  # quotes and dots; a dash would make another option of --runs

html_theme = "furo"
html_title = f"independence-bench {version}"
html_favicon = "../plugin/independence_bench/report/site/assets/icon.svg"
html_extra_path = ["site/index.html"]
html_static_path = ["site/docs.css"]
html_css_files = ["docs.css"]
html_show_copyright = False
html_theme_options = {"source_repository": REPOSITORY, "source_branch": "main"} if REPOSITORY else {}


def lead_folders_to_the_repository(_: Sphinx, page: nodes.document) -> None:
    """Turn a link to a folder of the project into one to the repository, or into plain words where none is declared.

    Files are copied into the site, and a link to nothing stays what it is: an error.
    """
    here = Path(page["source"]).parent
    for link in list(page.findall(pending_xref)):
        folder = (here / link["reftarget"]).resolve()
        if link.get("refdomain") or not folder.is_dir() or not folder.is_relative_to(ROOT):
            continue
        if REPOSITORY:
            address = f"{REPOSITORY}/tree/main/{folder.relative_to(ROOT).as_posix()}"
            link.replace_self(nodes.reference("", "", *link.children, refuri=address))
        else:
            link.replace_self(link.children)


def without_dark_pictures(_: Sphinx, __: str, source: list[str]) -> None:
    """Leave out the dark one of two pictures: Sphinx copies what `<img>` names, and not what `<source>` does."""
    source[0] = re.sub(r"<source [^>]*>", "", source[0])


def setup(app: Sphinx) -> None:
    """Register what this site adds to Sphinx."""
    app.connect("source-read", without_dark_pictures)
    app.connect("doctree-read", lead_folders_to_the_repository)
