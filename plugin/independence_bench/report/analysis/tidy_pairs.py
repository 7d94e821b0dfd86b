"""The tidy tables that each kind fills: numbers of models and pairs of models, each column declared once."""

from independence_bench.report.analysis.kind_tables import ModelNumber, ModelPair
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.tidy import MODEL, TidyColumn, TidyTable

NUMBERS: TidyTable[ModelNumber] = TidyTable(
    "numbers",
    "One number of a model in editions of roles and of dossiers: role stability, movements. "
    "The numbers of other editions are in `models` and `components`.",
    (
        *MODEL,
        TidyColumn("number", "text", "name of the number, as in the edition's JSON file", lambda each: each.name),
        TidyColumn("title", "text", "what the edition's page calls it", lambda each: each.title),
        TidyColumn(
            "value", "number", "missing where it is undefined, or a planned trial is missing", lambda each: each.value
        ),
        TidyColumn("low", "number", "its interval: lower end", lambda each: each.interval and each.interval[0]),
        TidyColumn("high", "number", "its interval: upper end", lambda each: each.interval and each.interval[1]),
        TidyColumn("over", "text", "what the interval is over: `personas` or `matters`", lambda each: each.over),
        TidyColumn("good", "text", "`high` or `low`: which end of its scale is best", lambda each: each.good),
        TidyColumn("rank", "count", "of the model, where the board ranks by this number", lambda each: each.rank),
    ),
    lambda source: source.of_kind.numbers,
)

PAIRS: TidyTable[ModelPair] = TidyTable(
    "pairs",
    "One pair of models that the edition compares, the higher one first.",
    (
        TidyColumn("first", "text", "identity of the higher model", lambda each: each.first.identity),
        TidyColumn("first_label", "text", "its label", lambda each: each.first.label),
        TidyColumn("second", "text", "identity of the other model", lambda each: each.second.identity),
        TidyColumn("second_label", "text", "its label", lambda each: each.second.label),
        TidyColumn("number", "text", "what they are compared by: `index` or `rank_order`", lambda each: each.number),
        TidyColumn(
            "difference",
            "number",
            "number of the first minus that of the second",
            lambda each: each.difference,
            "as the number",
        ),
        TidyColumn(
            "low",
            "number",
            "interval of the difference: lower end",
            lambda each: each.interval and each.interval[0],
            "as the number",
        ),
        TidyColumn(
            "high",
            "number",
            "interval of the difference: upper end",
            lambda each: each.interval and each.interval[1],
            "as the number",
        ),
        TidyColumn(
            "over", "text", "what the interval is over: `runs`, `personas` or `matters`", lambda each: each.over
        ),
        TidyColumn(
            "p_value",
            "number",
            "two-sided, the pair tested alone; missing where nothing can be known, as of a single run",
            lambda each: each.p_value,
        ),
        TidyColumn(
            "differs",
            "truth",
            f"the two differ; false discovery rate {FALSE_DISCOVERY_RATE:g} over all pairs (Benjamini and Yekutieli)",
            lambda each: each.differs,
        ),
    ),
    lambda source: source.of_kind.pairs,
)
