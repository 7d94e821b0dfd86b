"""A site as a folder: built beside, then put in its place whole. Overwrites nothing that it has not written itself."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.garbage import without_garbage_collection
from independence_bench.report.analysis.interviews import AnsweredItem, answered_items
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.presented import Presented
from independence_bench.report.site.addresses import NOT_FOUND
from independence_bench.report.site.chunks import chunk
from independence_bench.report.site.data import answers_data, model_data, overview_data, prompts_data, scenario_data
from independence_bench.report.site.data.scenario_data import excerpt
from independence_bench.report.site.edition_views import EditionView, views_of
from independence_bench.report.site.pages import Pages
from independence_bench.report.site.shown_roles import ItemScores, RolesShown, roles_of
from independence_bench.report.site.supplied import Sources
from independence_bench.store import Store

if TYPE_CHECKING:
    from independence_bench.report.roles.role_report import RoleReport

MARKER = ".independence-bench-site"
"""Lists the files of a site, so that the next one replaces these and no others."""

_ASSETS = Path(__file__).parent / "assets"


def write_site(folder: Path, store: Store, sources: Sources, *, shown: Presented | None = None) -> Path:
    """Write the site of all that a store holds, and return its first page.

    ``shown`` is what the newest session has just been presented as, which spares computing it again.

    Raises:
        BadInput: the store holds no measured trial, the folder holds files that are not ours, or cannot be written;
            what was there is left as it is.
    """
    refuse_foreign(folder)
    with without_garbage_collection():
        views = views_of(store, sources, shown.leaderboard if shown else None)
        draft = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
        try:
            _written(draft, store, sources, views, shown.roles if shown else None)
            _put_in_place(draft, folder)
        except OSError as error:
            raise BadInput.at(
                folder, "", f"cannot be written ({error.strerror}); name another folder with --reports"
            ) from None
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder / "index.html"


def refuse_foreign(folder: Path) -> None:
    """Let a folder pass that is not there, is empty, or holds a site of ours and nothing else.

    Raises:
        BadInput: it holds anything else, or is no folder.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BadInput.at(folder, "", "is no folder of ours; move it away, or name another place with --reports")
    if not folder.exists():
        return
    ours = _listed(folder / MARKER)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_symlink() or not path.is_dir()) and name not in ours:
            raise BadInput.at(
                folder,
                "",
                f"holds {name!r}, which is no file of a site; nothing was overwritten: move it away, or name another "
                "place with --reports",
            )


def _listed(marker: Path) -> frozenset[str]:
    """Return the files of the site that stands there; none where there is no marker that we can read."""
    try:
        listed = json.loads(marker.read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
    return frozenset([*(str(name) for name in listed), MARKER]) if isinstance(listed, list) else frozenset()


def _written(
    draft: Path, store: Store, sources: Sources, views: list[EditionView], known_roles: "RoleReport | None"
) -> None:
    """Fill a new folder."""
    shutil.rmtree(draft, ignore_errors=True)
    names = []
    pages = Pages(views, sources, [stored.facts for stored in store.configurations()])
    draft.mkdir(parents=True)
    for asset in sorted(_ASSETS.iterdir()):
        names.append(f"assets/{asset.name}")
        (draft / "assets").mkdir(exist_ok=True)
        (draft / names[-1]).write_bytes(asset.read_bytes())
    names.append(NOT_FOUND.file)
    (draft / NOT_FOUND.file).write_text(pages.not_found(), encoding="utf-8")
    for view in views:
        (draft / view.folder / "data").mkdir(parents=True)
        for name, text in _files(store, sources, pages, view, roles_of(store, view, known_roles)):
            names.append(f"{view.folder}{name}")
            (draft / names[-1]).write_bytes(text.encode("utf-8"))
    (draft / MARKER).write_text(json.dumps({"files": names}), encoding="utf-8")


def _files(
    store: Store, sources: Sources, pages: Pages, view: EditionView, roles: RolesShown | None
) -> Iterator[tuple[str, str]]:
    """Yield name and content of all files of a view, one model in memory at a time. Names are numbers, never labels."""
    for each in roles.models.values() if roles else ():
        yield from ((figure.file, figure.svg) for figure in each.figures)
    yield "data/site.js", chunk("site", overview_data(view, roles))
    yield "data/prompts.js", chunk("prompts", prompts_data(view, sources.prompt_of))
    excerpts: dict[str, str] = {}
    scores: dict[str, ItemScores] = {}
    asked: dict[str, Sequence[AnsweredItem]] = {}
    for place, entry in enumerate(view.entries):
        trials = entry.result.trials
        said = store.transcript_bodies(trial.transcript.key for trial in trials if trial.transcript)
        found = store.verdict_bodies(verdict.key for trial in trials for verdict in trial.verdicts if verdict)
        if roles is None:  # the last answer of an interview is a letter
            excerpts |= {key: excerpt([each.reply.answer for each in body.exchanges]) for key, body in said.items()}
        interviews = {key: answered_items(body) for key, body in said.items()} if roles else {}
        scores |= {key: {each.item: each.score for each in read if each.item} for key, read in interviews.items()}
        asked |= {
            trial.scenario.id: interviews[trial.transcript.key]
            for trial in trials
            if trial.transcript and trial.transcript.key in interviews and trial.scenario.id not in asked
        }
        yield f"data/model-{place + 1}.js", chunk(f"model-{place + 1}", model_data(view, place, roles))
        for part, some in _parts(trials, roles):
            name = f"answers-{place + 1}{part}"
            yield f"data/{name}.js", chunk(name, answers_data(view, some, said, found, interviews))
    for place, scenario in enumerate(view.session.edition.scenarios):
        items = roles.items_of(scenario.id, asked.get(scenario.id, ())) if roles else ()
        yield (
            f"data/scenario-{place + 1}.js",
            chunk(f"scenario-{place + 1}", scenario_data(view, place, excerpts, items, scores)),
        )
    yield from pages.of(view, roles, roles.questionnaires(asked) if roles else [])


def _parts(trials: Sequence[PlannedTrial], roles: RolesShown | None) -> Iterator[tuple[str, list[PlannedTrial]]]:
    """Yield the trials of each chunk: all of them, or those of one persona."""
    if roles is None:
        yield "", list(trials)
        return
    places = roles.places
    for persona in range(len(roles.design.personas)):
        yield f"-{persona + 1}", [trial for trial in trials if places[trial.scenario.id][0] == persona]


def _put_in_place(draft: Path, folder: Path) -> None:
    """Swap the new folder for the old one; where that fails the old one stays."""
    if not folder.exists():
        draft.rename(folder)
        return
    refuse_foreign(folder)  # it took seconds to build: somebody may have put something there
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    folder.rename(old)
    try:
        draft.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
