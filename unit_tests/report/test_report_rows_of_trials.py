"""Whatever fixtures override, each stored trial is in one row of the report for each panel that judged it."""

from itertools import product
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import GOOD, JUDGE, SECOND_JUDGE, World, cells, leaderboard_text, script_of, session_of

from independence_bench.report.analysis.groups import session_showing
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.running import RunningSession
from independence_bench.spec import PanelJudge, TrialName
from independence_bench.store import PlannedCell
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


NAMES = [TrialName(*chosen) for chosen in product(*zip(PLANNED, OTHER, strict=True))]
EVERY = [Asked(*each) for each in product(NAMES, PANELS, ENDS)]


def asked_in(cases: list[Asked]) -> World:
    """Return a store in which these cases were asked, as a session's recorder notes it."""
    known = cells()
    places = {(cell.scenario, cell.system_variant, cell.delivery_mode, cell.judges) for cell in known}
    for (_, scenario, variant, delivery, _), judges, _ in cases:
        own = () if judges == (JUDGE,) else judges
        if (place := (scenario, variant, delivery, own)) not in places:
            places.add(place)
            script = script_of(scenario, variant, delivery)
            facts = {"script_digest": script, "official": False, "overridden": True, "judges": own}
            names = {"scenario": scenario, "system_variant": variant, "delivery_mode": delivery}
            known += (PlannedCell(experiment="boundary", **names, **facts),)
    by_panel = {each.name for each in cases if each.judges == (JUDGE,)}
    session = session_of(planned=known).model_copy(
        update={
            "runs": 2,
            "labels": ("a",),
            "configurations": ("a",),
            "replaced": () if PLANNED in by_panel else (PLANNED,),
            "asked_instead": tuple(sorted({each.name.configuration for each in cases})),
        }
    )
    world = World(session)
    world.know("a", "a")
    for name in {each.name for each in cases}:
        ends = [each for each in cases if each.name == name]
        failures = tuple(
            Failure(kind="endpoint", message=end, usage=Usage(), attempts=1, at=2000.0, judge=judge)
            for _, judges, end in ends
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
        )
    world.store.note_overriding(world.session, world.session.asked_instead)
    return world


def every_trial_has_its_rows(cases: list[Asked]) -> None:
    world = asked_in(cases)
    board, entries = build_leaderboard(world.store, world.session), ranked_models(world.store, world.session).entries
    rows = [
        (
            entry.result.panel,
            {
                TrialName(entry.row.identity, *trial.cell, trial.run): trial
                for trial in entry.result.trials
                if trial.transcript or trial.failures
            },
        )
        for entry in entries
    ]
    for name, judges, end in cases:
        of_panel = [trials[name] for panel, trials in rows if {*panel} == {*judges} and name in trials]
        if end == "measured":
            assert [trial.measured for trial in of_panel] == [True], (name, judges)
        else:
            held = [trials[name] for _, trials in rows if name in trials]
            assert any(trial.failures for trial in held), (name, judges, end)
    names = [row.full_name for row in board.models]
    assert len({*names}) == len(names) > 0
    assert board.updated is not None and "Nothing is measured" not in leaderboard_text(board)
    if all(JUDGE not in each.judges and each.end != "no answer" for each in cases):
        assert {*board.judges} == {judge.label for each in cases for judge in each.judges}
    assert all(not row.contends for row in board.models)
    running = RunningSession.read(world.store)
    assert running is not None and running.total >= running.done
    for row in board.models:
        assert session_showing(world.store, judges=row.judges or board.judges).id == world.session.id


def test_each_combination_alone_leads_to_a_row() -> None:
    for case in EVERY:
        every_trial_has_its_rows([case])


@given(st.lists(st.sampled_from(EVERY), min_size=2, max_size=6, unique_by=lambda case: case[:2]))
@settings(max_examples=60)
def test_several_in_one_session_do_so_too(cases: list[Asked]) -> None:
    every_trial_has_its_rows(cases)
