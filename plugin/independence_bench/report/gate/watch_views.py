"""The path of a watched model: as data, as text for a terminal and a CI job's summary, and as a picture."""

from collections.abc import Sequence

from independence_bench.counted import counted
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.blocks import Heading, Table, paragraph
from independence_bench.report.formatting import amount, number
from independence_bench.report.report_data import ReportData
from independence_bench.report.views.markdown import markdown
from independence_bench.report.views.svg import (
    BLUE,
    LINE_BLUE,
    LINE_ORANGE,
    Figure,
    Point,
    blended,
    dot,
    figure,
    path,
    rule,
    svg_text,
)
from independence_bench.report.views.text import WIDTH, table_text

_WIDTH = 40  # characters of the picture in text
_SIZE: Point = (640.0, 260.0)
_LEFT, _RIGHT, _TOP, _BOTTOM = 50.0, 620.0, 70.0, 220.0


class WatchedRun(ReportData):
    """One run after those of the reference."""

    run: int
    date: str  # UTC
    index: float
    least_fall: float | None  # points below the reference, at least; holds at all runs together


class WatchedModel(ReportData):
    """The answer of ``watch``: the shape of ``watch.json``."""

    label: str
    edition: str
    drop: float  # the fall that is not accepted begins above this, Index points
    day_sd: float  # standard deviation between days that the answer allows for, Index points
    reference: list[float]  # Index of each run of the reference
    wanted: int  # runs of the reference
    measured: int  # complete runs in a row, the first one included
    no_index: str | None = None  # why it has no Index, though these are complete
    runs: list[WatchedRun]
    fallen: bool

    @property
    def level(self) -> float:
        """Mean of the reference."""
        return sum(self.reference) / len(self.reference)


def watch_sentence(model: WatchedModel) -> str:
    """Return the answer in one sentence."""
    if model.no_index:
        return f"{model.label} {'has fallen' if model.fallen else 'has no Index to compare'}: {model.no_index}"
    if len(model.reference) < model.wanted:
        return f"{model.label}: run {len(model.reference)} of {model.wanted} of the reference; nothing is compared yet"
    reference = f"the reference is {model.level:.1f} ({len(model.reference)} runs)"
    if not model.runs:
        return f"{model.label}: {reference}; the next run is compared with it"
    least = model.runs[-1].least_fall
    if model.fallen:
        fall = amount(least or 0.0)
        return f"{model.label} has fallen by at least {fall} points: {reference}, and {model.drop:g} are accepted"
    fall = "" if least is None or least <= 0 else f"; it has fallen by at least {amount(least)}"
    after = counted(len(model.runs), "run")
    return f"{model.label}: no fall of more than {model.drop:g} is shown after {after}; {reference}{fall}"


def _table(model: WatchedModel) -> Table[WatchedRun]:
    values = [model.level, *(each.index for each in model.runs)]
    low, span = min(values), max(max(values) - min(values), 1.0)

    def picture(run: WatchedRun) -> str:
        line = ["."] * _WIDTH
        for sign, value in (("|", model.level), ("o", run.index)):
            line[round((value - low) / span * (_WIDTH - 1))] = sign
        return "".join(line)

    fall = lambda each: number(each.least_fall if (each.least_fall or 0) > 0 else None, 1)  # noqa: E731
    return Table(analysis_columns("watch", least_fall=fall, picture=picture), model.runs)


def watch_text(model: WatchedModel) -> str:
    """Return the sentence and the path, a line for each run."""
    path = ["", table_text(_table(model), WIDTH, rule=False)] if model.runs else []
    return "\n".join([watch_sentence(model), *path])


def watch_markdown(model: WatchedModel) -> str:
    """Return the same for a CI job's summary."""
    heading = Heading(f"{'❌' if model.fallen else '❔' if model.no_index else '✅'} Independence watch")
    path = [_table(model)] if model.runs else []
    return f"{markdown([heading, paragraph('{}', watch_sentence(model)), *path])}\n"


def watch_figure(model: WatchedModel, name: str = "watch") -> Figure:
    """Return the path as a picture: runs of the reference, its mean, and every run since."""
    values = [*model.reference, *(each.index for each in model.runs)]
    low, high = max(0.0, min(values) - 3), min(100.0, max(values) + 3)

    def at(place: int, index: float) -> Point:
        across = place / max(1, len(values) - 1)
        return _LEFT + across * (_RIGHT - _LEFT), _BOTTOM - (index - low) / (high - low) * (_BOTTOM - _TOP)

    first, colour = len(model.reference), blended(LINE_ORANGE if model.fallen else LINE_BLUE, BLUE, 0)
    since: Sequence[Point] = [at(first + place, each.index) for place, each in enumerate(model.runs)]
    level, pale = at(0, model.level)[1], blended(BLUE, (255, 255, 255), 0.5)
    body = [
        rule((_LEFT, level), (_RIGHT, level)),
        svg_text((_LEFT - 8, level + 4), f"{model.level:.1f}", "faint small", "end"),
        *(
            dot(at(place, index), 3, pale, f"reference, run {place + 1}: {index:.1f}")
            for place, index in enumerate(model.reference)
        ),
        path(since, colour),
        *(
            dot(point, 4, colour, f"run {each.run}, {each.date}: {each.index:.1f}")
            for point, each in zip(since, model.runs, strict=True)
        ),
        svg_text((_RIGHT, _BOTTOM + 28), "runs of the reference (pale), and since", "faint small", "end"),
    ]
    title = f"{model.label}: Index by run"
    return figure(f"figures/{name}.svg", title, watch_sentence(model), watch_sentence(model), _SIZE, body)
