"""The store: one SQLite file that keeps every transcript, verdict, label, failure, session, look and judge check."""

from independence_bench.store.database import EmptyStore as EmptyStore
from independence_bench.store.sessions import Configuration as Configuration
from independence_bench.store.sessions import JudgeCheck as JudgeCheck
from independence_bench.store.sessions import Look as Look
from independence_bench.store.sessions import PlannedCell as PlannedCell
from independence_bench.store.sessions import Session as Session
from independence_bench.store.store import Store as Store
from independence_bench.store.table_rows import FailureRow as FailureRow
from independence_bench.store.table_rows import MeanTokens as MeanTokens
from independence_bench.store.table_rows import StoredVerdict as StoredVerdict
from independence_bench.store.table_rows import TrialRow as TrialRow
from independence_bench.store.table_rows import VerdictRow as VerdictRow
