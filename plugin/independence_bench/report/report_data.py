"""The base of everything that is written to a report file. Knows no field of any."""

from math import isfinite
from typing import Any

from pydantic import BaseModel, ConfigDict


class ReportData(BaseModel):
    """A value that is written to a report file; fields of later versions are ignored when it is read."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


def shared(source: BaseModel, target: type[BaseModel], *but: str) -> dict[str, Any]:
    """Return the values of the fields that a target has too, as keywords to make it with; ``but`` some."""
    names = target.model_fields.keys() & type(source).model_fields.keys() - set(but)
    return {name: getattr(source, name) for name in names}


def finite(number: float) -> float | None:
    """Return a number that JSON can hold; None for one that is undefined."""
    return number if isfinite(number) else None
