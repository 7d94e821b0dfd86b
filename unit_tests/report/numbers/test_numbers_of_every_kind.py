"""What is written once for all kinds: boards that fit, inert pages, and one difference of two models wherever it is."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from extension_packages import installed_package
from reason_world import REASONABLE, ReasonWorld, wavering
from report_samples import World
from role_world import RoleWorld, at_random, design, keeper
from toy_world import ToyWorld, records_of

from independence_bench.api.results import Results
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kind_registry import KINDS
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation
from independence_bench.kinds.roles.reporting import role_results
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.report.comparison.side import ComparisonRequest, Side, compared_kind
from independence_bench.report.presented import reported_kind
from independence_bench.report.site.data.downloads import downloads
from independence_bench.store import Configuration, Session, Store

HOSTILE = "long](http://evil)<script>|\x1b[31m`"
RUNS = {"long": 5, "short": 1, "middle": 2}
"""Models by how many runs they have: where formulas differ, they differ here."""
Known = tuple[float, float | None, float | None, float | None]
"""Difference, lower and upper end, p-value."""


def index_world() -> World:
    world = World()
    for place, (label, runs) in enumerate(RUNS.items()):
        for run in range(1, max(runs, 2) + 1):  # a single run has no error by run
            scores = {"resistance": 9 - place // 2 - run % 2}
            who = {"likeness": 10 - (run + place) % 3, "drift": 0}  # never fell: what was not seen counts
            world.run(label, run, who=who, praise=scores, crowd={"resistance": 10})
    return world


def reason_world() -> ReasonWorld:
    world = ReasonWorld()
    shifted = lambda step, matter, run: wavering(step, matter, run + 7)  # noqa: E731
    for (label, runs), said in zip(RUNS.items(), (wavering, REASONABLE, shifted), strict=True):
        world.play(label, said, runs)
    return world


def role_world() -> RoleWorld:
    world = RoleWorld(design(8, survey=False, retest=False))
    for (label, runs), score in zip(RUNS.items(), (keeper(noise=0.5), at_random(), keeper(1, 1.5)), strict=True):
        for run in range(1, runs + 1):
            world.play(label, score, run)
    return world


def toy_world() -> ToyWorld:
    world = ToyWorld()
    for place, (label, runs) in enumerate(RUNS.items()):
        world.play(label, lambda toy, run, place=place: (toy * run + place) % 3, runs)  # type: ignore[misc]
    return world


_ANALYSED: dict[str, MeasuredPopulation] = {}


def analysed_once(population: Population) -> MeasuredPopulation:
    answers = repr(population)
    return _ANALYSED.get(answers) or _ANALYSED.setdefault(answers, MeasuredPopulation(population))


WORLDS: Mapping[str, Callable[[], Any]] = {
    "index": index_world,
    "dossiers": reason_world,
    "roles": role_world,
    "toy": toy_world,
}


@pytest.fixture(params=[pytest.param(kind, marks=pytest.mark.slow if kind == "roles" else ()) for kind in WORLDS])
def world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Three models of one kind, each with another number of runs."""
    if request.param == "roles":  # each test analyses the same interviews many times, and one takes half a second
        monkeypatch.setattr(role_results, "MeasuredPopulation", analysed_once)
    installed_package(tmp_path / "packages", monkeypatch, {"kinds": {"toy": "toy_kind:KIND"}})
    return WORLDS[request.param]()


@pytest.mark.parametrize("width", [60, 80, 140])
def test_board_and_details_of_every_kind_fit_a_terminal_and_name_every_model(world: Any, width: int) -> None:
    shown = reported_kind(world.session.edition.kind).presented(world.store, world.session, current_set_digest)
    for text in (shown.text(width), shown.text(width, brief=True), shown.details(width)):
        assert max(map(len, text.splitlines())) <= width
        assert all(label in text for label in RUNS)


def test_equal_stores_of_every_kind_give_equal_files_in_which_foreign_texts_are_inert(world: Any) -> None:
    kind, session = reported_kind(world.session.edition.kind), world.session
    world.store.begin_session(session, [Configuration(configuration="long", label=HOSTILE, model_id="id/long")])
    one, other = (kind.presented(world.store, session, current_set_digest).files() for _ in range(2))
    assert one == other
    for name, text in one.items():
        assert not name.endswith(".md") or not any(live in text for live in ("<script>", "](http://evil"))
        assert text.isprintable() or not set(text) & set("\x1b\u202e")


def of_rows(rows: Any) -> dict[tuple[str, str], Known]:
    def number(text: Any) -> float | None:
        return None if text in (None, "") else float(text)

    names = ("difference", "low", "high", "p_value")
    return {
        (row["first_label"], row["second_label"]): tuple(number(row[name]) for name in names)  # type: ignore[misc]
        for row in rows
    }


def in_table(store: Store, session: Session) -> dict[tuple[str, str], Known]:
    return of_rows(ALL_TABLES["pairs"].records(records_of(store, session)))


def compared(store: Store, session: Session, first: str, second: str) -> Known:
    entries = {entry.row.label: entry for entry in ranked_models(store, session).entries}
    one, other = (Side(entries[label].row, entries[label].result, "here", store) for label in (first, second))
    request = ComparisonRequest(session, one, other, 0.95, 1, current_set_digest)
    found = json.loads(compared_kind(session.edition.kind).compared(request).json())
    known = found["by_run"] if session.edition.kind == "index" else found["difference"]
    return known["estimate"], known["low"], known["high"], known["p_value"]


def test_every_kind_is_asked() -> None:
    assert set(WORLDS) >= set(KINDS)


def test_two_models_differ_in_a_comparison_by_what_the_table_of_pairs_says(world: Any) -> None:
    pairs = in_table(world.store, world.session)
    assert len(pairs) == 3
    for (first, second), known in pairs.items():
        assert compared(world.store, world.session, first, second) == pytest.approx(known, rel=1e-9, abs=1e-12)


def test_viewer_and_api_offer_the_pairs_of_the_table(world: Any, tmp_path: Path) -> None:
    known = in_table(world.store, world.session)
    files = downloads([records_of(world.store, world.session)]).files
    shown = of_rows(csv.DictReader(io.StringIO(files["downloads/pairs.csv"].decode())))
    asked = of_rows(Results(tmp_path, world.store).table("pairs"))
    for pair, numbers in known.items():
        assert shown[pair] == pytest.approx(numbers) and asked[pair] == pytest.approx(numbers)
