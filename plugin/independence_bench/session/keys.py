"""API keys: refused when missing, before any call is made. Never holds or shows a key."""

from collections.abc import Callable, Iterable, Mapping

from independence_bench.bad_input import BadInput
from independence_bench.session.plan import Plan
from independence_bench.session.standing import NOTHING, Standing


def refuse_missing_keys(
    plan: Plan, keys: Iterable[str], environment: Mapping[str, str], standing_now: Callable[[], Mapping[str, Standing]]
) -> None:
    """Check that every endpoint that will be asked for these trials has its key.

    What stands in the store is looked up only where a key is missing: then it decides whether anybody will be asked.

    Raises:
        BadInput: a key variable is unset or empty, with the models or judges that need it.
    """
    needed = {model.endpoint.key_env for model in (*plan.models, *plan.panel)}
    unset = {variable for variable in needed if variable and not environment.get(variable, "").strip()}
    if not unset:
        return
    standing = standing_now()
    missing: dict[str, set[str]] = {}
    for key in keys:
        spec = plan.by_key[key]
        stands = standing.get(key, NOTHING)
        judged = stands.judged or {}
        asked = [judge for judge in plan.judges_of(spec) if judge.configuration not in judged]
        if stands.transcript_hash is None:
            asked.append(spec.model)
        for model in asked:
            variable = model.endpoint.key_env
            if variable in unset:
                missing.setdefault(variable, set()).add(model.label)
    for variable, labels in sorted(missing.items()):
        shown = ", ".join(sorted(labels)[:3]) + (" and others" if len(labels) > 3 else "")
        raise BadInput(
            f"{variable}: this key is not set, and {shown} cannot be asked without it; export it or put it into .env"
        )
