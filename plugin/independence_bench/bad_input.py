"""The one error for what a user can correct: a wrong option, file or environment."""

from pathlib import Path


class BadInput(Exception):
    """Bad input, said in one sentence that names the file, the key and the remedy.

    Raised before any call is made; the doors print its text and nothing else (no traceback).
    """

    @classmethod
    def at(cls, file: Path, key: str, trouble: str) -> "BadInput":
        """Name the file and the key (dotted, may be empty) that are wrong."""
        return cls(f"{file}: {key}: {trouble}" if key else f"{file}: {trouble}")
