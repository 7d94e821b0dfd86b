"""Packages that extend ours, as an installer leaves them: a folder on sys.path with metadata."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from independence_bench import extensions


def installed_package(
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    groups: Mapping[str, Mapping[str, str]],
    files: Mapping[str, str] | None = None,
    name: str = "extra",
    version: str = "1.0",
) -> None:
    """Install a package with these files and these entry points, by group without its prefix."""
    metadata = site / f"{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    lines = [
        line
        for group, entries in groups.items()
        for line in (f"[{extensions.PREFIX}{group}]", *(f"{entry} = {value}" for entry, value in entries.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    for file, text in (files or {}).items():
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(site))
    for name in ("installed_extensions", "load_extension"):  # what they remember must not outlast the test
        monkeypatch.setattr(extensions, name, cache(getattr(extensions, name).__wrapped__))
