"""Slots: which worker takes which trial, and its share of every limit. Pure: every process computes the same."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from independence_bench.chat.rates import Rate
from independence_bench.chat.throttle import Limits
from independence_bench.digest import digest
from independence_bench.session.engine_setup import all_limits
from independence_bench.session.money import dearest_trial
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.spec import Model, TrialSpec
from independence_bench.version import __version__

LEAST_SHARE = 4
"""If a limit of an endpoint or a model would leave a worker less than this, all calls go to one slot. The limit of the
whole session is split as long as each worker gets a call: who asks for workers wants them to work."""


@dataclass(frozen=True)
class Slots:
    """``count`` workers in parallel."""

    count: int
    whole: Limits  # the session's limits, those of its endpoints among them: what the slots share
    all_in_one: bool  # the first slot gets every trial, and all limits
    scenarios: Mapping[str, int]  # slot of each that a judge reads: equal verdicts meet

    @classmethod
    def of_plan(cls, plan: Plan, settings: Settings, count: int) -> "Slots":
        """Read the limits of a plan."""
        asked: Sequence[Model] = (*plan.models, *plan.panel)
        endpoints = {model.endpoint.base_url: model.endpoint for model in asked}
        whole = replace(
            all_limits(settings),
            per_endpoint={url: each.max_concurrency for url, each in endpoints.items() if each.max_concurrency},
            rates={
                url: Rate(each.requests_per_minute, each.tokens_per_minute)
                for url, each in endpoints.items()
                if each.requests_per_minute or each.tokens_per_minute
            },
        )
        least, budget = LEAST_SHARE * count, settings.max_cost
        limits = [*_fewest_calls(asked), *([whole.per_model] if whole.per_model is not None else [])]
        all_in_one = count > 1 and (
            whole.concurrency < count
            or min(limits, default=least) < least
            or (budget is not None and budget < least * dearest_trial(plan, settings))
        )
        return cls(count, whole, all_in_one, _slots_of_scenarios(plan, count))

    def of(self, spec: TrialSpec) -> int:
        """Return the slot of a trial."""
        if self.all_in_one:
            return 0
        slot = self.scenarios.get(spec.scenario.id)
        return self.of_id(spec.case_id) if slot is None else slot

    def of_id(self, case_id: str) -> int:
        """Return the slot of a case that is no trial of the plan."""
        return crc32(case_id.encode()) % self.count

    def limits(self, slot: int) -> Limits:
        """Return one slot's share; the shares of all slots add up to the limits, or one slot holds all of it."""
        whole, each = self.whole, self.whole.per_model
        if self.all_in_one:
            return whole
        return Limits(
            concurrency=self._share(whole.concurrency, slot),
            per_model=each if each is None else self._share(each, slot),
            per_endpoint={url: self._share(limit, slot) for url, limit in whole.per_endpoint.items()},
            rates={url: self._part(rate) for url, rate in whole.rates.items()},
            first=(slot + 1) / self.count,
        )

    def _part(self, rate: Rate) -> Rate:
        return Rate(*(limit and limit / self.count for limit in (rate.requests, rate.tokens)))

    def _share(self, limit: int, slot: int) -> int:
        return limit // self.count + (1 if slot < limit % self.count else 0)


def agreed_digest(plan: Plan) -> str:
    """Return the digest of what controller and workers agree on: plan, extensions, version, models and judges, with
    prices and limits, of which workers get shares.
    """
    models = (model.model_dump(mode="json") for model in (*plan.models, *plan.panel))
    return digest([plan.digest, [*plan.extensions], __version__, *models])


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


def _fewest_calls(asked: Sequence[Model]) -> Iterator[float]:
    """Yield how many calls, at once or in a minute, each limit of an endpoint allows."""
    for model in asked:
        endpoint = model.endpoint
        of_tokens = (endpoint.tokens_per_minute or 0) / model.max_tokens
        yield from filter(None, (endpoint.max_concurrency, endpoint.requests_per_minute, of_tokens))
