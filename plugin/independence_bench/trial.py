"""The results of a trial: transcript, verdict, failure, and the record of them."""

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, FiniteFloat, JsonValue, StringConstraints, model_validator

from independence_bench.digest import Json, digest
from independence_bench.spec import DeliveryMode, Frozen, Preamble, Rubric, Score

FailureKind = Literal[
    "endpoint",  # refused, reset, 4xx, 5xx, malformed answer, deadline: the tested model's endpoint did not answer
    "empty",  # answered, but with nothing to judge, as often as we may ask
    "unread",  # answered, in a wrapping that nobody here knows: nothing of it can be taken for speech
    "unsupported",  # the model cannot do it (no tool support): the case is skipped
    "judge_endpoint",  # the judge's endpoint did not answer
    "judge_refused",  # the judge declined to judge
    "judge_unparseable",  # the judge's reply did not validate, not even after one repair request
    "budget",  # the money was spent
    "interrupted",  # the session ended first
    "crashed",  # the process that conducted it died
    "function",  # the function of a Python scenario broke
]


RequestChange = Literal[
    "response_format left out",
    "empty content instead of null",  # beside the tool calls of earlier answers
    "tool_choice left out",  # it asks for the default anyway
    "tool_choice none",  # the server could not read a call in what the model wrote, and hid all of it
    "tools left out",  # the same, of a server that ignores tool_choice
]
"""How a request differs from the usual one, after the server refused that."""


class Usage(Frozen):
    """The tokens and cost of one or more calls."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0  # part of completion_tokens, where the server tells
    cost_usd: float | None = 0.0  # US dollars; None where neither cost nor price is known, or it cannot be
    absurd: bool = Field(default=False, exclude=True, repr=False)  # a cost that cannot be; of one call, never stored
    completion_unknown: bool = Field(default=False, exclude=True, repr=False)  # likewise; prompts of 0 are unknown

    def __add__(self, other: "Usage") -> "Usage":
        """Add up; an unknown cost makes the sum unknown."""
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cost_usd=(self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )


class FirstToken(NamedTuple):
    """A token that an answer could have begun with."""

    text: str
    logprob: float


class Reply(Frozen):
    """One answer of a chat server, read into one shape; filled by ``chat``."""

    answer: str  # what the model said, and nothing else; of several calls the messages in order; never empty if stored
    private_thought: str | None = None  # content next to a tool call: kept, replayed, never judged
    reasoning: str | None = None  # what it thought, by whatever marking; never replayed or judged
    tool_arguments: str | None = None  # of the first call that counted, as received; None: plain content
    more_arguments: str | None = None  # of the other calls in the same reply: a JSON list of texts
    several_calls: bool = False  # the answer is that of several calls in one reply
    written_call: str | None = None  # the content as it came, where a call that it wrote as text was read from it
    others_turn: str | None = None  # what it went on with in another's turn: no part of the answer
    delivery_kept: bool = True  # false where a tool call was asked for and plain content came
    salvaged: bool = False  # rescued from broken arguments, or from a call of a tool that was not offered
    other_tool: str | None = Field(default=None, exclude=True)  # not offered, no sentence: nothing is stored
    unread: str | None = Field(default=None, exclude=True)  # its first characters; likewise
    first_token: tuple[FirstToken, ...] = Field(default=(), exclude=True, repr=False)  # most likely ones; never stored
    finish_reason: str | None = None  # the server's word for how it ended, or its provider's graver one
    end_unknown: bool = False  # that word is in no table: the answer may not be whole
    withheld: bool = False  # its text is not in the data that it came with
    refusal: bool = False  # true where the server marked the answer as a refusal or content filter hit
    key_cut: bool = False  # our API key was in the server's reply, and was replaced by ``[key]``
    changes: tuple[RequestChange, ...] = ()  # how the request for this answer differed from the usual one
    served_model: str | None = None
    served_provider: str | None = None
    fingerprint: str | None = None
    usage: Usage = Usage()  # all attempts of this call together
    attempts: int = 1  # requests made until this answer came
    empty_attempts: int = 0  # how many of these came back with nothing to judge
    started_at: float = 0.0  # Unix time of the first request
    seconds: float = 0.0  # from the first request to the answer, waits between attempts included


class Exchange(Frozen):
    """One human turn and the model's reply to it."""

    after: int | None  # Index of the exchange this one continues; None continues the opening
    asked: str
    reply: Reply
    sent_as: Literal["user", "tool"] | None = None  # where an import recorded it; None: by the delivery mode
    by_interlocutor: bool = False  # the model spoke for the persona's interlocutor (interviews), told ``asked``
    item: int | None = None  # number of the questionnaire's item (interviews), or of the step (dossiers)
    options: tuple[int, ...] = ()  # meaning of each labelled option, in order (interviews)
    facts: dict[str, JsonValue] = Field(default_factory=dict)  # drawn for the case, with the first exchange

    @classmethod
    def unanswered(cls, number: int, asked: str) -> "Exchange":
        """Return the exchange of a scripted turn, counted from 0, whose answer is not known yet."""
        return cls(after=number - 1 if number else None, asked=asked, reply=Reply(answer="-"))


class Checks(Frozen):
    """The outcome of a Python scenario by its function."""

    held: bool
    reason: str = ""  # why it yielded


CHECKS = "checks"  # name among the facts of a transcript's first exchange


class Transcript(Preamble):
    """The conversation of a trial, enough to render every request again."""

    exchanges: tuple[Exchange, ...]

    @property
    def checks(self) -> Checks | None:
        """The outcome by the function of a Python scenario; None of any other."""
        checks = self.exchanges[0].facts.get(CHECKS) if self.exchanges else None
        return Checks.model_validate(checks) if checks is not None else None

    @classmethod
    def of(cls, begun: Preamble, exchanges: Iterable[Exchange]) -> "Transcript":
        """Return the conversation that followed a script's preamble."""
        preamble = {name: getattr(begun, name) for name in Preamble.model_fields}
        return cls(**preamble, exchanges=tuple(exchanges))

    @cached_property
    def material(self) -> list[Json]:
        """What a judge may see: the turns in order, scripted ones marked; no label, model, run, tokens or thoughts."""
        turns: list[Json] = [
            {"speaker": turn.speaker, "scripted": True, "text": turn.text}
            if turn.speaker == "model"
            else {"speaker": "human", "text": turn.text}
            for turn in self.opening
        ]
        for exchange, message in zip(self.exchanges, self.messages, strict=True):
            turns.append({"speaker": "human", "text": exchange.asked})
            turns.append({"speaker": "model", "text": message})
        return turns

    @property
    def messages(self) -> list[str]:
        """What the model said in each exchange."""
        return [exchange.reply.answer for exchange in self.exchanges]

    @cached_property
    def hash(self) -> str:
        """Digest of :attr:`material`: equal conversations have one verdict."""
        return digest(self.material)

    @property
    def usage(self) -> Usage:
        """All exchanges together."""
        return sum((exchange.reply.usage for exchange in self.exchanges), Usage())

    @property
    def thought(self) -> int | None:
        """Number of answers after reasoning, seen as text or as counted tokens; None: their texts are withheld."""
        replies = [exchange.reply for exchange in self.exchanges]
        if any(reply.withheld for reply in replies):
            return None
        return sum(bool(reply.reasoning or reply.usage.reasoning_tokens) for reply in replies)

    @property
    def delivery_kept(self) -> bool:
        """True where every answer came by the delivery asked for."""
        return all(exchange.reply.delivery_kept for exchange in self.exchanges)


def asked_key(transcript_hash: str, rubric_digest: str, judge_configuration: str) -> str:
    """Return the key of the verdict that answers this question."""
    return digest([transcript_hash, rubric_digest, judge_configuration])


class Verdict(Frozen):
    """The validated scores a judge returned for a transcript."""

    key: str  # digest of transcript hash, rubric, judge and judging code: a stored verdict is never asked for again
    transcript_hash: str
    rubric_id: str
    rubric_digest: str
    judge: str  # the judge's label
    judge_configuration: str  # digest of the judge's identity (model, sampling, endpoint)
    scores: dict[str, Score]
    reports: dict[str, str | list[str] | None] = Field(default_factory=dict)  # such as the names the model chose
    reasoning: str
    raw: str  # the reply that validated, as received
    repaired: bool = False  # true where the first reply did not validate and one repair request was made
    usage: Usage = Usage()
    attempts: int = 1
    created_at: float = 0.0  # Unix time
    seconds: float = 0.0


Rater = Annotated[str, StringConstraints(max_length=40, pattern=r"^[\w.@-]([\w .@-]*[\w.@-])?$")]
"""Name or pseudonym of a person who labels answers: at most 40 letters, digits, spaces and ``. _ @ -``."""


class HumanLabel(Frozen):
    """How a person scored a transcript by its rubric, and how it came to be in the sample; a rater's newest label
    stands. Raters see no model, no judge and no score.
    """

    transcript_hash: str
    scenario: str
    experiment: str
    rubric_id: str
    rubric_digest: str
    rater: Rater
    scores: dict[str, Score] = Field(default_factory=dict)  # every score of the rubric; empty where unclear
    unclear: bool = False  # true where the rater could not tell: the transcript is no evidence about the judge
    labelled_at: FiniteFloat  # Unix time
    stratum: str  # the part of all transcripts that it was drawn from, such as ``boundary, judged to yield``
    population: int = Field(ge=1, le=10**8)  # different transcripts in the stratum when it was drawn
    probability: float = Field(gt=0, le=1)  # share of the stratum's transcripts in the sample, equally likely

    @model_validator(mode="after")
    def _scored_or_unclear(self) -> Self:
        if bool(self.scores) == self.unclear:
            raise ValueError("give either scores or unclear")
        if self.probability * self.population < 1 - 1e-9:
            raise ValueError("probability: it is below that of one transcript of the population")
        return self

    def check(self, rubric: Rubric) -> Self:
        """Return this label. Raises ValueError if it has other scores than the rubric asks for, or one out of range."""
        if self.scores:
            asked = [field.name for field in rubric.scores]
            if set(self.scores) != set(asked):
                raise ValueError(f"scores: the rubric {rubric.id} asks for {', '.join(asked)}")
            rubric.scores_in(self.scores)
        return self


class Failure(Frozen):
    """Why a trial could not be measured this time, and what the attempt cost."""

    kind: FailureKind
    message: str  # one safe line that names the cause
    judge: str | None = None  # the judge's label where judging failed
    usage: Usage = Usage()
    attempts: int = 0  # requests made
    at: float = 0.0  # Unix time


class KeptAnswer(Frozen):
    """One answer of a Python scenario's conversation that is not whole yet."""

    asked: str  # digest of the messages that it answers: the whole conversation before it
    reply: Reply
    at: float  # Unix time


class TrialRecord(Frozen):
    """All results of one trial; sent home in one piece and stored in one transaction."""

    key: str
    label: str
    model_id: str
    configuration: str
    build: str | None
    edition: str
    experiment: str
    scenario: str
    run: int
    system_variant: str
    delivery_mode: DeliveryMode
    script_digest: str
    transcript: Transcript | None = None  # None where it broke off midway: the unit of loss is a trial
    generated: bool = True  # false where the transcript was in the store and only judging was done
    transcript_at: float = 0.0  # Unix time at which the transcript was complete
    verdicts: tuple[Verdict, ...] = ()  # new verdicts of this session's panel, one per judge that gave one
    shared: tuple[str, ...] = ()  # keys of those verdicts that an equal conversation of the same session paid for
    intermediate_verdicts: tuple[Verdict, ...] = ()  # of a function, before the whole: stored then, here for their cost
    failures: tuple[Failure, ...] = ()
    answers: tuple[KeptAnswer, ...] = ()  # of an unfinished Python scenario, until it is stored
