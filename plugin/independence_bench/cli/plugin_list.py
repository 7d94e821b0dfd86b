"""The extensions of installed packages, as a table or as JSON. Loads each of them."""

from dataclasses import asdict

from independence_bench import extensions
from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.catalog.extension_folders import extension_folders
from independence_bench.extensions import GROUPS, Extension, trouble_with
from independence_bench.report.blocks import Column, Table, record_column
from independence_bench.report.views.text import fitted


def plugin_records() -> list[dict[str, str | None]]:
    """Return one record per extension; ``trouble`` is why it cannot be used, or null."""
    return [
        {"group": each.group, "name": each.name, "adds": _adds(each), **asdict(each), "trouble": _trouble(each)}
        for each in extensions.installed_extensions()
    ]


def _adds(extension: Extension) -> str:
    return GROUPS[extension.group].adds if extension.group in GROUPS else ""


def _trouble(extension: Extension) -> str | None:
    found = trouble_with(extension)
    if found is None and extension.group == "configs":
        try:  # what it gives names to is known to the catalogue only
            extension_folders(packaged_configs())
        except BadInput as error:
            return str(error)
    return found


def plugins_text(records: list[dict[str, str | None]], width: int) -> str:
    """Return one line each, then a sentence about each broken one."""
    if not records:
        return f"No installed package extends independence-bench; the groups are {', '.join(GROUPS)}."
    table, _ = fitted(Table(_COLUMNS, records), width)
    return "\n".join([table, *(each["trouble"] for each in records if each["trouble"])])


_COLUMNS = [
    Column("", lambda record: "broken" if record["trouble"] else "ok", right=False),
    *map(record_column, ("group", "name", "distribution", "version")),
    record_column("value", importance=1.0),
    record_column("place", importance=0.5),
]
