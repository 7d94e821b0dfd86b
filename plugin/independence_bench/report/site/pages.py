"""The HTML of a view: templates filled with the leaderboard. Autoescape is on; nothing is marked as safe.

What can be read without a script is written here: leaderboard, scenarios, judges, method. The other pages are frames
that their script fills from chunks of data.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.kind_registry import KINDS
from independence_bench.report import formatting, scale
from independence_bench.report.analysis.model_ids import served_by, vendor_of
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.blocks import plain_text
from independence_bench.report.presented import reported_kind
from independence_bench.report.site.addresses import HEIGHTS, PAGES, Page, address
from independence_bench.report.site.chunks import yes_or_no
from independence_bench.report.site.data.downloads import MOST_PAIRED, Archive, Offered
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.supplied import Sources
from independence_bench.report.site.view_part import ViewPart, site_kind
from independence_bench.report.site.visible import visible
from independence_bench.repository import project

if TYPE_CHECKING:
    from jinja2 import Environment

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'none'; "
    "base-uri 'none'; form-action 'none'"
)
"""No inline script or style, no request but for the site's own files. ``'self'`` holds under file:// in Chromium."""

_TEMPLATES = Path(__file__).parent / "templates"

_LAST = 3  # last pages of the navigation, Data, Method and Search: they follow the links to other kinds


@dataclass(frozen=True)
class Pages:
    """The pages of a site, view by view."""

    views: Sequence[EditionView]  # all of them, so that each page can link to the same page of the others
    sources: Sources
    prices: Mapping[str, float | None]  # of a million tokens of the answers, US dollars, by configuration
    tables: Sequence[Offered]
    archive: Archive

    def of(
        self, part: ViewPart, asked: Mapping[str, Sequence[AnsweredItem]], commands: int
    ) -> Iterator[tuple[str, str]]:
        """Yield file name and HTML of every page of a view; ``asked`` holds an interview by scenario.

        ``commands`` is how many models have a command that asks the same again.
        """
        view = part.view
        kind = view.session.edition.kind
        of_all_pages = {
            "policy": CONTENT_SECURITY_POLICY,
            "scripts": sorted(path.name for path in site_kind(kind).pages.assets.glob("*.js")),
            "view": view,
            "part": part,
            "views": self.views,
            "root": "" if view.number == 1 else "../../",
            "board": view.board,
            "edition": view.session.edition,
            "prices": self.prices,
            "downloads": self.tables,
            "archive": self.archive,
            "most_paired": MOST_PAIRED,
            "project": project(),
            "description": part.description,
            "commands": commands,
            "site_url": self.sources.site_url,
            "editions": part.editions(self.sources.editions),
            **part.variables(asked),
        }
        for page in _pages_of(kind):
            # Pages that only show conversations differ in their scripts alone, and have no template of their own.
            environment = _environment(site_kind(kind).pages.templates)
            template = environment.select_template([page.file, "conversations.html"])
            yield page.file, template.render(of_all_pages, page=page, navigation=self._navigation(view, page))

    def _navigation(self, view: EditionView, page: Page) -> list[tuple[str, str, bool, bool]]:
        """Return address, title, whether it is this page, one to explore; kinds lead to each other's newest view."""
        home = "" if view.number == 1 else "../../"
        kind = view.session.edition.kind
        newest = {each.session.edition.kind: each for each in reversed(self.views)}
        hidden_pages = site_kind(kind).pages.hidden
        pages = [each for each in _pages_of(kind) if each.in_navigation and each.file not in hidden_pages]
        own = [(each.file, _title(kind, each), each == page, each.of_index) for each in pages]
        links = []
        for name in KINDS:
            if name == kind:
                links += own[:-_LAST]
            elif name in newest:
                links.append((f"{home}{newest[name].folder}index.html", _title(name, PAGES[0]), False, False))
        return [*links, *own[-_LAST:]]


def page_alone(template: str) -> str:
    """Return a page that belongs to no view."""
    return _environment().get_template(template).render(policy=CONTENT_SECURITY_POLICY, heights=HEIGHTS)


def _pages_of(kind: str) -> list[Page]:
    return [page for page in PAGES if reported_kind(kind).has_index or not page.of_index]


def _title(kind: str, page: Page) -> str:
    return site_kind(kind).pages.titles.get(page.file, page.title)


@cache
def _environment(*own: Path) -> "Environment":
    """Return the environment of the templates: a kind's ``own`` folder comes before the shared one."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # late: only who writes a site needs it

    environment = Environment(
        loader=FileSystemLoader([*own, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # Every value passes here, whatever a template forgets; our own texts hold no hidden sign.
        finalize=lambda value: visible(value) if isinstance(value, str) and type(value) is str else value,
    )
    environment.filters |= {
        "number": formatting.number,
        "words": lambda value: plain_text(value, visible),
        # A number as scripts read it, to sort by; empty for none.
        "plain": lambda value: "" if value is None else f"{value:.6g}",
        "dollars": formatting.dollars,
        "component": scale.component_text,
        "share": formatting.percent,
        "ranks": formatting.shown_ranks,
        "interval": formatting.shown_interval,
        "vendor": lambda row: vendor_of(row.model_id, row.vendor) or "",
        "host": lambda row: served_by(row.model_id, row.provider),
        "opens": lambda row: yes_or_no(row.open_weights) or "",
        "heading": scale.title,
        "model_address": partial(address, "model", "m"),
        "explain_address": partial(address, "explain", "m"),
        "scenario_address": partial(address, "scenario", "s"),
    }
    return environment
