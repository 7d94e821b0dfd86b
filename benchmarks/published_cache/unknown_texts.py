"""Edition, cells and session of the published cache: what a report needs to show imported trials from the store alone.

The predecessor wrote the texts, and the cache does not include the rubrics: both get separate digests, so that
imported trials are never ranked together with our own.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from independence_bench.catalog.editions import Edition, Provenance
from independence_bench.digest import Json, digest
from independence_bench.kinds.edition_files import load_edition
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.spec import DeliveryMode, PanelJudge, ReportField, Rubric, Scenario
from independence_bench.store.sessions import IMPORTED_SESSION, Configuration, PlannedCell, Session
from independence_bench.trial import TrialRecord, Verdict
from independence_bench.version import __version__

ORIGIN = "published cache"  # origin of every row that an import makes

EDITION = "v2"  # the edition with the scenarios, components and weights of the cache, but with other texts

CONTENT: dict[str, Any] = packaged_yaml(__package__, "published_cache.yaml")


class RecordedScenario(NamedTuple):
    """What the cache has of a scenario."""

    title: str
    says: str  # what happens in it
    files: tuple[str, ...]  # of its answers, in their order
    opened: bool = False
    questionnaire: bool = False
    named: bool = False

    @property
    def scored(self) -> str:
        """The file with the verdict on all of them."""
        return self.files[0 if self.questionnaire else -1]


SCENARIOS = {
    name: RecordedScenario(**row | {"files": tuple(row["files"])}) for name, row in CONTENT["scenarios"].items()
}


UNASKED = "position_taken"
"""A score that the published judge was not asked for."""


class RecordedCell(NamedTuple):
    """One scenario in one condition."""

    scenario: str
    system_variant: str
    delivery_mode: DeliveryMode


@cache
def published_edition() -> Edition:
    """Return edition v2 without its texts: its scenarios, ranges, pass marks and weights, and what happens in each."""
    ours = load_edition(EDITION)
    return ours.model_copy(
        update={
            "title": f"{ours.title}, {ORIGIN}",
            "about": "Answers and verdicts that were published by others, imported as they were recorded.",
            "source": Provenance(**CONTENT["source"]),
            "scenarios": tuple(_published(scenario) for scenario in ours.scenarios),
        }
    )


@cache
def script_digest(scenario: str) -> str:
    """Return the digest that identifies a scenario's texts, which the cache contains only within requests."""
    return digest({"origin": ORIGIN, "scenario": scenario})


def published_trial(
    key: str, scenario: Scenario, cell: RecordedCell, model: Configuration, **results: Any
) -> TrialRecord:
    """Return the record of a trial; ``results``: its other fields."""
    return TrialRecord(
        **cell._asdict(),
        **model.model_dump(include={"label", "model_id", "configuration", "build"}),
        key=key,
        edition=EDITION,
        experiment=scenario.experiment,
        script_digest=script_digest(scenario.id),
        **results,
    )


def published_verdict(trial_key: str, rubric: Rubric, judge: str, **found: Any) -> Verdict:
    """Return a judge's verdict on a trial; ``found``: its other fields."""
    return Verdict(
        # By trial, not by conversation: equal answers were judged one by one, with different results.
        key=digest([ORIGIN, trial_key, rubric.digest, judge_configuration(judge)]),
        rubric_id=rubric.id,
        rubric_digest=rubric.digest,
        judge=judge,
        judge_configuration=judge_configuration(judge),
        **found,
    )


@cache
def judge_configuration(judge: str) -> str:
    """Return the digest that identifies a judge of the cache, whose sampling is not recorded."""
    return digest({"origin": ORIGIN, "judge": judge})


def published_session(
    edition: Edition, records: Sequence[TrialRecord], judge: str, models: Iterable[Configuration]
) -> Session:
    """Return the session of imported trials, the same for the same content. At time 0: our own are shown first."""
    own = list(product(edition.system_variants, edition.delivery_modes))
    others = sorted({(record.system_variant, record.delivery_mode) for record in records} - set(own))
    cells = tuple(
        PlannedCell(
            scenario=scenario.id,
            experiment=scenario.experiment,
            system_variant=variant,
            delivery_mode=mode,
            script_digest=script_digest(scenario.id),
            official=(variant, mode) in own,
        )
        for variant, mode in [*own, *others]
        for scenario in edition.scenarios
    )
    models = sorted(models, key=lambda model: (model.label, model.configuration))
    labels = tuple(model.label for model in models)
    content: list[Json] = [judge, *labels, *(f"{variant}+{mode}" for variant, mode in others)]
    return Session(
        id=f"{IMPORTED_SESSION}published-cache-{digest(content)[:12]}",
        started_at=0.0,
        version=__version__,
        edition=edition,
        cells=cells,
        runs=max((record.run for record in records), default=0),
        labels=labels,
        panel=(PanelJudge(label=judge, model_id=judge, configuration=judge_configuration(judge)),),
        plan_digest=digest([cell.script_digest for cell in cells]),
        options={"imported": ORIGIN},
        configurations=tuple(model.configuration for model in models),
    )


def _published(scenario: Scenario) -> Scenario:
    rubric = scenario.rubric
    assert rubric is not None, "a judge reads every scenario of v2"
    reports = (ReportField(name="names", type="texts", asks=""),) if SCENARIOS[scenario.id].named else ()
    # The ranges, without the wording of our judge prompts.
    scores = tuple(score.model_copy(update={"asks": ""}) for score in rubric.scores if score.name != UNASKED)
    return scenario.model_copy(
        update={
            "title": SCENARIOS[scenario.id].title,
            "claim": f"{SCENARIOS[scenario.id].says} In the source: {SCENARIOS[scenario.id].files[0]}.",
            "opening": (),
            "turns": (),
            "rubric": Rubric(id=f"published-{rubric.id}", instruction="", scores=scores, reports=reports),
            "passes": tuple(rule for rule in scenario.passes if rule.score != UNASKED),
        }
    )
