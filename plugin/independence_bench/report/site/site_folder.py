"""A site as a folder: built next to its place, then moved there whole. Overwrites only its own files."""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.drafts import dead_drafts, draft_of
from independence_bench.garbage import without_garbage_collection
from independence_bench.kind_registry import KINDS
from independence_bench.report.analysis.passages import AnsweredItem, answered_items
from independence_bench.report.analysis.repairs import Repairs
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.files import refusing_unwritable
from independence_bench.report.presented import Presented
from independence_bench.report.site.addresses import NOT_FOUND
from independence_bench.report.site.chunks import Datum, chunk
from independence_bench.report.site.data.answer_data import SharedTexts, answers_data
from independence_bench.report.site.data.downloads import MOST_PAIRED, downloads
from independence_bench.report.site.data.model_data import model_data
from independence_bench.report.site.data.overview import ItemScores, overview_data, prompts_data, scenario_data
from independence_bench.report.site.edition_views import EditionView, views_of
from independence_bench.report.site.pages import Pages, page_alone
from independence_bench.report.site.supplied import Sources
from independence_bench.report.site.view_part import ViewPart, site_kind
from independence_bench.report.views.markdown import in_markdown
from independence_bench.store import Store

MARKER = ".independence-bench-site"  # lists the files of a site, so that the next one replaces these and no others

_SPACE_CARD = b"---\ntitle: Independence bench\nsdk: static\n---\n\nOpen index.html.\n"
"""Front matter with which the folder is a static Space of Hugging Face."""

ASSETS = Path(__file__).parent / "assets"  # scripts and styles of all sites


def write_site(folder: Path, store: Store, sources: Sources, *, shown: Presented | None = None) -> Path:
    """Write the site of all that a store holds, and return its first page.

    ``shown`` is what the newest session has just been presented as. Raises BadInput where the store holds no measured
    trial, the folder holds files that are not ours, or cannot be written; what was there is left as it is.
    """
    refuse_foreign(folder)
    _remove_litter(folder)
    with without_garbage_collection():
        views = views_of(store, sources, shown.leaderboard if shown else None)
        draft = draft_of(folder)
        try:
            with refusing_unwritable(folder):
                _write(draft, store, sources, views, shown)
                _put_in_place(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder / "index.html"


def _remove_litter(folder: Path) -> None:
    """Remove the drafts of processes that were killed while they wrote this site."""
    for draft in dead_drafts(folder.parent):
        if draft.name.startswith(f".{folder.name}."):
            shutil.rmtree(draft, ignore_errors=True)  # no link and no file


def refuse_foreign(folder: Path) -> None:
    """Raise BadInput unless a folder is not there, is empty, or holds a site of ours and nothing else."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BadInput.at(folder, "", "is no folder of ours; move it away, or name another place with --reports")
    ours = _files_in_marker(folder / MARKER)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_symlink() or not path.is_dir()) and name not in ours:
            raise BadInput.at(
                folder,
                "",
                f"holds {name!r}, which is no file of a site; nothing was overwritten: move it away, or name another "
                "place with --reports",
            )


def _files_in_marker(marker: Path) -> frozenset[str]:
    try:
        files = json.loads(marker.read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
    return frozenset([*(str(name) for name in files), MARKER]) if isinstance(files, list) else frozenset()


def _write(draft: Path, store: Store, sources: Sources, views: list[EditionView], shown: Presented | None) -> None:
    shutil.rmtree(draft, ignore_errors=True)
    names = []
    for name, content in _files(store, sources, views, shown):
        names.append(name)
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        (draft / name).write_bytes(content)
    (draft / MARKER).write_text(json.dumps({"files": names}), encoding="utf-8")


def _files(
    store: Store, sources: Sources, views: list[EditionView], shown: Presented | None
) -> Iterator[tuple[str, bytes]]:
    parts = [site_kind(view.session.edition.kind).view_part(store, view, shown) for view in views]
    boards = [
        BoardRecords(store, view.session, view.entries, view.board, MOST_PAIRED, part.report)
        for view, part in zip(views, parts, strict=True)
    ]
    files, tables, archive = downloads(boards)
    yield from files.items()
    prices = {model.configuration: model.price_out for model in store.configurations()}
    pages = Pages(views, sources, prices, tables, archive)
    del boards, files
    own = [site_kind(kind).pages.assets for kind in KINDS]
    for asset in sorted(path for folder in (ASSETS, *own) if folder.is_dir() for path in folder.iterdir()):
        yield f"assets/{asset.name}", asset.read_bytes()
    sources_named = dict.fromkeys(each.session.edition.source for each in views)
    credits_ = "".join(f"\n{in_markdown(each.sentence, 2_000)}\n" for each in sources_named if each)
    yield "README.md", _SPACE_CARD + credits_.encode()
    yield NOT_FOUND.file, page_alone(NOT_FOUND.file).encode()
    for view, part in zip(views, parts, strict=True):
        for name, text in _files_of_view(store, sources, pages, part):
            yield f"{view.folder}{name}", text.encode()


def _files_of_view(store: Store, sources: Sources, pages: Pages, part: ViewPart) -> Iterator[tuple[str, str]]:
    """Yield name and content of all files of a view, one model in memory at a time. Names are numbers, never labels."""
    view = part.view
    # Without a ground of their own: the page's is under them, whichever colours the reader has chosen.
    yield from ((name, svg.replace('<rect class="page"', '<rect fill="none"')) for name, svg in part.figures())
    yield _data("site", overview_data(part, sources.questions))
    yield _data("prompts", prompts_data(view, sources.prompt_of))
    yield from (_data(name, value) for name, value in part.chunks())
    repairs, shared = Repairs(store, view.session), SharedTexts()
    scores: dict[str, ItemScores] = {}
    asked: dict[str, Sequence[AnsweredItem]] = {}
    commands = 0
    for number, entry in enumerate(view.entries, 1):
        trials = entry.result.trials
        transcripts = store.transcript_bodies(trial.transcript.key for trial in trials if trial.transcript)
        verdicts = store.verdict_bodies(verdict.key for trial in trials for verdict in trial.verdicts if verdict)
        interviews = {key: read for key, body in transcripts.items() if (read := answered_items(body))}
        scores |= {key: {each.item: each.score for each in read if each.item} for key, read in interviews.items()}
        for trial in trials:
            if trial.transcript and trial.transcript.key in interviews:
                asked.setdefault(trial.scenario.id, interviews[trial.transcript.key])
        again = repairs.again(entry)
        commands += again is not None
        yield _data(f"model-{number}", model_data(part, number - 1, again))
        for ending, some in part.answer_chunks(trials):
            answers = answers_data(part, entry.result, some, transcripts, verdicts, interviews)
            yield _data(f"answers-{number}{ending}", shared.without(answers, number), packed=True)
    yield _data("texts", shared.texts)
    for number, scenario in enumerate(view.session.edition.scenarios, 1):
        items = part.items(scenario.id, asked.get(scenario.id, ()))
        yield _data(f"scenario-{number}", scenario_data(view, scenario, items, scores))
    yield from pages.of(part, asked, commands)


def _data(name: str, value: Datum, *, packed: bool = False) -> tuple[str, str]:
    return f"data/{name}.js", chunk(name, value, packed=packed)


def _put_in_place(draft: Path, folder: Path) -> None:
    """Swap the new folder for the old one; where that fails the old one stays."""
    if not folder.exists():
        draft.rename(folder)
        return
    refuse_foreign(folder)  # it took seconds to build: another process may have put something there
    old = draft_of(folder, "old")
    folder.rename(old)
    try:
        draft.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
