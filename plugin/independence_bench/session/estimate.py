"""What a plan needs: trials, calls, tokens (measured, of its kind, or assumed), money and time at the limits."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Literal, NamedTuple

from independence_bench.chat.prices import Price, price_of
from independence_bench.chat.sizes import ANSWER_TOKENS, CHARACTERS_PER_TOKEN, VERDICT_TOKENS
from independence_bench.kinds.measuring_protocol import measuring
from independence_bench.session.plan import Plan
from independence_bench.session.stored_state import NOTHING, StoredState, is_measured, questions_left
from independence_bench.spec import Model, Rubric, Script
from independence_bench.store import Store

RUBRIC_TOKENS = 700  # prompt tokens of rubric, frame and reply shape, in addition to the transcript

THINKING_TOKENS = 1500  # completion tokens of hidden reasoning in one answer, assumed before it is measured

Basis = Literal["own", "others", "assumed", "reasoning"]  # measured, of it or of others of its kind; or assumed


class Tokens(NamedTuple):
    """What one trial or verdict takes, all its calls together."""

    prompt: float
    completion: float
    basis: Basis


class TokenCounts(dict[tuple[str | None, str], Tokens]):
    """Mean tokens of stored measurements, retries included; empty where nothing is stored. By configuration (None: the
    mean over the others that have a list price and do not reason) and digest of a script or rubric.
    """

    def of_trial(self, model: Model, script: Script) -> Tokens:
        """Return what the conversation of a trial takes."""
        if known := self._mean(model, script.digest):
            return known
        sizes = list(measuring(script.kind).call_sizes(model, script, 1, ANSWER_TOKENS))
        prompt, answers = sum(size.likely_prompt for size in sizes), sum(size.likely_answer for size in sizes)
        return _with_reasoning(model, script.calls, Tokens(prompt, answers, "assumed"))

    def of_verdicts(self, judge: Model, rubric: Rubric, script: Script, times: int = 1) -> Tokens:
        """Return what so many verdicts on a trial take."""
        if known := self._mean(judge, rubric.digest):
            return known._replace(prompt=times * known.prompt, completion=times * known.completion)
        spoken = sum(map(len, [*(turn.text for turn in script.opening), *script.turns])) / CHARACTERS_PER_TOKEN
        prompt = RUBRIC_TOKENS + spoken + ANSWER_TOKENS * script.calls
        return _with_reasoning(judge, times, Tokens(times * prompt, times * VERDICT_TOKENS, "assumed"))

    def _mean(self, model: Model, text: str) -> Tokens | None:
        alike = model.price_out is not None and not model.reasons
        return self.get((model.configuration, text)) or (self.get((None, text)) if alike else None)


def read_token_counts(store: Store, plan: Plan) -> TokenCounts:
    """Return the means of what a store holds of a plan's texts and rubrics."""
    scripts = {cell.script.digest for cell in plan.cells}
    rubrics = {cell.scenario.rubric.digest for cell in plan.cells if cell.scenario.rubric}
    means = TokenCounts()
    # A model on one's own server says little about one that is paid for, and reasoning is paid for too.
    alike = {
        stored.configuration
        for stored in store.configurations()
        if stored.price_out is not None and stored.reasoning_effort in (None, "off", "none")
    }
    judges = {judge.configuration for judge in plan.panel if judge.price_out is not None and not judge.reasons}
    by_text: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in store.mean_tokens(scripts | rubrics):
        means[row.configuration, row.text] = Tokens(row.prompt_tokens, row.completion_tokens, "own")
        if not row.embedded and row.configuration in alike | judges:
            by_text[row.text].append((row.prompt_tokens, row.completion_tokens))
    for text, sizes in by_text.items():
        prompt, completion = (sum(each) / len(sizes) for each in zip(*sizes, strict=True))
        means[None, text] = Tokens(prompt, completion, "others")
    return means


def _with_reasoning(model: Model, calls: int, tokens: Tokens) -> Tokens:
    if not model.reasons:
        return tokens
    return Tokens(tokens.prompt, tokens.completion + calls * THINKING_TOKENS, "reasoning")


@dataclass(frozen=True, slots=True)
class Work:
    """What is left to ask of one model in one trial: its conversation, or one judge's verdict."""

    asked: Model
    calls: int
    tokens: Tokens
    judging: bool


@dataclass(frozen=True, slots=True)
class Effort:
    """Calls still to be made, conversations' or verdicts'."""

    calls: int
    usd: float | None  # None: the price is unknown, which is not zero
    basis: frozenset[Basis]  # what the numbers of tokens are based on
    embedded: int = 0  # calls of embedded models and judges, among these

    @classmethod
    def of(cls, work: Sequence[Work]) -> "Effort":
        """Sum up."""
        embedded = sum(each.calls for each in work if each.asked.offline)
        return cls(
            sum(each.calls for each in work), cost(work), frozenset(each.tokens.basis for each in work), embedded
        )

    def __add__(self, other: "Effort") -> "Effort":
        """Add up; an unknown price makes the sum unknown."""
        usd = self.usd + other.usd if self.usd is not None and other.usd is not None else None
        return Effort(self.calls + other.calls, usd, self.basis | other.basis, self.embedded + other.embedded)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is left to do for one model, or for all."""

    label: str
    trials: int
    measured: int
    generation: Effort
    judging: Effort


def remaining_work(
    plan: Plan, states: Mapping[str, StoredState], keys: Iterable[str], counts: TokenCounts | None = None
) -> Iterator[Work]:
    """Yield all that is left to ask for these trials; the same for all runs of a model and a script."""
    counts = counts or TokenCounts()
    known: dict[tuple[int, ...], Work] = {}
    for _, spec, judge, calls in questions_left(plan, states, keys):
        asked, rubric = judge or spec.model, spec.scenario.rubric
        question = judge is None, id(asked), id(spec.script), id(rubric), calls
        if question not in known:
            if judge is None or rubric is None:
                tokens = counts.of_trial(asked, spec.script)
            else:
                tokens = counts.of_verdicts(asked, rubric, spec.script, calls)
            known[question] = Work(asked, calls, tokens, judging=judge is not None)
        yield known[question]


def estimates(
    plan: Plan, states: Mapping[str, StoredState], keys: Sequence[str], counts: TokenCounts | None = None
) -> list[Estimate]:
    """Return what is left to do of these trials, per model in the plan's order; several are followed by "all"."""
    parts: dict[str, list[str]] = {model.label: [] for model in plan.models}
    for key in keys:
        parts.setdefault(plan.by_key[key].model.label, []).append(key)
    rows = []
    for label, part in parts.items():
        if not part:
            continue
        measured = sum(is_measured(plan, plan.by_key[key], states.get(key, NOTHING)) for key in part)
        work = list(remaining_work(plan, states, part, counts))
        efforts = (Effort.of([each for each in work if each.judging is judging]) for judging in (False, True))
        rows.append(Estimate(label, len(part), measured, *efforts))
    if len(rows) > 1:
        generation = reduce(add, (row.generation for row in rows))
        judging = reduce(add, (row.judging for row in rows))
        rows.append(Estimate("all", len(keys), sum(row.measured for row in rows), generation, judging))
    return rows


def cost(work: Iterable[Work], assumed: Price | None = None) -> float | None:
    """Return what work costs at list prices, US dollars; None where a price is unknown and none is assumed."""
    total = 0.0
    for each in work:
        price = price_of(each.asked, assumed)
        if price is None:
            return None
        total += price.of(each.tokens.prompt, each.tokens.completion)
    return total


def least_minutes(work: Iterable[Work]) -> float:
    """Return how long the limits per minute make this work last at least; 0 where there are none."""
    limited: defaultdict[tuple[str, str], float] = defaultdict(float)  # minutes, by endpoint and limit
    for each in work:
        endpoint = each.asked.endpoint
        if endpoint.requests_per_minute:
            limited[endpoint.base_url, "requests"] += each.calls / endpoint.requests_per_minute
        if endpoint.tokens_per_minute:
            limited[endpoint.base_url, "tokens"] += sum(each.tokens[:2]) / endpoint.tokens_per_minute
    return max(limited.values(), default=0.0)
