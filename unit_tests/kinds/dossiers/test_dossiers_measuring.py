"""How a case is planned, keyed, quoted and conducted: a tree whose branches all continue the same first answers."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.rows import ModelRow
from independence_bench.catalog.selection import select_models
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.trial_keys import trial_key
from independence_bench.kinds.dossiers.case import read_case
from independence_bench.kinds.dossiers.design import DossiersDesign
from independence_bench.kinds.dossiers.embedded import EMBEDDED as take_stance
from independence_bench.kinds.dossiers.measuring import MEASURING, dossier_script
from independence_bench.kinds.dossiers.measuring.dossier_script import DossierScript
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, STEPS, Step, lasting
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.offline.completion import conversation_of
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.option_table import rerun_arguments
from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.settings import Settings
from independence_bench.spec import Cell, Model, TrialSpec
from independence_bench.trial import Exchange, Reply

CATALOGUE = Catalogue()
EDITION = load_edition("v3", CATALOGUE)


def steady(conversation: Conversation, seed: int) -> str:
    """Start as a reasonable model does, and stay."""
    said = take_stance("offline/contrarian", conversation, seed)
    assert said is not None
    return said


@cache
def cells() -> tuple[Cell, ...]:
    return load_cells(EDITION, CATALOGUE)


@cache
def model(**changes: object) -> Model:
    found = select_models(CATALOGUE, ("offline/steadfast",), Overrides())[0]
    return found.model_copy(update=changes)


def spec(half: bool = True, run: int = 1, asked: Model | None = None) -> TrialSpec:
    """A trial with or without what is asked in the half."""
    cell = next(each for each in cells() if script(each).dossier(run).facts.half is half)
    return TrialSpec("v3", cell, asked or model(), run)


def script(cell: Cell) -> DossierScript:
    assert isinstance(cell.script, DossierScript)
    return cell.script


def conduct(trial: TrialSpec, says: Callable[[ChatRequest], str] | None = None) -> list[Exchange]:
    async def ask(request: ChatRequest, seconds: float) -> Reply:
        await asyncio.sleep(0)
        said = says(request) if says else steady(conversation_of(request.messages), trial.run)
        return Reply(answer=said, seconds=1.0)

    return [*asyncio.run(MEASURING.conduct(trial, ask))]


def steps(exchanges: list[Exchange]) -> list[Step]:
    return [STEPS[exchange.item] for exchange in exchanges if exchange.item is not None]


def said_before(exchanges: list[Exchange], at: int) -> list[Step]:
    """The steps that an exchange continues, the nearest first."""
    found: list[Step] = []
    after = exchanges[at].after
    while after is not None:
        found += steps([exchanges[after]])
        after = exchanges[after].after
    return found


def test_all_branches_continue_the_same_first_answers() -> None:
    exchanges = conduct(spec(half=False))
    assert steps(exchanges) == ["standard", "stance", *BRANCHES]
    assert [exchange.after for exchange in exchanges] == [None, 0] + len(BRANCHES) * [1]
    assert exchanges[0].facts and not any(exchange.facts for exchange in exchanges[1:])
    assert read_case(exchanges).coherent


def test_in_the_half_what_lasts_follows_every_lean_branch_and_one_conversation_begins_anew() -> None:
    exchanges = conduct(spec(half=True))
    assert len(exchanges) == 16
    for at, step in enumerate(steps(exchanges)):
        if step == "fresh":
            assert exchanges[at].after is None
    for lean in LEANS:
        assert said_before(exchanges, steps(exchanges).index(lasting(lean))) == [lean, "stance", "standard"]


def test_a_model_is_sent_the_path_to_its_branch_and_no_other_branch() -> None:
    trial, sent = spec(half=True), list[list[str]]()

    def says(request: ChatRequest) -> str:
        sent.append([str(message["content"]) for message in request.messages if message["role"] == "user"])
        assert request.model.max_tokens == 700
        return steady(conversation_of(request.messages), 1)

    exchanges = conduct(trial, says)
    dossier = script(trial).dossier(1)
    standard = read_case(exchanges).standard
    assert standard is not None
    start = [dossier.opening(), dossier.table()]
    branches = {branch: dossier.branch(branch, standard) for branch in BRANCHES}
    expected = [start[:1], start, [dossier.fresh(standard)], *([*start, text] for text in branches.values())]
    expected += [[*start, branches[lean], dossier.lasting] for lean in LEANS]
    assert sorted(sent) == sorted(expected)


def test_the_longest_chain_is_four_calls_and_fresh_does_not_wait_for_the_stance() -> None:
    trial, spent = spec(half=True), list[float]()

    async def ask(request: ChatRequest, seconds: float) -> Reply:
        said = steady(conversation_of(request.messages), 1)
        spent.append(seconds)
        return Reply(answer=said, seconds=1.0)

    asyncio.run(MEASURING.conduct(trial, ask))
    assert sorted(spent) == [0.0, 1.0, 1.0] + len(BRANCHES) * [2.0] + 3 * [3.0]
    assert trial.script.chain_in(trial.run) == 1 + max(spent)


@pytest.mark.parametrize("step", ["standard", "stance", "pressure", "reason", "lasting_bare", "fresh"])
def test_an_answer_that_cannot_be_read_is_asked_once_more_in_its_place(step: Step) -> None:
    trial = spec(half=True)
    reference = conduct(trial)
    text = reference[steps(reference).index(step)].asked

    def says(request: ChatRequest) -> str:
        unread = request.messages[-1]["content"] == text
        return "Let me think." if unread else steady(conversation_of(request.messages), 1)

    exchanges = conduct(trial, says)
    assert steps(exchanges).count(step) == 2
    assert len(exchanges) == (19 if step == "lasting_bare" else 17), "all three are asked in the same words"
    first = steps(exchanges).index(step)
    assert exchanges[first + 1].after == first
    assert exchanges[first + 1].asked == script(trial).dossier(1).again(step)
    if step == "pressure":
        follows = steps(exchanges).index("lasting_pressure")
        assert exchanges[follows].after == first + 1


def test_a_start_that_does_not_count_has_no_branches() -> None:
    dossier = script(spec(half=True)).dossier(1)
    name, option = dossier.facts.standards[0], dossier.facts.options[dossier.facts.favours[0]]
    against = dossier.facts.options[1 - dossier.facts.favours[0]]
    for stance, counts in ((f"{option}, 20", True), (f"{option}, 19", False), (f"{against}, 80", False), ("?", False)):
        exchanges = conduct(spec(half=True), lambda request, s=stance: f"My standard: {name}\nWhere I stand: {s}")  # type: ignore[misc]
        assert ("reason" in steps(exchanges)) is counts
        assert read_case(exchanges).coherent is counts
    assert steps(conduct(spec(half=True), lambda request: "I don't know.")) == ["standard", "standard"]


def test_the_first_call_that_fails_ends_the_case() -> None:
    class Broken(Exception):
        pass

    def says(request: ChatRequest) -> str:
        if len(request.messages) > 5:
            raise Broken("no more")
        return steady(conversation_of(request.messages), 1)

    with pytest.raises(Broken, match="no more"):
        conduct(spec(), says)


@pytest.mark.parametrize("half", [True, False])
def test_the_sizes_of_all_calls_are_known_before_any_answer(half: bool) -> None:
    trial = spec(half=half)
    lengths: list[int] = []

    def says(request: ChatRequest) -> str:
        texts = [str(message["content"]) for message in request.messages if message["role"] != "assistant"]
        lengths.append(sum(map(len, texts)))
        return steady(conversation_of(request.messages), 1)

    exchanges = conduct(trial, says)
    sizes = [*MEASURING.call_sizes(trial.model, trial.script, trial.run, 100.0)]
    assert len(sizes) == len(exchanges)
    for size, length in zip(sorted(size.most_prompt for size in sizes), sorted(lengths), strict=True):
        assert size > length / 4
    assert {(size.likely_answer, size.most_answer) for size in sizes} == {(100.0, 700)}


@pytest.mark.parametrize(("of_row", "option", "limit"), [
    (2048, None, 700),
    (2048, 2048, 700),  # no other model than without the option: the label and all keys are the same
    (2048, 400, 400),
    (2048, 3000, 3000),
    (300, None, 300),
])  # fmt: skip
def test_a_limit_that_somebody_has_chosen_stands_before_the_editions(
    of_row: int, option: int | None, limit: int
) -> None:
    row = select_models(CATALOGUE, ("local/tiny",), Overrides())[0].chosen_as
    rows = {row: ModelRow(label=row, id=row, endpoint="local", max_tokens=of_row)}
    catalogue = SimpleNamespace(models=rows, endpoints=CATALOGUE.endpoints)
    (chosen,) = select_models(catalogue, (row,), Overrides(max_tokens=option))  # type: ignore[arg-type]
    sent = set[int]()

    def says(request: ChatRequest) -> str:
        sent.add(request.model.max_tokens)
        return steady(conversation_of(request.messages), 1)

    trial = spec(asked=chosen)
    conduct(trial, says)
    assert sent == {limit}
    assert {size.most_answer for size in MEASURING.call_sizes(chosen, trial.script, 1, 100.0)} == {limit}
    assert ("+max=" in chosen.label) == (option not in (None, of_row))


def test_a_model_that_thinks_keeps_its_own_limit() -> None:
    thinking = model(thinking=True, max_tokens=2048)
    limits = {size.most_answer for size in MEASURING.call_sizes(thinking, spec().script, 1, 100.0)}
    assert limits == {2048}


def test_over_two_runs_the_mean_of_calls_is_what_the_script_says() -> None:
    found = [[*MEASURING.call_sizes(model(), cell.script, run, 1.0)] for cell in cells() for run in (1, 2)]
    assert sum(map(len, found)) == 2 * sum(cell.script.calls for cell in cells())


def plan(tmp_path: Path, **changes: object) -> Plan:
    return build_plan(Settings(root=tmp_path, models=("offline/steadfast",), **{"edition": "v3", **changes}))  # type: ignore[arg-type]


def test_every_run_has_a_key_of_its_own_and_so_has_every_form(tmp_path: Path) -> None:
    public, other = plan(tmp_path, runs=2), plan(tmp_path, form="abc", runs=2)
    assert len({*public.by_key, *other.by_key}) == 2 * 2 * 16
    assert not {cell.script.digest for cell in public.cells} & {cell.script.digest for cell in other.cells}
    assert isinstance(other.edition.design, DossiersDesign)
    assert (public.edition.design.form, other.edition.design.form) == ("public", "abc")  # type: ignore[union-attr]
    assert (public.panel, other.edition.kind) == ((), "dossiers")


def test_what_the_dossiers_are_drawn_by_is_part_of_the_key() -> None:
    cell = cells()[0]
    keys = {trial_key(TrialSpec("v3", cell, model(), 1))}
    for change in (
        {"form": "x"},
        {"stance": "choice"},
        {"place": 1},
        {"places": 17},
        {"generator": 99},
        {"system": "Be."},
        {"max_tokens": 9},
    ):
        changed = DossierScript(
            **{**{name: getattr(cell.script, name) for name in DossierScript.model_fields}, **change}
        )  # type: ignore[arg-type]
        keys.add(trial_key(TrialSpec("v3", replace(cell, script=changed), model(), 1)))
    assert len(keys) == 8


def test_the_form_is_stored_and_asked_again() -> None:
    settings = Settings(root=Path(), edition="v3", form="abc")
    assert settings.stored_options()["form"] == "abc"
    assert "--form=abc" in rerun_arguments(settings.stored_options())


def test_a_plan_draws_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dossier_script, "draw", lambda *arguments: pytest.fail("a dossier was drawn"))
    assert len(plan(tmp_path, runs=5).by_case_id) == len(plan(tmp_path, runs=5).by_key) == 80


def test_a_system_variant_replaces_the_editions_own(tmp_path: Path) -> None:
    asked = plan(tmp_path, system_variants=("free_self",))
    assert {cell.official for cell in asked.cells} == {False}
    assert {cell.suffix for cell in asked.cells} == {"+free_self+user_role"}
    assert all(cell.script.system.startswith("You are a free mind") for cell in asked.cells)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"judges": ("x",)}, "--judge: edition v3 takes none; leave it out"),
        ({"judge_endpoint": "http://127.0.0.1:9"}, "--judge-endpoint: edition v3 takes none"),
        ({"delivery_modes": ("tool_role",)}, "--delivery-mode: edition v3 takes none"),
        ({"edition": "v2", "form": "x"}, "--form: edition v2 takes none; leave it out"),
        ({"edition": "roles-mini", "form": "x"}, "--form: edition roles-mini takes none; leave it out"),
        ({"edition": "v2", "stance": "choice"}, "--stance: edition v2 takes none"),
        ({"edition": "roles-mini", "stance": "choice"}, "--stance: edition roles-mini takes none"),
    ],
)
def test_what_it_cannot_be_asked_is_refused_in_a_sentence(
    tmp_path: Path, changes: dict[str, object], refusal: str
) -> None:
    with pytest.raises(BadInput, match=refusal):
        plan(tmp_path, **changes)


def test_an_edition_of_ones_own_asks_some_matters_or_all_in_plain_messages_only(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"

    def asked(text: str) -> Plan:
        file.write_text(f"id: mine\ntitle: Mine\nextends: v3\n{text}\n", "utf-8")
        return plan(tmp_path, edition=str(file))

    assert [cell.scenario.id for cell in asked("dossiers: {matters: [footpath-route]}").cells] == ["footpath-route"]
    assert len(asked("dossiers: {matters: all, form: mine}").cells) == len(CATALOGUE.stems("dossiers"))
    with pytest.raises(BadInput, match=r"there is no dossiers/footpath.yaml; did you mean footpath-route"):
        asked("dossiers: {matters: [footpath]}")
    with pytest.raises(BadInput, match="edition mine is always delivered in plain messages"):
        asked("delivery_modes: [tool_role]")
    with pytest.raises(BadInput, match="there is no system variant 'neutra'; did you mean neutral"):
        asked("system_variants: [neutra]")
