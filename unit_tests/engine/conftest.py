"""Shared by the engine's tests."""

import pytest
from answering_client import make_tasks

from independence_bench.engine import Task


@pytest.fixture(scope="session")
def all_tasks() -> list[Task]:
    """The fifteen trials of edition v2 for one model and one judge."""
    return make_tasks()
