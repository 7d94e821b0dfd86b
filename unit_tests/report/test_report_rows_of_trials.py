"""Whatever fixtures override, each stored trial is in one row of the report for each panel that judged it."""

from itertools import product
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import GOOD, JUDGE, SECOND_JUDGE, World, cells, leaderboard_text, script_of, session_of

from independence_bench.report.analysis.groups import session_showing
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.records import group_of
from independence_bench.report.analysis.running import RunningSession
from independence_bench.spec import PanelJudge, TrialName
from independence_bench.store import PlannedCell, Store
from independence_bench.trial import Failure, Usage

PLANNED = TrialName("a", "praise", "strong", "tool_role", 1)
OTHER = TrialName("x", "crowd", "neutral", "user_role", 2)  # ``x`` is the model at another endpoint
TWIN = SECOND_JUDGE.model_copy(update={"configuration": "J3"})  # of the same name, asked otherwise
PANELS = ((JUDGE,), (SECOND_JUDGE,), (TWIN,), (JUDGE, SECOND_JUDGE))
ENDS = ("measured", "no answer", "no verdict")


class Asked(NamedTuple):
    """What one case asked in place of its planned trial, and how it ended."""

    name: TrialName
    judges: tuple[PanelJudge, ...]
    end: str
    text: str = ""  # in which version; the edition's own texts have one

    @property
    def script(self) -> str:
        _, scenario, variant, delivery, _ = self.name
        own = script_of(scenario, variant, delivery)
        return own if (variant, delivery) == PLANNED[2:4] else own + self.text


NAMES = [TrialName(*chosen) for chosen in product(*zip(PLANNED, OTHER, strict=True))]
EVERY = [Asked(*each) for each in product(NAMES, PANELS, ENDS)]
SEVERAL = st.lists(st.sampled_from(EVERY), min_size=1, max_size=6, unique_by=lambda case: case[:2])


def asked_in(cases: list[Asked], store: Store | None = None) -> World:
    """Return a store in which these cases were asked, as a session's recorder notes it."""
    known = cells()
    places = {(cell.scenario, cell.system_variant, cell.delivery_mode, cell.judges) for cell in known}
    for case in cases:
        _, scenario, variant, delivery, _ = case.name
        own = () if case.judges == (JUDGE,) else case.judges
        if (place := (scenario, variant, delivery, own)) not in places:
            places.add(place)
            facts = {"script_digest": case.script, "official": False, "overridden": True, "judges": own}
            names = {"scenario": scenario, "system_variant": variant, "delivery_mode": delivery}
            known += (PlannedCell(experiment="boundary", **names, **facts),)
    by_panel = {each.name for each in cases if each.judges == (JUDGE,)}
    session = session_of("s2" if store else "s1", planned=known, started_at=1500.0 if store else 1000.0).model_copy(
        update={
            "runs": 2,
            "labels": ("a",),
            "configurations": ("a",),
            "replaced": () if PLANNED in by_panel else (PLANNED,),
            "asked_instead": tuple(sorted({each.name.configuration for each in cases})),
        }
    )
    world = World(session, store)
    world.know("a", "a")
    for name in {each.name for each in cases}:
        ends = [each for each in cases if each.name == name]
        script = ends[0].script
        failures = tuple(
            Failure(kind="endpoint", message=end, usage=Usage(), attempts=1, at=2000.0, judge=judge)
            for _, judges, end, _ in ends
            if end != "measured"
            for judge in ([None] if end == "no answer" else [judges[-1].label])
        )
        judges = {judge.configuration: judge for each in ends if each.end == "measured" for judge in each.judges}
        model, scenario, variant, delivery, run = name
        world.trial(
            model,
            scenario,
            GOOD[scenario],
            run,
            judges=tuple(judges.values()),
            failures=failures,
            asked=any(each.end != "no answer" for each in ends),
            variant=variant,
            delivery=delivery,
            script=script,
            key=f"{name} {script}",
            said=f"{name} {script}",
        )
    world.store.note_overriding(world.session, world.session.asked_instead)
    return world


def every_trial_has_its_rows(cases: list[Asked], earlier: list[Asked] = []) -> None:  # noqa: B006  # only read
    world = asked_in(cases, asked_in(earlier).store if earlier else None)
    board, entries = build_leaderboard(world.store, world.session), ranked_models(world.store, world.session).entries
    rows = [
        (
            entry.result.panel,
            {
                (TrialName(entry.row.identity, *trial.cell, trial.run), row.script_digest): trial
                for trial in entry.result.trials
                for row in (trial.transcript, *trial.failures)
                if row
            },
        )
        for entry in entries
    ]
    for case in (*cases, *earlier):
        name = case.name, case.script
        of_panel = [trials[name] for panel, trials in rows if {*panel} == {*case.judges} and name in trials]
        if case.end == "measured":
            assert [trial.measured for trial in of_panel] == [True], case
        elif case.end == "no verdict" or case.name.configuration in world.session.asked_instead:
            held = [trials[name] for _, trials in rows if name in trials]
            assert any(trial.failures for trial in held), case
    names = [row.full_name for row in board.models]
    assert len({*names}) == len(names) > 0
    assert board.updated is not None and "Nothing is measured" not in leaderboard_text(board)
    every = [*cases, *earlier]
    if all(JUDGE not in each.judges and each.end != "no answer" for each in every):
        assert {*board.judges} == {judge.label for each in every for judge in each.judges}
    assert all(not row.contends for row in board.models)
    running = RunningSession.read(world.store)
    assert running is not None and running.total >= running.done
    for row in board.models:
        found = session_showing(world.store, judges=row.judges or board.judges)
        assert group_of(found) == group_of(world.session) and (earlier or found.id == world.session.id)


def test_each_combination_alone_leads_to_a_row() -> None:
    for case in EVERY:
        every_trial_has_its_rows([case])


@given(SEVERAL)
@settings(max_examples=60)
def test_several_in_one_session_do_so_too(cases: list[Asked]) -> None:
    every_trial_has_its_rows(cases)


@given(SEVERAL, SEVERAL)
@settings(max_examples=60)
def test_trials_keep_their_rows_when_the_texts_outside_the_edition_change_between_sessions(
    cases: list[Asked], earlier: list[Asked]
) -> None:
    every_trial_has_its_rows(cases, [case._replace(text=" before the change") for case in earlier])


def test_a_changed_system_prompt_of_an_option_leaves_the_row_of_the_earlier_one_which_no_plan_completes() -> None:
    world = None
    for place, text in enumerate(["earlier ", ""], 1):
        beside = cells("neutral", official=False)
        asked = [each.model_copy(update={"script_digest": text + each.script_digest}) for each in beside]
        session = session_of(f"s{place}", planned=(*cells(), *asked), started_at=1000.0 * place)
        session = session.model_copy(update={"labels": ("a",), "configurations": ("a",), "chosen_as": ("a",)})
        world = World(session, world and world.store)
        world.know("a", "a")
        for cell in asked[place - 1 :]:  # only the earlier prompt has been asked everywhere
            facts = {"variant": "neutral", "script": cell.script_digest, "key": cell.script_digest}
            world.trial("a", cell.scenario, GOOD[cell.scenario], said=cell.script_digest, **facts)
    assert world is not None

    board, running = build_leaderboard(world.store, world.session), RunningSession.read(world.store)
    rows = {(row.configuration or "").partition("#")[:2]: row for row in board.models}
    assert {name: row.transcripts for name, row in rows.items()} == {
        ("neutral+tool_role", ""): 2,
        ("neutral+tool_role", "#"): 3,
    }
    health = {each.configuration: (each.missing, bool(each.repairs), each.remark) for each in board.health}
    assert health["neutral+tool_role"] == (1, True, None)
    assert running is not None and (running.done, running.total) == (2, 6)
