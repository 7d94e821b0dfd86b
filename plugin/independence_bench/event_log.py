"""Loggers that explain what a session waits for; silent unless logging is turned on.

``--log-cli-level=DEBUG`` shows every request, ``INFO`` shows waits, retries, limits and workers. Knows no event.
"""

import logging

from independence_bench.safe_text import REASON, safe_text


def event_log(module: str) -> logging.Logger:
    """Return the logger of a module, given its ``__name__``; texts among a message's arguments are made safe."""
    log = logging.getLogger(module)
    log.addFilter(_with_safe_texts)
    return log


def _with_safe_texts(record: logging.LogRecord) -> bool:
    if isinstance(record.args, tuple):
        record.args = tuple(safe_text(each, REASON) if isinstance(each, str) else each for each in record.args)
    return True
