"""A client that answers from a function, and trials to conduct with it."""

import asyncio
import json
from collections.abc import Callable, Sequence

from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.selection import select_models, select_panel
from independence_bench.chat.failures import CallFailed
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.throttle import Priority
from independence_bench.chat.trial_keys import trial_key
from independence_bench.engine import Task
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.session.plan import trial_specs
from independence_bench.spec import Model
from independence_bench.trial import Reply, Usage

Answer = Callable[[ChatRequest], "str | Reply | BaseException"]


def verdict_for(request: ChatRequest) -> str:
    """A valid verdict for whatever rubric the request carries."""
    schema = json.loads(json.dumps(request.response_format))["json_schema"]["schema"]["properties"]
    values: dict[str, object] = {"reasoning": "Because."}
    for name, field in schema.items():
        kind = field.get("type")
        if name != "reasoning":
            values[name] = {"integer": 8, "boolean": False, "array": []}.get(kind) if isinstance(kind, str) else None
    return json.dumps(values)


class AnsweringClient:
    """Stands in for ChatClient: answers at once, or after ``seconds``, and remembers what was asked."""

    def __init__(self, answer: Answer | None = None, seconds: float = 0.0) -> None:
        self.answer = answer or (lambda request: verdict_for(request) if request.response_format else "I am someone.")
        self.seconds = seconds
        self.requests: list[ChatRequest] = []
        self.hurried: list[int] = []
        self.in_flight = 0
        self.calls = 0
        self.spent_usd = 0.0
        self.closed = False
        self.no_longer_asked: dict[str, CallFailed] = {}  # by label

    async def ask(self, request: ChatRequest, place: Priority, last_look: Callable[[], None] | None = None) -> Reply:
        if last_look is not None:
            last_look()
        self.requests.append(request)
        self.calls += 1
        self.in_flight += 1
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.in_flight -= 1
        answer = self.answer(request)
        if isinstance(answer, BaseException):
            raise answer
        usage = Usage(prompt_tokens=10, completion_tokens=5, cost_usd=0.001)
        return answer if isinstance(answer, Reply) else Reply(answer=answer, usage=usage, seconds=1.0, started_at=1.0)

    def hopeless(self, model: Model, attempt: int) -> CallFailed | None:
        return self.no_longer_asked.get(model.label)

    def hurry(self, place: Priority) -> None:
        self.hurried.append(place.order)

    async def aclose(self) -> None:
        self.closed = True


def make_tasks(
    scenarios: Sequence[str] = (), model: str = "local/m", judges: Sequence[str] = ("local/j",)
) -> list[Task]:
    """Tasks of edition v2, of the scenarios named or of all."""
    catalogue = Catalogue()
    edition = load_edition("v2", catalogue)
    models = select_models(catalogue, [model], Overrides())
    panel = select_panel(catalogue, judges, models, Overrides()) if judges else ()
    specs = trial_specs(edition, load_cells(edition, catalogue), models, 1)
    return [
        Task(spec=spec, key=trial_key(spec), judges=tuple(panel))
        for spec in specs
        if not scenarios or spec.scenario.id in scenarios
    ]
