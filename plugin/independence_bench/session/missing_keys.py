"""Refuses a session whose API keys are missing, before any call is made. Never holds or shows a key."""

from collections.abc import Callable, Iterable, Mapping

from independence_bench.bad_input import BadInput
from independence_bench.session.plan import Plan
from independence_bench.session.stored_state import StoredState, models_asked

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
        if shown := some_of({model.label for model in asked if model.endpoint.key_env == variable}):
            models = {model.configuration for model in plan.models if model.endpoint.key_env == variable}
            other = "" if any(model.configuration in models for model in asked) else OTHER_JUDGE
            raise BadInput(
                f"{variable}: this key is not set, and {shown} cannot be asked without it; "
                f"export it or add it to .env{other}"
            )


def some_of(labels: Iterable[str]) -> str:
    """Name at most three of the labels."""
    ordered = sorted(labels)
    return ", ".join(ordered[:3]) + (" and others" if len(ordered) > 3 else "")
