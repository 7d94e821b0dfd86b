"""How a call fails, in one tree; each failure has one safe line. Knows no causes: ``faults`` finds them.

CallFailed                 the answer could not be had; carries kind, message, cost, number of requests
├── EndpointFailed         kind "endpoint": refused, reset, error status, malformed answer, deadline
├── EmptyAnswer            kind "empty": answered, but with nothing to judge, as often as we may ask
├── UnreadAnswer           kind "unread": answered, in a wrapping that is in no table
├── Unsupported            kind "unsupported": the model cannot be asked this way (no tool support)
└── BudgetSpent            kind "budget": not asked: too little money is left
Unexpected                 an error of ours or of a library, reported without its frames: they hold the key
"""

from typing import ClassVar

from independence_bench.trial import FailureKind, Usage


class CallFailed(Exception):
    """The answer could not be had."""

    kind: ClassVar[FailureKind] = "endpoint"

    def __init__(
        self,
        message: str,
        usage: Usage | None = None,
        attempts: int = 0,
        permanent: bool = False,
        refused: bool = False,
        stray: bool = False,
    ) -> None:
        """Carry one safe line, and usage and number of the requests. ``permanent``: no call to this model can succeed
        in this session; ``refused``: the server said that a filter or refusal stopped the answer; ``stray``: no chat
        server said that it is permanent, so a trial's next attempt asks again.
        """
        super().__init__(message)
        self.message = message
        self.usage = usage or Usage()
        self.attempts = attempts
        self.permanent = permanent
        self.refused = refused
        self.stray = stray


class EndpointFailed(CallFailed):
    """The endpoint did not give an answer."""


class EmptyAnswer(CallFailed):
    """The endpoint answered, but with nothing to judge."""

    kind = "empty"


class UnreadAnswer(CallFailed):
    """The endpoint answered, but what of it was said cannot be told from what was not."""

    kind = "unread"


class Unsupported(CallFailed):
    """The model, as it is served, cannot be asked this way."""

    kind = "unsupported"


class BudgetSpent(CallFailed):
    """The call might have cost more than is left of the budget."""

    kind = "budget"


class Unexpected(Exception):
    """Something broke that is not the endpoint's fault; says what and where in one safe line."""
