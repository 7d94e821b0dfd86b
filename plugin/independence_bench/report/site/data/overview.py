"""``site.js``, what every page of a view needs to find its way, small: it is loaded with each of them.

``scenario-N.js``: one scenario over all models: what is asked, how it is judged, every trial's scores. ``prompts.js``
has the judge's prompt of each scenario, split at the place of the transcript, which the page puts in.
"""

from collections.abc import Mapping, Sequence

from independence_bench.digest import canonical_json
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.warnings import clauses, grave, judge_warnings
from independence_bench.report.scale import meaning, shown_scale, title
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, rounded_ends, truth_number
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.supplied import PromptOf
from independence_bench.report.site.view_part import QuestionnaireItem, ViewPart
from independence_bench.spec import DELIVERY_MODES, Rubric, Scenario
from independence_bench.trial import Exchange, Reply, Transcript


def overview_data(part: ViewPart, questions: Mapping[str, str]) -> dict[str, Datum]:
    """Return edition, judges, scenarios, components and models of a view; ``questions`` by experiment."""
    view = part.view
    board, edition, cells = view.board, view.session.edition, view.session.cells
    return {
        "edition": board.edition,
        "title": board.title,
        "updated": board.updated,
        "imported": view.session.imported and view.session.edition.source is not None,
        "experiments": {} if view.session.imported else dict(questions),
        "variants": len(edition.system_variants) * len(edition.delivery_modes) > 1,
        # A mode of an installed package has no title but its name.
        "deliveries": {
            **{mode: {"title": mode, "by_tool": False} for mode in sorted({each.delivery_mode for each in cells})},
            **{mode: facts._asdict() for mode, facts in DELIVERY_MODES.items()},
        },
        "confidence": board.confidence,
        "judges": [
            drop_empty(
                label=judge,
                remark=board.judge_remark(judge),
                heuristic=judge in board.heuristic_judges,
                temperature=next((each.temperature for each in view.session.panel if each.label == judge), None),
            )
            for judge in board.judges
        ],
        "marks": [*dict.fromkeys(f"{sign} {word}" for name in view.names.values() for sign, word, _ in name.marks)],
        "doubts": [warning.text for warning in grave(judge_warnings(board.heuristic_judges, board.judge_checks))],
        **part.by_kind(part.overview()),
        "scenarios": [{**_scenario(scenario), **part.scenario_facts(scenario.id)} for scenario in edition.scenarios],
        "components": [
            {
                "name": name,
                "title": title(name),
                "scale": shown_scale(scale),
                "meaning": meaning(name, scale),
                **scale.model_dump(include={"weight", "minimum", "maximum", "good"}),
                "scenarios": [view.places[scenario] for scenario in scale.scenarios],
            }
            for name, scale in board.scales.items()
        ],
        "models": [
            drop_empty(
                id=model_id,
                label=row.label,
                model=row.model_id,
                signs=" ".join(sign for sign, *_ in view.names[row.identity].marks),
                contends=row.contends,
                rank=None if row.rank is None else row.shown_rank,
                index=rounded(row.index),
                numbers={
                    BESIDE_INDEX[name].head: [
                        rounded(each.estimate),
                        rounded_ends(each.interval_by_run),
                        rounded_ends(each.interval_by_scenario),
                    ]
                    for name, each in row.numbers.items()
                }
                or None,
                bounds=rounded_ends(row.bounds),
                configuration=row.configuration,
                runs=len(row.runs),
                judges=_by_judge(view, row.identity) if row.configuration is None else None,
                warnings=clauses(row.warnings) or None,
            )
            for model_id, row in zip(view.ids, board.models, strict=True)
        ],
    }


def _scenario(scenario: Scenario) -> dict[str, Datum]:
    return {
        "id": scenario.id,
        "title": scenario.title or scenario.id,
        "experiment": scenario.experiment,
        **({"claim": scenario.claim} if scenario.claim else {}),
        "scores": [
            {
                "name": field.name,
                "title": title(field.name),
                "minimum": field.ends[0],
                "maximum": field.ends[1],
                "good": field.good,
                "boolean": field.type == "boolean",
            }
            for field in scenario.fields
        ],
        "passes": [str(rule).replace("_", " ") for rule in scenario.passes],
        **({"function": scenario.function.name, "judged": bool(scenario.rubric)} if scenario.function else {}),
    }


def _by_judge(view: EditionView, identity: str) -> list[Datum] | None:
    models = view.board.judging.models if view.board.judging else ()
    by_judge = next((each.judges for each in models if each.identity == identity), None)
    if by_judge is None:
        return None
    return [[rounded(by_judge[judge.label].index), by_judge[judge.label].rank] for judge in view.session.panel]


ItemScores = Mapping[int, int | None]
"""What one interview has answered, by item; None where no option, or several, were named."""


def scenario_data(
    view: EditionView, scenario: Scenario, items: Sequence[QuestionnaireItem], scores: Mapping[str, ItemScores]
) -> dict[str, Datum]:
    """Return one scenario with every trial's row; ``scores`` by trial key, ``items`` where an interview asks them."""
    difficulty = next((each for each in view.board.difficulty if each.scenario == scenario.id), None)
    trials = [
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
        **{name: rounded(getattr(difficulty, name, None)) for name in ("difficulty", "discrimination", "best")},
        beside=[[BESIDE_INDEX[name].head, rounded(each)] for name, each in difficulty.discriminations.items()]
        if difficulty
        else None,
        rows=[_row(model, trial) for model, _, trial in trials],
        items=[[item.number, item.value, item.words] for item in items],
        answered=[[scores.get(key, {}).get(item.number) for item in items] for _, key, _ in trials] if items else None,
    )


def _row(model: int, trial: PlannedTrial) -> list[Datum]:
    means = trial.outcome.means or {}
    return [
        model,
        trial.run,
        trial.cell[1],
        trial.cell[2],
        rounded(trial.outcome.share),
        truth_number(trial.outcome.held),
        [rounded(means.get(field.name), 2) for field in trial.scenario.fields],
        trial.outcome.word,
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
