"""How a worker uses its share of the budget: no more than it has announced, so that its death costs a bounded amount.

A dead worker may have spent at most what it last announced, whatever became of its calls; its replacement gets the
rest of the share.
"""

from independence_bench.chat.budget import Budget

STEP = 0.25
"""Part of its share that a worker may announce ahead of its use: at most this much is lost when it dies."""


class Lease:
    """One worker's share and the part of it that it has announced."""

    def __init__(self, share_usd: float, announced_usd: float) -> None:
        """Begin with the amounts that the controller already counts, US dollars."""
        self.share_usd = share_usd
        self.announced_usd = announced_usd

    @classmethod
    def first(cls, share_usd: float) -> "Lease":
        """Return the lease of a worker that begins."""
        return cls(share_usd, share_usd * STEP)

    def budget(self, session_usd: float | None) -> Budget:
        """Return the worker's budget; ``session_usd`` is that of all workers together."""
        return Budget(self.share_usd, session_usd, self.announced_usd)

    def announce(self, exposed_usd: float, wanted_usd: float) -> float:
        """Return the amount to announce now: the worker may use it once it is announced.

        Args:
            exposed_usd: spent, or reserved for calls in flight.
            wanted_usd: need of the most expensive call that waits for a larger lease.
        """
        ahead = max(self.share_usd * STEP, wanted_usd)
        self.announced_usd = max(self.announced_usd, min(self.share_usd, exposed_usd + ahead))
        return self.announced_usd
