"""Refuses a session whose API keys are missing, before any call is made. Never holds or shows a key."""

from collections.abc import Callable, Iterable, Mapping

from independence_bench.bad_input import BadInput
from independence_bench.session.plan import Plan
from independence_bench.session.stored_state import StoredState, models_asked


def refuse_missing_keys(
    plan: Plan, keys: Iterable[str], environment: Mapping[str, str], states_now: Callable[[], Mapping[str, StoredState]]
) -> None:
    """Check that every endpoint that will be asked for these trials has its key.

    Reads the store only if a key is missing: the endpoint may have nothing left to be asked.

    Raises:
        BadInput: a key variable is unset or empty, with the models or judges that need it.
    """
    needed = {model.endpoint.key_env for model in (*plan.models, *plan.panel)}
    unset = {variable for variable in needed if variable and not environment.get(variable, "").strip()}
    if not unset:
        return
    missing: dict[str, set[str]] = {}
    for model in models_asked(plan, states_now(), keys).values():
        variable = model.endpoint.key_env
        if variable in unset:
            missing.setdefault(variable, set()).add(model.label)
    for variable, labels in sorted(missing.items()):
        shown = some_of(labels)
        raise BadInput(
            f"{variable}: this key is not set, and {shown} cannot be asked without it; export it or add it to .env"
        )


def some_of(labels: Iterable[str]) -> str:
    """Name at most three of the labels."""
    ordered = sorted(labels)
    return ", ".join(ordered[:3]) + (" and others" if len(ordered) > 3 else "")
