"""The section on system prompts and deliveries."""

from collections.abc import Iterator

from independence_bench.report.analysis.configurations import (
    ConfigurationAnalysis,
    ConfigurationIndex,
    ConfigurationMean,
)
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import number, signed
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import section, table


def configuration_section(board: Leaderboard) -> Iterator[str]:
    """Yield the means over models, then every model in every configuration."""
    found = board.configurations
    if found is not None:
        yield from section("What system prompt and delivery make of it", _lines(found), found.models)


def _lines(found: ConfigurationAnalysis) -> Iterator[str]:
    filled = [each for each in found.configurations if each.models]
    if not filled:
        yield "Every configuration is empty: no model is measured completely in any of them."
    elif len(filled) == 1 and len(found.configurations) == 1:
        yield (
            f"One configuration only, {in_markdown(filled[0].name)}: nothing to compare. Measure others with "
            "`--system-variant` and `--delivery-mode`."
        )
    elif not found.compared:
        yield "No model is measured completely in every configuration that anybody is measured in: no means to compare."
    else:
        models = f"{found.compared} model{'s' if found.compared > 1 else ''}"
        yield (
            f"Means over the {models} measured completely in every configuration that is not empty; "
            f"differences to {in_markdown(found.baseline or '')}."
        )
    yield ""
    yield from table(
        ["Configuration", "Mean Index", "Difference", "Models measured"],
        ([_named(each), *_mean(each), str(each.models) if each.models else "empty"] for each in found.configurations),
    )
    if len(found.configurations) == 1:
        return
    yield ""
    yield from table(
        ["Model", *(in_markdown(each.name) for each in found.configurations)],
        (
            [
                name_in_markdown(model.label),
                *(_cell(model.configurations[each.name]) for each in found.configurations),
            ]
            for model in found.models
        ),
    )


def _named(each: ConfigurationMean) -> str:
    return f"{in_markdown(each.name)}{'' if each.official else ' (not the edition’s own)'}"


def _mean(each: ConfigurationMean) -> list[str]:
    return [number(each.index, 1), signed(each.difference)]


def _cell(found: ConfigurationIndex) -> str:
    if not found.planned:
        return "empty"
    return number(found.index, 1) if found.index is not None else f"{found.measured} of {found.planned}"
