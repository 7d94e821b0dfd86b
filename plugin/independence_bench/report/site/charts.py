"""Charts of the leaderboard as coordinates; ``templates/charts.html`` draws them as SVG. Formats no number.

Lengths are SVG user units; one is a CSS pixel where the chart is shown at its own size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.row import LeaderboardRow

WIDTH = 720
LABELS = 230
"""Room for the names at the left of the forest."""
ROW = 20
HEIGHT = 320
MARGIN = 44
NAME = 30
"""Characters of a label that a chart shows, an ellipsis included."""
SMALL_WIDTH, SMALL_HEIGHT = 220, 90
"""Of a component's chart."""
LETTER = 6.6
"""Width of a character, about; names are 12 high."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class ModelMark:
    """What stands for one model in a chart."""

    model_id: str
    row: LeaderboardRow

    @property
    def name(self) -> str:
        """Its label, cut where it is long."""
        return self.row.label if len(self.row.label) < NAME else f"{self.row.label[: NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class ForestRow(ModelMark):
    """One model's Index with both intervals; places along the x axis."""

    y: float
    index: float
    by_run: tuple[float, float] | None
    by_scenario: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Forest:
    """All models that have an Index, one below the other."""

    rows: list[ForestRow]
    ticks: list[Tick]
    height: float
    width: float = WIDTH
    labels: float = LABELS


@dataclass(frozen=True, slots=True)
class Dot(ModelMark):
    """One model in a plane."""

    x: float
    y: float
    cost: float
    name_at: float | None = None
    """Where its name begins or ends next to it; None where it would cover another one."""
    name_ends: bool = False


@dataclass(frozen=True, slots=True)
class Plane:
    """Index against cost per run; costs on a logarithmic axis."""

    dots: list[Dot]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    left_out: int
    """Models without a known cost above zero."""
    width: float = WIDTH
    height: float = HEIGHT
    margin: float = MARGIN


@dataclass(frozen=True, slots=True)
class Bar(ModelMark):
    """One model's component; higher is better whatever the component's own direction."""

    x: float
    width: float
    height: float
    value: float

    @property
    def y(self) -> float:
        """Where it begins; all end at the bottom."""
        return SMALL_HEIGHT - self.height


@dataclass(frozen=True, slots=True)
class Multiple:
    """One component over all models, in the order of the ranking."""

    component: str
    bars: list[Bar]
    width: float = SMALL_WIDTH
    height: float = SMALL_HEIGHT


def forest(board: Leaderboard, ids: Sequence[str]) -> Forest | None:
    """Return the chart of intervals; None where no model has an Index."""
    shown = _ranked(board, ids)
    if not shown:
        return None
    room = WIDTH - LABELS - 16

    def x(points: float) -> float:
        return round(LABELS + room * points / 100, 1)

    def ends(interval: tuple[float, float] | None) -> tuple[float, float] | None:
        return (x(interval[0]), x(interval[1])) if interval else None

    rows = [
        ForestRow(
            model_id,
            row,
            24 + ROW * (place + 0.5),
            x(row.index or 0),
            ends(row.interval_by_run),
            ends(row.interval_by_scenario),
        )
        for place, (model_id, row) in enumerate(shown)
    ]
    return Forest(rows, [Tick(x(at), str(at)) for at in range(0, 101, 20)], 24 + ROW * len(rows) + 8)


def plane(board: Leaderboard, ids: Sequence[str], cost_per_run: Mapping[str, float | None]) -> Plane | None:
    """Return Index against cost of a run, by identity; None below two models of which both are known."""
    ranked = _ranked(board, ids)
    known = [(each, row, cost) for each, row in ranked if (cost := cost_per_run.get(row.identity))]
    if len(known) < 2:
        return None
    decades = [log10(cost) for _, _, cost in known]
    low, high = floor(min(decades)), max(ceil(max(decades)), floor(min(decades)) + 1)
    floor_index = 10 * floor(min(row.index or 0 for _, row, _ in known) / 10)

    def x(cost: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (log10(cost) - low) / (high - low), 1)

    def y(points: float) -> float:
        return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (points - floor_index) / ((100 - floor_index) or 1), 1)

    return Plane(
        list(_named([Dot(model_id, row, x(cost), y(row.index or 0), cost) for model_id, row, cost in known])),
        [Tick(x(10.0**decade), f"{10.0**decade:g}") for decade in range(low, high + 1)],
        [Tick(y(at), str(at)) for at in range(floor_index, 101, 10 if floor_index >= 50 else 20)],
        len(ranked) - len(known),
    )


def _named(dots: list[Dot]) -> Iterator[Dot]:
    """Yield the dots, their names right or left of them, the best models' first, where nothing else is in the way."""
    taken = [(dot.x - 6, dot.x + 6, dot.y) for dot in dots]

    def free(left: float, right: float, at: float) -> bool:
        inside = left >= 0 and right <= WIDTH
        return inside and not any(left < to and right > since and abs(at - y) < 12 for since, to, y in taken)

    for dot in dots:
        long = LETTER * len(dot.name)
        spans = ((dot.x + 9, dot.x + 9 + long), (dot.x - 9 - long, dot.x - 9))
        side = next((side for side, (left, right) in enumerate(spans) if free(left, right, dot.y)), None)
        if side is None:
            yield dot
            continue
        taken.append((*spans[side], dot.y))
        yield replace(dot, name_at=spans[side][1] if side else spans[side][0], name_ends=side == 1)


def multiples(board: Leaderboard, ids: Sequence[str]) -> Iterator[Multiple]:
    """Yield a small chart for every component that counts, of the ranked models; for all of them where none does."""
    ranked = _ranked(board, ids)
    weighed = {name: scale for name, scale in board.scales.items() if scale.weight}
    for name, scale in (weighed or board.scales).items():
        step = SMALL_WIDTH / max(len(ranked), 1)
        width = round(max(step - 1, step * 0.7), 2)
        bars = []
        for place, (model_id, row) in enumerate(ranked):
            if (value := row.components.get(name)) is not None:
                height = round(2 + (SMALL_HEIGHT - 4) * scale.goodness(value), 1)
                bars.append(Bar(model_id, row, round(step * place, 2), width, height, value))
        if bars:
            yield Multiple(name, bars)


def _ranked(board: Leaderboard, ids: Sequence[str]) -> list[tuple[str, LeaderboardRow]]:
    return [(each, row) for each, row in zip(ids, board.models, strict=True) if row.rank is not None]
