"""The base of everything that is written to a report file. Knows no field of any."""

from pydantic import BaseModel, ConfigDict


class ReportData(BaseModel):
    """A value that is written to a report file; fields of later versions are ignored when it is read."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)
