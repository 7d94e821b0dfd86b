"""Imported texts that a store holds in addition to the session's own: each a group with its own ranking."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from pydantic import Field

from independence_bench.bad_input import BadInput
from independence_bench.report.analysis.model_facts import Marks, ModelName
from independence_bench.report.analysis.model_intervals import with_intervals
from independence_bench.report.analysis.ranked import RankedModels, ranked_models, view_of
from independence_bench.report.analysis.records import group_of, texts_of
from independence_bench.report.analysis.row import IndexFacts, IndexRank
from independence_bench.report.report_data import ReportData
from independence_bench.spec import PanelJudge
from independence_bench.store import Session, Store
from independence_bench.store.model_names import LEAST_DIGEST


class OtherModel(ModelName, IndexFacts, IndexRank):
    """One row of a group of other texts; its ranks are those within the group."""

    runs: int
    marks: Marks = Field(default_factory=dict)


class OtherGroup(ReportData):
    """Models measured with imported texts: ranked among themselves, never with the session's own."""

    edition: str
    title: str
    texts: str
    judges: list[str]
    origins: dict[str, int]  # where its transcripts come from, and how many
    source: str = ""  # whose data it is, in a sentence
    models: list[OtherModel] = Field(default_factory=list)


def other_groups(store: Store, session: Session) -> list[OtherGroup]:
    """Return every imported group but the session's own, by edition, texts and judges; empty ones are left out."""
    shown = {group_of(session)}
    groups = []
    for imported in filter(attrgetter("imported"), store.sessions()):
        if group_of(imported) not in shown:
            shown.add(group_of(imported))
            groups.append(_of_session(imported, ranked_models(store, imported)))
    filled = [group for group in groups if group.models]
    return sorted(filled, key=lambda group: (group.edition, group.title, group.texts, group.judges))


def session_showing(
    store: Store, texts: str | None = None, edition: str | None = None, judges: Sequence[str] = ()
) -> Session:
    """Return the newest session of this edition, judged by these and no others, whose texts' digest begins so.

    An option that is not given matches anything; judges are named by label or model id. Sessions that were asked here
    come before imports, and those whose panel they are before those where they judged in its place. Raises BadInput
    where no session matches, or ``texts`` fits several texts.
    """
    matches: dict[str, Session] = {}
    sessions = known = [*store.sessions()]
    if judges:
        by_panel = [session for session in sessions if _judged_by(session.panel, judges)]
        in_its_place = (each for each in sessions if any(_judged_by(cell.judges, judges) for cell in each.cells))
        sessions = [*by_panel, *in_its_place]
    for session in sessions:
        digest = texts_of(session)
        if edition not in (None, session.edition.id):
            continue
        if texts in (None, digest):
            return session
        if texts is not None and digest.startswith(texts):
            matches.setdefault(digest, session)
    if len(matches) == 1:
        return next(iter(matches.values()))
    raise BadInput(_no_such_session(texts, edition, judges, bool(matches), known))


def _judged_by(panel: Sequence[PanelJudge], judges: Sequence[str]) -> bool:
    meant = [{name for name in judges if name in (each.label, each.model_id) or each.is_called(name)} for each in panel]
    return all(meant) and set(judges) <= set().union(*meant)


def _no_such_session(
    texts: str | None, edition: str | None, judges: Sequence[str], several: bool, known: Sequence[Session]
) -> str:
    options = [("texts", texts), ("edition", edition), *(("judge", judge) for judge in judges)]
    given = [f"--{option}={value}" for option, value in options if value is not None]
    alone = "there are no such texts" if texts is not None and len(given) == 1 else "no session matches"
    trouble = "several texts begin so" if several else alone
    things = {
        "editions": {each.edition.id for each in known},
        "texts": {f"{texts_of(each)[:LEAST_DIGEST]} ({each.edition.title})" for each in known},
        "judges": {" with ".join(judge.asked_as for judge in each.panel) for each in known} - {""},
    }
    holds = "; ".join(f"{thing} {', '.join(sorted(names))}" for thing, names in things.items() if names)
    return f"{' '.join(given)}: {trouble}; the store holds {holds or 'none'}"


def described(session: Session) -> str:
    """Return edition, texts and judges of a session as words."""
    judges = ", ".join(judge.label for judge in session.panel) or "no judge"
    return f"edition {session.edition.id} ({session.edition.title}), texts {texts_of(session)}, judged by {judges}"


def origins_of(results: RankedModels) -> dict[str, int]:
    """Return the number of transcripts by origin."""
    rows = (trial.transcript for each in results.entries for trial in each.result.trials)
    return dict(sorted(Counter(row.origin for row in rows if row).items()))


def _of_session(session: Session, results: RankedModels) -> OtherGroup:
    marked = results._replace(entries=with_intervals(results.entries)).marked(())
    rows = [entry.row for entry in marked.entries if entry.own]
    models = [OtherModel.model_validate(vars(row) | {"runs": len(row.runs)}) for row in rows]
    source = session.edition.source.sentence if session.edition.source else ""
    return OtherGroup(**view_of(session), origins=origins_of(results), source=source, models=models)
