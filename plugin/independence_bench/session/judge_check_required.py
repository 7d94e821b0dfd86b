"""``--require-judge-check``: no call and no report by judges that have not passed the current known-answer set."""

from collections.abc import Sequence

from independence_bench.catalog import Catalogue
from independence_bench.report import checked_judges, refuse_unchecked
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import stored_now
from independence_bench.spec import Model
from independence_bench.store import PanelJudge


def own_set_digest(settings: Settings) -> str:
    """Return the digest of the known-answer set as these settings' configs have it."""
    from independence_bench.catalog.judge_questions import current_set_digest

    return current_set_digest(Catalogue(settings.overlay))


def panel_of(judges: Sequence[Model]) -> tuple[PanelJudge, ...]:
    """Return the judges of a panel as a session notes them."""
    return tuple(
        PanelJudge(label=judge.label, model_id=judge.id, configuration=judge.configuration, heuristic=judge.offline)
        for judge in judges
    )


def refuse_unchecked_panel(settings: Settings, judges: Sequence[Model]) -> None:
    """Look the judges up in the store, without creating one.

    Raises:
        BadInput: one of them has no passing check of the current set.
    """
    with stored_now(settings) as store:
        refuse_unchecked(checked_judges(store, panel_of(judges), lambda: own_set_digest(settings)))
