"""How far the measuring of a session is, in one process or in all. Counts nothing itself."""

from typing import NamedTuple


class Pace(NamedTuple):
    """Progress of the measuring."""

    done: int = 0  # trials finished, measured or not
    in_flight: int = 0  # calls in flight, as last reported
    spent_usd: float = 0.0  # known cost so far
    charged_usd: float | None = None  # what counts against the budget so far; None where there is none
    absurd_costs: int = 0  # calls whose server named a cost that cannot be
    ended: int = 0  # calls that ended, with an answer or without, however often each was sent
