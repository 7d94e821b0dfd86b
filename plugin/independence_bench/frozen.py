"""The base of every value that travels: immutable, validated once. Knows no value."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: immutable, validated once, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")
