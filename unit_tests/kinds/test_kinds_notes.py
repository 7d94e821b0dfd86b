"""What every board says of the store that it is made from is declared once."""

from reason_world import ReasonWorld

from independence_bench.kinds.dossiers.reporting.reason_kind import KIND
from independence_bench.report.analysis.caveats import caveats
from independence_bench.report.analysis.ranked import RankedModels


def test_the_boards_of_other_kinds_tell_what_the_index_tells_of_rows_and_models_left_out() -> None:
    models = RankedModels([], superseded=1, unanswered=2, lost=3, unreadable="one row cannot be read")
    notes = [*caveats(models)]
    assert len(notes) == 4
    assert [*KIND._notes(ReasonWorld().session, [], models, {"heuristic_judges": [], "judge_checks": []})][-4:] == notes
