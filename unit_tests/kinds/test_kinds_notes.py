"""What every board says of the store that it is made from is declared once."""

import pytest
from reason_world import ReasonWorld

from independence_bench.kinds.dossiers.reporting.reason_kind import KIND
from independence_bench.kinds.roles.reporting import role_report
from independence_bench.report.analysis.caveats import caveats
from independence_bench.report.analysis.ranked import RankedModels


@pytest.mark.parametrize(
    "notes_of",
    [
        lambda models: KIND._notes(ReasonWorld().session, [], models, ()),
        lambda models: role_report._notes([], 200, models),
    ],
    ids=["dossiers", "roles"],
)
def test_the_boards_of_other_kinds_tell_what_the_index_tells_of_rows_and_models_left_out(notes_of) -> None:
    models = RankedModels([], superseded=1, unanswered=2, lost=3, unreadable="one row cannot be read")
    said = [*caveats(models)]
    assert len(said) == 4
    assert [*notes_of(models)][-4:] == said
