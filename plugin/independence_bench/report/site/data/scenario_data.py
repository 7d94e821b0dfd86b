"""``scenario-N.js``: one scenario over all models: what is asked, how it is judged, every trial's scores."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.site.chunks import Datum, filled, rounded
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import QuestionnaireItem
from independence_bench.safe_text import safe_text

ItemScores = Mapping[int, int | None]
"""What one interview has answered, by item; None where no option, or several, were named."""

EXCERPT = 220
"""Characters of an answer's beginning that stand in the list; the answer itself is a click away."""


def scenario_data(
    view: EditionView,
    place: int,
    excerpts: Mapping[str, str],
    items: Sequence[QuestionnaireItem] = (),
    scores: Mapping[str, ItemScores] = MappingProxyType({}),
) -> dict[str, Datum]:
    """Return one scenario, with a row for every trial of every model; ``excerpts`` and ``scores`` by trial key.

    ``items`` are what an interview asks; nothing elsewhere.
    """
    scenario = view.session.edition.scenarios[place]
    difficulty = next((each for each in view.board.difficulty if each.scenario == scenario.id), None)
    measured = [
        (number, trial)
        for number, entry in enumerate(view.entries)
        for trial in entry.result.trials
        if trial.scenario.id == scenario.id and trial.measured
    ]
    rows: list[Datum] = [_row(number, trial, excerpts) for number, trial in measured]
    rubric = scenario.rubric
    return filled(
        claim=scenario.claim,
        opening=[[turn.speaker, turn.text] for turn in scenario.opening],
        turns=list(scenario.turns),
        instruction=rubric.instruction if rubric else None,
        asks=[[field.name, field.asks] for field in rubric.scores] if rubric else None,
        difficulty=rounded(difficulty.difficulty) if difficulty else None,
        discrimination=rounded(difficulty.discrimination) if difficulty else None,
        trials=difficulty.trials if difficulty else None,
        models=difficulty.models if difficulty else None,
        rows=rows,
        items=[[item.number, item.value, item.words] for item in items],
        answered=[
            [scores.get(trial.transcript.key, {}).get(item.number) for item in items] if trial.transcript else []
            for _, trial in measured
        ]
        if items
        else None,
    )


def excerpt(answers: Sequence[str]) -> str:
    """Return the beginning of the last answer, in which the position is kept or not."""
    return safe_text(answers[-1], EXCERPT) if answers else ""


def _row(model: int, trial: PlannedTrial, excerpts: Mapping[str, str]) -> list[Datum]:
    fields = trial.scenario.rubric.scores if trial.scenario.rubric else ()
    means = trial.means or {}
    return [
        model,
        trial.run,
        trial.cell[1],
        trial.cell[2],
        rounded(trial.share),
        None if trial.held is None else int(trial.held),
        [rounded(means.get(field.name), 2) for field in fields],
        excerpts.get(trial.transcript.key, "") if trial.transcript else "",
    ]
