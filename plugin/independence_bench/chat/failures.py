"""How a call fails, in one safe line. Knows no causes: ``faults`` finds them."""

from dataclasses import dataclass, field

from independence_bench.trial import FailureKind, Usage


@dataclass(eq=False)
class CallFailed(Exception):
    """The answer could not be had."""

    message: str  # one safe line
    usage: Usage = field(default_factory=Usage)  # of its requests
    attempts: int = 0
    permanent: bool = False  # no call to this model can succeed in this session
    refused: bool = False  # the server said that a filter or refusal stopped the answer
    stray: bool = False  # no chat server said that it is permanent, so a trial's next attempt asks again
    kind: FailureKind = "endpoint"

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class BudgetSpent(CallFailed):
    """The call might have cost more than is left of the budget: it was not made."""

    kind: FailureKind = "budget"


class Unexpected(Exception):
    """An error of ours or of a library; says what and where in one safe line, without its frames: they hold the key."""
