"""What a view of an edition of roles shows instead of an Index: numbers, figures, and who was asked where.

The interviews themselves are trials like all others: the pages show them as they show any conversation.
"""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from independence_bench.bad_input import BadInput
from independence_bench.catalog.role_design import RolesDesign
from independence_bench.report.roles.board import RoleBoard
from independence_bench.report.site.addresses import DIGEST_SHOWN
from independence_bench.report.site.views import View
from independence_bench.store import Store


@dataclass(frozen=True)
class DrawnRole:
    """One figure."""

    file: str
    """Relative to the view."""
    title: str
    svg: str


@dataclass(frozen=True)
class RolesShown:
    """Role stability of a view."""

    design: RolesDesign
    board: RoleBoard | None = None
    """None where it cannot be computed."""
    figures: list[DrawnRole] = field(default_factory=list)
    trouble: str | None = None
    """Why there is no board."""

    def scenario(self, persona: int, context: int) -> str:
        """Return the id of the interview of a persona in a context, by their places."""
        return self.design.scenario_id(self.design.personas[persona], self.design.contexts[context])

    def model(self, identity: str) -> str:
        """Return what a model is called in addresses; whole digests are understood, too."""
        return identity[:DIGEST_SHOWN]


def roles_of(store: Store, view: View) -> RolesShown | None:
    """Return the role stability of a view's models; None where its edition measures none."""
    design = view.session.edition.roles
    if design is None:
        return None
    # Late: with it come numpy, scipy and scikit-learn.
    from independence_bench.report.roles.building import build_role_report
    from independence_bench.report.roles.figures import drawn

    try:
        report = build_role_report(store, view.session)
    except BadInput as error:
        return RolesShown(design, trouble=str(error))
    figures = [
        DrawnRole(f"data/{PurePosixPath(figure.path).name}", figure.title, figure.svg) for figure in drawn(report)
    ]
    return RolesShown(design, report.board, figures)
