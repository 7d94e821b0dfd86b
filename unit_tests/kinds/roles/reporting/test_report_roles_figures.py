"""Figures as SVG: well-formed whatever a label holds, with text alternatives, and files called by place alone."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from role_world import RoleWorld, at_random, design, keeper
from test_report_roles_board import alike, report

from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kinds.roles.design import VALUES, QuestionnaireShape
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation
from independence_bench.kinds.roles.metrics.scores import ContextAnswers
from independence_bench.kinds.roles.reporting.role_figures import heat_map
from independence_bench.kinds.roles.reporting.role_kind import FIGURES
from independence_bench.kinds.roles.reporting.role_results import RoleReport
from independence_bench.report.files import write_reports
from independence_bench.report.presented import reported_kind
from independence_bench.report.views.svg import Figure, blended, correlation_colour, inert, readable_on

SVG = "{http://www.w3.org/2000/svg}"


def drawn(report: RoleReport) -> list[Figure]:
    """All figures of a report's first models."""
    return [heat_map(report.board, row, place) for place, row in enumerate(report.board.measured_models, 1)]


def read(figure: Figure) -> ElementTree.Element:
    return ElementTree.fromstring(figure.svg)


def texts(figure: Figure) -> list[str]:
    return ["".join(element.itertext()) for element in read(figure).iter(f"{SVG}text")]


@pytest.mark.slow
def test_every_ranked_model_has_its_figures_named_by_place() -> None:
    paths = [figure.path for figure in drawn(report())]
    assert paths == [f"figures/roles-{place}-contexts.svg" for place in (1, 2)]
    assert all(FIGURES.fullmatch(path.removeprefix("figures/")) for path in paths)


@pytest.mark.slow
def test_every_figure_is_well_formed_titled_and_described_for_both_colour_schemes() -> None:
    for figure in drawn(report()):
        root = read(figure)
        assert root.get("role") == "img"
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None and title.text == figure.title
        assert description is not None and len(description.text or "") > 80
        assert "prefers-color-scheme:dark" in figure.svg
        assert not re.search(r"<(script|image|a|foreignObject)\b|href=", figure.svg)


@pytest.mark.slow
def test_the_heat_map_shows_every_pair_twice_and_the_ceiling_on_the_diagonal() -> None:
    shown = texts(drawn(report())[0])
    row = report().board.models[0]
    for pair in row.pairs:
        assert shown.count(f"{pair.rank_order:.2f}") >= 2
    assert "ceiling" in shown
    assert "No conversation" in shown


def test_equal_scores_share_a_place_and_who_has_none_has_no_place() -> None:
    answers = ((1, 3, 6), (3, 1, 6), (6, 6, 1), (None, None, 6))
    items = {value: (1, 2) if value == "Power" else (3,) for value in VALUES}
    shape = QuestionnaireShape(name="q", kind="portrait", n_items=3, lowest=1, highest=6, items=items)
    found = MeasuredPopulation(Population("m", (ContextAnswers("a", shape, answers),))).places
    assert found[0, :, VALUES.index("Power")].tolist()[:3] == [2.5, 2.5, 1.0]
    assert np.isnan(found[0, 3, VALUES.index("Power")])


@pytest.mark.slow
@pytest.mark.parametrize(
    "label", ["</title><script>alert(1)</script>", "a\x00b\x1b[31m\ufffe", "\ud800 lone", "a & b \"'", "x" * 5000]
)
def test_hostile_labels_stay_text(label: str) -> None:
    board = report().board.model_copy(
        update={"models": [row.model_copy(update={"label": label}) for row in report().board.models]}
    )
    for figure in drawn(replace(report(), board=board)):
        root = read(figure)
        assert root.find(f".//{SVG}script") is None
        figure.svg.encode("utf-8")
        assert len(figure.svg) < 60_000


@pytest.mark.slow
def test_a_population_that_answers_alike_is_drawn_with_what_is_undefined() -> None:
    assert "No conversation – A game of chess: undefined" in drawn(alike())[0].svg


@pytest.mark.slow
def test_figures_of_an_earlier_report_are_removed_and_nothing_else_is(tmp_path: Path) -> None:
    world = RoleWorld(design(4, survey=False, retest=False))
    world.play("one", keeper(noise=0.4))
    world.play("two", at_random())
    shown = reported_kind("roles").presented(world.store, world.session, current_set_digest)
    written = {path.relative_to(tmp_path).as_posix() for path in write_reports(tmp_path, shown)}
    assert {"ROLE_STABILITY.md", "role_stability.json", "figures/roles-2-contexts.svg"} <= written
    assert not (tmp_path / "LEADERBOARD.md").exists()
    (tmp_path / "figures" / "roles-9-contexts.svg").write_text("old")
    (tmp_path / "figures" / "mine-9-contexts.svg").write_text("mine")
    write_reports(tmp_path, shown)
    left = {path.name for path in (tmp_path / "figures").iterdir()}
    assert "roles-9-contexts.svg" not in left
    assert "mine-9-contexts.svg" in left
    page = (tmp_path / "ROLE_STABILITY.md").read_text(encoding="utf-8")
    for path in re.findall(r"!\[[^]]*\]\(([^)]*)\)", page):
        assert (tmp_path / path).is_file()
    assert page.count("](figures/") == 2


def test_colours_run_from_orange_over_pale_to_blue_and_carry_readable_text() -> None:
    assert correlation_colour(0) == "#e1e8f0"
    assert correlation_colour(1) == "#2166ac"
    assert correlation_colour(-1) == "#c45814"
    assert blended((0, 0, 0), (255, 255, 255), 7) == "#ffffff"
    assert readable_on(0.2) != readable_on(0.95)


def test_what_xml_forbids_is_replaced() -> None:
    assert inert("a\ufffeb<") == "a\N{REPLACEMENT CHARACTER}b&lt;"
