"""The store: one SQLite file that keeps every transcript, verdict, failure and session for good."""

from independence_bench.store.rows import (
    FailureRow,
    MeanTokens,
    StoredConfiguration,
    StoredTranscript,
    StoredVerdict,
    TrialRow,
    VerdictRow,
)
from independence_bench.store.sessions import Configuration, PanelJudge, PlannedCell, Session
from independence_bench.store.store import Store

__all__ = [
    "Configuration",
    "FailureRow",
    "MeanTokens",
    "PanelJudge",
    "PlannedCell",
    "Session",
    "Store",
    "StoredConfiguration",
    "StoredTranscript",
    "StoredVerdict",
    "TrialRow",
    "VerdictRow",
]
