"""Records of a tidy table for scripts and notebooks: as dictionaries, a pandas frame or a table. Computes nothing."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from independence_bench.report.analysis.tidy import ColumnType, Plain

if TYPE_CHECKING:
    from pandas import DataFrame

_DTYPES: dict[ColumnType, str] = {"text": "string", "count": "Int64", "number": "float64", "truth": "boolean"}
_MOST = 200
"""Rows that a notebook shows."""


def pandas_module() -> Any:
    """Return pandas. Raises ImportError with the remedy where it is not installed."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise ImportError("to_pandas() needs pandas: pip install 'independence-bench[pandas]'") from error
    return pandas


class RecordList(list[dict[str, Plain]]):
    """Rows of a table, each a dictionary from column to plain value; None is missing.

    It is a list: ``len(rows)``, ``rows[0]["label"]``, ``for row in rows``. A notebook shows it as a table.
    """

    def __init__(
        self, types: dict[str, ColumnType], records: Iterable[dict[str, Plain]], shown: Sequence[str] | None = None
    ) -> None:
        """Take the type of every column, and the rows; a notebook shows the columns ``shown``."""
        super().__init__(records)
        self._types = types
        self._shown = [*types] if shown is None else [*shown]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [*self._types]

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {', '.join(self._shown)}>"

    def to_dicts(self) -> list[dict[str, Plain]]:
        """Return each row as a new dictionary."""
        return [dict(record) for record in self]

    def to_pandas(self) -> "DataFrame":
        """Return a typed frame: texts, whole numbers and truths that know missing values, and times in UTC.
        Raises ImportError: pandas is not installed.
        """
        pandas = pandas_module()

        frame = pandas.DataFrame([*self], columns=self.columns)
        times = [name for name, kind in self._types.items() if kind == "time"]
        for name in times:
            frame[name] = pandas.to_datetime(frame[name], utc=True)
        return frame.astype({name: _DTYPES[kind] for name, kind in self._types.items() if name not in times})

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self._shown)
        rows = "".join(
            f"<tr>{''.join(f'<td>{html_text(record[name])}</td>' for name in self._shown)}</tr>"
            for record in self[:_MOST]
        )
        more = len(self) - _MOST
        rest = f"<p>{more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{rest}"


def html_text(value: Any) -> str:
    """Return a value as inert HTML."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    from independence_bench.report.site.visible import visible  # with all that writes the viewer

    return f"{value:.4g}" if isinstance(value, float) else escape(visible(str(value)))
