"""``--shard=k/n``: one job's part of a plan, by case id. Every shard knows the whole plan and carries its digest."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from independence_bench.bad_input import BadInput


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``number`` (from 1) of ``count``."""

    number: int
    count: int

    @classmethod
    def read(cls, text: str, environment: Mapping[str, str] = os.environ) -> "Shard":
        """Read ``k/n``, or take ``auto`` from a Slurm array. Raises BadInput: it is no part of a whole."""
        if text.strip() == "auto":
            return cls._of_array(environment)
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
        number, count = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= number <= count:
            raise BadInput(f"--shard={text}: write k/n with k from 1 to n, for example --shard=1/4")
        return cls(number, count)

    @classmethod
    def _of_array(cls, environment: Mapping[str, str]) -> "Shard":
        names = ("TASK_ID", "TASK_COUNT", "TASK_MIN", "TASK_STEP")
        texts = [environment.get(f"SLURM_ARRAY_{name}", "") for name in names]
        variables = ", ".join(f"SLURM_ARRAY_{name}={text}" for name, text in zip(names, texts, strict=True) if text)
        task, count, first, step = (int(text) if text.isdecimal() else None for text in texts)
        if task is None or count is None:
            raise BadInput(
                f"--shard=auto: no task of a Slurm array runs here ({variables or 'no variable'}); write k/n"
            )
        if count == 1:  # a failed task that is asked again alone would silently measure the whole plan
            raise BadInput(f"--shard=auto: the array has one task ({variables}); write the part of this task as k/n")
        place, rest = divmod(task - (1 if first is None else first), step or 1)
        if rest or not 0 <= place < count:
            raise BadInput(
                f"--shard=auto: the array has gaps, or begins where no variable says ({variables}); write k/n"
            )
        return cls(place + 1, count)

    def holds(self, case_id: str) -> bool:
        """Return whether a case is in this shard, by another hash than that of workers' slots, to fill them all."""
        return int.from_bytes(sha256(case_id.encode()).digest()[:8], "big") % self.count == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"
