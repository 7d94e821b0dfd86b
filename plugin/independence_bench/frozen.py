"""The base of every value that travels: immutable, validated once. Knows no value."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer


class Frozen(BaseModel):
    """A value: immutable, validated once, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Grown(Frozen):
    """A value with further fields: while one of them says nothing, JSON and digests are what they were without it."""

    further: ClassVar[frozenset[str]]

    @model_serializer(mode="wrap")
    def _as_ever(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        content: dict[str, Any] = handler(self)
        return {name: each for name, each in content.items() if each or name not in self.further}


def repeated_names(names: Sequence[str]) -> list[str]:
    """Return the names that occur more than once, each once, sorted."""
    return sorted({name for name in names if names.count(name) > 1})
