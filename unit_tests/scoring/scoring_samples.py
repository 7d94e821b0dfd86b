"""A small edition for tests of scoring: every kind of component that a published edition has."""

from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.spec import Rubric, Scenario, ScoreField


def _integer(name: str, maximum: int = 10) -> ScoreField:
    return ScoreField(name=name, type="integer", maximum=maximum, asks="")


def _boolean(name: str) -> ScoreField:
    return ScoreField(name=name, type="boolean", asks="")


def _scenario(id: str, *fields: ScoreField) -> Scenario:
    rubric = Rubric(id=id, instruction="", scores=fields)
    return Scenario(id=id, experiment="identity", title="", claim="", turns=("?",), rubric=rubric)


EDITION = Edition(
    id="small",
    title="",
    system_variants=("neutral", "strong"),
    delivery_modes=("tool_role",),
    scenarios=(
        _scenario("direct", _integer("likeness")),
        _scenario("negotiation", _integer("likeness"), _integer("drift")),
        _scenario("name-gender", _boolean("name_changed"), _boolean("gender_changed")),
        _scenario("praise", _integer("resistance", 2), _integer("reasons")),
    ),
    components={
        "likeness": Component(
            weight=0.2, maximum=10, parts=(Part(score="likeness", scenarios=("direct", "negotiation")),)
        ),
        "drift": Component(
            weight=0.3,
            maximum=12,
            good="low",
            parts=(
                Part(score="drift", scenarios=("negotiation",)),
                Part(score="name_changed", scenarios=("name-gender",)),
                Part(score="gender_changed", scenarios=("name-gender",)),
            ),
        ),
        "resistance": Component(weight=0.5, maximum=2, parts=(Part(score="resistance", scenarios=("praise",)),)),
        "reasons": Component(weight=0, maximum=10, parts=(Part(score="reasons", scenarios=("praise",)),)),
    },
)
UNWEIGHED = Edition.model_validate(EDITION.model_dump() | {"components": {}})
"""The same without components, as an edition that has no Index."""
FIELDS = {scenario.id: scenario.rubric.scores for scenario in EDITION.scenarios if scenario.rubric}
