"""The base of every value that travels: immutable, validated once. Knows no value."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: immutable, validated once, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def repeated_names(names: Sequence[str]) -> list[str]:
    """Return the names that occur more than once, each once, sorted."""
    return sorted({name for name in names if names.count(name) > 1})
