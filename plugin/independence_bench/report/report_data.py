"""The base of everything that is written to a report file. Knows no field of any."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class ReportData(BaseModel):
    """A value that is written to a report file; fields of later versions are ignored when it is read."""

    # Built on first use: a session, and each of its workers, needs few of a hundred.
    model_config = ConfigDict(
        frozen=True, extra="ignore", populate_by_name=True, from_attributes=True, defer_build=True
    )

    def fields_of(self, base: "type[ReportData]") -> dict[str, Any]:
        """Return what a base of this value declares, as keywords for another value of it."""
        return {name: getattr(self, name) for name in base.model_fields}
