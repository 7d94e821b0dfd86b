"""The section on how sure the numbers are: what the intervals mean, where the spread comes from, what would help."""

from collections.abc import Iterator

from independence_bench.report.analysis.certainty import Certainty, Separable
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import CEILING_MARK, number, percent, shown_confidence
from independence_bench.report.views.inert import in_markdown
from independence_bench.report.views.markdown_table import section, table

MEANING = """\
- **By run**: these scenarios and no others, asked again and again. Student's t over the runs, so it needs two runs.
- **By scenario**: the scenarios are a sample of all that could be asked, drawn within their experiment, and a model
  might do otherwise on the next one. Student's t over the scenarios of each experiment, degrees of freedom by
  Satterthwaite (1946); whole runs add what they vary by.
- **Near the ceiling** all runs may agree, and t alone would give an interval without width. What has come out best (or
  worst) every time gets the exact bound for events that were never seen (Clopper and Pearson 1934; the rule of three,
  Hanley and Lippman-Hand 1983), and both are put together by square-and-add (Newcombe 1998). {mark} marks intervals
  that are mostly made of this.
- **Ranks and tiers**: a model's best rank is one more than the number of models surely better than it, its worst leaves
  out those surely worse (Mogstad, Romano, Shaikh and Wilhelm 2024); every pair is compared scenario by scenario, at a
  level corrected for comparing with all the others (Bonferroni).
- Where they err, they err on the wide side: an interval of {confidence} may cover more than that, near the ceiling
  clearly more, and is meant to."""


def certainty_section(board: Leaderboard) -> Iterator[str]:
    """Yield the meaning of the intervals, then sources of spread, outlook and advice."""
    if board.certainty is not None:
        yield from section("How sure the numbers are", _lines(board.certainty), board.models)


def _lines(found: Certainty) -> Iterator[str]:
    yield MEANING.format(mark=in_markdown(CEILING_MARK), confidence=shown_confidence(found.confidence))
    yield ""
    if found.neighbours:
        yield (
            f"Of {found.neighbours} pairs of neighbouring ranks {found.neighbours_apart or 'none'} can be told apart "
            f"by scenario at {shown_confidence(found.confidence)}, each pair taken alone."
        )
    yield from map(_separable, found.separable)
    if found.unknown is not None:
        yield found.unknown
        return
    yield from found.advice
    yield ""
    yield (
        "Where the spread comes from: variances of one trial's share of its best value, in (per cent)², over "
        f"{found.compared} models with two complete runs or more and {found.scenarios} scenarios, which by their "
        f"weights are worth {number(found.effective_scenarios, 1)} equal ones (method of moments: Searle, Casella and "
        "McCulloch 1992)."
    )
    yield ""
    yield from table(
        ["Source", "Variance", "Share"],
        ([part.source, number(part.variance, 1), percent(part.share)] for part in found.variance),
    )
    yield ""
    yield (
        "What more runs and more scenarios would bring: half the width of an ordinary model's interval away from the "
        "ends of the scale, and the difference of two models that would be told from zero in 4 of 5 such measurements, "
        "all in points of the Index."
    )
    yield ""
    yield from table(
        ["Runs", "Scenarios", "± by run", "± by scenario", "Difference by run", "Difference by scenario"],
        (
            [
                str(each.runs),
                str(each.scenarios),
                number(each.half_width_by_run, 1),
                number(each.half_width_by_scenario, 1),
                number(each.detectable_by_run, 1),
                number(each.detectable_by_scenario, 1),
            ]
            for each in found.outlook
        ),
        left=0,
    )


def _separable(each: Separable) -> str:
    runs = f"{each.runs} run{'' if each.runs == 1 else 's'}"
    if each.difference is None:
        return f"By {each.basis}, {runs} cannot tell two models apart."
    far = (
        "no number of ranks goes with such a difference"
        if each.ranks is None
        else f"half of all pairs {each.ranks} rank{'' if each.ranks == 1 else 's'} apart differ by as much"
    )
    least = f"a difference of {each.difference:.1f} points"
    return f"By {each.basis}, {runs} would tell {least} from zero in 4 of 5 such measurements; {far}."
