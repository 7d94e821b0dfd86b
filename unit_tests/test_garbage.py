"""The garbage collector is kept still, and comes back as it was."""

import gc

import pytest

from independence_bench.garbage import without_garbage_collection


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_it_was_afterwards_also_after_an_error(enabled):
    found = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(ZeroDivisionError), without_garbage_collection():
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if found else gc.disable)()
