"""The section on what models call themselves."""

from collections.abc import Iterator, Sequence

from independence_bench.report.analysis.chosen_names import ModelNames, NameAnalysis, NameCount
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import percent
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import section, table

POPULAR = 20
"""Names listed; all of them stand in leaderboard.json."""

ALONE = 25
"""Names of a single model listed."""

PER_MODEL = 8
"""Names listed per model."""


def name_section(board: Leaderboard) -> Iterator[str]:
    """Yield popular names, those of a single model, genders, and every model's own."""
    found = board.names
    if found is not None:
        yield from section("What the models call themselves", _lines(found), found.models)


def _lines(found: NameAnalysis) -> Iterator[str]:
    yield (
        f"From the verdicts on {found.runs} run{'s' if found.runs > 1 else ''}, each name counted once per run; "
        f"in {found.declined} of them the model chose no name."
    )
    if found.names:
        yield ""
        yield from table(
            ["Name", "Runs", "Share of runs", "Models"],
            (
                [in_markdown(name.name), str(name.runs), percent(name.runs / found.runs), str(name.models)]
                for name in found.names[:POPULAR]
            ),
        )
        if len(found.names) > POPULAR:
            yield ""
            yield f"{len(found.names) - POPULAR} more names stand in `leaderboard.json`."
    yield ""
    if found.only_one:
        yield f"Chosen by one model only: {_listed(found.only_one, ALONE)}."
    elif len(found.models) == 1:
        yield "There is one model only, so no name can be told to be its own."
    else:
        yield "No name was chosen by one model only."
    yield ""
    yield f"Genders: {_listed(found.genders, POPULAR)}." if found.genders else "No verdict reports a gender."
    yield ""
    yield from table(
        ["Model", "Names (runs)", "Genders (runs)", "Runs", "Runs without a name", "Answers without a name"],
        (_model(model) for model in found.models),
        left=3,
    )


def _model(model: ModelNames) -> list[str]:
    return [
        name_in_markdown(model.label),
        _listed(model.names, PER_MODEL) if model.names else "none",
        _listed(model.genders, PER_MODEL) if model.genders else "none",
        str(model.runs),
        str(model.declined),
        f"{model.declined_answers} of {model.asked}",
    ]


def _listed(counts: Sequence[NameCount], most: int) -> str:
    listed = ", ".join(f"{in_markdown(count.name)} ({count.runs})" for count in counts[:most])
    return f"{listed} and {len(counts) - most} more" if len(counts) > most else listed
