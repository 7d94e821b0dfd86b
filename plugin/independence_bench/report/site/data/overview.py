"""``site.js``: what every page of a view needs to find its way. Small: it is loaded with each of them."""

from collections.abc import Mapping
from types import MappingProxyType

from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.warnings import clauses, grave, judge_warnings
from independence_bench.report.scale import meaning, shown_scale, title
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, rounded_ends
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.spec import DELIVERY_MODES, Scenario


def overview_data(part: ViewPart, questions: Mapping[str, str] = MappingProxyType({})) -> dict[str, Datum]:
    """Return edition, judges, scenarios, components and models of a view; ``questions`` by experiment."""
    view = part.view
    board, edition, planned = view.board, view.session.edition, view.session.cells
    places = {scenario.id: place for place, scenario in enumerate(edition.scenarios)}
    return {
        "edition": board.edition,
        "title": board.title,
        "imported": view.session.imported,
        "experiments": {} if view.session.imported else dict(questions),
        "variants": len(edition.system_variants) * len(edition.delivery_modes) > 1,
        # A mode of an installed package has no title but its name.
        "deliveries": {
            **{mode: {"title": mode, "by_tool": False} for mode in sorted({each.delivery_mode for each in planned})},
            **{mode: shown._asdict() for mode, shown in DELIVERY_MODES.items()},
        },
        "confidence": board.confidence,
        "judges": [
            drop_empty(label=judge.label, remark=board.judge_remark(judge.label), heuristic=judge.heuristic)
            for judge in view.session.panel
        ],
        "doubts": [warning.text for warning in grave(judge_warnings(view.session, board.judge_checks))],
        **part.by_kind(part.overview()),
        "scenarios": [{**_scenario(scenario), **part.scenario_facts(scenario.id)} for scenario in edition.scenarios],
        "components": [
            {
                "name": name,
                "title": title(name),
                "scale": shown_scale(scale),
                "meaning": meaning(name, scale),
                **scale.model_dump(include={"weight", "minimum", "maximum", "good"}),
                "scenarios": [places[scenario] for scenario in scale.scenarios],
            }
            for name, scale in board.scales.items()
        ],
        "models": [
            drop_empty(
                id=model_id,
                label=row.label,
                name=view.names[row.identity].name,
                badges=[list(badge) for badge in view.names[row.identity].badges],
                model=row.model_id,
                rank=row.rank,
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
        "scores": [
            {
                "name": field.name,
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
    judged = next((each.judges for each in models if each.identity == identity), None)
    if judged is None:
        return None
    return [[rounded(judged[judge.label].index), judged[judge.label].rank] for judge in view.session.panel]
