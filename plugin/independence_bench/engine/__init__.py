"""The engine: trials conducted ahead of pytest on one event loop in a background thread."""

from independence_bench.engine.ahead import Engine
from independence_bench.engine.conduct import Task
from independence_bench.engine.function_conversation import FunctionConversation

__all__ = ["Engine", "FunctionConversation", "Task"]
