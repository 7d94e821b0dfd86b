"""The tidy tables that each kind fills: numbers of models and pairs of models, each column declared once."""

from independence_bench.report.analysis.kind_tables import ModelNumber, ModelPair
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.tidy import MODEL, TidyColumn, TidyTable, field_column

NUMBERS: TidyTable[ModelNumber] = TidyTable(
    "numbers",
    "One number of a model in editions of roles and of dossiers: role stability, movements. "
    "The numbers of other editions are in `models` and `components`.",
    (
        *MODEL,
        field_column("number", "text", "name of the number, as in the edition's JSON file", field="name"),
        field_column("title", "text", "what the edition's page calls it"),
        field_column("value", "number", "missing where it is undefined, or a planned trial is missing"),
        TidyColumn("low", "number", "its interval: lower end", lambda each: each.interval and each.interval[0]),
        TidyColumn("high", "number", "its interval: upper end", lambda each: each.interval and each.interval[1]),
        field_column("over", "text", "what the interval is over: `personas` or `matters`"),
        field_column("good", "text", "`high` or `low`: which end of its scale is best"),
        field_column("rank", "count", "of the model, where the board ranks by this number"),
    ),
    lambda source: source.of_kind.numbers,
)

PAIRS: TidyTable[ModelPair] = TidyTable(
    "pairs",
    "One pair of models that the edition compares, the higher one first.",
    (
        field_column("first", "text", "identity of the higher model", field="first.identity"),
        field_column("first_label", "text", "its label", field="first.label"),
        field_column("second", "text", "identity of the other model", field="second.identity"),
        field_column("second_label", "text", "its label", field="second.label"),
        field_column("number", "text", "what they are compared by: `index` or `rank_order`"),
        field_column("difference", "number", "number of the first minus that of the second", "as the number"),
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
        field_column("over", "text", "what the interval is over: `runs`, `personas` or `matters`"),
        field_column(
            "p_value",
            "number",
            "two-sided, the pair tested alone; missing where nothing can be known, as of a single run",
        ),
        field_column(
            "differs",
            "truth",
            f"the two differ; false discovery rate {FALSE_DISCOVERY_RATE:g} over all pairs (Benjamini and Yekutieli)",
        ),
    ),
    lambda source: source.of_kind.pairs,
)
