"""The engine: trials conducted ahead of pytest on one event loop in a background thread."""

from independence_bench.engine.ahead import Engine
from independence_bench.engine.conduct import Task
from independence_bench.engine.led import LedConversation

__all__ = ["Engine", "LedConversation", "Task"]
