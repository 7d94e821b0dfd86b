"""The section on the judges of a panel."""

from collections.abc import Iterator

from independence_bench.report.analysis.judges import JudgeAnalysis, JudgedIndex, JudgedModel
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import dollars, number, percent, signed
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import section, table


def judge_section(board: Leaderboard) -> Iterator[str]:
    """Yield Index and rank by each judge, their agreement, and what they make of themselves and their kin."""
    found = board.judging
    if found is not None:
        yield from section("Judges", _lines(found), found.judges)


def _lines(found: JudgeAnalysis) -> Iterator[str]:
    labels = [judge.judge for judge in found.judges]
    yield "Index and, in brackets, rank by each judge alone; “–” where it has not judged every trial."
    yield ""
    yield from table(
        ["Model", *map(name_in_markdown, labels), "Mean", "Spread", "Without its family"],
        (
            [
                name_in_markdown(model.label),
                *(_judged(model.judges[label]) for label in labels),
                number(model.mean, 1),
                number(model.spread, 1),
                _without_family(model),
            ]
            for model in found.models
        ),
    )
    yield ""
    yield (
        "Agreement on single scores: Krippendorff's alpha (1 is perfect, 0 is chance; “–” where no score varies), "
        "the share of pairs of judges that gave the same score, and their mean distance."
    )
    yield ""
    yield from table(
        ["Score", "Trials", "Alpha", "Level", "Equal", "Mean distance"],
        (
            [
                in_markdown(each.score),
                str(each.trials),
                number(each.alpha, 3),
                each.level,
                percent(each.equal),
                number(each.distance, 2),
            ]
            for each in found.agreement
        ),
    )
    yield ""
    if found.self_preference:
        yield (
            "Judges that are contestants too. “Elsewhere” is the same difference over all other models: "
            "only what exceeds it leans towards oneself."
        )
        yield ""
        yield from table(
            ["Judge", "As", "By itself", "By the others", "Difference", "Elsewhere", "Models elsewhere"],
            (
                [
                    name_in_markdown(each.judge),
                    name_in_markdown(each.label),
                    number(each.own, 1),
                    number(each.others, 1),
                    signed(each.difference),
                    signed(each.elsewhere),
                    str(each.compared),
                ]
                for each in found.self_preference
            ),
            left=2,
        )
    else:
        yield "No judge of this panel is a contestant too."
    yield ""
    yield from table(
        ["Judge", "Verdicts", "USD", "USD per model and run"],
        (
            [name_in_markdown(each.judge), str(each.verdicts), dollars(each.cost_usd), _per_run(each.cost_per_run)]
            for each in found.judges
        ),
    )


def _judged(each: JudgedIndex) -> str:
    return "–" if each.index is None else f"{each.index:.1f} ({each.rank})"


def _without_family(model: JudgedModel) -> str:
    left_out = f" (without {', '.join(map(name_in_markdown, model.left_out))})" if model.left_out else ""
    return f"{number(model.without_family, 1)}{left_out}"


def _per_run(cost: float | None) -> str:
    return "–" if cost is None else dollars(cost)
