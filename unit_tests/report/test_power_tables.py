"""The pages say of runs what their command writes, and published pairs are detected as often as is promised."""

import pytest
from power_tables import PACKAGED, ROOT, TABLES, check, published_runs, written

pytestmark = pytest.mark.external  # simulations of many models, which change with what decides only


@pytest.mark.parametrize("page", TABLES)
def test_the_table_of_a_page_is_what_the_command_writes(page):
    assert (ROOT / page).read_text("utf-8") == written(page)


def test_the_packaged_runs_are_the_published_ones():
    assert PACKAGED.read_text("utf-8") == published_runs()


def test_a_promise_of_four_in_five_is_kept_by_published_pairs():
    for kind, runs, difference, share, pairs in check():
        assert 0.75 <= share <= 0.90, (kind, runs, difference, pairs)
