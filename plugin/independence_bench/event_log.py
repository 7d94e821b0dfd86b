"""What happens inside, for whoever looks for the reason of a wait: silent unless logging is turned on.

``--log-cli-level=DEBUG`` tells of every request, ``INFO`` of waits, retries and limits. Knows none of the events.
"""

import logging

from independence_bench.safe_text import safe_text


def event_log(module: str) -> logging.Logger:
    """Return the logger of a module, given its ``__name__``; texts among a message's arguments are made safe."""
    log = logging.getLogger(module)
    log.addFilter(_with_safe_texts)
    return log


def _with_safe_texts(record: logging.LogRecord) -> bool:
    if isinstance(record.args, tuple):
        record.args = tuple(safe_text(each) if isinstance(each, str) else each for each in record.args)
    return True
