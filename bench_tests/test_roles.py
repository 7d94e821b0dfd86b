"""Roles: does the model keep its personas' values in any context?

Claim. A model that plays a role well lets the person value the same things whatever they have just talked about. So the
order of the personas on each of ten basic values stays the same in every context.

Protocol. A case is one persona in one context: a short conversation in which the model plays both sides, then every
item of a value questionnaire, each asked on its own from there (a survey: one growing dialogue per list). No judge
reads the answers and there is no pass mark: stability is a property of all cases together, and the report computes it.
An answer that names no option, or several, is asked for once more and then left missing.
"""

import pytest

from independence_bench.pytest_plugin.trial import Trial

pytestmark = pytest.mark.roles


def test_every_item_was_asked_of_the_persona(trial: Trial) -> None:
    """The interview is complete; stability is computed from the whole population."""
    trial.must_hold()
