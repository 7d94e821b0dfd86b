"""The HTML of a view: templates filled with the leaderboard. Autoescape is on; nothing is marked as safe.

What can be read without a script is written here: leaderboard, scenarios, judges, method. The other pages are frames
that their script fills from chunks of data.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.roles.design import VALUES, QuestionnaireShape
from independence_bench.report import formatting, scale
from independence_bench.report.analysis.model_result import total
from independence_bench.report.site import charts
from independence_bench.report.site.addresses import HEIGHTS, NOT_FOUND, PAGES, Page, model_address, scenario_address
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.shown_roles import QuestionnaireItem, RolesShown
from independence_bench.report.site.supplied import Sources
from independence_bench.report.site.visible import visible
from independence_bench.store import Configuration

if TYPE_CHECKING:
    from jinja2 import Environment

    from independence_bench.report.roles.role_columns import RoleColumn

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'none'; "
    "base-uri 'none'; form-action 'none'"
)
"""No inline script or style, no request but for the site's own files. ``'self'`` holds under file:// in Chromium."""

_TEMPLATES = Path(__file__).parent / "templates"


class Pages:
    """The pages of a site, view by view."""

    def __init__(self, views: Sequence[EditionView], sources: Sources, facts: Sequence[Configuration]) -> None:
        """Take all views, so that each page can lead to the same page of the others."""
        self._views = views
        self._sources = sources
        self._prices = {each.configuration: each.price_out for each in facts}
        self._environment = _environment()

    def not_found(self) -> str:
        """Return the page for unknown addresses."""
        return self._environment.get_template(NOT_FOUND.file).render(policy=CONTENT_SECURITY_POLICY, heights=HEIGHTS)

    def of(
        self,
        view: EditionView,
        roles: RolesShown | None,
        questionnaires: Sequence[tuple[QuestionnaireShape, list[QuestionnaireItem]]],
    ) -> Iterator[tuple[str, str]]:
        """Yield file name and HTML of every page of a view; ``roles`` is the role stability of its models."""
        cost_per_run = _cost_per_run(view)
        of_all_pages = {
            "questionnaires": questionnaires,
            "policy": CONTENT_SECURITY_POLICY,
            "view": view,
            "roles": roles,
            "role_columns": _role_columns(roles),
            "all_role_columns": _role_columns(roles, everything=True),
            "values": VALUES,
            "views": self._views,
            "root": "" if view.number == 1 else "../../",
            "board": view.board,
            "edition": view.session.edition,
            "rows": list(zip(view.ids, view.board.models, strict=True)),
            "cost_per_run": cost_per_run,
            "prices": self._prices,
            "forest": charts.forest(view.board, view.ids),
            "plane": charts.plane(view.board, view.ids, cost_per_run),
            "multiples": charts.multiples(view.board, view.ids),
            "editions": self._editions(view),
        }
        for page in PAGES:
            template = self._environment.get_template(page.file)
            yield page.file, template.render(of_all_pages, page=page, navigation=self._navigation(view, page))

    def _navigation(self, view: EditionView, page: Page) -> list[tuple[str, str, bool]]:
        """Return address, title and whether it is this page, of every page that a reader may want from here.

        Leaderboard and role stability lead to each other: to the newest view of that kind.
        """
        home = "" if view.number == 1 else "../../"
        roles = view.session.edition.kind == "roles"
        other = next((each for each in self._views if (each.session.edition.kind != "roles") == roles), None)
        link = [(f"{home}{other.folder}index.html", "Leaderboard" if roles else "Roles", False)] if other else []
        titles = {"index.html": "Roles", "scenarios.html": "Interviews"} if roles else {}
        own = [
            (each.file, titles.get(each.file, each.title), each == page)
            for each in PAGES
            if each.in_navigation and not (roles and each.file == "judges.html")
        ]
        return [*link, *own] if roles else [*own[:-2], *link, *own[-2:]]

    def _editions(self, view: EditionView) -> list[Edition]:
        """Return the published editions, or for one that has not followed them: itself alone beside them."""
        edition = view.session.edition
        if edition.kind == "roles":
            return [edition]
        published = [*self._sources.editions]
        return published if any(each.id == edition.id for each in published) else [*published, edition]


def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # late: only who writes a site needs it

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Every value passes here, whatever a template forgets; our own texts hold no hidden sign.
        finalize=lambda value: visible(value) if isinstance(value, str) and type(value) is str else value,
    )
    environment.filters |= {
        "number": formatting.number,
        "plain": _plain,
        "dollars": formatting.dollars,
        "percent": formatting.percent,
        "signed": formatting.signed,
        "bounds": formatting.shown_bounds,
        "interval": formatting.shown_interval,
        "ranks": formatting.shown_ranks,
        "component": scale.value,
        "meaning": scale.meaning,
        "heading": scale.title,
        "scale": scale.shown_scale,
        "model_address": model_address,
        "scenario_address": scenario_address,
    }
    return environment


def _role_columns(roles: RolesShown | None, *, everything: bool = False) -> "list[RoleColumn]":
    """Return the columns that say the most, or all, as far as this edition has anything for them."""
    if roles is None or roles.board is None:
        return []
    from independence_bench.report.roles.role_columns import (
        CARDINAL,
        CEILING,
        OF_CEILING,
        RANK_ORDER,
        STABILITY,
        STRUCTURE,
        asked_in,
    )

    first = (CARDINAL, RANK_ORDER, CEILING, OF_CEILING)
    return asked_in(roles.board, (CARDINAL, *STABILITY, *STRUCTURE) if everything else first)


def _plain(value: float | None) -> str:
    """Return a number as scripts read it, to sort by; empty for none."""
    return "" if value is None else f"{value:.6g}"


def _cost_per_run(view: EditionView) -> dict[str, float | None]:
    """Return the US dollars of one run, generation and judging, by identity."""
    costs = view.board.costs.models if view.board.costs else []
    return {each.identity: total([each.generation, each.judging]) for each in costs}
