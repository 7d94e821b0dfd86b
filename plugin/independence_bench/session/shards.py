"""``--shard=k/n``: one job's part of a plan, by case id. Every shard knows the whole plan and carries its digest."""

import re
from dataclasses import dataclass
from hashlib import sha256

from independence_bench.bad_input import BadInput


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``number`` (from 1) of ``count``."""

    number: int
    count: int

    @classmethod
    def read(cls, text: str) -> "Shard":
        """Read ``k/n``.

        Raises:
            BadInput: it is no such pair, or k is not in 1..n.
        """
        found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
        number, count = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= count:
            raise BadInput(f"--shard={text}: write k/n with k from 1 to n, for example --shard=1/4")
        return cls(number, count)

    def holds(self, case_id: str) -> bool:
        """Return whether a case belongs to this shard.

        Workers' slots use crc32; with the same hash a shard could fill only some of the slots.
        """
        return int.from_bytes(sha256(case_id.encode()).digest()[:8], "big") % self.count == self.number - 1

    def __str__(self) -> str:
        """Write ``k/n``."""
        return f"{self.number}/{self.count}"
