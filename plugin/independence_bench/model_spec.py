"""Who is asked: frozen models of endpoint and model, and of a judge as sessions note it. No I/O."""

import re
from functools import cached_property
from typing import Literal

from pydantic import Field

from independence_bench.digest import Json, digest
from independence_bench.frozen import Frozen

ReasoningEffort = Literal["off", "none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""``off`` sends no field, ``none`` asks for no reasoning."""
MaxTokensField = Literal["max_tokens", "max_completion_tokens"]
ToolHistory = Literal["plain", "blank_reasoning", "google_sentinel"]
"""What replayed tool calls have in place of the reasoning that some servers require; none is ever replayed."""

EMBEDDED = "offline"  # name of the embedded endpoint's row, scheme of its URL, and vendor part of its models' ids
LEXICAL_JUDGE = f"{EMBEDDED}/lexical"  # the embedded judge: a heuristic that weighs words, no language model

CALLABLE = "callable"  # scheme of the URL, and vendor part of the id, of judges that are no chat models


_NAMED_BY = re.compile(r"(?<=//)(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost\.?)(?=[:/]|$)")  # this machine, by other names


def is_embedded(model_id: str) -> bool:
    """Return whether a model or judge is a program that comes with this package."""
    return model_id.startswith(f"{EMBEDDED}/")


class Endpoint(Frozen):
    """An OpenAI-compatible base URL with its key variable and limits: one row of endpoints.yaml, or ``--endpoint``."""

    name: str  # the row's name; for an ad-hoc endpoint its ``host:port``
    base_url: str  # normalised: scheme and host in lower case, no trailing slash, no user info, no query
    key_env: str | None = None  # environment variable that holds the API key; None sends no header with one
    key_sent_as: Literal["bearer", "api_key", "basic"] = "bearer"
    """The header: ``Authorization: Bearer``; ``api-key``, as Azure takes it; or basic authentication, for which the
    variable holds ``user:password``."""
    api_version: str | None = Field(default=None, pattern=r"^[0-9A-Za-z._-]+$")  # the query of Azure's URLs
    max_concurrency: int | None = Field(default=None, ge=1)  # calls in flight; ``--concurrency`` overrides it
    requests_per_minute: int | None = Field(default=None, ge=1)  # starts within any minute; ``--rpm`` overrides it
    tokens_per_minute: int | None = Field(default=None, ge=1)  # prompt and completion; ``--tpm`` overrides it
    attempts: int = Field(default=5, ge=1)  # requests for one answer at most, all causes together
    empty_attempts: int = Field(default=3, ge=1)  # requests at most that come back with nothing to judge
    connect_s: float = Field(default=10, gt=0)  # seconds to open a connection
    call_deadline_s: float = Field(default=300, gt=0)  # seconds for one answer, all attempts and waits together
    trial_deadline_s: float = Field(default=1800, gt=0)  # seconds for one trial; waits for slots not counted
    max_tokens_field: MaxTokensField = "max_tokens"  # this server's name for the limit
    tool_history: ToolHistory = "plain"
    response_format: bool = True  # send judges a JSON schema; a 400 that names it turns it off for the session
    dialect: Literal["openrouter", "openai"] = "openai"  # how reasoning effort, provider pin and cost are asked for
    sends_run_as_seed: bool = False  # the embedded models vary by it, as a sampled model varies from run to run

    free: bool = False  # calls cost nothing (own hardware, embedded); else an unknown price is unknown, not zero
    bills_errors: bool = True  # a 5xx, timeout or broken connection may cost something: a budget counts it in full
    ad_hoc: bool = False  # true when it was given on the command line rather than by a catalogue row

    @property
    def embedded(self) -> bool:
        """True for what lives in this process: no socket, no key."""
        return self.base_url.startswith((f"{EMBEDDED}:", f"{CALLABLE}:"))


class ModelFacts(Frozen):
    """The facts about a model that hold wherever it is served."""

    label: str  # names it in reports: the catalogue's label or the id as typed, then the overrides
    id: str  # the public model id, for example ``openai/gpt-5-nano``
    vendor: str | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    temperature_supported: bool | None = None  # false: the server takes no temperature, none is sent
    reasoning_effort: ReasoningEffort = "off"
    reasoning_required: bool = False  # it cannot answer without: effort ``off`` or ``none`` is refused
    thinking: bool | None = None  # known to think before answering (shown as a mark); None is unknown
    open_weights: bool | None = None
    provider: str | None = None  # provider pin (``provider.order`` without fallbacks), OpenRouter only
    max_tokens: int = Field(default=2048, ge=1)
    price_in: float | None = Field(default=None, ge=0)  # USD per million prompt tokens; None is unknown
    price_out: float | None = Field(default=None, ge=0)  # USD per million completion tokens; None is unknown
    price_date: str | None = None  # when the price was read, ISO date or month
    retired: str | None = None  # since when it is no longer served, ISO date or month; part of no key


class Model(ModelFacts):
    """One model as it is asked: a resolved row of models.yaml, with every override applied. Judges are models too."""

    served_id: str  # the value of ``model`` in a request
    endpoint: Endpoint
    build: str | None = None  # what is served under the name now (``--build``); of embedded models the source's digest

    chosen_as: str = ""  # the value of ``--model`` that chooses it alone; empty for judges
    chosen_max_tokens: bool = False  # ``--max-tokens`` chose its limit, which its label names
    heuristic: bool = False  # a judge that compares words and understands nothing
    keeps_label: bool = False  # its label replaces the URL in every key (``--label``): host and port may change

    @property
    def sent_temperature(self) -> float | None:
        """The temperature that goes over the wire, or None when the server takes none."""
        return None if self.temperature_supported is False else self.temperature

    @cached_property
    def identity(self) -> dict[str, Json]:
        """All that makes this model's answers its own, as JSON: part of every key, free of labels and prices."""
        return {
            "id": self.id,
            "served_id": self.served_id,
            "url": f"label:{self.label}" if self.keeps_label else self.endpoint.base_url,
            "temperature": self.sent_temperature,
            "reasoning_effort": self.reasoning_effort,
            "provider": self.provider,
            "max_tokens": self.max_tokens,
            "build": self.build,
        }

    @property
    def reasons(self) -> bool:
        """True where it is asked to reason before it answers, or cannot answer without."""
        return self.reasoning_required or self.reasoning_effort not in ("off", "none")

    def limited(self, max_tokens: int) -> "Model":
        """Return the model with this limit on generated tokens; one that thinks keeps its own: thoughts count too."""
        return self if self.thinking or self.reasons else self.model_copy(update={"max_tokens": max_tokens})

    @cached_property
    def configuration(self) -> str:
        """Digest of :attr:`identity`: one model configuration, whatever its label is today."""
        return digest(self.identity)

    @cached_property
    def served(self) -> str:
        """Digest of URL and served id: what one server serves under one id is one model, whatever it is called."""
        return digest({"url": _NAMED_BY.sub("localhost", self.endpoint.base_url), "served_id": self.served_id})

    @property
    def offline(self) -> bool:
        """True for the embedded models and judge, and for callable judges (no socket, no key)."""
        return self.endpoint.embedded

    @property
    def callable(self) -> bool:
        """True for a judge that is no chat model, but a Python callable."""
        return self.endpoint.base_url.startswith(f"{CALLABLE}:")


class PanelJudge(Frozen):
    """A judge as sessions and cases note it."""

    label: str
    model_id: str
    configuration: str  # digest of its identity: verdicts are matched by it
    heuristic: bool = False  # compares words, by its own account: it gives no real model a number
    served: str | None = None  # digest of URL and served id; None where it is not known
    temperature: float | None = None  # that is sent; None where none is, or it is not known

    @property
    def asked_as(self) -> str:
        """The value of ``--judge`` that names it: its label, or where a callable is, which may have any label."""
        own = f"{CALLABLE}/"
        return self.model_id.removeprefix(own) if self.model_id.startswith(own) else self.label

    def is_called(self, name: str) -> bool:
        """Return whether it is a callable of this name, or of a name that ends so, from a folder further up."""
        return self.model_id.startswith(f"{CALLABLE}/") and self.model_id.endswith((f"/{name}", f".{name}"))

    @classmethod
    def of(cls, judge: Model) -> "PanelJudge":
        """Return what is noted of a judge."""
        return cls(
            label=judge.label,
            model_id=judge.id,
            configuration=judge.configuration,
            heuristic=judge.heuristic or (judge.offline and not judge.callable),
            served=judge.served,
            temperature=judge.sent_temperature,
        )
