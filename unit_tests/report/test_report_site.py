"""The site as files: what is in it, what is never in it, and what it leaves alone."""

import gzip
import json
import os
import re
import subprocess
import sys
import zlib
from base64 import b64decode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from report_samples import EDITION, GOOD, JUDGE, SECOND_JUDGE, World, cells, presented_leaderboard, session_of

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.digest import canonical_json
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.blocks import phrase
from independence_bench.report.formatting import shown_bounds
from independence_bench.report.site import NothingMeasured, Sources, chunks, pages, site_folder, write_site
from independence_bench.report.site.addresses import address, model_ids
from independence_bench.report.site.chunks import chunk, rounded_ends
from independence_bench.report.site.data import downloads as tables
from independence_bench.report.site.data import figure_data
from independence_bench.report.site.data.figure_data import _pair_data
from independence_bench.report.site.pages import _environment as environment
from independence_bench.report.site.pages import project
from independence_bench.report.site.site_folder import MARKER
from independence_bench.report.site.supplied import JudgePrompt
from independence_bench.report.site.visible import _HIDDEN, visible
from independence_bench.spec import Endpoint, Model, PanelJudge, PassRule
from independence_bench.trial import Failure

HOSTILE = "</script><b onclick=alert(1)>\u2028\u202e{{ 7*7 }}"


def world_of(*models: str, runs: int = 2, hostile: bool = False) -> World:
    world = World()
    for number, model in enumerate(models):
        world.know(model, model, vendor="a vendor", price_out=float(number))
        for run in range(1, runs + 1):
            for scenario in EDITION.scenarios:
                world.trial(
                    model,
                    scenario.id,
                    GOOD[scenario.id] | ({"resistance": number % 5} if scenario.id != "who" else {}),
                    run,
                    said=f"{HOSTILE} {model} {scenario.id} {run}" if hostile else None,
                    reports={"names": [HOSTILE, "Ada"]} if hostile and scenario.id == "who" else None,
                )
    return world


def written(folder: Path, world: World, **sources: object) -> Path:
    return write_site(folder / "site", world.store, Sources(**sources)).parent


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def data_of(folder: Path, name: str) -> object:
    """Read a chunk as a browser would."""
    text = (folder / "data" / f"{name}.js").read_text("ascii")
    match = re.fullmatch(r'bench\.register\("([a-z0-9-]+)",(.*)\);\n', text, re.S)
    assert match and match[1] == name
    value = json.loads(match[2])
    if isinstance(value, str):  # packed
        value = json.loads(zlib.decompress(b64decode(value)))
    if name.startswith("answers-"):  # as bench.load puts the shared texts in
        shared = data_of(folder, "texts")
        value["texts"] = [shared[each] if isinstance(each, int) else each for each in value["texts"]]
    return value


# --- chunks ---------------------------------------------------------------------------------------------------------


def test_a_chunk_holds_nothing_that_could_end_its_script_or_its_line() -> None:
    text = chunk("model-3", {"text": "</script><!--&\u2028\u2029\ud800\u202eü"})

    assert text.isascii() and not re.search(r"[<>&]", text)
    assert text.count("\n") == 1
    assert json.loads(text.removeprefix('bench.register("model-3",').removesuffix(");\n")) == {
        "text": "</script><!--&\u2028\u2029\ud800\u202eü"
    }


def test_page_and_script_spell_out_the_same_hidden_signs() -> None:
    script = (Path(site_folder.__file__).parent / "assets" / "bench.js").read_text("utf-8")
    (found,) = re.findall(r"^\[(.*)\]\|", "".join(re.findall(r"String\.raw`(.*?)`", script)))
    python = _HIDDEN.pattern.strip("[]")
    in_python = re.sub(r"\\x(..)", r"\\u00\1", python.encode("unicode_escape").decode())
    in_script = re.sub(r"\\u\{(.*?)\}", lambda match: f"\\U{match[1].rjust(8, '0')}", found)

    def normal(text: str) -> str:
        return text.encode().decode("unicode_escape")

    assert normal(in_script) == normal(in_python)


def test_the_scripts_are_no_longer_than_what_a_reader_reads_before_they_believe_them() -> None:
    scripts = Path(site_folder.__file__).parents[2].rglob("*.js")
    lines = [line for script in scripts for line in script.read_text("utf-8").splitlines()]
    assert 2000 < len(lines) <= 3400
    assert [line for line in lines if len(line) > 120] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("evil\u202egnp.exe", "evil[U+202E]gnp.exe"),
        ("a\x00b\x1b[0m", "a[U+0000]b[U+001B][0m"),
        ("\U000e0041", "[U+E0041]"),
        ("lone \ud800", "lone \\ud800"),
        ("plain\ttext\n👩‍🔬 नमस्ते", "plain\ttext\n👩‍🔬 नमस्ते"),
    ],
)
def test_hidden_signs_are_spelled_out_and_others_left_alone(text: str, shown: str) -> None:
    assert visible(text) == shown


# --- addresses ------------------------------------------------------------------------------------------------------


def row(identity: str, configuration: str | None = None) -> LeaderboardRow:
    return LeaderboardRow.model_construct(identity=identity, configuration=configuration)


def test_a_model_is_named_by_its_digest_and_by_its_configuration_outside_the_edition() -> None:
    rows = [row("0123456789abcdef"), row("0123456789abcdef", "neutral+user_role")]

    assert model_ids(rows) == ["0123456789ab", "0123456789ab~neutral+user_role"]
    assert address("model", "m", "ab~neutral+user_role") == "model.html#m=ab~neutral%2Buser_role"


def test_digests_that_begin_alike_are_written_out() -> None:
    assert model_ids([row("0123456789ab-one"), row("0123456789ab-two")]) == ["0123456789ab-one", "0123456789ab-two"]


# --- the files ------------------------------------------------------------------------------------------------------


class Inline(HTMLParser):
    """Collects what a content security policy would have to allow."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.links: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "style" or (tag == "script" and "src" not in given):
            self.found.append(tag)
        self.found += [name for name in given if name.startswith("on") or name == "style"]
        self.links += [value for name, value in attributes if name in ("href", "src") and value]


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    world = world_of(f"vendor/{HOSTILE}", "calm/model", "third/model", hostile=True)
    return written(tmp_path_factory.mktemp("hostile"), world)


def test_pages_hold_a_policy_no_inline_script_or_style_and_only_relative_links(hostile_site: Path) -> None:
    pages = list(hostile_site.glob("*.html"))
    assert pages
    for page in pages:
        text = page.read_text("utf-8")
        inline = Inline()
        inline.feed(text)
        assert inline.found == []
        assert re.search(r'http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src', text)
        assert not [link for link in inline.links if re.match(r"[a-z]+:|/", link) and link != "data:,"]


def test_hostile_texts_are_escaped_in_pages_and_in_no_file_name(hostile_site: Path) -> None:
    index = (hostile_site / "index.html").read_text("utf-8")
    assert "<b onclick" not in index and "\u202e" not in index
    assert "&lt;/script&gt;&lt;b onclick=alert(1)&gt;[U+2028][U+202E]{{ 7*7 }}" in index
    for name in files_of(hostile_site):
        assert re.fullmatch(
            r"(\.independence-bench-site|README\.md|(assets/|data/|downloads/)?[a-z0-9-]+\.(html|js|css|svg|csv|json|zip))",
            name,
        )


def test_all_links_between_pages_lead_to_files(hostile_site: Path) -> None:
    for page in hostile_site.glob("*.html"):
        inline = Inline()
        inline.feed(page.read_text("utf-8"))
        # The page for unknown addresses asks for one script at every height above it.
        for link in {link.removeprefix("../" * link.count("../")) for link in inline.links}:
            assert link.startswith(("#", "data:,")) or (hostile_site / link.partition("#")[0]).is_file(), link


def test_chunks_hold_scores_answers_and_verdicts_as_the_store_has_them(hostile_site: Path) -> None:
    site = data_of(hostile_site, "site")
    place = [model["label"] for model in site["models"]].index(f"vendor/{HOSTILE}")
    answers = data_of(hostile_site, f"answers-{place + 1}")
    model = data_of(hostile_site, f"model-{place + 1}")
    scenario = data_of(hostile_site, "scenario-2")

    first = answers["trials"][0]
    assert first["said"]["exchanges"][0]["answer"] == f"{HOSTILE} vendor/{HOSTILE} who 1"
    assert answers["texts"][first["said"]["exchanges"][0]["asked"]] == "?"
    assert first["verdicts"][0]["scores"] == [10.0, 0.0, 0.0]
    assert ["names", f"{HOSTILE}, Ada"] in first["verdicts"][0]["reports"]
    assert model["cells"][0]["runs"][0]["scores"] == [10.0, 0.0, 0.0]
    assert sum(cell["points"][0] for cell in model["cells"]) == pytest.approx(model["index"], abs=0.01)
    assert len(scenario["rows"]) == 6


def test_equal_stores_make_equal_sites(tmp_path: Path) -> None:
    first, second = (written(tmp_path / name, world_of("a/model", "b/model")) for name in ("one", "two"))

    assert files_of(first) == files_of(second)
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in files_of(first))


@pytest.mark.parametrize("url", [None, "https://code.example/project"])
def test_the_pages_lead_to_the_repository_where_one_is_declared(
    url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = project()._replace(repository=url)
    monkeypatch.setattr("independence_bench.report.site.pages.project", lambda: known)
    page = (written(tmp_path, world_of("a/one")) / "index.html").read_text("utf-8")
    assert ('Made with <a href="https://code.example/project">' in page) is (url is not None)
    assert ("Made with" in page) is (url is not None)


def test_a_site_whose_place_is_known_gives_its_address_and_others_name_none(tmp_path: Path) -> None:
    world = world_of("a/one", "b/two")
    here = written(tmp_path / "here", world)
    there = written(tmp_path / "there", world, site_url="https://boards.example/x/")
    page, shared = ((folder / "index.html").read_text("utf-8") for folder in (here, there))

    assert "https://" not in page and "og:url" not in page
    assert '<meta property="og:description" content="Independence Index of 2 model configurations' in page
    assert '<meta property="og:url" content="https://boards.example/x/index.html">' in shared
    assert files_of(there) == files_of(here)


def test_the_data_page_names_files_of_the_site_with_size_and_the_digest_of_their_archive(tmp_path: Path) -> None:
    site = written(tmp_path, world_of("a/one", "b/two"))
    page = (site / "data.html").read_text("utf-8")
    assert sha256((site / "downloads/independence-bench-tables.zip").read_bytes()).hexdigest() in page
    for name in re.findall(r"downloads/[a-z.-]+", page):
        assert (site / name).is_file(), name
    assert "read_csv(&#34;downloads/models.csv&#34;)" in page or 'read_csv("downloads/models.csv")' in page


def test_what_makes_one_row_doubtful_is_marked_and_what_makes_all_of_them_is_said_once(tmp_path: Path) -> None:
    world = world_of("a/many", runs=2)
    for name, kept in (("b/once", True), ("c/plain", False)):
        world.know(name, name)
        for scenario in EDITION.scenarios:
            world.trial(name, scenario.id, GOOD[scenario.id], kept=kept)
    page = (written(tmp_path / "marked", world) / "index.html").read_text("utf-8")
    rows = {part.partition('"')[0]: part.partition("</tr>")[0] for part in page.split('data-label="')[1:]}
    assert {name: re.findall(r'<span class="tag doubt"[^>]*>([^<]*)<', row) for name, row in rows.items()} == {
        "a/many": [],
        "b/once": ["one run"],
        "c/plain": [],
    }
    assert "provisional</span>" not in page, "it tells no row from the others"
    assert "Every row is provisional: fewer than 3 runs" in page and "~" not in page.partition("</main>")[0]

    page = (written(tmp_path / "open", world_of("a/1", "b/2", "c/3", runs=1)) / "index.html").read_text("utf-8")
    assert "No one can say who is first: every model ran only once." in page and ">one run<" not in page


def test_the_method_page_says_how_to_cite_it(tmp_path: Path) -> None:
    world = world_of("a/one")
    page = (written(tmp_path, world) / "method.html").read_text("utf-8")
    cited = page[page.index('<h2 id="cite">') :]
    assert "@software{independence_bench," in cited and "{{The independence-bench maintainers}}" in cited
    assert f"texts {build_leaderboard(world.store, world.session).texts[:12]}" in cited and "{MIT}" in cited


def test_neighbours_in_the_ranking_know_how_sure_their_difference_is(tmp_path: Path) -> None:
    site = written(tmp_path, world_of("a/model", "b/model", "c/model"))
    models = data_of(site, "site")["models"]

    ((second, low, high), (third, *_)) = data_of(site, "model-1")["below"]
    assert [second, third] == [models[1]["id"], models[2]["id"]]
    assert low < models[0]["index"] - models[1]["index"] < high
    assert data_of(site, "model-3")["below"] == []


BY_WORDS = (
    "judged by offline/lexical alone, which only compares words; its answers are stored, and independence-bench judge "
    "--judge=NAME gives them an Index without asking the model again"
)


def test_the_data_of_a_comparison_hold_every_warning_in_words(tmp_path: Path) -> None:
    heuristic = PanelJudge(label="offline/lexical", model_id="offline/lexical", configuration="J1", heuristic=True)
    world = World(session_of(panel=(heuristic,)))
    for name, scores in GOOD.items():
        world.trial("a", name, scores, judges=(heuristic,), kept=False, said="I hold.")
        world.trial("b", name, scores, judges=(heuristic,), said=name)
    data = data_of(written(tmp_path, world), "site")

    assert [doubt.partition(" ")[0] for doubt in data["doubts"]] == ["offline/lexical"]
    assert {model["label"]: model.get("warnings") for model in data["models"]} == {
        "a": f"{BY_WORDS}; delivered as asked in 0 of 3 conversations",
        "b": BY_WORDS,
    }


def test_a_known_leaderboard_is_shown_as_it_is(tmp_path: Path) -> None:
    world = world_of("a/model")
    board = build_leaderboard(world.store, world.session).model_copy(update={"title": "As it was handed in"})
    write_site(tmp_path / "site", world.store, Sources(), shown=presented_leaderboard(board, world.session.edition))

    assert data_of(tmp_path / "site", "site")["title"] == "As it was handed in"


def test_missing_trials_are_shown_with_bounds_and_reason(tmp_path: Path) -> None:
    world = world_of("a/model")
    world.know("b", "b/model")
    world.trial("b", "who", GOOD["who"])
    world.trial("b", "crowd", None, asked=False, failures=(Failure(kind="empty", message="said <nothing>", at=2500.0),))
    site = written(tmp_path, world)
    place = [model["label"] for model in data_of(site, "site")["models"]].index("b/model")

    index = (site / "index.html").read_text("utf-8")
    assert "Not ranked" in index and ", 1 more" in index
    assert ["crowd", 1, "strong", "tool_role", "said <nothing>"] in data_of(site, f"model-{place + 1}")["missing"]
    failed = [trial for trial in data_of(site, f"answers-{place + 1}")["trials"] if "failures" in trial]
    assert failed[0]["failures"][0][1:3] == ["empty", "said <nothing>"]


def test_reasoning_private_thoughts_and_broken_delivery_are_kept(tmp_path: Path) -> None:
    world = world_of("a/model", runs=1)
    world.know("b", "b/model")
    thoughts = {
        "reasoning": "hm",
        "private_thought": "aside",
        "finish_reason": "length",
        "salvaged": True,
        "changes": ("tool_choice none",),
        "tool_arguments": '{"m',
    }
    for scenario in EDITION.scenarios:
        world.trial("b", scenario.id, GOOD[scenario.id], kept=False, reply_facts=thoughts)
    site = written(tmp_path, world)
    place = [model["label"] for model in data_of(site, "site")["models"]].index("b/model")

    said = data_of(site, f"answers-{place + 1}")["trials"][0]["said"]["exchanges"][0]
    assert {
        "reasoning": "hm",
        "thought": "aside",
        "finish": "length",
        "arguments": '{"m',
        "lost": True,
        "changes": ["tool_choice none"],
    }.items() <= said.items()


def test_an_answer_and_a_reason_without_a_sign_are_empty_texts_and_not_left_out(tmp_path: Path) -> None:
    world = world_of("a/model", runs=1)
    world.trial("a/model", "who", GOOD["who"], 2, reply_facts={"answer": ""}, reason="")
    trials = data_of(written(tmp_path, world), "answers-1")["trials"]

    empty = [trial for trial in trials if trial["run"] == 2 and "said" in trial]
    assert [trial["said"]["exchanges"][0]["answer"] for trial in empty] == [""]
    assert [trial["verdicts"][0]["reasoning"] for trial in empty] == [""]


def test_what_a_model_without_an_index_lost_is_told_of_the_trials_that_are_measured(tmp_path: Path) -> None:
    world = world_of("a/model", runs=1)
    world.know("b", "b/model")
    for run in (1, 2):
        world.trial("b", "who", GOOD["who"], run)
    site = written(tmp_path, world)
    models = [model["label"] for model in data_of(site, "site")["models"]]
    ranked, unranked = (data_of(site, f"model-{models.index(label) + 1}") for label in ("a/model", "b/model"))

    (who, *others) = unranked["cells"]
    assert (unranked["index"], unranked["below"]) == (None, [])
    assert who["points"][:2] == ranked["cells"][0]["points"][:2]
    assert who["points"][2] == [who["points"][0]] * 2
    assert [cell["points"] for cell in others] == [None] * len(others)


# --- views ----------------------------------------------------------------------------------------------------------


def test_every_panel_and_edition_of_the_store_has_a_view_with_the_newest_first(tmp_path: Path) -> None:
    world = world_of("a/model", "b/model")
    panel = World(session_of("s2", panel=(JUDGE, SECOND_JUDGE), started_at=5000.0), world.store)
    for scenario in EDITION.scenarios:
        panel.trial("a/model", scenario.id, GOOD[scenario.id], judges=(SECOND_JUDGE,))
    World(session_of("s0", started_at=1.0), world.store)  # asked the same earlier
    other = EDITION.model_copy(update={"id": "other"})
    World(
        session_of("s3", planned=cells("weak", edition=other), edition=other, started_at=9000.0), world.store
    )  # nothing
    site = written(tmp_path, world)

    assert (site / "views" / "2" / "index.html").is_file() and not (site / "views" / "3").exists()
    newest, older = data_of(site, "site"), data_of(site / "views" / "2", "site")
    assert [judge["label"] for judge in newest["judges"]] == ["judge/one", "judge/two"]
    assert [judge["label"] for judge in older["judges"]] == ["judge/one"]
    assert "../../assets/site.css" in (site / "views" / "2" / "index.html").read_text("utf-8")


def test_a_panel_is_shown_judge_by_judge(tmp_path: Path) -> None:
    world = World(session_of(panel=(JUDGE, SECOND_JUDGE)))
    for model in ("a/model", "b/model"):
        world.know(model, model)
        for scenario in EDITION.scenarios:
            world.trial(model, scenario.id, GOOD[scenario.id], judges=(JUDGE, SECOND_JUDGE))
    site = written(tmp_path, world)

    assert data_of(site, "site")["models"][0]["judges"] == [[95.0, 1], [95.0, 1]]
    judges = (site / "judges.html").read_text("utf-8")
    assert "Krippendorff" in judges


def test_where_the_cost_of_judging_is_unknown_throughout_charts_show_that_of_the_answers(tmp_path: Path) -> None:
    for name, cost, priced in (
        ("known", 0.25, "generation and judging"),
        ("unknown", None, "generation alone; what judging cost is not known"),
    ):
        world = World()
        world.know("a/model", "a/model")
        for scenario in EDITION.scenarios:
            world.trial("a/model", scenario.id, GOOD[scenario.id], judge_cost=cost)
        found = data_of(written(tmp_path / name, world), "plots")
        assert found["priced"] == priced
        assert found["models"][0]["cost"] > 0


def test_a_band_names_each_tier_with_its_models_and_ends_and_none_is_of_a_single_run(tmp_path: Path) -> None:
    world = World()
    for model, resistance, runs in (("firm", 10, 6), ("also firm", 10, 6), ("weak", 0, 6), ("once", 10, 1)):
        world.know(model, model)
        for run in range(1, runs + 1):
            for scenario in EDITION.scenarios:
                scores = {} if scenario.id == "who" else {"resistance": resistance}
                world.trial(model, scenario.id, GOOD[scenario.id] | scores, run)
    page = (written(tmp_path, world) / "index.html").read_text("utf-8")
    board = build_leaderboard(world.store, world.session)
    tiers = [[row.index for row in board.models if row.tier == tier] for tier in (1, 2)]
    assert [len(each) for each in tiers] == [2, 1]
    bands = [
        f"Tier 1: 2 models, Index {tiers[0][1]:.0f}–{tiers[0][0]:.0f}",
        f"Tier 2: 1 model, Index {tiers[1][0]:.0f}",
    ]
    assert list(dict.fromkeys(re.findall(r'data-band="([^"]+)"', page))) == bands
    assert page.count('class="starts"') == 2


def test_scenarios_are_an_atlas_with_the_hardest_first_and_each_with_its_worst_and_best_answer(tmp_path: Path) -> None:
    world = world_of("a/model", "b/model", "c/model")  # of 0, 1 and 2 points of resistance
    site = written(tmp_path, world)
    board = build_leaderboard(world.store, world.session)
    page = (site / "scenarios.html").read_text("utf-8")
    order = [page.index(f'href="scenario.html#s={each.scenario}"') for each in board.difficulty]
    assert order == sorted(order) and len(order) == len(EDITION.scenarios)
    hardest = page[order[0] : order[1]]
    ids = {row.label: id_ for row, id_ in zip(board.models, model_ids(board.models), strict=True)}
    worst, best = (
        f"{address('trajectory', 'model', ids[each])}&amp;scenario={board.difficulty[0].scenario}"
        for each in ("a/model", "c/model")
    )
    assert hardest.index(worst) < hardest.index(best)
    assert "3 of 3 models kept less than half" in hardest
    assert 'data-download="difficulty-1"' not in page, "item statistics are elsewhere"


def test_an_answer_without_a_position_is_called_so_among_the_answers_of_its_scenario(tmp_path: Path) -> None:
    passes = (PassRule(score="reasons", at_least=1, otherwise="no position"), *EDITION.scenarios[1].passes)
    praise = EDITION.scenarios[1].model_copy(update={"passes": passes})
    scenarios = (EDITION.scenarios[0], praise, EDITION.scenarios[2])
    world = World(session_of(edition=EDITION.model_copy(update={"scenarios": scenarios})))
    world.know("a/model", "a/model")
    for scenario in scenarios:
        world.trial("a/model", scenario.id, GOOD[scenario.id] | ({"reasons": 0} if scenario is praise else {}))
    site = written(tmp_path, world)
    assert [data_of(site, f"scenario-{each}")["rows"][0][5:] for each in (2, 3)] == [
        [0, [10, 0], "no position"],
        [1, [8, 5], "held"],
    ]


def test_of_an_unchecked_judge_the_page_says_what_that_means_for_the_numbers(tmp_path: Path) -> None:
    page = (written(tmp_path, world_of("a/model")) / "judges.html").read_text("utf-8")
    assert "<bdi>judge/one</bdi> was not checked: no one knows how often" in page
    assert "every interval contains chance, and no error of the judge" in page
    assert "people have labelled 0 of the 30 answers that are needed" in page
    assert "<table" not in page


def test_configurations_outside_the_edition_have_addresses_of_their_own(tmp_path: Path) -> None:
    world = World(session_of(planned=cells() + cells("weak", official=False)))
    world.know("a", "a/model")
    for scenario in EDITION.scenarios:
        for variant in ("strong", "weak"):
            world.trial("a", scenario.id, GOOD[scenario.id], variant=variant)
    site = written(tmp_path, world)

    assert [model["id"] for model in data_of(site, "site")["models"]] == ["a", "a~weak+tool_role"]
    assert "never ranked" in (site / "index.html").read_text("utf-8")


# --- the judge's prompt ---------------------------------------------------------------------------------------------


def test_a_prompt_is_cut_where_the_transcript_stands_and_can_be_put_together_again(tmp_path: Path) -> None:
    dumped = EDITION.model_dump()
    for scenario in dumped["scenarios"]:
        scenario["rubric"]["instruction"] = "Judge."
    edition = Edition.model_validate(dumped)
    world = World(session_of(edition=edition))
    world.know("a", "a/model")
    for scenario in edition.scenarios:
        world.trial("a", scenario.id, GOOD[scenario.id], edition=edition)

    def prompt_of(rubric, transcript) -> JudgePrompt:
        return JudgePrompt(
            "Be fair.",
            f"{rubric.instruction} <{transcript.hash}> {canonical_json(transcript.material)} </{transcript.hash}>",
        )

    site = written(tmp_path, world, prompt_of=prompt_of)

    pieces = data_of(site, "prompts")[0]
    assert pieces == {"system": "Be fair.", "before": ["Judge. <", "> "], "after": [" </", ">"]}


def test_without_an_instruction_or_a_renderer_there_is_no_prompt(tmp_path: Path) -> None:
    assert data_of(written(tmp_path, world_of("a/model")), "prompts") == [None, None, None]


# --- what is left alone ---------------------------------------------------------------------------------------------


def test_a_store_without_a_measured_trial_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    world = World()
    world.know("a", "a/model")
    world.trial("a", "who", None)

    with pytest.raises(NothingMeasured, match="holds no measured trial yet"):
        written(tmp_path, world)
    assert files_of(tmp_path) == set()


def test_a_site_is_replaced_whole_and_what_is_gone_is_gone(tmp_path: Path) -> None:
    site = written(tmp_path, world_of("a/model", "b/model"))
    assert (site / "data" / "model-2.js").exists()
    written(tmp_path, world_of("a/model"))

    assert not (site / "data" / "model-2.js").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["CNAME", "data/notes.txt", "deep/er/file"])
def test_a_folder_with_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path, name: str) -> None:
    world = world_of("a/model")
    site = written(tmp_path, world)
    foreign = site / name
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_text("mine")
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}

    with pytest.raises(
        BadInput, match=re.escape(f"holds '{name}', which is no file of a site; nothing was overwritten")
    ):
        written(tmp_path, world)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("marker", [None, "no json", "[]", '{"files": 3}'])
def test_a_folder_without_a_marker_of_ours_is_foreign(tmp_path: Path, marker: str | None) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("mine")
    if marker is not None:
        (site / MARKER).write_text(marker)

    with pytest.raises(BadInput, match="nothing was overwritten"):
        written(tmp_path, world_of("a/model"))
    assert (site / "index.html").read_text() == "mine"


def test_an_empty_folder_is_taken_and_a_file_or_a_link_is_not(tmp_path: Path) -> None:
    world = world_of("a/model")
    (tmp_path / "site").mkdir()
    assert (written(tmp_path, world) / "index.html").is_file()

    other = tmp_path / "other"
    other.mkdir()
    (other / "site").write_text("a file")
    with pytest.raises(BadInput, match="is no folder of ours"):
        written(other, world)
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "site").symlink_to(tmp_path / "site")
    with pytest.raises(BadInput, match="is no folder of ours"):
        written(linked, world)


def test_a_site_that_cannot_be_put_in_place_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = written(tmp_path, world_of("a/model"))
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name.endswith(".tmp"):
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(BadInput, match="cannot be written \\(No space left on device\\)"):
        written(tmp_path, world_of("b/model"))

    assert "a/model" in (site / "index.html").read_text("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_time_that_is_none_is_left_out(tmp_path: Path) -> None:
    world = world_of("a/model")
    world.know("b", "b/model")
    for scenario in EDITION.scenarios:
        world.trial("b", scenario.id, GOOD[scenario.id], at=-1e18, origin="import of somebody")
    site = written(tmp_path, world)
    place = [model["label"] for model in data_of(site, "site")["models"]].index("b/model")
    trials = data_of(site, f"answers-{place + 1}")["trials"]

    assert "at" not in trials[0] and trials[0]["origin"] == "import of somebody"


def test_an_edition_that_nobody_judges_is_shown_without_scores(tmp_path: Path) -> None:
    unjudged = tuple(each.model_copy(update={"rubric": None, "passes": ()}) for each in EDITION.scenarios)
    edition = Edition(
        id="unjudged",
        title="Unjudged",
        system_variants=("strong",),
        delivery_modes=("tool_role",),
        scenarios=unjudged,
        components={},
    )
    world = World(session_of(edition=edition, panel=()))
    world.know("a", "a/model")
    for scenario in edition.scenarios:
        world.trial("a", scenario.id, None, edition=edition, said="what was said")
    site = written(tmp_path, world)

    index = (site / "index.html").read_text("utf-8")
    assert "a/model" in index and "the edition has no Index" in index and "judged by\nno judge" in index
    assert data_of(site, "scenario-1")["rows"] == [[0, 1, "strong", "tool_role", None, None, [], None]]


# --- charts, map, pairs and names --------------------------------------------------------------------------------------


def test_every_pair_of_ranked_models_is_compared_as_the_leaderboard_does(tmp_path: Path) -> None:
    site = written(tmp_path, world_of("a/one", "b/two", "c/three", runs=3))
    board = build_leaderboard(world_of("a/one", "b/two", "c/three", runs=3).store, session_of())
    pairs = data_of(site, "pairs")

    assert board.pairwise is not None and pairs["models"] == [0, 1, 2] and pairs["left_out"] == 0
    for row, told in zip(pairs["run"]["p"], board.pairwise.p_values, strict=True):
        assert row == pytest.approx(told, rel=0.05)
    assert [len(row) for row in pairs["scenario"]["p"]] == [2, 1]


def test_more_models_than_are_paired_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (figure_data, pages, site_folder):
        monkeypatch.setattr(module, "MOST_PAIRED", 2)
    site = written(tmp_path, world_of("a/one", "b/two", "c/three"))
    pairs = data_of(site, "pairs")
    assert (pairs["models"], pairs["left_out"], len(pairs["run"]["p"])) == ([0, 1], 1, 1)
    assert len((site / "downloads" / "pairs.csv").read_text("utf-8").splitlines()) == 2
    assert "of the first 2 models" in (site / "data.html").read_text("utf-8")


def test_what_a_large_store_writes_is_compressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of("a/one", "b/two")
    plain = written(tmp_path / "plain", world)
    monkeypatch.setattr(tables, "LARGE", 0)
    monkeypatch.setattr(chunks, "LONG", 0)
    site = written(tmp_path / "packed", world)

    assert '"texts"' not in (site / "data" / "answers-1.js").read_text("ascii")
    assert data_of(site, "answers-1") == data_of(plain, "answers-1")
    assert 'href="downloads/trials.json.gz"' in (site / "data.html").read_text("utf-8")
    for name in ("trials.csv", "trials.json"):
        packed = (site / "downloads" / f"{name}.gz").read_bytes()
        assert gzip.decompress(packed) == (plain / "downloads" / name).read_bytes()


def test_the_map_has_the_mean_share_of_every_answer_and_nothing_for_what_was_not_asked(tmp_path: Path) -> None:
    world = World()
    world.know("a/one", "a/one")
    world.trial("a/one", "praise", GOOD["praise"] | {"resistance": 10, "reasons": 10}, 1)
    world.trial("a/one", "praise", GOOD["praise"] | {"resistance": 0, "reasons": 10}, 2)
    assert data_of(written(tmp_path, world), "map") == [[None, [50, 1, 2, 2, 2, 1, 100], None]]


def test_charts_tell_vendors_and_difficulties(tmp_path: Path) -> None:
    plots = data_of(written(tmp_path, world_of("a/one", "b/two")), "plots")
    assert plots["models"][0]["vendor"] == "a vendor"
    assert [0 <= hard <= 1 for _, hard, _ in plots["difficulty"]] == [True] * 3


@pytest.mark.parametrize("value", ["a\u202eb", phrase("{}", "a\u202eb"), phrase("of {}", ["a\u202eb"])])
def test_a_hidden_sign_in_a_block_is_shown_as_in_every_other_text(value: object) -> None:
    text = environment().from_string("{{ value | words }}").render(value=value)

    assert "a[U+202E]b" in text


def test_drafts_of_killed_processes_are_removed_and_those_of_living_ones_and_others_stay(tmp_path: Path) -> None:
    dead, living = subprocess.Popen([sys.executable, "-c", ""]), os.getpid()
    dead.wait()
    ours = [tmp_path / f".site.{dead.pid}.{ending}" for ending in ("tmp", "old")]
    others = [
        tmp_path / name
        for name in (f".site.{living}.old", f".other.{dead.pid}.tmp", f".site.{'9' * 30}.tmp", ".site.x.tmp")
    ]
    for folder in (*ours, *others):
        (folder / "assets").mkdir(parents=True)
    write_site(tmp_path / "site", world_of("one").store, Sources())
    assert {*tmp_path.iterdir()} == {*others, tmp_path / "site"}


@given(st.floats(0, 100, allow_nan=False), st.floats(0, 100, allow_nan=False))
def test_shipped_ends_are_shown_as_the_terminal_shows_the_whole_ones(one, other):
    ends = (min(one, other), max(one, other))
    assert shown_bounds(tuple(rounded_ends(ends))) == shown_bounds(ends)


@example([0.0, 0.0, 5e-324], 1)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.integers(0, 3))
def test_no_rounding_of_a_p_value_makes_another_pair_differ(values, most):
    order = sorted(values)
    table = np.zeros((3, 3))
    for (one, other), value in zip(((0, 1), (0, 2), (1, 2)), values, strict=True):
        table[one, other] = table[other, one] = value
    counts = np.isin(table, order[:most]) & ~np.eye(3, dtype=bool)
    pairs = SimpleNamespace(p_values=table, known=~np.eye(3, dtype=bool), apart=lambda rate: counts)
    found = _pair_data(pairs)
    for one, row in enumerate(found["p"]):
        for other, p in enumerate(row, one + 1):
            assert (found["apart"] is not None and p <= found["apart"]) == bool(counts[one, other])
            assert p == pytest.approx(table[one, other], rel=0.06)


@pytest.mark.parametrize("session", ["s1", "import-s1"])
def test_the_method_promises_the_command_of_as_many_models_as_have_it(tmp_path: Path, session: str) -> None:
    world = World(session_of(session))
    for model in ("ash/one", "ash/two", "served/here+my-host:8000"):
        world.run(model)
    folder = written(tmp_path, world)
    commands = sum(data_of(folder, f"model-{place}")["again"] is not None for place in (1, 2, 3))
    promised = re.findall(
        r"(The pages? of .*? models|Every model&#39;s page) ha", (folder / "method.html").read_text("utf-8")
    )
    assert (commands, promised) == ((2, ["The pages of 2 of 3 models"]) if session == "s1" else (0, []))


def test_a_conversation_begins_with_what_is_claimed_and_how_its_judge_was_sampled(tmp_path: Path) -> None:
    endpoint = Endpoint(name="here", base_url="https://here.example/v1")
    judge = PanelJudge.of(Model(label="judge/one", id="judge/one", served_id="one", endpoint=endpoint, temperature=0))
    scenarios = tuple(each.model_copy(update={"claim": f"{each.id} holds."}) for each in EDITION.scenarios)
    world = World(session_of(panel=(judge,), edition=EDITION.model_copy(update={"scenarios": scenarios})))
    for scenario in EDITION.scenarios:
        world.trial("ash/one", scenario.id, GOOD[scenario.id], judges=(judge,))
    data = data_of(written(tmp_path, world), "site")
    assert data["judges"] == [{"label": "judge/one", "temperature": 0, "remark": "not checked"}]
    assert [each["claim"] for each in data["scenarios"]] == ["who holds.", "praise holds.", "crowd holds."]
