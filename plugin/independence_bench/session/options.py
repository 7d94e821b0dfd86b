"""From parsed options to settings and to a gate's criteria, for pytest and the commands. Declares no option itself."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from independence_bench.option_table import GATE_OPTIONS, OPTIONS, Option

if TYPE_CHECKING:
    from independence_bench.report.gate.criteria import GateOptions
    from independence_bench.session.settings import Settings

__all__ = ["GATE_OPTIONS", "OPTIONS", "Option", "parse_options", "read_gate_options", "read_settings"]


def read_settings(namespace: argparse.Namespace, root: Path, folder: Path) -> "Settings":
    """Return the options as settings; relative paths start in ``folder``.
    Raises BadInput: an empty or impossible value, or an unreadable .env.
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.session.settings import Settings, read_environment

    values = _read(namespace, OPTIONS, folder)
    if values["assume_price"] and values["max_cost"] is None:
        raise BadInput("--assume-price: it needs --max-cost; add --max-cost=USD")
    del values["plan"]
    return Settings(root=root, environment=read_environment(root), **values)


def read_gate_options(namespace: argparse.Namespace, folder: Path) -> "GateOptions":
    """Return the options as the gate takes them; relative paths start in ``folder``. Raises BadInput: one is empty."""
    from independence_bench.report.gate.criteria import GateOptions

    return GateOptions(**_read(namespace, GATE_OPTIONS, folder))


def parse_options(words: Sequence[str]) -> argparse.Namespace:
    """Parse a session's options from their words. Raises BadInput: this version does not accept them."""
    from independence_bench.bad_input import BadInput

    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for option in OPTIONS:
        parser.add_argument(option.flag, **option.keywords())
    try:
        return parser.parse_args(words)
    except argparse.ArgumentError as error:
        raise BadInput(f"{error.argument_name}: {error.message}") from None


def _read(namespace: argparse.Namespace, options: Iterable[Option], folder: Path) -> dict[str, Any]:
    return {
        option.field: _setting(option, getattr(namespace, option.dest, option.default), folder) for option in options
    }


def _setting(option: Option, value: Any, folder: Path) -> Any:
    from independence_bench.bad_input import BadInput
    from independence_bench.safe_text import safe_text, without_surrogates

    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not text.strip():
            raise BadInput(f"{option.flag}: it is empty (an unset variable?); give a value or leave it out")
        # A path may hold any bytes; other values are sent, stored or shown.
        if isinstance(text, str) and option.reads != "path" and without_surrogates(text) != text:
            raise BadInput(f"{option.flag}={safe_text(text)}: it holds bytes that are not UTF-8; write it as text")
    match option.reads:
        case "switch":
            return bool(value)
        case "each":
            return tuple(value or ())
        case "names":
            from independence_bench.catalog.selection import split_names

            return split_names(value or ())
        case "edition" | "path" if value is not None:
            return option.placed(value, folder)
        case "shard" if value is not None:
            from independence_bench.session.shards import Shard

            return Shard.read(value)
        case "prices" if value is not None:
            from independence_bench.chat.prices import Price

            return Price.read(value)
    return value
