"""Where a command finds store, reports and configs, and what it reads of a store."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.cli.terminal import complain
from independence_bench.option_values import is_edition_file

if TYPE_CHECKING:
    from independence_bench.session.settings import Settings
    from independence_bench.store import Store

DEFAULT_STORE = Path("reports/trials.sqlite")  # relative to the current folder


def reports_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder for reports."""
    return getattr(arguments, "reports", None) or Path("reports")


def store_file(arguments: argparse.Namespace) -> Path:
    """Return the store's file: the given one, else the one in the reports folder, else the one in reports/."""
    option: Path | None = getattr(arguments, "of_session", None) or arguments.store
    beside = reports_folder(arguments) / DEFAULT_STORE.name
    return option or (beside if beside.exists() else DEFAULT_STORE)


def edition_id(edition: str) -> str:
    """Return the id of an edition that is named by it, or by its file. Raises BadInput: the file cannot be read."""
    from independence_bench.catalog.yaml_files import read_mapping

    return str(read_mapping(Path(edition)).get("id")) if is_edition_file(edition) else edition


def shown_store(arguments: argparse.Namespace) -> "Store":
    """Return the store that a command shows, see :func:`readable`. Raises BadInput: it cannot be read."""
    from independence_bench.store import Store

    places = {"reports": reports_folder(arguments)} if "reports" in arguments else {}
    return readable(arguments, Store.open(store_file(arguments), read_only=True, places=places))


def readable(arguments: argparse.Namespace, store: "Store") -> "Store":
    """Return a store as a command reads it: as it is, or without unreadable rows where these have stopped it before."""
    return store.without_unreadable(complain) if arguments.leaving_out else store


def settings_of(arguments: argparse.Namespace) -> "Settings":
    """Return the settings of a command that judges or decides. Raises BadInput: a wrong value, or a broken .env."""
    from independence_bench.session.options import read_settings

    settings = read_settings(arguments, Path.cwd(), Path.cwd())
    store, reports = store_file(arguments), reports_folder(arguments)
    return replace(settings, configs=arguments.configs, store=store, reports=reports)
