"""Refuses what cannot be asked, before any call is made: an API key or a price is missing, or a score is unknown.

Never holds or shows a key.
"""

from collections.abc import Callable, Iterable, Mapping

from independence_bench.bad_input import BadInput
from independence_bench.chat.prices import price_of
from independence_bench.counted import some_of
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import StoredState, models_asked
from independence_bench.spec import LEXICAL_JUDGE

OTHER_JUDGE = (
    "; or name another judge with --judge (--judge=offline/lexical, a heuristic, needs no key) or its server with "
    "--judge-endpoint"
)


def refuse_missing_keys(
    plan: Plan, keys: Iterable[str], environment: Mapping[str, str], states_now: Callable[[], Mapping[str, StoredState]]
) -> None:
    """Check that every endpoint that will be asked has its key; reads the store only if one is missing. Raises
    BadInput: a key variable is unset or empty, with the models or judges that need it.
    """
    needed = {model.endpoint.key_env for model in plan.asked}
    unset = {variable for variable in needed if variable and not environment.get(variable, "").strip()}
    if not unset:
        return
    asked = models_asked(plan, states_now(), keys).values()
    for variable in sorted(unset):
        without = [model for model in asked if model.endpoint.key_env == variable]
        if shown := some_of({model.label for model in without}):
            models = {spec.model.configuration for spec in plan.by_key.values()}
            other = "" if any(model.configuration in models for model in without) else OTHER_JUDGE
            raise BadInput(
                f"{variable}: this key is not set, and {shown} cannot be asked without it; "
                f"export it or add it to .env{other}"
            )


def refuse_unknown_prices(
    plan: Plan, keys: Iterable[str], settings: Settings, states_now: Callable[[], Mapping[str, StoredState]]
) -> None:
    """Check, under a budget, that all who will be asked have a price. Raises BadInput: names those that have none."""
    if settings.max_cost is None or settings.assume_price is not None or all(map(price_of, plan.asked)):
        return
    unknown = {model.label for model in models_asked(plan, states_now(), keys).values() if price_of(model) is None}
    if unknown:
        raise BadInput(
            f"--max-cost: the price of {some_of(unknown)} is not known, so no budget can be kept; add price_in and "
            "price_out to configs/models.yaml, or add --assume-price=IN,OUT (US dollars per million tokens)"
        )


def refuse_unjudgeable(plan: Plan, keys: Iterable[str]) -> None:
    """Raise BadInput where a rubric of these trials asks for a score that the embedded judge does not know."""
    rubrics = {
        spec.scenario.rubric.id: spec.scenario.rubric
        for spec in map(plan.by_key.__getitem__, keys)
        if spec.scenario.rubric and any(judge.offline and judge.id == LEXICAL_JUDGE for judge in plan.judges_of(spec))
    }
    for rubric in rubrics.values():
        from independence_bench.offline.lexical_judge.lexical import unknown_fields  # late: its tables of words

        if unknown := unknown_fields(rubric):
            raise BadInput(
                f"rubric {rubric.id}: {LEXICAL_JUDGE} does not know {some_of(unknown)}; "
                "name a language model as the judge with --judge"
            )
