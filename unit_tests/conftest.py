"""Leaves the tests that install or start foreign software to .ci/external, unless ``-m`` asks for them by name."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "external" in config.option.markexpr:
        return
    apart = [item for item in items if item.get_closest_marker("external")]
    if apart:
        items[:] = [item for item in items if not item.get_closest_marker("external")]
        config.hook.pytest_deselected(items=apart)
