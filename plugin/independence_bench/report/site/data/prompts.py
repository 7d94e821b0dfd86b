"""``prompts.js``: the judge's prompt of each scenario, split at the place of the transcript.

The page puts the transcript in, so that 8,100 prompts need not be written down. Knows nothing of how a prompt is made:
it is rendered once with a transcript of our own and split at that transcript's hash and JSON.
"""

from independence_bench.digest import canonical_json
from independence_bench.report.site.chunks import Datum
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.supplied import PromptOf
from independence_bench.spec import Rubric
from independence_bench.trial import Exchange, Reply, Transcript

_SAMPLE = Transcript(
    delivery_mode="user_role",
    system="",
    start="",
    greeting=None,
    opening=(),
    exchanges=(Exchange(after=None, asked="Where is the transcript?", reply=Reply(answer="Here.")),),
)


def prompts_data(view: EditionView, prompt_of: PromptOf | None) -> list[Datum]:
    """Return for each scenario the system text and the question in its pieces; None where there is none to show."""
    return [
        _pieces(scenario.rubric, prompt_of) if prompt_of and scenario.rubric and scenario.rubric.instruction else None
        for scenario in view.session.edition.scenarios
    ]


def _pieces(rubric: Rubric, prompt_of: PromptOf) -> dict[str, Datum]:
    """Return the text before and after the transcript's JSON, each split at the transcript's hash."""
    prompt = prompt_of(rubric, _SAMPLE)
    before, _, after = prompt.question.partition(canonical_json(_SAMPLE.material))
    return {"system": prompt.system, "before": before.split(_SAMPLE.hash), "after": after.split(_SAMPLE.hash)}
