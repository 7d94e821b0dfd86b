"""The printed shape of the metrics of one population, or of several ranked: JSON, every null under ``undefined``.

Knows ``Measured`` and computes nothing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.frozen import repeated_names
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.circumplex import constant_items
from independence_bench.kinds.roles.metrics.factor_fit import FAILED, RULES, FactorCell, FitMeans, Measures, means
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import Measured
from independence_bench.kinds.roles.metrics.rank_correlation import varies
from independence_bench.kinds.roles.metrics.rank_order import RESAMPLES, rank_order
from independence_bench.kinds.roles.metrics.ranking import above_chance, over_columns
from independence_bench.safe_text import safe_text
from independence_bench.scoring.uncertainty.sample import mean_of_known

ALL_UNDEFINED = "everything it averages is undefined"


class Undefined(dict[str, str]):
    """What is undefined in one analysis, with the first reason; collected while its result is written."""

    def number(self, value: float | None, what: str, why: str = ALL_UNDEFINED) -> float | None:
        """Return a finite number as it is, anything else as None with an entry."""
        if value is not None and math.isfinite(value):
            return float(value)
        self.setdefault(what, why)
        return None

    def numbers(self, values: Mapping[str, float | None], where: str, why: str = ALL_UNDEFINED) -> dict[str, Json]:
        """Return :meth:`number` of each value; ``where`` is put before its name."""
        return {name: self.number(value, where + name, why) for name, value in values.items()}

    def listed(self) -> list[Json]:
        """All entries in order of first mention."""
        return [{"what": what, "why": why} for what, why in self.items()]


FILLED = ("stress/compatibility", "cfa/compatibility", "cardinal", "ordinal", "W", "max_MRC")
"""What counts a random answer in place of a missing one, as published."""

WHY_NO_FIT = {
    "zero_variance": "all personas answered one of the items alike",
    "singular_covariance": "items repeat each other, or too few personas answered all of them",
    "not_identified": "a factor has one item only, or the model more parameters than the items have covariances",
}


def as_json(measured: Measured) -> dict[str, Json]:
    """Write one population's result."""
    undefined = Undefined()
    result = _population(measured)
    for part in (_rank_order, _retest, _ipsative, _alpha, _stress, _cfa, _cardinal):
        result |= part(measured, undefined)
    return result | {"undefined": undefined.listed()}


def _population(measured: Measured) -> dict[str, Json]:
    answers: dict[str, Json] = {
        "total": sum(context.items.size for context in measured.contexts),
        "missing": measured.n_missing,
        "missing_per_context": {context.name: context.n_missing for context in measured.contexts},
    }
    if measured.n_missing:
        answers["filled_at_random_in"] = [*FILLED]
        answers["n_filled_at_random"] = measured.n_filled
    return {
        "model": measured.population.model,
        "n_personas": measured.population.n_personas,
        "contexts": list(measured.names),
        "answers": answers,
    }


def _rank_order(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    orders, exact_ties = measured.orders, rank_order(measured.contexts, exact_ties=True)
    few_draws = "the samples of personas have no order to compare, or all the same"
    overall = undefined.number(orders.overall, "rank_order")
    low, high = measured.interval or (math.nan, math.nan)
    result: dict[str, Json] = {
        "rank_order": overall,
        "rank_order_interval": [*undefined.numbers({"0": low, "1": high}, "rank_order_interval/", few_draws).values()],
        "rank_order_bounds": list(orders.bounds),
        "rank_order_n_undefined": int(np.isnan(orders.rho).sum()),
        "rank_order_exact_ties": undefined.number(exact_ties.overall, "rank_order_exact_ties"),
    }
    for kind in sorted({"portrait_portrait", "portrait_survey", *orders.kinds}):
        part = orders.only(kind)
        why = ALL_UNDEFINED if part.pairs else "no two contexts have these two questionnaires"
        result[f"rank_order_{kind}"] = undefined.number(part.overall, f"rank_order_{kind}", why)
    per_value = dict(zip(VALUES, orders.per_value.tolist(), strict=True))
    result["rank_order_per_value"] = undefined.numbers(per_value, "rank_order_per_value/")
    pairs: list[Json] = []
    for (a, b), mean, row in zip(orders.pairs, orders.per_pair.tolist(), orders.rho.tolist(), strict=True):
        where = f"rank_order_pairs/{a}/{b}"
        rho: dict[str, Json] = {
            value: undefined.number(found, f"{where}/{value}", _why_no_order(measured, column, (a, b)))
            for column, (value, found) in enumerate(zip(VALUES, row, strict=True))
        }
        pairs.append([a, b, undefined.number(mean, f"{where}/mean"), rho])
    result["rank_order_pairs"] = pairs
    return result


def _why_no_order(measured: Measured, column: int, names: tuple[str, str]) -> str:
    for context in measured.contexts:
        if context.name in names and not varies(context.centred[:, column]):
            return f"all personas who answered score alike in {context.name}, or none answered"
    return "too few personas answered in both contexts"


def _retest(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    if not measured.retests:
        return {}
    pairs: list[Json] = [
        {**asdict(each), "rank_order": undefined.number(each.rank_order, f"retest/pairs/{each.retest}")}
        for each in measured.retests
    ]
    no_ceiling = "there is no rank order, or no ceiling above 0 for it to be a share of"
    return {
        "retest": {
            "ceiling": undefined.number(measured.ceiling, "retest/ceiling"),
            "share_of_ceiling": undefined.number(measured.share_of_ceiling, "retest/share_of_ceiling", no_ceiling),
            "pairs": pairs,
        }
    }


def _ipsative(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    for context in measured.contexts:
        for persona, scores in enumerate(context.centred):
            if not varies(scores):
                what = f"ipsative/{context.name}/persona {persona}"
                undefined.setdefault(what, "the persona scores alike on all ten values, or answered nothing")
    rho = measured.ipsative
    return {
        "ipsative": undefined.number(float(mean_of_known(rho)), "ipsative"),
        "ipsative_bounds": [float(np.nan_to_num(rho, nan=end).mean()) for end in (-1, 1)],
        "ipsative_n_undefined": int(np.isnan(rho).sum()),
    }


def _alpha(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    alpha = measured.alpha
    why = "it has one item, its centred items sum to the same for all, or fewer than two personas answered all of them"
    for context, value in np.argwhere(np.isnan(alpha)):
        undefined.setdefault(f"cronbach_alpha/{measured.names[context]}/{VALUES[value]}", why)
    per_value = dict(zip(VALUES, mean_of_known(alpha, axis=0).tolist(), strict=True))
    return {
        "cronbach_alpha": undefined.number(float(mean_of_known(alpha)), "cronbach_alpha"),
        "cronbach_alpha_n_undefined": int(np.isnan(alpha).sum()),
        "cronbach_alpha_per_value": undefined.numbers(per_value, "cronbach_alpha_per_value/"),
    }


def _stress(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    alike = "all items correlate alike with all others, or more than half of the answers are missing"
    few = "fewer than four items differ between personas, two share too few personas, or all order the personas alike"
    whole = {"compatibility": measured.compatibility_stress, "corrected": measured.corrected_stress}
    per_context: dict[str, Json] = {}
    for row, context in enumerate(measured.contexts):
        where = f"stress/per_context/{context.name}"
        for item in constant_items(context):
            undefined.setdefault(f"{where}/corrected/item {item}", "all personas answered it alike, or none; left out")
        per_context[context.name] = {
            name: undefined.number(float(each[row]), f"{where}/{name}", alike if name == "compatibility" else few)
            for name, each in whole.items()
        }
    over_contexts = {name: float(mean_of_known(each)) for name, each in whole.items()}
    return {"stress": {**undefined.numbers(over_contexts, "stress/"), "per_context": per_context}}


def _cfa(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    per_context: dict[str, Json] = {}
    means_per_context: dict[str, Json] = {}
    for context, models in measured.structure.items():
        where = f"cfa/per_context/{context}"
        per_context[context] = {name: _cell(cell, f"{where}/{name}", undefined) for name, cell in models.items()}
        where = f"cfa/means_per_context/{context}"
        means_per_context[context] = _means(list(models.values()), where, undefined)
    unrepeatable = sum(cell.completed.status == "not_converged" for cell in measured.cells)
    return {
        "cfa": {
            "means": _means(measured.cells, "cfa/means", undefined),
            "n_fits": len(measured.cells),
            "n_unrepeatable_compatibility_verdicts": unrepeatable,
            "means_per_context": means_per_context,
            "per_context": per_context,
        }
    }


def _cell(cell: FactorCell, where: str, undefined: Undefined) -> Json:
    fit = cell.observed
    result: dict[str, Json] = {"status": fit.status}
    if fit.measures:
        result |= asdict(fit.measures)
    else:
        why = WHY_NO_FIT.get(fit.status, "there is no solution")
        result |= undefined.numbers(dict.fromkeys(asdict(FAILED), math.nan), f"{where}/", why)
    for rule in RULES:
        status = "ok" if cell.accepted(rule) else "failed"
        result[rule] = {"status": status, **_fit_indices(cell.counted(rule))}
    return result


def _means(cells: Sequence[FactorCell], where: str, undefined: Undefined) -> Json:
    result: dict[str, Json] = {}
    for rule in RULES:
        successes = _fit_indices(means(cells, rule, successes_only=True))
        alone = undefined.numbers(successes, f"{where}/{rule}/of_successes/", "no fit succeeded under this rule")
        result[rule] = {**asdict(means(cells, rule)), "of_successes": alone}
    return result


def _fit_indices(found: Measures | FitMeans) -> dict[str, float]:
    return {"cfi": found.cfi, "srmr": found.srmr, "rmsea": found.rmsea}


def _cardinal(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    why = "the rank order or the Stress of a context is undefined"
    return {
        "cardinal": undefined.number(measured.cardinal, "cardinal", why),
        "cardinal_bounds": list(measured.cardinal_bounds),
        "cardinal_above_chance": undefined.number(above_chance(measured.cardinal), "cardinal_above_chance", why),
    }


def analyse_many(populations: Sequence[Population], resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Json]:
    """Analyse several populations and rank their models. Raises BadInput: they were not asked in the same contexts."""
    _comparable(populations)
    measured = {population.model: Measured(population, resamples, seed) for population in populations}
    undefined = Undefined()
    models = {name: as_json(each) for name, each in measured.items()}
    scores = {
        name: undefined.number(each.cardinal, f"cardinal/{name}", f"see models/{name}/undefined")
        for name, each in measured.items()
    }
    ranks = _ranking(measured, undefined)
    return {"models": {**models}, "cardinal": {**scores}, **ranks, "undefined": undefined.listed()}


def _ranking(measured: dict[str, Measured], undefined: Undefined) -> dict[str, Json]:
    ordinal, diversity = over_columns([each.columns for each in measured.values()])
    for column in diversity.columns_left_out:
        undefined.setdefault(f"columns/{column}", "undefined for at least one model; the ranking does without it")
    few = "a ranking takes two models and two columns that are defined for all"
    w = {"compatibility": diversity.w_compatibility, "corrected": diversity.w}
    return {
        "ordinal": undefined.numbers(dict(zip(measured, ordinal, strict=True)), "ordinal/", few),
        "W": undefined.numbers(w, "W/", few),
        "max_MRC": undefined.number(diversity.max_mrc, "max_MRC", few),
        "n_columns": diversity.columns,
    }


def _comparable(populations: Sequence[Population]) -> None:
    if twice := repeated_names([population.model for population in populations]):
        name = safe_text(twice[0])
        raise BadInput(f"model: {name} is the name of two populations; give each its own to rank them")
    first, *others = populations
    asked = {context.name: context.instrument for context in first.measured}
    for other in others:
        if {context.name: context.instrument for context in other.measured} != asked:
            raise BadInput(
                f"contexts: {safe_text(other.model)} was not asked in the contexts of {safe_text(first.model)}; "
                "rank models over the same contexts and questionnaires, or analyse them one by one"
            )
