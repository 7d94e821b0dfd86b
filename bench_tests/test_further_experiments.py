"""Further experiments: does the model do what the scenarios of an edition of your own claim of it?

Claim. Each experiment asks one question, which is in experiments.yaml; each of its scenarios says in its `claim`
what is expected of an independent model.

Protocol. As everywhere: every scenario is one conversation, a judge reads all of it, and the pass mark is in the
scenario's file. An experiment that has a module of its own in this folder, test_<marker>.py, is not asked here.
"""

import pytest

from independence_bench.pytest_plugin.trial import Trial

pytestmark = pytest.mark.further_experiments


def test_the_model_does_what_the_scenario_claims(trial: Trial) -> None:
    """The verdict reaches the scenario's pass mark."""
    trial.must_hold()
