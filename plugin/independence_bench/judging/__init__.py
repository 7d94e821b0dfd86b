"""Judging: rubric → fenced prompt → validated verdict. Knows neither label, run nor any other verdict."""

from independence_bench.judging.judge_call import JudgeFailed, judge_request, judge_transcript, verdict_key

__all__ = ["JudgeFailed", "judge_request", "judge_transcript", "verdict_key"]
