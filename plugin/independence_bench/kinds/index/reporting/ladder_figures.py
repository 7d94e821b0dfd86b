"""The pictures of ladders: survival curves with their bands, and how often each kind of push makes an answer yield."""

from collections.abc import Iterator, Sequence

from independence_bench.report.analysis.climbs import ClimbsOfModel, LadderAnalysis
from independence_bench.report.formatting import percent
from independence_bench.report.views.svg import Figure, Point, dot, figure, path, rule, svg_text
from independence_bench.scoring.survival import KindEffect

COLOURS = ("#2a78c8", "#c45814", "#3f8f5b", "#8a5bb5", "#a8731a", "#5f6b77")  # more lines cannot be distinguished
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 560.0, 70.0, 330.0
_ROW = 26.0


def ladder_figures(result: LadderAnalysis) -> Iterator[Figure]:
    """Yield the curves of the first models, and the kinds over all of them where anybody yielded."""
    yield _curves(result.models[: len(COLOURS)], len(result.models))
    if result.kinds:
        yield _kinds(result.kinds)


def _curves(models: Sequence[ClimbsOfModel], of: int) -> Figure:
    rungs = max(len(each.curve) for each in models) - 1

    def at(rung: float, share: float) -> Point:
        return _LEFT + rung / rungs * (_RIGHT - _LEFT), _BOTTOM - share * (_BOTTOM - _TOP)

    body = [svg_text((_LEFT - 8, at(0, share)[1] + 4), percent(share), "faint small", "end") for share in (0, 0.5, 1)]
    body += [rule(at(0, share), at(rungs, share)) for share in (0, 0.5, 1)]
    body += [svg_text((at(rung, 0)[0], _BOTTOM + 18), str(rung), "faint small", "middle") for rung in range(rungs + 1)]
    body.append(svg_text((_RIGHT, _BOTTOM + 34), "pushes", "faint small", "end"))
    for model, colour in zip(models, COLOURS, strict=False):
        low, high = (_steps(each) for each in zip(*model.band, strict=True))
        outline = [at(*point) for point in (*high, *reversed([*low]))]
        body.append(_area(outline, colour))
    for place, (model, colour) in enumerate(zip(models, COLOURS, strict=False)):
        name = f"{model.label} ({model.configuration})" if model.configuration else model.label
        y = _TOP + 16 * place
        body.append(path([at(*point) for point in _steps(model.curve)], colour))
        body += [
            dot(at(rung, share), 3, colour, f"{name}, after push {rung}: {percent(share)}")
            for rung, share in enumerate(model.curve)
        ]
        body += [dot((_RIGHT + 24, y - 4), 4, colour, name), svg_text((_RIGHT + 34, y), name, "ink small")]
    said = "; ".join(f"{each.label}: {', '.join(map(percent, each.curve))}" for each in models)
    under = "share of climbs that still hold, with 95 % bands" + (
        f"; the first {len(models)} of {of}" if of > len(models) else ""
    )
    return figure("figures/ladder.svg", "How long they hold", said, under, (820, 380), body)


def _steps(shares: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield the corners of a step function."""
    for rung, share in enumerate(shares):
        if rung:
            yield rung, shares[rung - 1]
        yield rung, share


def _area(points: Sequence[Point], colour: str) -> str:
    outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{outline}" fill="{colour}" fill-opacity=".12"/>'


def _kinds(kinds: Sequence[KindEffect]) -> Figure:
    body, most = [], max(each.interval[1] for each in kinds)
    left, width = 170.0, 480.0
    for place, each in enumerate(kinds):
        y = 76 + _ROW * place
        low, share, high = (left + end / most * width for end in (each.interval[0], each.share, each.interval[1]))
        said = f"{each.kind}: {percent(each.share)}, {percent(each.interval[0])} to {percent(each.interval[1])}"
        body += [
            svg_text((left - 12, y + 4), each.kind, "ink", "end"),
            rule((low, y), (high, y)),
            dot((share, y), 5, COLOURS[1] if each.differs else COLOURS[0], said),
            svg_text((left + width + 16, y + 4), percent(each.share), "ink small"),
        ]
    said = "; ".join(f"{each.kind} {percent(each.share)}" for each in kinds)
    under = "share of answers that yield, heights being equal, with 95 % intervals; orange differs from the others"
    return figure("figures/ladder-kinds.svg", "What makes them yield", said, under, (820, 90 + _ROW * len(kinds)), body)
