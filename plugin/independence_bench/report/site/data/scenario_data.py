"""``scenario-N.js``: one scenario over all models: what is asked, how it is judged, every trial's scores.

``prompts.js`` has the judge's prompt of each scenario, split at the place of the transcript, which the page puts in.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from independence_bench.digest import canonical_json
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, truth_number
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.supplied import PromptOf
from independence_bench.report.site.view_part import QuestionnaireItem
from independence_bench.spec import Rubric, Scenario
from independence_bench.trial import Exchange, Reply, Transcript

ItemScores = Mapping[int, int | None]
"""What one interview has answered, by item; None where no option, or several, were named."""


def scenario_data(
    view: EditionView,
    scenario: Scenario,
    items: Sequence[QuestionnaireItem] = (),
    scores: Mapping[str, ItemScores] = MappingProxyType({}),
) -> dict[str, Datum]:
    """Return one scenario, with a row for every trial of every model; ``scores`` by trial key.

    ``items`` are what an interview asks; nothing elsewhere.
    """
    difficulty = next((each for each in view.board.difficulty if each.scenario == scenario.id), None)
    measured = [
        (model, trial.transcript.key, trial)
        for model, entry in enumerate(view.entries)
        for trial in entry.result.trials
        if trial.scenario.id == scenario.id and trial.transcript and trial.measured
    ]
    rubric = scenario.rubric
    return drop_empty(
        claim=scenario.claim,
        opening=[[turn.speaker, turn.text] for turn in scenario.opening],
        turns=list(scenario.turns),
        instruction=rubric.instruction if rubric else None,
        asks=[[field.name, field.asks] for field in scenario.fields] or None,
        **{
            name: rounded(getattr(difficulty, name, None))
            for name in ("difficulty", "discrimination", "trials", "models")
        },
        rows=[_row(model, trial) for model, _, trial in measured],
        items=[[item.number, item.value, item.words] for item in items],
        answered=[[scores.get(key, {}).get(item.number) for item in items] for _, key, _ in measured]
        if items
        else None,
    )


def _row(model: int, trial: PlannedTrial) -> list[Datum]:
    means = trial.means or {}
    return [
        model,
        trial.run,
        trial.cell[1],
        trial.cell[2],
        rounded(trial.share),
        truth_number(trial.held),
        [rounded(means.get(field.name), 2) for field in trial.fields],
    ]


# How a prompt is made is unknown here: it is rendered once with this transcript and split at its hash and JSON.
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
    prompt = prompt_of(rubric, _SAMPLE)
    before, _, after = prompt.question.partition(canonical_json(_SAMPLE.material))
    return {"system": prompt.system, "before": before.split(_SAMPLE.hash), "after": after.split(_SAMPLE.hash)}
