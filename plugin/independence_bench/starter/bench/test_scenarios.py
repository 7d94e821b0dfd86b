"""One case per scenario of the edition, model and run: does the model do what the scenario's ``claim`` says?"""

import pytest

pytestmark = pytest.mark.further_experiments  # every experiment for which this folder has no test_<marker>.py


def test_the_model_does_what_the_scenario_claims(trial):
    """The verdict reaches the scenario's pass mark."""
    trial.must_hold()
