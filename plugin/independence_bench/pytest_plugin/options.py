"""The command-line options, and how they become a session's settings. No logic of their own."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from independence_bench.session.gate_options import gate_options
from independence_bench.session.option_values import dollars, positive, seconds, temperature

if TYPE_CHECKING:
    from independence_bench.session.settings import Settings


MUST_SAY = (
    "model", "judge", "system-variant", "delivery-mode", "endpoint", "endpoint-key-env", "judge-endpoint",
    "judge-endpoint-key-env", "build", "shard", "configs", "store", "reports", "assume-price",
)  # fmt: skip
"""Options that are refused when empty: taken as not given, they would measure something else."""


def add_options(parser: pytest.Parser) -> None:
    """Register every option of the benchmark, in one group."""
    group = parser.getgroup("independence-bench", "independence-bench: who keeps a self of its own?")
    add = group.addoption
    add("--model", action="append", default=[], metavar="NAME", dest="bench_model",
        help="model to measure: label, id, glob over labels, any id on OpenRouter or --endpoint; repeatable, "
             "comma lists; measured and top:N select from the store (default: the offline models)")  # fmt: skip
    add("--edition", default="v2", metavar="ID", dest="bench_edition",
        help="edition of the benchmark, or the path of a YAML file of your own (default: v2)")  # fmt: skip
    add("--runs", type=positive, default=1, metavar="N", dest="bench_runs",
        help="repeats of the whole set; publish nothing with fewer than 5 (default: 1)")  # fmt: skip
    add("--judge", action="append", default=[], metavar="NAME", dest="bench_judge",
        help="model that scores the transcripts; repeatable for a panel (default: judges.yaml)")  # fmt: skip
    add("--system-variant", action="append", default=[], metavar="NAME", dest="bench_system_variant",
        help="system prompt instead of the edition's own; outside its set: reported, never ranked")  # fmt: skip
    add("--delivery-mode", action="append", default=[], metavar="MODE", dest="bench_delivery_mode",
        help="delivery of human text, not the edition's own; outside its set: reported, never ranked")  # fmt: skip
    add("--endpoint", metavar="URL", dest="bench_endpoint",
        help="OpenAI-compatible base URL that serves the models, for example http://127.0.0.1:8080/v1")  # fmt: skip
    add("--endpoint-key-env", metavar="VAR", dest="bench_endpoint_key_env",
        help="environment variable that holds the key of --endpoint (default: no key)")  # fmt: skip
    add("--judge-endpoint", metavar="URL", dest="bench_judge_endpoint",
        help="base URL that serves the judges that have no row, else the only judge")  # fmt: skip
    add("--judge-endpoint-key-env", metavar="VAR", dest="bench_judge_endpoint_key_env",
        help="environment variable that holds the key of --judge-endpoint (default: no key)")  # fmt: skip
    add("--build", metavar="ID", dest="bench_build",
        help="what is being served under the model's name right now; each build is a row of its own")  # fmt: skip
    add("--temperature", type=temperature, metavar="T", dest="bench_temperature",
        help="override the models' temperature; enters the label")  # fmt: skip
    add("--reasoning-effort", choices=("off", "none", "minimal", "low", "medium", "high"),
        dest="bench_reasoning_effort",
        help="override the models' reasoning effort; off sends no field, none asks for none")  # fmt: skip
    add("--max-tokens", type=positive, metavar="N", dest="bench_max_tokens",
        help="override the limit on generated tokens; enters the label")  # fmt: skip
    add("--timeout", type=seconds, metavar="S", dest="bench_timeout",
        help="seconds for one answer, all attempts and waits together (default: the endpoint's, 300)")  # fmt: skip
    add("--attempts", type=positive, metavar="N", dest="bench_attempts",
        help="requests for one answer at most, all causes together (default: the endpoint's, 5)")  # fmt: skip
    add("--concurrency", type=positive, metavar="N", dest="bench_concurrency",
        help="calls in flight at once, over all models (default: 64, and each endpoint's own limit)")  # fmt: skip
    add("--concurrency-per-model", type=positive, metavar="N", dest="bench_concurrency_per_model",
        help="calls in flight at once for any one model (default: none)")  # fmt: skip
    add("--rpm", type=positive, metavar="N", dest="bench_rpm",
        help="requests per minute to each endpoint, judges' too (default: the endpoint's own)")  # fmt: skip
    add("--tpm", type=positive, metavar="N", dest="bench_tpm",
        help="tokens per minute, prompts and answers, of each endpoint (default: the endpoint's own)")  # fmt: skip
    add("--configs", metavar="DIR", dest="bench_configs",
        help="folder laid over the packaged configs row by row (default: configs/ beside the root folder)")  # fmt: skip
    add("--store", metavar="FILE", dest="bench_store",
        help="SQLite file that keeps every transcript and verdict (default: reports/trials.sqlite)")  # fmt: skip
    add("--reports", metavar="DIR", dest="bench_reports",
        help="folder for leaderboard and session reports (default: reports/ beside the root folder)")  # fmt: skip
    add("--max-cost", type=dollars, metavar="USD", dest="bench_max_cost",
        help="spend no more than this in this session; what it does not reach is left to the next")  # fmt: skip
    add("--assume-price", metavar="IN,OUT", dest="bench_assume_price",
        help="US dollars per million tokens that --max-cost reckons with where a price is unknown")  # fmt: skip
    add("--site", action="store_true", dest="bench_site",
        help="write reports/site, too: static pages in which every answer behind every number can be read")  # fmt: skip
    add("--shard", metavar="K/N", dest="bench_shard",
        help="measure only part K of N of the plan, by case id; merge the stores of all parts afterwards")  # fmt: skip
    add("--require-judge-check", action="store_true", dest="bench_require_judge_check",
        help="measure only with judges that have passed `independence-bench judge-check` in this store")  # fmt: skip
    add("--plan", action="store_true", dest="bench_plan",
        help="say what would run, and what it would cost; make no chat call, write nothing")  # fmt: skip
    for flag, keywords in gate_options():
        add(flag, **keywords)


def read_settings(config: pytest.Config) -> "Settings":
    """Return the options as settings.

    Raises:
        BadInput: a delivery mode that does not exist, or an unreadable .env.
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.catalog.selection import split_names
    from independence_bench.chat.prices import Price
    from independence_bench.session.settings import Settings, read_environment
    from independence_bench.session.shards import Shard
    from independence_bench.spec import DELIVERY_MODES, DeliveryMode

    option = config.option
    invoked_in = config.invocation_params.dir
    modes: list[DeliveryMode] = []
    for mode in split_names(option.bench_delivery_mode):
        if mode not in DELIVERY_MODES:
            raise BadInput(f"--delivery-mode={mode}: there is no such mode; write {' or '.join(DELIVERY_MODES)}")
        modes.append(cast(DeliveryMode, mode))
    if option.bench_assume_price and option.bench_max_cost is None:
        raise BadInput("--assume-price: it serves --max-cost alone and stands without it; add --max-cost=USD")
    if not option.bench_edition.strip():
        raise BadInput("--edition: it is empty; write for example --edition=v2")

    for name in MUST_SAY:
        given = getattr(option, f"bench_{name.replace('-', '_')}")
        if any(not value.strip() for value in ([given] if isinstance(given, str) else given or ())):
            raise BadInput(f"--{name}: it is empty, as an unset variable leaves it; give a value or leave it out")

    def path(text: str | None) -> Path | None:
        return invoked_in / Path(text).expanduser() if text else None

    edition = option.bench_edition
    return Settings(
        root=config.rootpath,
        models=split_names(option.bench_model),
        edition=str(invoked_in / edition) if edition.endswith((".yaml", ".yml")) else edition,
        runs=option.bench_runs,
        judges=split_names(option.bench_judge),
        system_variants=split_names(option.bench_system_variant),
        delivery_modes=tuple(modes),
        endpoint=option.bench_endpoint,
        endpoint_key_env=option.bench_endpoint_key_env,
        judge_endpoint=option.bench_judge_endpoint,
        judge_endpoint_key_env=option.bench_judge_endpoint_key_env,
        build=option.bench_build,
        temperature=option.bench_temperature,
        reasoning_effort=option.bench_reasoning_effort,
        max_tokens=option.bench_max_tokens,
        timeout_s=option.bench_timeout,
        attempts=option.bench_attempts,
        shard=Shard.read(option.bench_shard) if option.bench_shard else None,
        concurrency=option.bench_concurrency,
        concurrency_per_model=option.bench_concurrency_per_model,
        require_judge_check=option.bench_require_judge_check,
        requests_per_minute=option.bench_rpm,
        tokens_per_minute=option.bench_tpm,
        max_cost=option.bench_max_cost,
        assume_price=Price.read(option.bench_assume_price) if option.bench_assume_price else None,
        site=option.bench_site,
        configs=path(option.bench_configs),
        store=path(option.bench_store),
        reports=path(option.bench_reports),
        environment=read_environment(config.rootpath),
    )
