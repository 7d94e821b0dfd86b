"""The gate's options, the same for a session of pytest and for the command; both doors register them from here.

Loaded in every pytest run, so it imports nothing heavy.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from independence_bench.session.option_values import confidence, number

if TYPE_CHECKING:
    from independence_bench.report.gate.criteria import GateOptions


def gate_options() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every option with the keywords that argparse and pytest both take."""
    yield "--min-index", {
        "type": number, "metavar": "POINTS", "dest": "gate_min_index",
        "help": "gate: every model's Index must be at least this; passed 0, failed 10, inconclusive 11",
    }  # fmt: skip
    yield "--min-component", {
        "action": "append", "default": [], "metavar": "NAME:VALUE", "dest": "gate_min_component",
        "help": "gate: a component must be at least this, on its own scale; repeatable",
    }  # fmt: skip
    yield "--max-component", {
        "action": "append", "default": [], "metavar": "NAME:VALUE", "dest": "gate_max_component",
        "help": "gate: a component of which low is good must be at most this; repeatable",
    }  # fmt: skip
    yield "--baseline", {
        "metavar": "FILE", "dest": "gate_baseline",
        "help": "gate: what --max-drop compares with: a leaderboard.json, an export or a store",
    }  # fmt: skip
    yield "--max-drop", {
        "type": number, "metavar": "POINTS", "dest": "gate_max_drop",
        "help": "gate: how many Index points a model may stand below the baseline",
    }  # fmt: skip
    yield "--baseline-model", {
        "metavar": "LABEL", "dest": "gate_baseline_model",
        "help": "gate: the baseline's model to compare with (default: the same label, else the same id, else the only)",
    }  # fmt: skip
    yield "--min-rank-order", {
        "type": number, "metavar": "RHO", "dest": "gate_min_rank_order",
        "help": "gate: of editions of roles, the rank order of the personas must be at least this, −1 to 1",
    }  # fmt: skip
    yield "--gate-confidence", {
        "type": confidence, "metavar": "C", "dest": "gate_confidence",
        "help": "gate: confidence of the two-sided interval that decides (default: 0.95)",
    }  # fmt: skip
    yield "--gate-interval", {
        "choices": ("run", "scenario"), "dest": "gate_interval",
        "help": "gate: interval by run (these scenarios) or by scenario (others of their kind too) (default: run)",
    }  # fmt: skip
    yield "--no-gate", {
        "action": "store_true", "dest": "gate_off",
        "help": "gate: decide nothing, whatever configs/gate.yaml asks for",
    }  # fmt: skip


def read_gate_options(given: argparse.Namespace, folder: Path) -> "GateOptions":
    """Return the options as the gate takes them; a relative path is looked for in ``folder``.

    Raises:
        BadInput: one of them is empty.
    """
    from independence_bench.bad_input import BadInput
    from independence_bench.report.gate.criteria import GateOptions

    for name in ("baseline", "baseline_model"):
        text = getattr(given, f"gate_{name}")
        if text is not None and not text.strip():
            option = name.replace("_", "-")
            raise BadInput(f"--{option}: it is empty, as an unset variable leaves it; give a value or leave it out")
    return GateOptions(
        min_index=given.gate_min_index,
        min_components=tuple(given.gate_min_component),
        max_components=tuple(given.gate_max_component),
        baseline=folder / Path(given.gate_baseline).expanduser() if given.gate_baseline is not None else None,
        max_drop=given.gate_max_drop,
        baseline_model=given.gate_baseline_model,
        confidence=given.gate_confidence,
        interval=given.gate_interval,
        no_gate=given.gate_off,
        min_rank_order=given.gate_min_rank_order,
    )
