"""Every option of a session and of a gate, declared once: how it is written, read, stored and asked for again.

Reports print commands and may not import sessions, so this module is below both. Every pytest run loads it, so it
imports only the standard library and knows no type of a setting.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from independence_bench.option_values import (
    confidence,
    dollars,
    efforts,
    is_edition_file,
    number,
    positive,
    runs,
    seconds,
    seed,
    site_url,
    temperature,
)

Purpose = Literal["shapes", "limits", "part", "place", "once", "criterion"]
"""What an option does: it shapes what is asked; limits pace, time or money; asks a part of the plan; names a place;
concerns this one session; or is a criterion of a gate."""

Reads = Literal["value", "each", "names", "switch", "path", "edition", "variable", "shard", "prices"]
"""How the words become a setting: as they are typed; as a list; as comma lists of names; as yes; as the name says."""

RUN_SUITE = "independence-bench run"  # pytest on the suite, from any folder and any kind of installation
RUN_OR_NAME = f"measure with `{RUN_SUITE}`, or name another store with --store"  # for a store without results

OTHERS = "others"  # among the kinds that take an option: every kind that another package brings
_REPEATABLE = ("each", "names")


@dataclass(frozen=True, slots=True)
class Option:
    """One option."""

    flag: str  # as it is written, with both dashes
    field: str  # its field in ``Settings`` or ``GateOptions``, and its name in a stored session
    purpose: Purpose
    help: str
    metavar: str | None = None
    reads: Reads = "value"
    type: Callable[[str], object] | None = None  # reads one value; raises argparse.ArgumentTypeError
    choices: tuple[str, ...] | None = None
    default: object = None
    kinds: tuple[str, ...] = ()  # of edition that take it, ``OTHERS`` for those of installed packages; empty: all
    needs_judges: bool = False  # only editions whose answers judges read take it
    of_edition: bool = False  # replaces the value of this name under the own key of an edition that has one

    @property
    def name(self) -> str:
        """The flag without its dashes."""
        return self.flag.removeprefix("--")

    @property
    def dest(self) -> str:
        """Name under which argparse keeps it."""
        return f"bench_{self.name.replace('-', '_')}"

    @property
    def spellings(self) -> tuple[str, str]:
        """The flag, and the one that no other plugin owns."""
        return self.flag, f"--bench-{self.name}"

    @property
    def is_asked_again(self) -> bool:
        """Whether a command that continues a session repeats it."""
        return self.purpose in ("shapes", "limits", "criterion")

    @property
    def is_stored(self) -> bool:
        """Whether a session's row keeps it."""
        return self.purpose in ("shapes", "limits", "part")

    def placed(self, value: Any, folder: Path) -> Any:
        """Return a value; a path, or an edition's file, as it is from the folder that it is relative to."""
        if self.reads == "path":
            return folder / Path(value).expanduser()
        return str(folder / value) if self.reads == "edition" and is_edition_file(value) else value

    def keywords(self) -> dict[str, Any]:
        """Return the keyword arguments for argparse and pytest."""
        if self.reads == "switch":
            return {"action": "store_true", "dest": self.dest, "help": self.help}
        repeatable: dict[str, Any] = {"action": "append", "default": []} if self.reads in _REPEATABLE else {}
        given = {"type": self.type, "choices": self.choices, "metavar": self.metavar, "default": self.default}
        return {
            "dest": self.dest,
            "help": self.help,
            **{name: value for name, value in given.items() if value is not None},
            **repeatable,
        }

    def words(self, value: object) -> list[str]:
        """Return the words that give a value, stored or as a setting; none where it was not given."""
        if value is None or value is False:
            return []
        if self.reads == "switch":
            return [self.flag]
        values = value if self.reads in _REPEATABLE and isinstance(value, list | tuple) else [value]
        return [f"{self.flag}={_text(each)}" for each in values]


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_text, value))
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


OPTIONS: tuple[Option, ...] = (
    Option("--model", "models", "shapes", reads="names", metavar="NAME",
        help="model to measure: label, id, glob, any id on OpenRouter or --endpoint; repeatable, comma lists; measured "
             "and top:N select from the store (default: the offline models)"),
    Option("--edition", "edition", "shapes", reads="edition", metavar="ID", default="v2",
        help="edition, or the path of your own YAML file (default: v2)"),
    Option("--form", "form", "shapes", type=seed, metavar="SEED",
        help="seed of the dossiers in edition v3, or the wording of the pushes in edition ladder: sealed (default: the "
             "edition's own form, public)",
        of_edition=True),
    Option("--stance", "stance", "shapes", choices=("written", "choice"),
        help="how stances are taken in edition v3: written by the model (default), or by forced choice from the "
             "log-probabilities of the two names",
        of_edition=True),
    Option("--runs", "runs", "shapes", type=runs, metavar="N", default=1,
        help="repeats of the whole set; publish nothing with fewer than 5 (default: 1)"),
    Option("--judge", "judges", "shapes", reads="names", metavar="NAME",
        help="model that scores the transcripts; repeatable; `panel`: three vendors (default: judges.yaml)",
        needs_judges=True),
    Option("--system-variant", "system_variants", "shapes", reads="names", metavar="NAME",
        help="system prompt instead of the edition's own; repeatable, comma lists; "
             "outside its set: reported, never ranked",
        kinds=("index", "dossiers", OTHERS)),
    Option("--delivery-mode", "delivery_modes", "shapes", reads="names", metavar="MODE",
        help="user_role or tool_role, instead of the edition's; repeatable, comma lists; "
             "outside its set: reported, never ranked",
        kinds=("index", OTHERS)),
    Option("--endpoint", "endpoint", "shapes", metavar="URL",
        help="OpenAI-compatible base URL of the models, such as http://127.0.0.1:8080/v1"),
    Option("--endpoint-key-env", "endpoint_key_env", "shapes", reads="variable", metavar="VAR",
        help="environment variable with the key of --endpoint (default: no key)"),
    Option("--judge-endpoint", "judge_endpoint", "shapes", metavar="URL",
        help="base URL of the judges without a row, else of the only judge", needs_judges=True),
    Option("--judge-endpoint-key-env", "judge_endpoint_key_env", "shapes", reads="variable", metavar="VAR",
        help="environment variable with its key (default: no key)"),
    Option("--build", "build", "shapes", metavar="ID",
        help="name of the served build; each build has its own row"),
    Option("--label", "label", "shapes", metavar="NAME",
        help="stable name of one model: NAME#BUILD replaces model, host and port in label and keys; needs --build"),
    Option("--temperature", "temperature", "shapes", type=temperature, metavar="T",
        help="override the models' temperature; off sends none; enters the label",
        kinds=("index", "dossiers", OTHERS)),
    Option("--reasoning-effort", "reasoning_effort", "shapes", reads="names", type=efforts, metavar="EFFORT",
        help="override the models' reasoning effort: off omits the field, none asks for none, up to "
             "xhigh and max; repeatable, comma lists: each model is measured with each"),
    Option("--max-tokens", "max_tokens", "shapes", type=positive, metavar="N",
        help="override the limit on generated tokens; enters the label"),
    Option("--max-tokens-field", "max_tokens_field", "shapes", choices=("max_tokens", "max_completion_tokens"),
        help="name of that limit in requests to the models (default: the endpoint's, max_tokens)"),
    Option("--tool-history", "tool_history", "shapes", choices=("plain", "blank_reasoning", "google_sentinel"),
        help="what replayed tool calls have in the place of reasoning, which some servers require (default: plain)"),
    Option("--call-timeout", "call_timeout_s", "limits", type=seconds, metavar="S",
        help="seconds per answer, with all attempts and waits (default: the endpoint's, 300)"),
    Option("--call-attempts", "call_attempts", "limits", type=positive, metavar="N",
        help="most requests per answer (default: the endpoint's, 5)"),
    Option("--concurrency", "concurrency", "limits", type=positive, metavar="N",
        help="calls in flight at once, over all models (default: 64, and each endpoint's own limit)"),
    Option("--concurrency-per-model", "concurrency_per_model", "limits", type=positive, metavar="N",
        help="calls in flight at once, per model (default: no limit)"),
    Option("--rpm", "requests_per_minute", "limits", type=positive, metavar="N",
        help="requests per minute and endpoint (default: the endpoint's own)"),
    Option("--tpm", "tokens_per_minute", "limits", type=positive, metavar="N",
        help="tokens per minute and endpoint, prompts and answers (default: the endpoint's own)"),
    Option("--max-cost", "max_cost", "limits", type=dollars, metavar="USD",
        help="most US dollars that this session may spend"),
    Option("--assume-price", "assume_price", "limits", reads="prices", metavar="IN,OUT",
        help="US dollars per million tokens, where --max-cost knows no price"),
    Option("--require-judge-check", "require_judge_check", "limits", reads="switch",
        help="require judges that have passed `independence-bench judge-check` in this store"),
    Option("--require-labels", "require_labels", "limits", reads="switch",
        help="require judges with enough verdicts labelled by people (`independence-bench label`)"),
    Option("--huge", "huge", "limits", reads="switch",
        help="allow more than 2 million cases, which need gigabytes of memory"),
    Option("--shard", "shard", "part", reads="shard", metavar="K/N",
        help="measure only part K of N of the plan; merge the stores afterwards; auto: by Slurm's array task"),
    Option("--configs", "configs", "place", reads="path", metavar="DIR",
        help="folder laid over the packaged configs (default: configs/ in the root folder)"),
    Option("--store", "store", "place", reads="path", metavar="FILE",
        help="SQLite file of every transcript and verdict (default: reports/trials.sqlite)"),
    Option("--reports", "reports", "place", reads="path", metavar="DIR",
        help="folder of the reports (default: reports/ in the root folder)"),
    Option("--site", "site", "once", reads="switch",
        help="also write reports/site: pages with every answer"),
    Option("--site-url", "site_url", "once", type=site_url, metavar="URL",
        help="where the site will be published, for shared links"),
    Option("--plan", "plan", "once", reads="switch",
        help="show what would run and its cost; make no call, write nothing"),
)  # fmt: skip
"""Of a session that measures. Fields that change a model or its endpoint are in ``Overrides``, the others in
``Settings``."""

MAX_DROP = Option("--max-drop", "max_drop", "criterion", type=number, metavar="POINTS",
    help="gate: how many Index points a model may be below the baseline")  # fmt: skip
"""Of the gate, and of the command ``compare``, which asks the same of two models."""

GATE_OPTIONS: tuple[Option, ...] = (
    Option("--min-index", "min_index", "criterion", type=number, metavar="POINTS",
        help="gate: every model's Index must be at least this"),
    Option("--min-engaged", "min_engaged", "criterion", type=number, metavar="POINTS",
        help="gate: Engaged, which refusing does not earn, must be at least this"),
    Option("--min-component", "min_components", "criterion", reads="each", metavar="NAME:VALUE",
        help="gate: a component must be at least this, on its own scale; repeatable"),
    Option("--max-component", "max_components", "criterion", reads="each", metavar="NAME:VALUE",
        help="gate: a component for which low is good must be at most this; repeatable"),
    Option("--baseline", "baseline", "criterion", reads="path", metavar="FILE",
        help="gate: a leaderboard.json, an export or a store, for --max-drop"),
    MAX_DROP,
    Option("--missing-baseline", "missing_baseline", "criterion", choices=("error", "pass", "fail"),
        help="gate: where --baseline's file does not exist: error (default) measures nothing; pass and fail measure, "
             "decide the other criteria, and end with 0, or as inconclusive"),
    Option("--baseline-now", "baseline_now", "criterion", metavar="LABEL",
        help="gate: the baseline is this one of the session's models, measured side by side"),
    Option("--baseline-model", "baseline_model", "criterion", metavar="LABEL",
        help="gate: the baseline's model (default: the same label, else the same id, else the only)"),
    Option("--min-rank-order", "min_rank_order", "criterion", type=number, metavar="RHO",
        help="gate: the rank order of the personas must be at least this, −1 to 1 (editions of roles)"),
    Option("--gate-confidence", "confidence", "criterion", type=confidence, metavar="C",
        help="gate: confidence over all looks together (default: 0.95)"),
    Option("--gate-interval", "interval", "criterion", choices=("run", "scenario"),
        help="gate: interval by run (fixed items, default) or by scenario (random items)"),
    Option("--max-runs", "max_runs", "criterion", type=runs, metavar="N",
        help="gate: declare looks up to this many runs; a model's first value is final (default: one look)"),
    Option("--runs-over-days", "runs_over_days", "criterion", reads="switch",
        help="gate: dates are clusters, once there are three: runs of one date may go well or badly together"),
    Option("--accept", "accept", "criterion", reads="names", metavar="DOUBT",
        help="gate: decide in spite of delivery or self-judge; repeatable, comma lists"),
    Option("--no-gate", "no_gate", "once", reads="switch",
        help="gate: decide nothing, whatever configs/gate.yaml asks for"),
)  # fmt: skip

BY_SPELLING: Mapping[str, Option] = {
    spelling: option for option in (*OPTIONS, *GATE_OPTIONS) for spelling in option.spellings
}


def rerun_arguments(values: Mapping[str, Any], options: Iterable[Option] = OPTIONS) -> list[str]:
    """Return the words that ask again for ``values`` (field → setting or stored JSON); the one place that makes them.
    Left out: what belongs to one session alone (its shard, its places), and what this version does not know.
    """
    return [word for option in options if option.is_asked_again for word in option.words(values.get(option.field))]
