"""How far a session is, in words."""

from independence_bench.counted import counted
from independence_bench.report.analysis.running import RunningSession
from independence_bench.report.formatting import dollars
from independence_bench.utc import utc


def running_text(running: RunningSession) -> str:
    """Return some lines: how far, what it was, and what failed."""
    shard = f", shard {running.shard}" if running.shard else ""
    ended = f", ended {utc(running.ended_at)}" if running.ended_at is not None else ""
    about = f"session {running.session}, edition {running.edition}, since {utc(running.started_at)}{shard}{ended}"
    lines = [" · ".join(_progress_words(running)), about]
    if running.failures:
        lines.append("not measured: " + ", ".join(f"{count} × {kind}" for kind, count in running.failures.items()))
    return "\n".join(lines)


def _progress_words(running: RunningSession) -> list[str]:
    """Return the numbers of a session, each with what it is."""
    words: list[str] = [running.state, f"{running.done} of {counted(running.total, 'trial')}"]
    if running.state == "running":
        words += [f"{running.left} left", f"{running.trials_per_minute:.1f} a minute"]
        if running.seconds_left is not None:
            words.append(f"about {_duration(running.seconds_left)} left")
    unknown = f" and {counted(running.unknown_costs, 'unknown cost')}" if running.unknown_costs else ""
    return [*words, f"${dollars(running.cost_usd)}{unknown}"]


def _duration(seconds: float) -> str:
    """Return a time as ``m:ss``, from an hour on as ``h:mm:ss``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
