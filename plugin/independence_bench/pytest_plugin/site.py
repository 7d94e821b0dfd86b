"""``--site``: the viewer's pages, written when a session ends. Without the option none of it is imported."""

from independence_bench.pytest_plugin.bench import usage_errors
from independence_bench.report import Presented
from independence_bench.session.settings import Settings
from independence_bench.store import Store


def refuse_foreign_site(settings: Settings) -> None:
    """Let a session with ``--site`` begin only where its pages may be written.

    Raises:
        BadInput: the folder holds files that are not ours.
    """
    if settings.site:
        from independence_bench.report.site.site_folder import refuse_foreign

        refuse_foreign(settings.site_folder)


def write_session_site(settings: Settings, store: Store, shown: Presented) -> str | None:
    """Write the pages where they were asked for; return what is to be said about them."""
    if not settings.site:
        return None
    from independence_bench.report.site import NothingMeasured, write_site
    from independence_bench.session.site_sources import site_sources

    with usage_errors():
        try:
            return str(write_site(settings.site_folder, store, site_sources(settings), shown=shown))
        except NothingMeasured as error:
            return f"No site was written: {error}"
