"""A session's numbers, or a comparison, in every form in which they are shown, as values. Builds and writes nothing."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import NamedTuple, Protocol, cast

from independence_bench.judge_check.checked_judges import CheckedJudge, SetDigest
from independence_bench.kind_registry import wing
from independence_bench.report.analysis.board_facts import EVERY_MODEL, ModelChoice
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.safe_text import safe_text
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript


class TerminalText(Protocol):
    """A report as text for a terminal."""

    def __call__(self, width: int, *, brief: bool = False, choice: ModelChoice = EVERY_MODEL) -> str:
        """Return lines of at most ``width`` columns; ``brief``: no explanations; ``choice``: of which models."""


class BestModel(NamedTuple):
    """The model that a reader will look at first."""

    label: str
    losses: Sequence[tuple[str, float]] = ()  # the scenarios in which it lost most points, with these


@dataclass(frozen=True)
class Presented:
    """One session's numbers in every form that they are shown in."""

    heading: str  # over the text in a terminal
    page: str  # name of the file that a person reads
    text: TerminalText
    files: Callable[[], Mapping[str, str]]  # path in the folder of reports → content
    details: Callable[[int], str]  # everything, for a terminal
    best: Callable[[ModelChoice], BestModel | None] = lambda choice: None
    judge_checks: Sequence[CheckedJudge] = ()
    """How each judge of the panel did on its known answers; none where no judge takes part."""
    leaderboard: Leaderboard | None = None  # set where the Index is presented
    source: object = None  # what a kind has made it from, where its view in the site can be made from it, too
    beside: Callable[[], Mapping[str, str]] = dict
    """Further files like these to which the page links, too many to be listed."""
    replaces: tuple[str, re.Pattern[str]] | None = None
    """Folder in it, and names there, that only this report writes: a file not written this time is out of date."""


class ViewPages(NamedTuple):
    """Pages of a kind's views in the viewer: known before any of its numbers."""

    templates: Path  # folder of its own templates
    assets: Path  # folder of its own scripts, which come with every page of its views; it need not be there
    titles: Mapping[str, str]  # page → what the navigation calls it, where that is not what it is called elsewhere
    hidden: frozenset[str] = frozenset()  # pages that the navigation leaves out

    @classmethod
    def beside(cls, module: str, titles: Mapping[str, str], hidden: frozenset[str] = frozenset()) -> "ViewPages":
        """Return the pages whose folders are beside a module, named by its ``__file__``."""
        folder = Path(module).parent
        return cls(folder / "templates", folder / "assets", titles, hidden)


@dataclass(frozen=True)
class Compared:
    """A comparison of two models in every form that it is shown in."""

    text: Callable[[int], str]
    markdown: Callable[[], str]
    json: Callable[[], str]


class ReportedKind(Protocol):
    """How trials of a kind of edition are reported."""

    has_index: bool  # its editions have an Index, with bounds where trials are missing

    def load(self) -> None:
        """Import what its reports are computed with; called ahead, in a thread."""

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the report of a session's edition over all that the store holds.

        ``set_digest`` says which known-answer set the judges must have passed.
        """

    def view_words(self, session: Session) -> str:
        """Return the words that distinguish a session's view from others of its edition."""

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return in lines what the kind itself reads of a conversation's answers; none where judges read them."""


def reported_kind(kind: str) -> ReportedKind:
    """Return how trials of a kind of edition are reported."""
    return cast(ReportedKind, wing(kind, "reporting"))


def load_statistics(kind: str) -> Thread:
    """Begin to import what the reports of a kind of edition are computed with; join the thread before the report."""
    thread = Thread(target=_load, args=(kind,), name="statistics")
    thread.start()
    return thread


def _load(kind: str) -> None:
    # The module that needs a missing package reports it.
    with suppress(ImportError):
        reported_kind(kind).load()


def next_steps(best: BestModel | None, page: str, store: Path | None = None) -> Iterator[str]:
    """Yield lines with commands to paste, each whole; ``store``: the file, where commands do not find it themselves."""
    where = "" if store is None else f" --store={shlex.quote(str(store))}"
    if best is not None:
        label = safe_text(best.label)
        losses = ", ".join(f"{scenario} −{points:.1f}" for scenario, points in best.losses)
        if losses:
            yield f"{label} lost most in {losses}"
        scenario = f" {shlex.quote(best.losses[0][0])}" if best.losses else ""
        yield f"read it    independence-bench show {shlex.quote(label)}{scenario}{where}"
    yield f"read all   {page} · independence-bench view{where}"
