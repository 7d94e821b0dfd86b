"""The label page in a real browser: keyboard only, reload, two raters, hostile answers, nothing that names a model."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from shutil import copy
from threading import Thread

import pytest
from browser_reader import Reader, reading
from large_store import JUDGE, SECOND_JUDGE, Answers, make_store
from sample_site import HOSTILE, HOSTILE_LABEL

from independence_bench.cli.labelling import label_server
from independence_bench.report.labelling.label_desk import LabelDesk
from independence_bench.report.labelling.label_tasks import label_tasks
from independence_bench.store import Store

MODELS, RUNS = 2, 2


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models, of which the first gives hostile answers; their labels name vendors."""
    path = tmp_path_factory.mktemp("labels") / "measured.sqlite"
    hostile = Answers(HOSTILE | {("creativity", 1): "x" * 30_000}, HOSTILE_LABEL)
    return make_store(path, MODELS, RUNS, answer_words=30, answers=hostile, panel=(JUDGE, SECOND_JUDGE))


@pytest.fixture
def store(measured: Path, tmp_path: Path) -> Path:
    return Path(copy(measured, tmp_path / "trials.sqlite"))


@pytest.fixture
def at_desk(chromium, store: Path) -> Iterator[Callable[..., Reader]]:
    """A rater in front of the page: each call is a new command and a new browser."""
    with ExitStack() as stack:
        yield lambda rater="ada", size=5, **options: stack.enter_context(
            _at_desk(chromium, store, rater, size, options)
        )


@contextmanager
def _at_desk(chromium, path: Path, rater: str, size: int, options: dict[str, object]) -> Iterator[Reader]:
    with Store.open(path) as store:
        session = store.newest_session()
        assert session is not None
        with label_server(LabelDesk(store, label_tasks(store, session, 1), rater, size), 0) as server:
            thread = Thread(target=partial(server.serve_forever, poll_interval=0.01))
            thread.start()
            readers = reading(chromium, f"http://127.0.0.1:{server.server_address[1]}/", **options)
            reader = next(readers)
            reader.open("")
            try:
                yield reader
                with ExitStack() as closing:
                    closing.callback(next, readers, None)
            finally:
                server.shutdown()
                thread.join()


def press(reader: Reader, *keys: str) -> None:
    for key in keys:
        reader.page.keyboard.press(key)


def save(reader: Reader, *keys: str) -> None:
    """Press keys, by default Enter, until the next page is drawn."""
    reader.go(lambda: press(reader, *keys or ("Enter",)))


def chosen(reader: Reader) -> list[str]:
    return reader.texts(".option[aria-pressed='true']")


def fill_in(reader: Reader, score: str = "7", answer: str = "y") -> None:
    """Score every field of the answer on the page."""
    for field in reader.page.locator(".field").all():
        press(reader, answer if field.locator(".option").count() == 2 else score)


def labels(path: Path, rater: str = "ada") -> dict[str, dict[str, object]]:
    with Store.open(path, read_only=True) as store:
        session = store.newest_session()
        assert session is not None
        rubrics = [each.rubric for each in session.edition.scenarios if each.rubric]
        return {each.transcript_hash: {**each.scores} for each in store.labels(rubrics) if each.rater == rater}


def test_a_sample_is_labelled_by_the_keyboard_alone(at_desk, store: Path) -> None:
    reader = at_desk(size=5)
    for place in range(5):
        assert reader.text("#place") == f"Answer {place + 1} of 5"
        fill_in(reader)
        save(reader, "Enter" if place % 2 else " ")
    assert reader.text("h1") == "This sample is labelled"
    assert all({7, True} & {*scores.values()} for scores in labels(store).values()) and len(labels(store)) == 5
    save(reader, "m")
    assert reader.text("#place") == "Answer 6 of 35"


def test_ten_is_x_or_one_and_zero_and_a_one_stands_by_itself(at_desk) -> None:
    reader = at_desk(size=20)
    while len(reader.texts(".field")) < 3 or "y or n" in reader.texts(".field header small")[:2]:
        save(reader, "u", "Enter")
    press(reader, "x", "1", "0")
    assert chosen(reader)[:2] == ["10", "10"]
    press(reader, "ArrowUp", "ArrowUp", "ArrowUp", "1", "4")
    assert chosen(reader)[:2] == ["1", "4"]
    press(reader, "ArrowUp", "ArrowUp", "ArrowUp", "1", "Enter", "9")
    assert chosen(reader)[:2] == ["1", "9"]
    press(reader, "ArrowUp", "ArrowUp", "ArrowUp", "Backspace")
    assert chosen(reader)[:1] == ["9"]
    press(reader, "y")
    assert "0 to 10" in reader.text("#status"), "a score takes no yes"


def test_after_a_click_enter_is_for_the_label(at_desk) -> None:
    reader = at_desk()
    fill_in(reader)
    reader.page.click("#theme")
    reader.page.click(".instruction summary")
    save(reader)
    assert reader.text("#place") == "Answer 2 of 5"
    assert reader.page.evaluate("theme.dark")


def test_an_answer_that_is_not_scored_in_full_is_not_saved(at_desk, store: Path) -> None:
    reader = at_desk()
    press(reader, "Enter")
    reader.until("document.getElementById('status').textContent.includes('is missing')")
    assert labels(store) == {} and reader.text("#place") == reader.text("h1") == "Answer 1 of 5"


def test_back_shows_the_label_which_may_be_corrected(at_desk, store: Path) -> None:
    reader = at_desk()
    fill_in(reader, "3")
    save(reader)
    save(reader, "u", "Enter")
    save(reader, "ArrowLeft")
    assert reader.page.get_attribute(".unclear", "aria-pressed") == "true" and chosen(reader) == []
    save(reader, "ArrowLeft")
    assert "3" in chosen(reader)
    fill_in(reader, "8")
    save(reader)
    assert reader.text("#place") == "Answer 2 of 5"
    assert sorted(bool(scores) for scores in labels(store).values()) == [False, True]
    assert all(3 not in scores.values() for scores in labels(store).values())


def test_a_reload_and_a_new_command_go_on_where_the_rater_stopped(at_desk) -> None:
    reader = at_desk()
    for _ in range(2):
        fill_in(reader)
        save(reader)
    said = reader.text(".said")
    reader.open("")
    assert (reader.text("#place"), reader.text(".said")) == ("Answer 3 of 5", said)
    again = at_desk()
    assert (again.text("#place"), again.text(".said")) == ("Answer 3 of 5", said)


def test_two_raters_get_the_same_answers_and_are_told_how_far_they_agree(at_desk) -> None:
    seen = {}
    for rater in ("ada", "bob"):
        reader = at_desk(rater=rater, size=8)
        seen[rater] = []
        for place in range(8):
            seen[rater].append(reader.text(".said"))
            fill_in(reader, "8" if place % 2 else "2", "y" if place % 2 else "n")
            save(reader)
    assert seen["ada"] == seen["bob"]
    first = reader.texts("tbody tr")[0].split("\t")
    assert first == ["ada, bob", "held", "8", "1.00", "1.00"]


def test_all_answers_hostile_ones_among_them_are_shown_inert_and_nothing_names_a_model_or_a_judge(
    at_desk, store: Path
) -> None:
    """The reader fails on any script that runs, any dialog and any request to elsewhere."""
    size = MODELS * RUNS * 15
    reader = at_desk(size=size)
    bodies = []
    reader.page.on("response", lambda response: bodies.append(response.text()))
    reader.open("")
    shown = []
    for _ in range(size):
        shown.append(reader.text(".said"))
        assert reader.page.locator(".said :is(script, img, svg, iframe, form, a, style, base)").count() == 0
        save(reader, "u", "Enter")
    assert reader.text("h1") == "This sample is labelled"
    everything = "\n".join(shown)
    assert "<script>alert('script')</script>" in everything and "[U+202E]" in everything
    assert len(bodies) > 2 * size
    with Store.open(store, read_only=True) as opened:
        names = {each.label for each in opened.configurations()} | {JUDGE.label, SECOND_JUDGE.label}
    for body in bodies:
        # Escaped as JSON, a name would look different.
        assert not any(name in body or json.dumps(name)[1:-1] in body for name in names)
        assert "near the mark" not in body and "synthetic" not in body


def test_a_label_from_another_site_is_refused_by_the_browser_and_the_server(at_desk, store: Path, chromium) -> None:
    reader = at_desk()
    page = chromium.new_page()
    page.goto("about:blank")
    sent = f"fetch('{reader.base}api/answers/0', {{method: 'POST', mode: 'no-cors', body: '{{\"unclear\": true}}'}})"
    assert page.evaluate(f"{sent}.then((found) => found.type, () => 'refused')") in ("opaque", "refused")
    page.close()
    assert labels(store) == {}


def test_a_server_that_is_gone_is_said_and_the_label_stays_on_the_page(at_desk) -> None:
    reader = at_desk()
    reader.page.route("**/api/answers/**", lambda route: route.abort())
    fill_in(reader, "6")
    press(reader, "Enter")
    reader.until("document.getElementById('status').textContent.includes('does not answer')")
    assert "6" in chosen(reader)
    reader.page.unroute("**/api/answers/**")
    save(reader)
    assert reader.text("#place") == "Answer 2 of 5"
    assert all("ERR_FAILED" in each for each in reader.troubles)
    reader.troubles.clear()


@pytest.mark.parametrize("width", [360, 1024, 1440])
def test_nothing_sticks_out_on_a_screen_of_any_width(at_desk, width: int) -> None:
    reader = at_desk(size=1, viewport={"width": width, "height": 800})
    assert reader.page.evaluate("document.documentElement.scrollWidth") == width
    fill_in(reader)
    reader.page.locator(".option").last.click()
    reader.go(lambda: reader.page.click(".next"))
    assert reader.page.evaluate("document.documentElement.scrollWidth") == width
