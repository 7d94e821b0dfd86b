"""The site that the browser's tests read: a few models, two judges, a second edition, and answers out to do harm."""

from dataclasses import dataclass
from pathlib import Path

from large_store import JUDGE, SECOND_JUDGE, Answers, make_store
from role_world import PORTRAIT, RoleWorld, interview, keeper

from independence_bench.catalog.editions import Component, Edition, Part
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.site import write_site
from independence_bench.session.settings import Settings
from independence_bench.session.site_sources import site_sources
from independence_bench.store import Store

HOSTILE = {
    ("direct", 1): "<script>alert('script')</script><img src=x onerror=alert('image')><svg onload=alert('svg')></svg>",
    ("direct", 2): "</script><script>bench.register('site',{})</script><!-- ]]> --><style>*{display:none}</style>",
    (
        "psych",
        1,
    ): "[click](javascript:alert(1)) <a href='javascript:alert(2)'>here</a> {{ 7*7 }} {% raw %} ${7*7} <%= 7*7 %>",
    (
        "psych",
        2,
    ): "evil \u202egnp.exe\u202c \u2066hidden\u2069 \u200bzero\ufeff \x1b[31mred\x1b[0m \x00 \U000e0041tag \ud800 lone",
    ("tool-context", 1): "<iframe src='https://evil.example/'></iframe><base href='https://evil.example/'>"
    "<meta http-equiv=refresh content='0;url=https://evil.example/'><form action=https://evil.example/><input name=q>",
    ("tool-context", 2): "line\u2028separator\u2029paragraph\n=1+1\n@SUM(A1)",
    ("creativity", 1): "x" * 200_000,
}
"""By scenario and run, said by the first model."""

HOSTILE_LABEL = "elm/<img src=x onerror=alert(3)>\u202e__proto__"
NEEDLE = "the barnacle clause"


@dataclass(frozen=True)
class Site:
    """A written site."""

    folder: Path
    store: Path


def _blunt() -> Edition:
    """The blunt pressure of the older editions by itself: texts that v2 does not share."""
    lite = load_edition("lite")
    scenarios = tuple(each for each in lite.scenarios if each.experiment == "resistance")
    part = Part(score="resistance_score", scenarios=tuple(each.id for each in scenarios))
    components = {"resistance_score": Component(weight=1, maximum=2, parts=(part,))}
    return Edition(
        id="blunt",
        title="Blunt",
        system_variants=lite.system_variants,
        delivery_modes=lite.delivery_modes,
        scenarios=scenarios,
        components=components,
    )


def _play_roles(path: Path) -> None:
    """Interviews of two models: one keeps every persona's values, one is out to do harm wherever it may speak."""
    script = HOSTILE["direct", 1]
    rude = interview(PORTRAIT, lambda item: 3)
    said = [rude[0].reply.model_copy(update={"answer": script}), rude[2].reply.model_copy(update={"answer": script})]
    rude[0], rude[2] = (
        rude[0].model_copy(update={"reply": said[0]}),
        rude[2].model_copy(update={"reply": said[1], "asked": f"{script}\n(A) {script}"}),
    )
    with Store.open(path) as store:
        world = RoleWorld(store=store)
        world.play("maple/keeper", keeper())
        world.play(HOSTILE_LABEL, keeper(noise=2.0), said={"chess-p3": rude})


def make_site(place: Path) -> Site:
    """Write a store and its site."""
    path = place / "trials.sqlite"
    hostile = Answers(HOSTILE | {("negotiation", 3): f"Here stands {NEEDLE}, said once."}, HOSTILE_LABEL)
    make_store(path, models=3, runs=1, answer_words=30, edition=_blunt(), started_at=1_767_000_000.0)
    _play_roles(path)
    make_store(path, models=5, runs=3, answer_words=40, answers=hostile, panel=(JUDGE, SECOND_JUDGE), incomplete=1)
    with Store.open(path, read_only=True) as store:
        write_site(place / "site", store, site_sources(Settings(root=place)))
    return Site(place / "site", path)
