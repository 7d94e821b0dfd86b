"""What a session was asked for, as plain data, and the files and variables it finds beside the root folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.chat.prices import Price
from independence_bench.digest import Json
from independence_bench.safe_text import safe_text, without_surrogates
from independence_bench.session.shards import Shard
from independence_bench.spec import DeliveryMode, ReasoningEffort

DEFAULT_CONCURRENCY = 64
"""Calls in flight at once, over all models, unless ``--concurrency`` says otherwise."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every option of a session, read and typed; None and empty mean that it was not given."""

    root: Path
    """Folder beside which configs/, .env and reports/ are looked for (pytest's rootdir)."""
    models: tuple[str, ...] = ()
    edition: str = "v2"
    runs: int = 1
    judges: tuple[str, ...] = ()
    system_variants: tuple[str, ...] = ()
    delivery_modes: tuple[DeliveryMode, ...] = ()
    endpoint: str | None = None
    endpoint_key_env: str | None = None
    judge_endpoint: str | None = None
    judge_endpoint_key_env: str | None = None
    build: str | None = None
    temperature: float | None = None
    reasoning_effort: ReasoningEffort | None = None
    max_tokens: int | None = None
    timeout_s: float | None = None
    attempts: int | None = None
    shard: Shard | None = None
    """The part of the plan that this session asks; None asks all of it."""
    concurrency: int | None = None
    """None: the default of 64, and every endpoint's own limit."""
    concurrency_per_model: int | None = None
    require_judge_check: bool = False
    """Refuse to measure unless every judge has passed the known-answer set."""
    requests_per_minute: int | None = None
    """Of each endpoint that is asked; None: every endpoint's own limit."""
    tokens_per_minute: int | None = None
    max_cost: float | None = None
    """US dollars that this session may spend; None sets no limit."""
    assume_price: Price | None = None
    """What the budget reckons with for models and judges without a price; reports go on calling their cost unknown."""
    site: bool = False
    """Write the viewer's pages at the end."""
    configs: Path | None = None
    store: Path | None = None
    reports: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Environment variables, .env under them; holds keys, so it is never shown."""

    def __post_init__(self) -> None:
        """Refuse text that holds bytes which are no UTF-8; paths may hold any.

        Raises:
            BadInput: an option's text is none that could be sent, stored or shown.
        """
        for name in self.__slots__:
            value = getattr(self, name)
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and without_surrogates(text) != text:
                    raise BadInput(f"{safe_text(text)}: this option holds bytes that are no UTF-8; write it as text")

    @property
    def reports_folder(self) -> Path:
        """Where reports are written."""
        return self.reports or self.root / "reports"

    @property
    def site_folder(self) -> Path:
        """Where the viewer's pages are written."""
        return self.reports_folder / "site"

    @property
    def store_file(self) -> Path:
        """The SQLite file."""
        return self.store or self.reports_folder / "trials.sqlite"

    @property
    def overlay(self) -> Path | None:
        """The reader's own configs/, where there are any."""
        beside = self.root / "configs"
        return self.configs or (beside if beside.is_dir() else None)

    def shaping_options(self) -> dict[str, Json]:
        """What shaped the plan, for the store and session.json: an allow-list, free of keys and paths."""
        shown: dict[str, Json] = {
            "models": list(self.models),
            "edition": self.edition,
            "runs": self.runs,
            "judges": list(self.judges),
            "system_variants": list(self.system_variants),
            "delivery_modes": list(self.delivery_modes),
            "endpoint": self.endpoint,
            "judge_endpoint": self.judge_endpoint,
            "build": self.build,
            "temperature": self.temperature,
            "reasoning_effort": self.reasoning_effort,
            "max_tokens": self.max_tokens,
            "max_cost": self.max_cost,
            "assume_price": [self.assume_price.prompt, self.assume_price.completion] if self.assume_price else None,
            "shard": str(self.shard) if self.shard else None,
        }
        return {name: value for name, value in shown.items() if value not in (None, [])}


class Environment(dict[str, str]):
    """Environment variables; a traceback that shows local variables shows none of them."""

    def __repr__(self) -> str:
        """Show nothing."""
        return "Environment(…)"


def read_environment(root: Path, environment: Mapping[str, str] | None = None) -> Environment:
    """Return the environment (``os.environ`` unless given) over ``.env`` beside the root folder: what is set wins.

    Raises:
        BadInput: .env is there and cannot be read.
    """
    file = root / ".env"
    found = Environment()
    if file.is_file():
        from dotenv import dotenv_values

        try:
            found.update((name, value) for name, value in dotenv_values(file).items() if value is not None)
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{file}: it cannot be read ({error}); mend or remove it") from None
    found.update(os.environ if environment is None else environment)
    return found
