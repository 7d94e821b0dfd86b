"""API keys: refused when missing, before any call is made. Never holds or shows a key."""

from collections.abc import Iterable, Mapping

from independence_bench.bad_input import BadInput
from independence_bench.engine import Task


def refuse_missing_keys(tasks: Iterable[Task], environment: Mapping[str, str]) -> None:
    """Check that every endpoint that will be asked has its key.

    Raises:
        BadInput: a key variable is unset or empty, with the models or judges that need it.
    """
    missing: dict[str, set[str]] = {}
    for task in tasks:
        asked = [*task.judges, *([] if task.transcript else [task.spec.model])]
        for model in asked:
            variable = model.endpoint.key_env
            if variable and not environment.get(variable, "").strip():
                missing.setdefault(variable, set()).add(model.label)
    for variable, labels in sorted(missing.items()):
        shown = ", ".join(sorted(labels)[:3]) + (" and others" if len(labels) > 3 else "")
        raise BadInput(
            f"{variable}: this key is not set, and {shown} cannot be asked without it; export it or put it into .env"
        )
