"""The leaderboard as text for a terminal: a board that is read in ten seconds, and with ``--detailed`` everything."""

from collections.abc import Iterator, Mapping, Sequence

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.grouping import group_values
from independence_bench.judge_check.checked_judges import CheckState
from independence_bench.report.analysis.leaderboard import SINGLE_RUN, Leaderboard
from independence_bench.report.analysis.marks import MARKS, PROVISIONAL, distinguishing, signs
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX, ENGAGED
from independence_bench.report.analysis.row import NOT_ASKED, LeaderboardRow
from independence_bench.report.analysis.section import shortened
from independence_bench.report.analysis.standings import EVERY_MODEL, ModelChoice
from independence_bench.report.analysis.warnings import HEURISTIC, IRRELEVANT, LEAST_RELEVANCE, WarningKind
from independence_bench.report.blocks import Column, Table, Value, phrase, record_column
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    dollars,
    number,
    percent,
    shown_bounds,
    shown_confidence,
    shown_interval,
    shown_ranks,
)
from independence_bench.report.scale import component_text, is_share, meaning, shown_range, title
from independence_bench.report.views import leaderboard_columns as columns
from independence_bench.report.views.model_name import judged_by
from independence_bench.report.views.model_pages import beside_words, relevance_words
from independence_bench.report.views.text import (
    GAP,
    NARROWEST,
    WIDTH,
    blocks_text,
    filled,
    noted,
    shorten_text,
    table_text,
)

GROUP_ROWS = 10  # models shown of a group of other texts


def leaderboard_text(
    board: Leaderboard,
    width: int = WIDTH,
    *,
    brief: bool = False,
    choice: ModelChoice = EVERY_MODEL,
) -> str:
    """Return a heading, one line per model, and at most three notes; ``brief`` leaves out explanations."""
    shown = choice.of(board.models)
    there = {id(row) for row in shown}
    hidden = [row for row in board.models if id(row) not in there]
    words = "; ".join(f"{MARKS[name].sign} {MARKS[name].word}" for name in distinguishing(shown))
    legend = [*([] if brief else _legend(board, shown)), *([f"{words}."] if words else [])]
    lines = noted(legend, _notes(board, shown, hidden), 0 if brief else len(hidden), width, "LEADERBOARD.md")
    table = _table(board, shown, width) if shown else "Nothing is measured yet."
    return "\n\n".join(filter(None, [_heading(board, shown, width), table, "\n".join(lines)]))


def _heading(board: Leaderboard, shown: Sequence[LeaderboardRow], width: int) -> str:
    scenarios = len({each.scenario for row in shown for each in row.scenarios})
    runs = sorted({len(row.runs) for row in shown})
    several = f"{runs[0]}–{runs[-1]} runs" if len(runs) > 1 else counted(runs[0], "run") if runs else ""
    size = f" · {counted(scenarios, 'scenario')} × {several}" if scenarios else ""
    panel = ", ".join(
        shorten_text(each.judge, width - 20)
        + ("" if each.judge in board.heuristic_judges else f" ({_CHECKED[each.state]})")
        for each in board.judge_checks
    )
    title = f"Independence Index · {board.edition}{size}"
    judges = f"{'judge' if len(board.judges) == 1 else 'judges'} {panel or 'none'}"
    whole = f"{title} · {judges}"
    return whole if len(whole) <= width else f"{title}\n{filled(judges, width, whole_words=True)}"


_CHECKED: Mapping[CheckState, str] = {
    "passed": "check: passed",
    "not passed": "check: failed",
    "outdated": "check: outdated",
    "not checked": "not checked",
}


def _table(board: Leaderboard, shown: Sequence[LeaderboardRow], width: int) -> str:
    telling = distinguishing(shown)

    def name(row: LeaderboardRow) -> str:
        return f"{_name(row)} {signs([mark for mark in telling if mark in row.marks])}".rstrip()

    taken = max(len(row.shown_rank) for row in shown) + max(len(_certainty(row)) for row in shown) + len("Index")
    named: list[Column[LeaderboardRow]] = [
        Column("", lambda row: row.shown_rank, right=False),
        # Further columns leave a name at least the room that it has in the narrowest terminal.
        Column("model", name, right=False, least=NARROWEST - taken - 3 * GAP),
    ]
    delivered: Column[LeaderboardRow] = Column("delivered", lambda row: percent(row.delivery_kept), importance=3)
    if all(_doubt(row) == HEURISTIC for row in shown):
        answered: Column[LeaderboardRow] = Column("answered", lambda row: f"{row.transcripts}/{row.planned}")
        by_words = [answered, delivered, _RELEVANCE, Column("held by words", _held)]
        return table_text(Table([*named, *by_words], shown), width, rule=False)
    columns = [
        *named,
        Column("Index", lambda row: number(row.index, 1)),
        Column(shown_confidence(board.confidence), _certainty),
        *([_ENGAGED] if any(ENGAGED in row.numbers for row in shown) else []),
        Column("held", _held, importance=2),
        delivered,
    ]
    return table_text(Table(columns, shown), width, rule=False)


def _name(row: LeaderboardRow) -> str:
    return f"{row.label} ({row.configuration})" if row.configuration else row.label


def _certainty(row: LeaderboardRow) -> str:
    """Return the interval by run, or the reason why there is none."""
    if row.index is None and not row.no_index and not row.complete:
        return f"{row.measured}/{row.planned} measured"
    if not row.contends and (doubt := _doubt(row)):
        irrelevant = doubt == IRRELEVANT and (row.relevance or 0.0) < LEAST_RELEVANCE
        return f"relevance {number(row.relevance, 2)}" if irrelevant else _DOUBTS.get(doubt, "not ranked")
    if row.index is None:
        return "no Index"
    if not row.contends and row.configuration is None:
        return "not ranked"
    if row.interval_by_run is None:
        return "one run"
    return shown_interval(row.interval_by_run)


_DOUBTS: Mapping[WarningKind, str] = {
    IRRELEVANT: "irrelevant run",
    HEURISTIC: "held by words",
    "self-judge": "judged by itself",
    "delivery": "not delivered",
}
"""In the place of an interval, where a doubt stands in the way of a rank."""


def _doubt(row: LeaderboardRow) -> WarningKind | None:
    """Return the gravest doubt about a row."""
    return next((warning.kind for warning in row.warnings if warning.doubted), None)


_RELEVANCE: Column[LeaderboardRow] = Column("relevance", lambda row: number(row.relevance, 2))
_ENGAGED: Column[LeaderboardRow] = Column(
    BESIDE_INDEX[ENGAGED].head.lower(), lambda row: number(row.beside(ENGAGED), 1), importance=1
)


def _held(row: LeaderboardRow) -> str:
    return "–" if row.held.held is None or not row.held.planned else f"{row.held.held}/{row.held.planned}"


def _legend(board: Leaderboard, shown: Sequence[LeaderboardRow]) -> Iterator[str]:
    ranked = [row for row in shown if row.contends]
    if any(row.interval_by_run for row in ranked):
        level = shown_confidence(board.confidence)
        yield f"= no difference shown. {level}: the same scenarios again; others would vary more."
    if any(len(row.runs) == 1 for row in ranked):
        yield "One run shows neither an interval nor a difference: --runs=5."


def _notes(board: Leaderboard, shown: Sequence[LeaderboardRow], hidden: Sequence[LeaderboardRow]) -> list[str]:
    """Return the page's notes on these models, and after the first of them why their trials are missing."""
    found = [(row, gap) for row in shown for gap in gaps(row) if gap.reason != NOT_ASKED]
    missing = group_values((gap.reason, f"{row.label} ({gap.size})") for row, gap in found)
    said = {SINGLE_RUN, PROVISIONAL, *(MARKS[name].sentence for name in distinguishing(shown))}
    others = tuple(f"{row.label}{end}" for row in hidden for end in (": ", " ("))
    notes = [note for note in board.notes if note not in said and not note.startswith(others)]
    reasons = [f"{', '.join(models[:3])}{' …' if len(models) > 3 else ''}: {why}" for why, models in missing.items()]
    return [*notes[:1], *reasons, *notes[1:]]


def details_text(board: Leaderboard, edition: Edition, width: int) -> str:
    """Return all that is known: every note, every column, each model, the meanings of components, every analysis."""
    parts = ["\n".join(part) for part in _parts(board, width)]
    blocks = [
        "\n".join([_title(row, width), *(filled(line, width) for line in _lines(row, board))])
        + ("" if row.no_index else f"\n\n{table_text(Table(_SCORES, list(_scores(row, edition))), width)}")
        for row in board.models
    ]
    components = (filled(f"{title(name)}: {meaning(name, scale)}", width) for name, scale in board.scales.items())
    analyses = (f"{each.heading}\n\n{blocks_text(shortened(own), width)}" for each, own in board.sections())
    return "\n\n".join([*filter(None, parts), *blocks, "\n".join(components), *analyses])


def _parts(board: Leaderboard, width: int) -> Iterator[list[str]]:
    judges = judged_by(board.judges, board.judge_checks)
    yield [filled(phrase("Independence Index, edition {}, judged by {}", board.edition, judges), width)]
    yield [filled(f"Note: {note}", width) for note in board.notes]
    if (ranked := columns.ranked(board)).rows:
        yield [table_text(ranked, width, say_left_out=True)]
        if any(row.mostly_ceiling for row in ranked.rows):
            yield [filled(f"{CEILING_MARK} {CEILING}", width)]
    if (unranked := columns.unranked(board)).rows:
        yield ["Not ranked; bounds where there is no Index:", table_text(unranked, width)]
    if (others := columns.others(board)).rows:
        yield ["Outside the edition's own configurations, never ranked:", table_text(others, width)]
    for group in board.groups:
        heading = filled(f"Texts from elsewhere, ranked among themselves: {group.title}", width)
        table = table_text(columns.of_group(board.confidence, group.models[:GROUP_ROWS]), width)
        more = len(group.models) - GROUP_ROWS
        yield [heading, table, *([f"and {more} more, see LEADERBOARD.md"] if more > 0 else [])]


def _title(row: LeaderboardRow, width: int) -> str:
    name = shorten_text(f"{_name(row)} {signs(row.marks)}".rstrip(), width - 5)
    return f"{name}  {'-' * (width - len(name) - 2)}"


def _lines(row: LeaderboardRow, board: Leaderboard) -> Iterator[str]:
    if row.no_index:
        yield f"no Index: {row.no_index}"
    else:
        yield from _numbers(row, board)
    relevance = "".join(f", {words}" for words in relevance_words(row))
    yield (
        f"measured {row.measured} of {row.planned}, held {percent(row.held.share)}, "
        f"delivered as asked {percent(row.delivery_kept)}{relevance}; "
        f"{row.prompt_tokens} + {row.completion_tokens} tokens; US dollars: generation {dollars(row.cost.generation)}, "
        f"judging {dollars(row.cost.judging)}, failed attempts {dollars(row.cost.failed)}"
    )
    for gap in gaps(row):
        yield f"missing {gap.size}: {gap.reason} ({', '.join(gap.trials)})"


def _numbers(row: LeaderboardRow, board: Leaderboard) -> Iterator[str]:
    index = number(row.index, 1) if row.index is not None else f"between {shown_bounds(row.bounds)}"
    runs = ", ".join(
        f"r{run.run} {number(run.index, 1) if run.index is not None else shown_bounds(run.bounds)}" for run in row.runs
    )
    yield f"Index {index}; by run: {runs}"
    if row.index is not None:
        yield _model_certainty(row, board)
    yield from beside_words(row, shown_confidence(board.confidence))
    components = ", ".join(
        f"{title(name)} {component_text(row.components.get(name), scale)}"
        f"{' %' if is_share(scale) else shown_range(scale)}"
        for name, scale in board.scales.items()
    )
    yield f"components: {components}"


def _model_certainty(row: LeaderboardRow, board: Leaderboard) -> str:
    known = [
        f"by run {shown_interval(row.interval_by_run)}" if row.interval_by_run else "no interval by run",
        f"by scenario {shown_interval(row.interval_by_scenario)}" if row.interval_by_scenario else "none by scenario",
    ]
    if row.contends:
        tier = "" if row.tier is None else f", tier {row.tier}"
        by_scenario = shown_ranks(row.rank_interval_by_scenario)
        known.append(
            f"rank {row.shown_rank}, possible {shown_ranks(row.rank_interval)}{tier}, by scenario {by_scenario}"
        )
    ceiling = f"; {CEILING_MARK} {CEILING}" if row.mostly_ceiling else ""
    return f"{shown_confidence(board.confidence)}: {', '.join(known)}{ceiling}"


_RIGHT = ("measured", "held", "mean")
_SCORES = [record_column(name, right=name in _RIGHT) for name in ("scenario", "measured", "held", "score", "mean")]


def _scores(row: LeaderboardRow, edition: Edition) -> Iterator[Mapping[str, Value]]:
    """Yield the lines of a model's table: only the first score of a scenario names it."""
    for scenario in edition.scenarios:
        trials = [run for each in row.scenarios if each.scenario == scenario.id for run in each.runs]
        measured = [run.scores for run in trials if run.scores is not None]
        held = f"{sum(bool(run.held) for run in trials)}/{len(measured)}" if scenario.passes else "–"
        place = {"scenario": scenario.id, "measured": f"{len(measured)}/{len(trials)}", "held": held}
        for name in measured[0] if measured else ():
            yield {**place, "score": name, "mean": number(mean([scores[name] for scores in measured]), 1)}
            place = dict.fromkeys(place, "")
        if not measured:
            yield {**place, "score": "–", "mean": "–"}
