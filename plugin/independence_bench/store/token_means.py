"""Mean tokens of stored trials and verdicts, per model and text, for estimates of further work. Reads numbers only."""

import json
from collections.abc import Iterable

from independence_bench.spec import EMBEDDED
from independence_bench.store.database import Database
from independence_bench.store.table_rows import MeanTokens

_MEANS = """
SELECT t.configuration, t.script_digest, avg(t.prompt_tokens), avg(t.completion_tokens),
       coalesce(json_extract(c.facts, '$.model_id') GLOB :embedded, 0)
FROM transcripts AS t LEFT JOIN configurations AS c ON c.configuration = t.configuration
WHERE t.prompt_tokens > 0 AND t.completion_tokens > 0 AND t.script_digest IN (SELECT value FROM json_each(:texts))
GROUP BY 1, 2
UNION ALL
SELECT judge_configuration, rubric_digest, avg(prompt_tokens), avg(completion_tokens), max(judge GLOB :embedded)
FROM verdicts
WHERE prompt_tokens > 0 AND completion_tokens > 0 AND rubric_digest IN (SELECT value FROM json_each(:texts))
GROUP BY 1, 2 ORDER BY 1, 2
"""


def mean_tokens(database: Database, texts: Iterable[str]) -> list[MeanTokens]:
    """Return the means of every model's trials with these scripts, and of every judge's verdicts by these rubrics, of
    those whose server counted prompt and answer.
    """
    values = {"texts": json.dumps(sorted(set(texts))), "embedded": f"{EMBEDDED}/*"}
    return database.rows_as(MeanTokens._make, _MEANS, values)
