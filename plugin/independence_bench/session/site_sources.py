"""What a site needs from the measuring side and from the configs, brought together for the doors."""

from functools import partial

from independence_bench.catalog import Catalogue
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.judging.prompt import judge_question
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.site.supplied import JudgePrompt, Sources
from independence_bench.session.settings import Settings

PUBLISHED = ("v1", "v1.1", "lite", "v2")  # the editions that have followed one another


def site_sources(settings: Settings) -> Sources:
    """Return the judge's prompt, the published editions, and the known-answer set of these settings' configs."""
    catalogue = Catalogue(settings.overlay)
    return Sources(
        prompt_of=lambda rubric, transcript: JudgePrompt(rubric.frame.system, judge_question(rubric, transcript)),
        editions=[load_edition(name, catalogue) for name in PUBLISHED],
        questions={name: row.question for name, row in catalogue.experiments.items()},
        set_digest=partial(current_set_digest, settings.overlay),
        site_url=settings.site_url,
    )
