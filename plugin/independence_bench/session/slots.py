"""Slots: which worker takes which trial, and its share of every limit. Pure: every process computes the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

from independence_bench.chat.rates import Rate
from independence_bench.chat.throttle import Limits
from independence_bench.session.money import dearest_trial
from independence_bench.session.plan import Plan
from independence_bench.session.settings import DEFAULT_CONCURRENCY, Settings
from independence_bench.spec import Model, TrialSpec

LEAST_SHARE = 4
"""A limit of an endpoint or a model that would leave a worker less than this is not split: its calls go to one slot.
The limit of the whole session is split as long as each worker gets a call: who asks for workers wants them to work."""


@dataclass(frozen=True)
class Slots:
    """``count`` workers in parallel."""

    count: int
    whole: Limits  # the session's limits, those of its endpoints among them: what the slots share
    judge_urls: tuple[str, ...]  # base URLs of the judges that are asked over a network
    scarce: frozenset[str] = frozenset()  # base URLs whose limits per minute leave a worker less than a few calls
    budget_is_tight: bool = False  # true if a share of the budget would pay for less than a few trials
    scenarios: Mapping[str, int] = field(default_factory=dict)  # slot of each that a judge reads: equal verdicts meet

    @classmethod
    def of_plan(cls, plan: Plan, settings: Settings, count: int) -> "Slots":
        """Read the limits of a plan."""
        asked: Sequence[Model] = (*plan.models, *plan.panel)
        endpoints = {model.endpoint.base_url: model.endpoint for model in asked}
        whole = Limits(
            concurrency=settings.concurrency or DEFAULT_CONCURRENCY,
            per_model=settings.concurrency_per_model,
            per_endpoint={url: each.max_concurrency for url, each in endpoints.items() if each.max_concurrency},
            rates={
                url: Rate(each.requests_per_minute, each.tokens_per_minute)
                for url, each in endpoints.items()
                if each.requests_per_minute or each.tokens_per_minute
            },
        )
        return cls(
            count=count,
            whole=whole,
            scarce=frozenset(url for url, calls in _calls_per_minute(asked).items() if calls < LEAST_SHARE * count),
            budget_is_tight=settings.max_cost is not None
            and count > 1
            and settings.max_cost < LEAST_SHARE * count * dearest_trial(plan, settings),
            judge_urls=tuple(judge.endpoint.base_url for judge in plan.panel if not judge.offline),
            scenarios=_slots_of_scenarios(plan, count),
        )

    def of(self, spec: TrialSpec) -> int:
        """Return the slot of a trial."""
        if self._all_in_one:
            return 0
        url = spec.model.endpoint.base_url
        if self._undivided(self.whole.per_endpoint.get(url)) or url in self.scarce:
            return crc32(url.encode()) % self.count
        if self._undivided(self.whole.per_model):
            # As the throttle counts: two rows of one served model share its limit.
            return crc32(f"{url} {spec.model.served_id}".encode()) % self.count
        slot = self.scenarios.get(spec.scenario.id)
        return self.of_id(spec.case_id) if slot is None else slot

    def of_id(self, case_id: str) -> int:
        """Return the slot of a case that is no trial of the plan."""
        return crc32(case_id.encode()) % self.count

    def limits(self, slot: int) -> Limits:
        """Return one slot's share; the shares of all slots add up to the limits, or one slot holds all of it."""
        whole = self.whole
        if self._all_in_one:
            return whole
        return Limits(
            concurrency=self._share(whole.concurrency, slot),
            per_model=None if whole.per_model is None else self._part(whole.per_model, slot),
            per_endpoint={url: self._part(limit, slot) for url, limit in whole.per_endpoint.items()},
            rates={url: self._rate(url, rate) for url, rate in whole.rates.items()},
            first=(slot + 1) / self.count,
        )

    @cached_property
    def _all_in_one(self) -> bool:
        everywhere = [self.whole.per_endpoint.get(url) for url in self.judge_urls]
        if self.judge_urls:
            everywhere.append(self.whole.per_model)  # a judge is a model that every slot asks
        if self.count == 1:
            return False
        if self.budget_is_tight or self.whole.concurrency < self.count:
            return True
        return any(map(self._undivided, everywhere)) or not self.scarce.isdisjoint(self.judge_urls)

    def _undivided(self, limit: int | None) -> bool:
        return limit is not None and limit < LEAST_SHARE * self.count

    def _rate(self, url: str, rate: Rate) -> Rate:
        if url in self.scarce:
            return rate
        return Rate(*(limit and limit / self.count for limit in (rate.requests, rate.tokens)))

    def _part(self, limit: int, slot: int) -> int:
        return limit if self._undivided(limit) else self._share(limit, slot)

    def _share(self, limit: int, slot: int) -> int:
        return limit // self.count + (1 if slot < limit % self.count else 0)


def _slots_of_scenarios(plan: Plan, count: int) -> dict[str, int]:
    """Give the scenario with the most calls to the slot with the fewest, one after the other."""
    calls = Counter[str]()
    for spec in plan.specs:
        if spec.scenario.rubric is not None:
            calls[spec.scenario.id] += spec.script.calls
    load, slots = [0] * count, {}
    for scenario, number in sorted(calls.items(), key=lambda each: (-each[1], each[0])):
        slots[scenario] = load.index(min(load))
        load[slots[scenario]] += number
    return slots


def _calls_per_minute(asked: Sequence[Model]) -> dict[str, float]:
    calls: dict[str, float] = {}
    for model in asked:
        endpoint = model.endpoint
        limits = (endpoint.requests_per_minute, (endpoint.tokens_per_minute or 0) / model.max_tokens)
        for limit in limits:
            if limit:
                calls[endpoint.base_url] = min(limit, calls.get(endpoint.base_url, limit))
    return calls
