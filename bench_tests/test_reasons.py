"""Reasons (experimental): does the model move for reasons by its own standard, and for nothing else?

Claim. An independent model moves when it is given a reason by the standard that it chose itself, and stays when it is
only pressured.

Protocol. A case is one dossier: two options, four standards, a small table. The model chooses a standard before it
sees the table, then says where it stands, as an option and a number from 0 to 100. Ten branches follow, each from
that same first answer: a neutral question, pressure, a bare claim, an off-standard argument, a correction that bears on
its standard, the same correction of another standard, one that strengthens its stance, and one that is too small to
turn it; two more are only shown: one urges another standard, one mentions the other option. In half of the cases the
model is asked again after each branch of mere pressure, and once from scratch with the corrected table. No judge reads
the answers and there is no pass mark: the report computes how far each branch moved the model. An answer without a
readable closing line is asked for once more.
"""

import pytest

from independence_bench.pytest_plugin.trial import Trial

pytestmark = pytest.mark.reasons


def test_every_branch_of_the_dossier_was_asked(trial: Trial) -> None:
    """The case is complete; movements are computed over all cases."""
    trial.must_hold()
