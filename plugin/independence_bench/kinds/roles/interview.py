"""What a persona is asked in one context: a short conversation, then a questionnaire. Frozen models, no I/O.

``measuring`` fills, renders and conducts it.
"""

from functools import cached_property
from typing import ClassVar

from pydantic import Field

from independence_bench.frozen import Frozen
from independence_bench.spec import Script


class Sampling(Frozen):
    """How one kind of message is generated; it replaces the model's own settings."""

    temperature: float = Field(ge=0, le=2)
    max_tokens: int = Field(ge=1)  # a reasoning model keeps its own limit: reasoning tokens count against it


class InterviewQuestion(Frozen):
    """One question of a questionnaire, as it is put."""

    text: str  # whole: instruction, item, labelled options, how to answer
    item: int | None  # number in the questionnaire; None for a choice that no score comes from
    options: tuple[int, ...]
    """Meaning of each option, in the order of the labels: its score or, for a choice, the item's number."""


class Interview(Frozen):
    """A persona's system message, a conversation of a few messages, and the questions that follow it."""

    system: str  # the persona, in every request but the interlocutor's
    opening: str | None  # first message to the persona; None: the questions come without a conversation
    interlocutor: str = ""  # system message of the side that opened; the same model plays it
    interlocutor_start: str = ""
    """User message before the opening in the interlocutor's requests: some providers let no assistant begin."""
    messages: int = Field(default=3, ge=1)
    """Generated messages of the conversation: persona, interlocutor, persona, …"""
    talk: Sampling
    answer: Sampling
    dialogues: tuple[tuple[InterviewQuestion, ...], ...] = Field(min_length=1)
    """Each begins from the conversation and grows by its questions; independent items are dialogues of one question."""
    tries: int = Field(default=2, ge=1)  # maximum attempts per question until an answer names one option

    @cached_property
    def talk_calls(self) -> int:
        """Calls of the conversation."""
        return self.messages if self.opening is not None else 0


class InterviewScript(Script):
    """A script whose interview is asked instead of turns."""

    kind: ClassVar[str] = "roles"
    interview: Interview

    @property
    def calls(self) -> int:
        """Answers that the model gives, if every one names an option at once."""
        return self.interview.talk_calls + sum(len(dialogue) for dialogue in self.interview.dialogues)

    def chain_in(self, run: int) -> int:
        """Return how many answers must follow one another."""
        return self.interview.talk_calls + max(len(dialogue) for dialogue in self.interview.dialogues)
