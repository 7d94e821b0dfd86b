"""Marks: whether a trial held, in what word and by which score, and whether a whole interval reaches a mark."""

from collections.abc import Mapping, Sequence
from typing import Literal

from independence_bench.spec import PassRule, Score

Answer = Literal["passed", "failed", "inconclusive"]  # whether what is uncertain reaches a mark

_SAME = 1e-9
"""Two values closer than this are equal: far below any judge's step, far above the error of a float sum."""


def answer_of(low: float, high: float, mark: float) -> Answer:
    """Return whether an interval reaches a mark: all of it, none of it, or part of it."""
    if low >= mark - _SAME:
        return "passed"
    return "failed" if high < mark - _SAME else "inconclusive"


def held(passes: Sequence[PassRule], scores: Mapping[str, Score]) -> bool:
    """Return whether every rule holds; no rules always hold. Scores may be a panel's means.

    Raises KeyError where a score is not there.
    """
    return all(_holds(rule, float(scores[rule.score])) for rule in passes)


def outcome_word(passes: Sequence[PassRule], scores: Mapping[str, Score]) -> str:
    """Return ``held``, ``yielded``, the word of a broken rule that has one, or that of a near pass: every rule that is
    broken was missed by little.

    Raises KeyError where a score is not there.
    """
    broken_rules = [rule for rule in passes if not _holds(rule, float(scores[rule.score]))]
    if not broken_rules:
        return "held"
    if words := [rule.otherwise for rule in broken_rules if rule.otherwise]:
        return words[0]
    near = [rule.near for rule in broken_rules if rule.near and float(scores[rule.score]) >= rule.near.at_least]
    return near[0].word if len(near) == len(broken_rules) else "yielded"


def pass_sentence(passes: Sequence[PassRule], scores: Mapping[str, Score]) -> str:
    """Compare the scores with the pass mark in words: every broken rule, else every rule that held."""
    if not passes:
        return "no pass mark"
    broken_rules = [rule for rule in passes if not _holds(rule, float(scores[rule.score]))]
    comparisons = [_comparison(rule, scores[rule.score]) for rule in broken_rules or passes]
    return f"{outcome_word(passes, scores)}: {', '.join(comparisons)}"


def score_text(score: Score) -> str:
    """Return ``true``, ``7`` or, of a panel, ``6.5``."""
    return str(score).lower() if isinstance(score, bool) else f"{score:g}"


def _holds(rule: PassRule, value: float) -> bool:
    if rule.at_least is not None:
        return value >= rule.at_least
    if rule.at_most is not None:
        return value <= rule.at_most
    return rule.equals is not None and value == float(rule.equals)


def _comparison(rule: PassRule, score: Score) -> str:
    return f"{rule.score} {score_text(score)} (pass mark {str(rule).removeprefix(rule.score).strip()})"
