"""The section on cost: value for money, thinking, providers."""

from collections.abc import Iterator, Sequence

from independence_bench.report.analysis.costs import CostAnalysis, CostPerRun, Variant
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import dollars, number, signed
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import section, table


def money_section(board: Leaderboard) -> Iterator[str]:
    """Yield costs per run, then both comparisons."""
    found = board.costs
    if found is not None:
        yield from section("Value for money", _lines(found), found.models)


def _lines(found: CostAnalysis) -> Iterator[str]:
    yield (
        "Means over runs, failed attempts not counted. Index per dollar: Index by the mean cost of a run, generation "
        "and judging, over the runs that cost anything. Reasoning tokens are part of the tokens out; 0 also where no "
        "server tells."
    )
    yield ""
    yield from table(
        [
            "Model",
            "Index per USD",
            "Generation USD",
            "Judging USD",
            "Tokens in",
            "Tokens out",
            "Reasoning",
            "Judging tokens in",
            "Judging tokens out",
            "Runs",
        ],
        (_per_run(cost) for cost in found.models),
    )
    yield ""
    if found.thinking:
        yield "Thinking against not thinking, for models with an Index both ways; means over their configurations:"
        yield ""
        yield from table(
            ["Model", "Thinking", "Not thinking", "Difference", "Configurations"],
            (
                [
                    in_markdown(each.model),
                    number(each.thinking, 1),
                    number(each.not_thinking, 1),
                    signed(each.difference),
                    _variants(each.variants, by_provider=False),
                ]
                for each in found.thinking
            ),
        )
    else:
        yield "No model has an Index both with and without thinking."
    yield ""
    if found.providers:
        yield "Models served by several providers, with the same effort and temperature:"
        yield ""
        yield from table(
            ["Model", "Spread of the Index", "Providers"],
            (
                [in_markdown(each.model), number(each.spread, 1), _variants(each.variants, by_provider=True)]
                for each in found.providers
            ),
        )
    else:
        yield "No model was served by several providers with the same effort and temperature."


def _per_run(cost: CostPerRun) -> list[str]:
    tokens = cost.tokens
    return [
        f"{name_in_markdown(cost.label)}{'' if cost.complete else ' (incomplete)'}",
        number(cost.index_per_dollar, 0),
        dollars(cost.generation),
        dollars(cost.judging),
        *(
            f"{count:.0f}"
            for count in (
                tokens.generation_in,
                tokens.generation_out,
                tokens.reasoning,
                tokens.judging_in,
                tokens.judging_out,
            )
        ),
        str(cost.runs),
    ]


def _variants(variants: Sequence[Variant], *, by_provider: bool) -> str:
    return ", ".join(
        f"{f'{in_markdown(each.served_by)}: ' if by_provider else ''}{name_in_markdown(each.label)} "
        f"{number(each.index, 1)} at {dollars(each.cost_per_run)} USD"
        for each in variants
    )
