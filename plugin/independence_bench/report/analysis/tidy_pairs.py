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
        TidyColumn("number", "text", "name of the number, as in the edition's JSON file", "name"),
        TidyColumn("title", "text", "what the edition's page calls it", "title"),
        TidyColumn("value", "number", "missing where it is undefined, or a planned trial is missing", "value"),
        TidyColumn("low", "number", "its interval: lower end", lambda each: each.interval and each.interval[0]),
        TidyColumn("high", "number", "its interval: upper end", lambda each: each.interval and each.interval[1]),
        TidyColumn("over", "text", "what the interval is over: `personas` or `matters`", "over"),
        TidyColumn("good", "text", "`high` or `low`: which end of its scale is best", "good"),
        TidyColumn("rank", "count", "of the model, where the board ranks by this number", "rank"),
    ),
    lambda source: source.of_kind.numbers,
)

PAIRS: TidyTable[ModelPair] = TidyTable(
    "pairs",
    "One pair of models that the edition compares, the higher one first.",
    (
        TidyColumn("first", "text", "identity of the higher model", "first.identity"),
        TidyColumn("first_label", "text", "its label", "first.label"),
        TidyColumn("second", "text", "identity of the other model", "second.identity"),
        TidyColumn("second_label", "text", "its label", "second.label"),
        TidyColumn("number", "text", "what they are compared by: `index` or `rank_order`", "number"),
        TidyColumn(
            "difference", "number", "number of the first minus that of the second", "difference", "as the number"
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
        TidyColumn("over", "text", "what the interval is over: `runs`, `personas` or `matters`", "over"),
        TidyColumn(
            "p_value",
            "number",
            "two-sided, the pair tested alone; missing where nothing can be known, as of a single run",
            "p_value",
        ),
        TidyColumn(
            "differs",
            "truth",
            f"the two differ; false discovery rate {FALSE_DISCOVERY_RATE:g} over all pairs (Benjamini and Yekutieli)",
            "differs",
        ),
    ),
    lambda source: source.of_kind.pairs,
)
