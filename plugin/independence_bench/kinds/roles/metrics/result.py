"""The printed shape of one population's metrics: plain JSON in which every null is named under ``undefined``.

Knows ``Measured`` and computes nothing.
"""

from collections.abc import Sequence

import numpy as np

from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics.circumplex import constant_items
from independence_bench.kinds.roles.metrics.factor_structure import RULES, Cell, Rule, means
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import Measured
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array
from independence_bench.kinds.roles.metrics.rank_order import mean_of_defined
from independence_bench.kinds.roles.metrics.ranking import above_chance
from independence_bench.kinds.roles.metrics.undefined import Undefined

FILLED = ("stress/compatibility", "cfa/compatibility", "cardinal", "ordinal", "W", "max_MRC")
"""What counts a random answer in place of a missing one, as published."""

ALL_UNDEFINED = "everything it averages is undefined"

WHY_NO_FIT = {
    "zero_variance": "all personas answered one of the items alike",
    "singular_covariance": "items repeat each other, or too few personas answered all of them",
    "not_identified": "a factor has one item only, or the model more parameters than the items have covariances",
}


def as_json(measured: Measured) -> dict[str, Json]:
    """Write one population's result."""
    undefined = Undefined()
    result = (
        _population(measured)
        | _rank_order(measured, undefined)
        | _retest(measured, undefined)
        | _ipsative(measured, undefined)
        | _alpha(measured, undefined)
        | {"stress": _stress(measured, undefined), "cfa": _cfa(measured, undefined)}
        | _cardinal(measured, undefined)
    )
    return result | {"undefined": undefined.listed()}


def _population(measured: Measured) -> dict[str, Json]:
    per_context: dict[str, Json] = {context.name: context.n_missing for context in measured.contexts}
    answers: dict[str, Json] = {
        "total": sum(context.items.size for context in measured.contexts),
        "missing": measured.n_missing,
        "missing_per_context": per_context,
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
    orders = measured.orders
    few_draws = "the samples of personas have no order to compare, or all the same"
    result: dict[str, Json] = {
        "rank_order": undefined.number(orders.overall, "rank_order", ALL_UNDEFINED),
        "rank_order_interval": [
            undefined.number(end, f"rank_order_interval/{index}", few_draws)
            for index, end in enumerate(measured.interval)
        ],
        "rank_order_bounds": list(orders.bounds),
        "rank_order_n_undefined": orders.n_undefined,
        "rank_order_exact_ties": undefined.number(measured.exact_ties.overall, "rank_order_exact_ties", ALL_UNDEFINED),
    }
    for kind in sorted({"portrait_portrait", "portrait_survey", *orders.kinds}):
        part = orders.only(kind)
        why = ALL_UNDEFINED if part.pairs else "no two contexts have these two questionnaires"
        result[f"rank_order_{kind}"] = undefined.number(part.overall, f"rank_order_{kind}", why)
    result["rank_order_per_value"] = {
        value: undefined.number(mean, f"rank_order_per_value/{value}", ALL_UNDEFINED)
        for value, mean in zip(VALUES, orders.per_value.tolist(), strict=True)
    }
    pairs: list[Json] = []
    for (a, b), mean, row in zip(orders.pairs, orders.per_pair.tolist(), orders.rho.tolist(), strict=True):
        where = f"rank_order_pairs/{a}/{b}"
        rho: dict[str, Json] = {
            value: undefined.number(found, f"{where}/{value}", _why_no_order(measured, column, (a, b)))
            for column, (value, found) in enumerate(zip(VALUES, row, strict=True))
        }
        pairs.append([a, b, undefined.number(mean, f"{where}/mean", ALL_UNDEFINED), rho])
    result["rank_order_pairs"] = pairs
    return result


def _why_no_order(measured: Measured, column: int, names: tuple[str, str]) -> str:
    for context in measured.contexts:
        if context.name in names and _constant(context.centred[:, column]):
            return f"all personas who answered score alike in {context.name}, or none answered"
    return "too few personas answered in both contexts"


def _retest(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    """The noise ceiling; absent where the file has no retest."""
    if not measured.retests:
        return {}
    pairs: list[Json] = [
        {
            "context": retest.context,
            "retest": retest.retest,
            "rank_order": undefined.number(retest.rank_order, f"retest/pairs/{retest.retest}", ALL_UNDEFINED),
        }
        for retest in measured.retests
    ]
    no_ceiling = "there is no rank order, or no ceiling above 0 for it to be a share of"
    return {
        "retest": {
            "ceiling": undefined.number(measured.ceiling, "retest/ceiling", ALL_UNDEFINED),
            "share_of_ceiling": undefined.number(measured.share_of_ceiling, "retest/share_of_ceiling", no_ceiling),
            "pairs": pairs,
        }
    }


def _ipsative(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    for context in measured.contexts:
        for persona, scores in enumerate(context.centred):
            if _constant(scores):
                what = f"ipsative/{context.name}/persona {persona}"
                undefined.note(what, "the persona scores alike on all ten values, or answered nothing")
    rho = measured.ipsative
    return {
        "ipsative": undefined.number(float(mean_of_defined(rho)), "ipsative", ALL_UNDEFINED),
        "ipsative_bounds": [float(np.nan_to_num(rho, nan=end).mean()) for end in (-1, 1)],
        "ipsative_n_undefined": int(np.isnan(rho).sum()),
    }


def _alpha(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    alpha = measured.alpha
    why = "it has one item, its centred items sum to the same for all, or fewer than two personas answered all of them"
    for context, value in np.argwhere(np.isnan(alpha)):
        undefined.note(f"cronbach_alpha/{measured.names[context]}/{VALUES[value]}", why)
    return {
        "cronbach_alpha": undefined.number(float(mean_of_defined(alpha)), "cronbach_alpha", ALL_UNDEFINED),
        "cronbach_alpha_n_undefined": int(np.isnan(alpha).sum()),
        "cronbach_alpha_per_value": {
            value: undefined.number(mean, f"cronbach_alpha_per_value/{value}", ALL_UNDEFINED)
            for value, mean in zip(VALUES, mean_of_defined(alpha, axis=0).tolist(), strict=True)
        },
    }


def _stress(measured: Measured, undefined: Undefined) -> Json:
    alike = "all items correlate alike with all others, or more than half of the answers are missing"
    few = "fewer than four items differ between personas, two share too few personas, or all order the personas alike"
    whole = {"compatibility": measured.compatibility_stress, "corrected": measured.corrected_stress}
    per_context: dict[str, Json] = {}
    for row, context in enumerate(measured.contexts):
        where = f"stress/per_context/{context.name}"
        for item in constant_items(context):
            undefined.note(f"{where}/corrected/item {item}", "all personas answered it alike, or none; left out")
        per_context[context.name] = {
            name: undefined.number(float(each[row]), f"{where}/{name}", alike if name == "compatibility" else few)
            for name, each in whole.items()
        }
    result: dict[str, Json] = {
        name: undefined.number(float(mean_of_defined(each)), f"stress/{name}", ALL_UNDEFINED)
        for name, each in whole.items()
    }
    return result | {"per_context": per_context}


def _cfa(measured: Measured, undefined: Undefined) -> Json:
    per_context: dict[str, Json] = {}
    means_per_context: dict[str, Json] = {}
    for context, models in measured.structure.items():
        where = f"cfa/per_context/{context}"
        per_context[context] = {name: _cell(cell, f"{where}/{name}", undefined) for name, cell in models.items()}
        where = f"cfa/means_per_context/{context}"
        means_per_context[context] = _means(list(models.values()), where, undefined)
    runaway = sum(cell.completed.status == "not_converged" for cell in measured.cells)
    return {
        "means": _means(measured.cells, "cfa/means", undefined),
        "n_fits": len(measured.cells),
        "n_unrepeatable_compatibility_verdicts": runaway,
        "means_per_context": means_per_context,
        "per_context": per_context,
    }


def _cell(cell: Cell, where: str, undefined: Undefined) -> Json:
    """The solution itself, proper or not, and what each rule counts for it."""
    fit = cell.observed
    found = fit.measures
    numbers: dict[str, float | None] = {
        "cfi": found.cfi if found else None,
        "srmr": found.srmr if found else None,
        "rmsea": found.rmsea if found else None,
        "chi_square": found.chi_square if found else None,
        "df": found.df if found else None,
        "smallest_residual_variance": fit.smallest_residual_variance if found else None,
        "largest_latent_correlation": fit.largest_correlation if found else None,
    }
    result: dict[str, Json] = {"status": fit.status}
    for name, number in numbers.items():
        if number is None:
            undefined.note(f"{where}/{name}", WHY_NO_FIT.get(fit.status, "there is no solution"))
        result[name] = number
    return result | {rule: _counted(cell, rule) for rule in RULES}


def _counted(cell: Cell, rule: Rule) -> Json:
    counted = cell.counted(rule)
    accepted = cell.accepted(rule)
    status = "ok" if accepted else "failed"
    return {"status": status, "cfi": counted.cfi, "srmr": counted.srmr, "rmsea": counted.rmsea}


def _means(cells: Sequence[Cell], where: str, undefined: Undefined) -> Json:
    result: dict[str, Json] = {}
    for rule in RULES:
        counted, alone = means(cells, rule), means(cells, rule, successes_only=True)
        of_successes: dict[str, Json] = {
            name: undefined.number(value, f"{where}/{rule}/of_successes/{name}", "no fit succeeded under this rule")
            for name, value in (("cfi", alone.cfi), ("srmr", alone.srmr), ("rmsea", alone.rmsea))
        }
        result[rule] = {
            "success_rate": counted.success_rate,
            "cfi": counted.cfi,
            "srmr": counted.srmr,
            "rmsea": counted.rmsea,
            "of_successes": of_successes,
        }
    return result


def _cardinal(measured: Measured, undefined: Undefined) -> dict[str, Json]:
    why = "the rank order or the Stress of a context is undefined"
    return {
        "cardinal": undefined.number(measured.cardinal, "cardinal", why),
        "cardinal_bounds": list(measured.cardinal_bounds),
        "cardinal_above_chance": undefined.number(above_chance(measured.cardinal), "cardinal_above_chance", why),
    }


def _constant(scores: Array) -> bool:
    there = scores[~np.isnan(scores)]
    return len(there) == 0 or float(np.ptp(there)) < TIE
