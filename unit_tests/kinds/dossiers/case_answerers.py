"""Answerers that no index may reward: nulls, and followers of a cue instead of their own standard.

Each reads what it is told and nothing else. All but those that never take a stance start as a reasonable model does:
with a standard, and a stance that follows it.
"""

import re
from collections.abc import Callable, Iterable
from statistics import fmean, stdev

from independence_bench.chat.request import ChatRequest
from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.dossiers.embedded import take_stance
from independence_bench.kinds.dossiers.embedded.conversation_facts import (
    ConversationFacts,
    read_conversation,
    read_correction,
)
from independence_bench.kinds.dossiers.measuring import MEASURING
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS, Movements
from independence_bench.kinds.dossiers.stances import read_stance_line
from independence_bench.offline.completion import conversation_of
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.offline.simulated_models.simulated import Dice
from independence_bench.spec import TrialSpec
from independence_bench.trial import Reply

Answerer = Callable[[Conversation, int], str]
Strategy = Callable[["Heard"], float | str]
"""What a branch makes of a model: how far it moves, 0..1, or what it says instead of a stance."""


class Heard:
    """A branch as it is heard."""

    def __init__(self, told: ConversationFacts, conversation: Conversation, dice: Dice) -> None:
        assert told.options is not None and told.own is not None
        self.told, self.dice = told, dice
        self.said = told.messages[0].rpartition("\n\n")[0]
        self.before = "\n".join(conversation.human[: len(conversation.human) - len(told.messages)])
        first = read_stance_line(conversation.mine[1], told.options)
        assert first is not None
        self.chosen, self.strength = told.options[first.option], first.strength
        self.other = told.options[1 - first.option]

    @property
    def corrects(self) -> bool:
        return read_correction(self.said, (self.chosen, self.other)) is not None

    @property
    def tally(self) -> int:
        """Number of standards that favour the option chosen first, as the table is after this branch."""
        rows = re.findall(r"^(.+) \((more|less|fewer) is better\): (.+)$", self.before, re.MULTILINE)
        sides = 0
        for name, better, cells in rows:
            values = {}
            for option in (self.chosen, self.other):
                found = re.search(rf"{re.escape(option)} \(\D*?(\d+)", cells)
                assert found is not None
                values[option] = int(found[1])
            told = read_correction(self.said, (self.chosen, self.other))
            if told and told.line == name:
                values[told.option] = told.now
            mine, theirs = values[self.chosen], values[self.other]
            sides += (mine > theirs) == (better == "more")
        return sides


def starting(strategy: Strategy) -> Answerer:
    """Return a model that starts as a reasonable one does, then does what the strategy says."""

    def answer(conversation: Conversation, seed: int) -> str:
        told = read_conversation(conversation)
        if told is None or not told.messages:
            return take_stance("offline/steadfast", conversation, seed) or "I have nothing to say."
        dice = Dice("null", str(seed), *conversation.human)
        heard = Heard(told, conversation, dice)
        does = strategy(heard)
        if isinstance(does, str):
            return does
        signed = round(heard.strength * (1 - 2 * does))
        return f"So it is.\nWhere I stand: {heard.chosen if signed >= 0 else heard.other}, {abs(signed)}"

    return answer


def _salad(conversation: Conversation, seed: int) -> str:
    words = re.findall(r"\S+", conversation.human[-1])
    dice = Dice("salad", str(seed), *conversation.human)
    return " ".join(dice.some("words", words, 40)) + "\nWhere I stand: " + " ".join(dice.some("end", words, 5))


def _coin(heard: Heard) -> float:
    return float(heard.dice.share("coin") < 0.5)


def _anywhere(heard: Heard) -> float:
    """A stance on either side with any strength."""
    return 2 * heard.dice.share("anywhere") * 50 / heard.strength


NULLS: dict[str, Answerer] = {
    "always-moves": starting(lambda heard: 1.0),
    "half-moves": starting(lambda heard: 0.5),
    "never-moves": starting(lambda heard: 0.0),
    "no-stance": lambda conversation, seed: "I would rather not say where I stand.",
    "no-stance-later": starting(lambda heard: "I would rather not say where I stand."),
    "echo": lambda conversation, seed: conversation.human[-1],
    "echo-later": starting(lambda heard: heard.told.messages[-1]),
    "salad": _salad,
    "evades-what-is-no-reason": starting(lambda heard: 1.0 if heard.corrects else "I had rather not say."),
    "evades-corrections": starting(lambda heard: "I had rather not say." if heard.corrects else 0.0),
}
"""Their contrasts are 0, or would have to be earned by a branch that they evade."""

COINS: dict[str, Answerer] = {"coin": starting(_coin), "anywhere": starting(_anywhere)}
"""Their contrasts are 0 in expectation."""

CUES: dict[str, Answerer] = {
    "any-correction": starting(lambda heard: float(heard.corrects)),
    "tally": starting(lambda heard: 1 - heard.tally / 2 if heard.tally < 2 else 0.0),
    "keyword-of-its-standard": starting(
        lambda heard: float(bool(heard.told.own and heard.told.own.standard in heard.said))
    ),
}
"""They move for something that a reason shares with what is none; many more are in test_dossier_attacks.py."""


async def conducted(spec: TrialSpec, answerer: Answerer) -> Case:
    """Return a case as it is asked of an answerer, without a wire."""

    async def ask(request: ChatRequest, seconds: float) -> Reply:
        return Reply(answer=answerer(conversation_of(request.messages), spec.run))

    return read_case(await MEASURING.conduct(spec, ask))


def contrasts(cases: Iterable[Case]) -> dict[str, tuple[float, float]]:
    """Return mean and standard error of R's contrasts, in points of the Index."""
    each = [Movements.of([case]).contrasts for case in cases]
    found = {name: [100 * float(one[name][0, 0]) for one in each] for name in CONTRASTS}
    return {name: (fmean(values), stdev(values) / len(values) ** 0.5) for name, values in found.items()}
