"""ROLE_STABILITY.md: the ranking, what it is made of, and a legend that says of every column how far chance gets.

Equal boards give equal bytes. Texts of models and servers are made inert.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.telling.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.telling.role_columns import (
    ACCEPTED,
    AT_BEST,
    AT_RANDOM,
    CARDINAL,
    OF_CEILING,
    RANK_ORDER,
    STABILITY,
    STRESS_CORRECTED,
    STRESS_PUBLISHED,
    STRUCTURE,
    RoleColumn,
    asked_in,
    plain,
    share,
    shown_reach,
)
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.formatting import dollars, shown_confidence
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import THINKING, section, table

MEDALS = {1: "🥇 1", 2: "🥈 2", 3: "🥉 3"}
MODELS_WITH_PAIRS = 5
"""Models whose tables of pairs are printed; all are in role_stability.json."""
REASONS_SHOWN = 12

PAPERS = """\
The method is that of the leaderboard “Stick To Your Role!”: G. Kovač, R. Portelas, M. Sawayama, P. F. Dominey and
P.-Y. Oudeyer, “Stick to your role! Stability of personal values expressed in large language models”, PLOS ONE 19(8)
e0309114 (2024), doi 10.1371/journal.pone.0309114. Please cite it along with this project (`CITATION.cff`). All texts
were written for this project; where a number follows the published rule, its head or its explanation says so."""

INTRODUCTION = """\
{personas} simulated people answer questions about what matters to them, in {contexts} contexts: after a conversation
about something else, or after none. A model that plays its roles well keeps the *order* of these people on every value
whatever they have just talked about. No judge is involved: every number below is computed from the answers alone."""

ROWS = """\
The row “{random}” is what uniformly random answers come to, mean ± standard deviation of {populations} simulated
populations with these personas, contexts and questionnaires; “{best}” is what perfect role-keepers would have."""

LEGEND = """\
- **Rank**: by the Cardinal score; equal scores share a rank. Only models of which every interview is complete are
  ranked.
- {thinking}: the model thinks before it answers.
{columns}
- **Above chance**: the Cardinal score rescaled so that answers at random have 0 and perfect ones 1.
- **Ordinal**: mean over the {n_columns} columns of the published leaderboard (rank order by pair of contexts; the
  others by context) of the share of the other models that are strictly below. It depends on who else is in the table,
  so that it has no chance level.
- **{confidence} by persona**: where the rank order would lie with other people of this kind: bootstrap over personas,
  {resamples} samples, corrected for its bias. **{confidence} by run**: where it would lie if the same people were asked
  again: Student's t over the runs; “–” for a single run, and where all runs agree.
- **Unparsed**: share of the items whose last answer named no option, or several. They are missing from every number,
  except that the numbers by the published rules, and the Cardinal score with them, count a random answer, drawn from a
  fixed seed, in their place.
- **Asked again**: share of the items that were put a second time because the first answer could not be read.
- **USD**: what the interviews cost, failed attempts included; “unknown” where a price is unknown."""


def role_markdown(board: RoleBoard, figures: Sequence[tuple[str, str]] = ()) -> str:
    """Return the whole file; ``figures`` are (path relative to the file, what it shows)."""
    ranked = [row for row in board.models if row.numbers is not None]
    unranked = [row for row in board.models if row.numbers is None]
    value_heads = ["Model", *VALUES]
    sections = [
        *_head(board),
        *section("Ranking", _ranking(board, ranked), ranked),
        *section("Not ranked", _unranked(unranked), unranked),
        *section("Stability", _numbers(board, ranked, asked_in(board, STABILITY)), ranked),
        *section("Rank order by value", table(value_heads, _by_value(board, ranked)), ranked),
        *section("Rank order by pair of contexts", _pairs(board, ranked), ranked),
        *section("Structure", _numbers(board, ranked, STRUCTURE), ranked),
        *section("How differently the columns rank", _diversity(board), board.diversity),
        *section("Answers", _answers(ranked), ranked),
        *section("Figures", _figures(figures), figures),
        *section("Legend", _legend(board), board.models),
        *section("Method", [PAPERS], True),
    ]
    return "\n".join(sections) + "\n"


def _model(row: RoleRow) -> str:
    return name_in_markdown(row.label) + (f" {THINKING}" if row.thinking else "")


def _head(board: RoleBoard) -> Iterator[str]:
    yield f"# Role stability, edition {in_markdown(board.edition)}"
    yield ""
    contexts = sum(context.retest_of is None for context in board.contexts)
    yield INTRODUCTION.format(personas=board.personas, contexts=contexts)
    yield ""
    yield f"“{in_markdown(board.title)}”, texts {name_in_markdown(board.texts)}. Updated {board.updated or 'never'}."
    for note in board.notes:
        yield ""
        yield f"> {in_markdown(note)}"
    if not board.models:
        yield ""
        yield "Nothing is measured yet."


def _ranking(board: RoleBoard, rows: Sequence[RoleRow]) -> Iterator[str]:
    shown = asked_in(board, (OF_CEILING, STRESS_PUBLISHED, STRESS_CORRECTED, ACCEPTED))
    confidence = shown_confidence(board.confidence)
    heads = [
        "Rank",
        "Model",
        CARDINAL.head,
        "Above chance",
        "Ordinal",
        RANK_ORDER.head,
        f"{confidence} by persona",
        f"{confidence} by run",
        *(column.head for column in shown),
        "Unparsed",
        "Asked again",
        "Runs",
        "USD",
    ]
    models = [
        [
            MEDALS.get(row.rank or 0, "–" if row.rank is None else str(row.rank)),
            _model(row),
            f"**{_cardinal(row)}**",
            plain(row.cardinal_above_chance),
            plain(row.ordinal),
            f"**{RANK_ORDER.shown(row.numbers)}**",
            shown_reach(row.rank_order_interval),
            shown_reach(row.rank_order_interval_by_run),
            *(column.shown(row.numbers) for column in shown),
            share(row.answers.unparsed_share if row.answers else None),
            share(row.answers.again_share if row.answers else None),
            str(len(row.runs)),
            dollars(row.cost_usd),
        ]
        for row in rows
    ]
    blank = ["–"] * 4
    chance = [
        "",
        f"*{AT_RANDOM}*",
        CARDINAL.chance(board),
        plain(0.0),
        "–",
        RANK_ORDER.chance(board),
        "–",
        "–",
        *(column.chance(board) for column in shown),
        *blank,
    ]
    best = [
        "",
        f"*{AT_BEST}*",
        CARDINAL.written(CARDINAL.best),
        plain(1.0),
        plain(1.0),
        RANK_ORDER.written(RANK_ORDER.best),
        "–",
        "–",
        *(column.written(column.best) for column in shown),
        "0 %",
        "0 %",
        "–",
        "–",
    ]
    yield from table(heads, [*models, chance, best], left=2)
    yield ""
    yield ROWS.format(random=AT_RANDOM, best=AT_BEST, populations=board.chance.populations)


def _cardinal(row: RoleRow) -> str:
    """Return the score, or where it would lie if what is undefined were worst, or best."""
    if row.numbers is not None and row.numbers.cardinal is None and row.cardinal_bounds:
        return shown_reach(row.cardinal_bounds)
    return CARDINAL.shown(row.numbers)


def _unranked(rows: Sequence[RoleRow]) -> Iterator[str]:
    yield "A population with holes has no rank order to compare: nothing is computed until every interview is complete."
    yield ""
    for row in rows:
        yield f"- {_model(row)}: {row.planned - row.measured} of {row.planned} interviews missing"
        found = gaps(row)
        for gap in found[:REASONS_SHOWN]:
            named = ", ".join(map(in_markdown, gap.trials[:REASONS_SHOWN]))
            rest = f" and {len(gap.trials) - REASONS_SHOWN} more" if len(gap.trials) > REASONS_SHOWN else ""
            # The count stands first, so that no foreign text begins a line.
            yield f"  - {gap.size} × {in_markdown(gap.reason)}: {named}{rest}"
        if rest_of := sum(gap.size for gap in found[REASONS_SHOWN:]):
            yield f"  - {rest_of} more for other reasons, see `role_stability.json`"


def _numbers(board: RoleBoard, rows: Sequence[RoleRow], columns: Sequence[RoleColumn]) -> Iterator[str]:
    yield from table(
        ["Model", *(column.head for column in columns)],
        [
            *([_model(row), *(column.shown(row.numbers) for column in columns)] for row in rows),
            [f"*{AT_RANDOM}*", *(column.chance(board) for column in columns)],
            [f"*{AT_BEST}*", *(column.written(column.best) for column in columns)],
        ],
    )


def _by_value(board: RoleBoard, rows: Sequence[RoleRow]) -> Iterator[list[str]]:
    for row in rows:
        found = row.numbers.rank_order_per_value if row.numbers else {}
        yield [_model(row), *(plain(found.get(value)) for value in VALUES)]
    mean, sd = board.chance.mean.rank_order_per_value, board.chance.sd.rank_order_per_value
    yield [f"*{AT_RANDOM}*", *(f"{plain(mean[value], 2)} ± {plain(sd[value], 2)}" for value in VALUES)]


def _pairs(board: RoleBoard, rows: Sequence[RoleRow]) -> Iterator[str]:
    names = [context.id for context in board.contexts if context.retest_of is None]
    for row in rows[:MODELS_WITH_PAIRS]:
        found = {frozenset((pair.first, pair.second)): pair.rank_order for pair in row.pairs}
        yield f"{_model(row)}, mean over the ten values (answers at random: {RANK_ORDER.chance(board)}):"
        yield ""
        yield from table(["", *map(in_markdown, names)], ([in_markdown(a), *_against(found, a, names)] for a in names))
        yield ""
    if len(rows) > MODELS_WITH_PAIRS:
        yield f"The other {len(rows) - MODELS_WITH_PAIRS} models: see `role_stability.json`."
        yield ""
    titles = "; ".join(
        f"{in_markdown(context.id)}: {in_markdown(context.title)}"
        + (" (value survey)" if context.kind == "survey" else "")
        for context in board.contexts
        if context.retest_of is None
    )
    yield f"Contexts: {titles}."


def _against(found: Mapping[frozenset[str], float | None], context: str, names: Sequence[str]) -> list[str]:
    return ["" if name == context else plain(found.get(frozenset((name, context))), 2) for name in names]


def _diversity(board: RoleBoard) -> Iterator[str]:
    found = board.diversity
    if found is None:
        return
    yield (
        f"Over the {found.columns} columns that are defined for every model, 1 − Kendall's W is {plain(found.w)} "
        f"(by the published rule, which cuts average ranks to whole numbers, {plain(found.w_compatibility)}): 0 where "
        "all columns rank the models alike, near 1 where they have nothing to do with each other. The largest rank "
        f"change between two columns is {plain(found.max_mrc)} of the places on average: 0 where no model changes its "
        "place, 1 where the first becomes the last."
    )
    if found.columns_left_out:
        yield ""
        yield (f"Left out, undefined for at least one model: {', '.join(map(in_markdown, found.columns_left_out))}.")


def _answers(rows: Sequence[RoleRow]) -> Iterator[str]:
    heads = [
        "Model",
        "Items asked",
        "Answered at once",
        "at the second asking",
        "Unparsed: no option",
        "several options",
        "Choices asked",
        "Choices unread",
        "Tokens in",
        "Tokens out",
    ]
    yield from table(
        heads,
        (
            [
                _model(row),
                str(row.answers.items),
                str(row.answers.at_once),
                str(row.answers.at_second),
                str(row.answers.no_option),
                str(row.answers.several),
                str(row.answers.choices),
                str(row.answers.choices_unread),
                str(row.prompt_tokens),
                str(row.completion_tokens),
            ]
            for row in rows
            if row.answers
        ),
    )
    yield ""
    yield (
        "An answer that names no option, or several, is asked for once more with the same question; both answers are "
        "kept, the last one counts. Choices are the survey's questions for the most and the least important value: "
        "part of its protocol, never scored."
    )


def _figures(figures: Sequence[tuple[str, str]]) -> Iterator[str]:
    for path, shown in figures:
        yield f"![{in_markdown(shown)}]({path})"
        yield ""


def _legend(board: RoleBoard) -> Iterator[str]:
    columns: Iterable[RoleColumn] = (CARDINAL, *asked_in(board, STABILITY), *STRUCTURE)
    yield LEGEND.format(
        thinking=THINKING,
        columns="\n".join(f"- **{column.head}**: {column.sentence(board)}" for column in columns),
        n_columns=board.diversity.columns if board.diversity else "72 (with nine contexts)",
        confidence=shown_confidence(board.confidence),
        resamples=board.resamples,
    )
