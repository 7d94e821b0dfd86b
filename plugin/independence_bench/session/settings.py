"""A session's options as plain data, and the files and variables that it finds in the root folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.catalog.endpoints import Overrides
from independence_bench.chat.prices import Price
from independence_bench.digest import Json
from independence_bench.option_table import OPTIONS, Option
from independence_bench.session.shards import Shard
from independence_bench.spec import DeliveryMode


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Overrides):
    """Every option of a session, read and typed; None and empty mean that it was not given."""

    root: Path  # folder that may hold configs/, .env and reports/ (pytest's rootdir)
    models: tuple[str, ...] = ()
    edition: str = "v2"
    form: str | None = None  # the seed that an edition's dossiers are drawn by; None leaves the edition's own
    stance: str | None = None  # how an edition of dossiers takes stances; None leaves the edition's own
    runs: int = 1
    judges: tuple[str, ...] = ()
    system_variants: tuple[str, ...] = ()
    delivery_modes: tuple[DeliveryMode, ...] = ()
    shard: Shard | None = None  # the part of the plan that this session asks; None asks all of it
    require_judge_check: bool = False  # refuse to measure unless every judge has passed the known-answer set
    require_labels: bool = False  # refuse to measure unless people have labelled enough of what the panel judged
    max_cost: float | None = None  # US dollars that this session may spend; None sets no limit
    assume_price: Price | None = None  # the budget's price for models and judges without one
    huge: bool = False  # allow a plan of more than ``plan.MOST_CASES``
    site: bool = False  # write the viewer's pages at the end
    site_url: str | None = None  # where they will be published, with a slash at its end
    configs: Path | None = None
    store: Path | None = None
    reports: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Environment variables, over those of .env; holds keys, so it is never shown."""

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
    def places(self) -> dict[str, Path]:
        """Where reports are written, and the folder that ``--configs`` names, by field: see ``Store.places``."""
        return {"reports": self.reports_folder} | ({"configs": self.configs} if self.configs else {})

    @property
    def overlay(self) -> Path | None:
        """The reader's own configs/, where there are any."""
        beside = self.root / "configs"
        return self.configs or (beside if beside.is_dir() else None)

    def stored_options(self) -> dict[str, Json]:
        """Return the options as the store and session.json keep them: without keys and paths."""
        options = {option.field: self._stored(option) for option in OPTIONS if option.is_stored}
        return {name: value for name, value in options.items() if value not in (None, []) and value is not False}

    def _stored(self, option: Option) -> Json:
        value = getattr(self, option.field)
        if isinstance(value, Price):
            return [value.prompt, value.completion]
        if option.reads == "variable" and value not in self.environment:
            return None  # a value that names no variable may be the key itself
        return list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Shard) else value


class Environment(dict[str, str]):
    """Environment variables; a traceback that shows local variables shows none of them."""

    def __repr__(self) -> str:
        return "Environment(…)"


def read_environment(root: Path, environment: Mapping[str, str] | None = None) -> Environment:
    """Return the environment (``os.environ`` unless given) over ``.env`` in the root folder: set variables win.
    Raises BadInput: .env exists and cannot be read.
    """
    file = root / ".env"
    variables = Environment()
    if file.is_file():
        from dotenv import dotenv_values

        try:
            variables.update((name, value) for name, value in dotenv_values(file).items() if value is not None)
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{file}: it cannot be read ({error}); fix or remove it") from None
    variables.update(os.environ if environment is None else environment)
    return variables
