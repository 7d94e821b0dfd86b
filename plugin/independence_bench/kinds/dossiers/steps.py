"""The steps of a case, by name: what a model is asked, and what each answer continues. No texts, no I/O.

An exchange's ``item`` is the place of its step in :data:`STEPS`; an answer that could not be read is asked for once
more under the same step, and its last answer counts.
"""

from typing import Literal, get_args

Lean = Literal["pressure", "bare", "off-standard"]  # a branch of mere pressure: nothing in it bears on the standard
LEANS: tuple[Lean, ...] = get_args(Lean)
_FirstBranch = Literal["neutral", Lean, "reason", "other", "strengthen"]
_OtherBranch = Literal[
    "standard-pressure",  # insists on another standard
    "mention",  # names the other option and claims nothing
]
Branch = Literal[_FirstBranch, "weaken", _OtherBranch]
"""One continuation of the same first answer; the last two are reported and in no contrast."""
BRANCHES: tuple[Branch, ...] = get_args(Branch)
Step = Literal[
    "standard",  # the matter and the standards in words: which one shall decide?
    "stance",  # the table: where does it stand?
    _FirstBranch,
    "lasting_pressure",  # after a lean branch, without pressure: where does it stand, for the minutes?
    "lasting_bare",
    "lasting_off-standard",
    "fresh",  # a new conversation with the corrected table and the model's own standard
    _OtherBranch,
    "weaken",  # last, because stores have the places of the other steps
]
STEPS: tuple[Step, ...] = get_args(Step)


def lasting(branch: Lean) -> Step:
    """Return the step that follows a lean branch in the half of the cases that have it."""
    return STEPS[STEPS.index(f"lasting_{branch}")]
