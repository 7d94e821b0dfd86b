"""The store: one SQLite file that keeps every transcript, verdict, label, failure, session, look and judge check."""

from independence_bench.store.database import EmptyStore
from independence_bench.store.sessions import Configuration, JudgeCheck, Look, PlannedCell, Session
from independence_bench.store.store import Store
from independence_bench.store.table_rows import (
    FailureRow,
    MeanTokens,
    StoredConfiguration,
    StoredVerdict,
    TrialRow,
    VerdictRow,
)

__all__ = [
    "Configuration",
    "EmptyStore",
    "FailureRow",
    "JudgeCheck",
    "Look",
    "MeanTokens",
    "PlannedCell",
    "Session",
    "Store",
    "StoredConfiguration",
    "StoredVerdict",
    "TrialRow",
    "VerdictRow",
]
