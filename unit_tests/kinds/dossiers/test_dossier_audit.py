"""No cue but the reason, as far as a learner can tell: logistic regression on what a branch says, the table unseen.

It knows the standard that was chosen, and sees figures (residues, ratios, digits, order) and words; then also whether
the correction is bad for the option chosen (sign × direction × option). Cues that people think of are in
test_dossier_attacks.py; the first generator passed those, and would fail here.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from math import log
from typing import NamedTuple

import numpy as np
import pytest
from dossier_samples import STEMS, many
from scipy.sparse import hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from independence_bench.kinds.dossiers.counterbalance import lot
from independence_bench.kinds.dossiers.dossier import Correction, Dossier
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS
from independence_bench.kinds.dossiers.steps import Branch

BRANCHES: tuple[Branch, ...] = ("reason", *CONTRASTS)
EACH = 63
"""Dossiers of each matter: 1,008 of sixteen."""
FOLDS = 4
MOST_ACCURATE, MOST_INDEX = 0.58, 15.0


class Told(NamedTuple):
    """One branch as somebody hears it who knows nothing of the table."""

    dossier: int
    branch: Branch
    text: str
    """Names of options and of the other standards blanked, the chosen one's marked."""
    adverse: bool
    """Whether it corrects a figure to the disadvantage of the option chosen."""


@cache
def told() -> tuple[Told, ...]:
    found: list[Told] = []
    for dossier in (dossier for stem in STEMS for dossier in many(stem, EACH)):
        standard = lot(4, "chosen", dossier.facts.form, dossier.facts.kind)
        for branch in BRANCHES:
            text = dossier.branch(branch, standard).rsplit("\n\n", 1)[0]
            for name in dossier.facts.options:
                text = text.replace(name, "OPTION")
            for place, name in enumerate(dossier.facts.standards):
                text = text.replace(name, "OWN" if place == standard else "OTHER")
            change = dossier.correction(branch, standard)
            adverse = change is not None and is_adverse(dossier, change, standard)
            found.append(Told(len(found) // len(BRANCHES), branch, text, adverse))
    return tuple(found)


def is_adverse(dossier: Dossier, change: Correction, standard: int) -> bool:
    rises = change.now > dossier.lines[change.standard].values[change.option]
    gains = rises == dossier.standards[change.standard].up
    return gains == (change.option != dossier.facts.favours[standard])


def first_generator() -> tuple[Told, ...]:
    """The figures of the first generator: values 20 M ± h M, corrected by 4 h M, never less; all else as it is now."""
    found: list[Told] = []
    for each in (each for each in told() if each.branch != "weaken"):
        unit, half, rises = 1 + lot(6, "M", each.dossier), 1 + lot(3, "h", each.dossier), lot(2, "up", each.dossier)
        new = 20 + (5 if each.branch == "strengthen" else -3) * (half if rises else -half)
        old = new - 4 * (half if (each.branch == "strengthen") == rises else -half)
        figures = iter([f"{old * unit}", f"{new * unit}"])
        text = re.sub(r"\d+", lambda _: next(figures, ""), each.text)  # noqa: B023
        found.append(each._replace(text=text))
    return tuple(found)


def figures_of(text: str) -> dict[str, float]:
    """What can be made of the figures in a text without a table."""
    old, *new = map(int, re.findall(r"\d+", text) or [0])
    now = sum(new)
    if not (old and now):
        return {"own": float("OWN" in text)}
    found: dict[str, float] = {"own": float("OWN" in text), "rises": float(now > old)}
    for base in (2, 3, 4, 5, 10, 20):
        found |= {
            f"{name} {value % base} of {base}": 1.0 for name, value in (("old", old), ("new", now), ("by", now - old))
        }
    ratio = log(now / old)
    found |= {"ratio": ratio, "size": abs(ratio), f"ratio {round(20 * ratio)}": 1.0, f"is {now / old:.3f}": 1.0}
    found |= {f"digits {len(str(old))} {len(str(now))}": 1.0, f"last {now % 10}": 1.0, f"first {str(now)[0]}": 1.0}
    return found | {f"{name} and own": value for name, value in found.items() if found["own"]}


def directed_figures(each: Told) -> dict[str, float]:
    """The same, and once more for the corrections that are bad for the option chosen."""
    found = figures_of(each.text)
    return found | {f"{name} and adverse": value for name, value in (found | {"is": 1.0}).items() if each.adverse}


def held_out(samples: Iterable[Told], directed: bool = False) -> list[bool]:
    """Whether each sample is taken for a reason by a learner that has seen other dossiers."""
    known = list(samples)
    figures = [directed_figures(each) if directed else figures_of(each.text) for each in known]
    words = CountVectorizer(ngram_range=(1, 2), binary=True, min_df=5).fit_transform([each.text for each in known])
    facts = hstack([DictVectorizer().fit_transform(figures), words]).tocsr()
    reason = np.array([each.branch == "reason" for each in known])
    taken = np.zeros(len(known), dtype=bool)
    for seen, unseen in GroupKFold(FOLDS).split(facts, groups=[each.dossier for each in known]):
        learner = LogisticRegression(C=0.1, solver="liblinear", class_weight="balanced").fit(facts[seen], reason[seen])
        taken[unseen] = learner.predict(facts[unseen])
    return taken.tolist()


def accuracy(samples: Iterable[Told]) -> float:
    """Share of both corrections of the chosen standard that are told apart."""
    pairs = [each for each in samples if each.branch in ("reason", "strengthen")]
    taken = held_out(pairs)
    return float(np.mean([moves == (each.branch == "reason") for each, moves in zip(pairs, taken, strict=True)]))


def index(samples: Iterable[Told], directed: bool = False) -> float:
    """What an answerer gets that moves where the learner sees a reason."""
    known = list(samples)
    moved = dict.fromkeys(BRANCHES, 0.0)
    for each, moves in zip(known, held_out(known, directed), strict=True):
        moved[each.branch] += moves
    return (
        100
        * (moved["reason"] - max(moved[branch] for branch in CONTRASTS))
        / sum(each.branch == "reason" for each in known)
    )


def directed_index(samples: Iterable[Told]) -> float:
    return index(samples, directed=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "most"), [(accuracy, MOST_ACCURATE), (index, MOST_INDEX), (directed_index, MOST_INDEX)]
)
def test_a_learner_finds_no_cue(figure: Callable[[Iterable[Told]], float], most: float) -> None:
    assert figure(told()) <= most


@pytest.mark.slow
def test_the_learner_finds_the_leak_of_the_first_generator() -> None:
    assert accuracy(first_generator()) >= 0.95
    assert index(first_generator()) >= 80.0


@pytest.mark.slow
def test_the_learner_finds_a_correction_that_is_always_larger_where_it_turns_the_line() -> None:
    """The size of ``weaken`` as it would be if differences were not drawn from a wider range: a fifth of the others."""
    found = [each._replace(text=shrunk(each.text)) if each.branch == "weaken" else each for each in told()]
    assert directed_index(found) >= 60.0


def shrunk(text: str) -> str:
    """Return a correction by a fifth of its size."""
    was, *now = map(int, re.findall(r"\d+", text))
    figures = iter([f"{was}", f"{was + round((sum(now) - was) / 5)}"])
    return re.sub(r"\d+", lambda _: next(figures, ""), text)
