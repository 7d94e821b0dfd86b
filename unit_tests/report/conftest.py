"""What most tests of the report start from."""

import pytest
from report_samples import World


@pytest.fixture
def world() -> World:
    """A store in memory and a session that has asked nothing yet."""
    return World()
