"""File systems without locks, clocks that are set back, time zones, names that collide, and sizes nobody expects."""

import errno
import gzip
import json
import unicodedata
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from attacked_work import (
    CHECKOUT,
    COMMANDS,
    ENDS,
    SESSION,
    STORE,
    assert_ended_clearly,
    fresh,
    measured_in,
    rows,
    state,
)
from forge import CLOCK, FAIL_ALWAYS, FAIL_ONCE, LOCK, Fault, Forge, some
from model_server import ModelServer, Told, completion, says

pytestmark = [pytest.mark.external, pytest.mark.slow]
UNLOCKABLE = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL, errno.EIO)
DAY = 86_400
SHIFTS = (-2 * DAY, -60, -1, 60, 2 * DAY, 400 * DAY, -56 * 365 * DAY, 100 * 365 * DAY)
ZONES = (None, "", ":", "Nowhere/Never", "XXX-99", "Asia/Kathmandu", "Pacific/Kiritimati", "UTC+24", "\xff")


@pytest.mark.parametrize("name", ["session", "merge", "leaderboard"])
def test_where_locks_fail_nothing_is_written_or_the_command_completes(
    forge: Forge, measured_folder: Path, tmp_path: Path, name: str
) -> None:
    words = COMMANDS.get(name, ("independence-bench", "leaderboard"))
    counted = forge.run(fresh(measured_folder, tmp_path / "attacked"), words)
    expected = state(tmp_path / "attacked")
    faults = [Fault((LOCK,), how, value, nth) for how in (FAIL_ONCE, FAIL_ALWAYS) for value in UNLOCKABLE
              for nth in range(1, counted.counts[LOCK] + 1)]  # fmt: skip
    for fault in some(faults, 1, 7):
        folder = fresh(measured_folder, tmp_path / "attacked")
        before = measured_in(folder / STORE)
        told = forge.run(folder, words, fault)
        assert_ended_clearly(told, fault)
        if fault.nth == 1 and fault.what == FAIL_ALWAYS:
            assert told.status and measured_in(folder / STORE) == before, f"{fault}: {told.text}"
        again = forge.run(folder, words)
        assert again.status == 0, f"{fault}: {told.text}\n{again.text}"
        assert state(folder) == expected, fault


def test_a_clock_that_jumps_at_any_moment_changes_no_number(
    forge: Forge, measured_folder: Path, tmp_path: Path
) -> None:
    counted = forge.run(fresh(measured_folder, tmp_path / "attacked"), SESSION)
    expected = state(tmp_path / "attacked")
    faults = [Fault(what=CLOCK, value=by, nth=nth) for by in SHIFTS for nth in range(1, counted.all + 1)]
    for fault in some(faults, 2, 25):
        folder = fresh(measured_folder, tmp_path / "attacked")
        told = forge.run(folder, SESSION, fault)
        assert_ended_clearly(told, fault)
        assert told.status == 0, f"{fault}: {told.text}"
        once = rows(folder / STORE)
        assert forge.run(folder, SESSION).status == 0, fault
        for table in ("transcripts", "verdicts", "failures"):
            assert rows(folder / STORE)[table] == once[table], fault
        assert state(folder) == expected, fault


def test_no_time_zone_changes_anything_that_is_measured_or_shown(
    forge: Forge, measured_folder: Path, tmp_path: Path
) -> None:
    for number, name in enumerate(("session", "report", "site", "export", "gate")):
        seen = []
        for zone in (*some(ZONES, number, 4), "UTC"):
            folder = fresh(measured_folder, tmp_path / "attacked")
            told = forge.run(folder, COMMANDS[name], environment={"TZ": zone})
            assert_ended_clearly(told, f"{name} in {zone!r}")
            assert told.status in ENDS, f"{name} in {zone!r}: {told.text}"
            seen.append(state(folder))
        assert all(each == seen[0] for each in seen), name


def ask(server: ModelServer, *words: str) -> tuple[str, ...]:
    return ("pytest", "bench_tests", *words, f"--endpoint={server.url}", "--judge=test/judge",
            f"--judge-endpoint={server.url}")  # fmt: skip


def names(random: Random) -> tuple[str, str]:
    """Two labels that a file system, a shell or an eye may take for one."""
    word = "".join(random.choice("aÅéßıIkſ·. :_-/+#@%&=?*~'\"\\ΐﬁ漢👩‍💻") for _ in range(random.randint(2, 9)))
    word = f"m{word.strip()}n"
    other = [
        unicodedata.normalize("NFD", word), unicodedata.normalize("NFKC", word), word.upper(), word.casefold(),
        word.swapcase(), word.replace("/", "-"), word.replace(".", ":"), f"{word}.", f"./{word}", f"{word}/../{word}",
        f"{word}.md", f"{word}\u200b", word.replace("a", "а"), f"{word}{'x' * 90}", f"{word} ",
    ]  # fmt: skip
    return word, random.choice([each for each in other if each != word] or [f"{word}2"])


def test_labels_that_collide_as_names_remain_two_models(
    forge: Forge, measured_folder: Path, tmp_path: Path, served: ModelServer
) -> None:
    refused = 0
    for seed in some(range(2000), 3, 30):
        folder, pair = fresh(measured_folder, tmp_path / "attacked"), names(Random(seed))
        url = served.url
        models = [{"label": label, "id": f"id/{number}", "endpoint": "own"} for number, label in enumerate(pair)]
        (folder / "configs").mkdir()
        (folder / "configs" / "models.yaml").write_text(yaml.safe_dump({"models": models}))
        (folder / "configs" / "endpoints.yaml").write_text(f"endpoints: [{{name: own, base_url: '{url}'}}]")
        chosen = [word for number in (0, 1) for word in ("--model", f"id/{number}")]
        told = forge.run(folder, ask(served, "-k", "creativity", *chosen, "--site"))
        assert_ended_clearly(told, pair)
        if told.status:
            refused += 1
            assert len(told.text.splitlines()) < 12, f"{pair}: {told.text}"
            continue
        board = json.loads((folder / "reports" / "leaderboard.json").read_text())
        shown = [row["label"] for row in board["models"]]
        assert len({*shown}) == len(shown) >= 2, f"{pair}: {shown}"
        pages = [file.name.casefold() for file in (folder / "reports" / "models").iterdir()]
        assert len({*pages}) == len(shown), f"{pair}: {pages}"
        sites = [unicodedata.normalize("NFC", str(file)).casefold()
                 for file in (folder / "reports" / "site").rglob("*")]  # fmt: skip
        assert len({*sites}) == len(sites), pair
    assert refused < 30, "every pair was refused"


def zeros(number: int) -> bytes:
    """So many MB, packed."""
    packer = gzip.zlib.compressobj(9, wbits=31)  # type: ignore[attr-defined]
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(number)) + bytes(packer.flush())


def answers(kind: str) -> tuple[Told, dict[str, str]]:
    """What a server may send, and with which headers."""
    size, _, packed = kind.partition(" ")
    if packed:
        body, spaces = json.dumps(completion({"content": "I."})[1]).encode(), gzip.compress(b"")
        content = zeros(int(size)) + spaces if packed == "bomb" else gzip.compress(body) + zeros(int(size))
        return (200, content), {"Content-Encoding": "deflate" if packed == "deflate" else "gzip"}
    return completion({"content": "I am someone. " * (int(float(size) * (1 << 20)) // 14)}), {}


@pytest.mark.parametrize("kind", ["1.9", "2.1", "50", "2000 bomb", "1000 trailer", "1000 deflate"])
def test_no_size_of_an_answer_takes_the_memory_or_more_than_a_sentence(
    forge: Forge, measured_folder: Path, tmp_path: Path, served: ModelServer, kind: str
) -> None:
    folder, told_to = fresh(measured_folder, tmp_path / "attacked"), answers(kind)
    served.generate, served.headers = (lambda body: told_to[0]), {}
    good = served.answer

    def answer(asked: Any) -> Told:
        served.headers = {} if asked.of_judge else told_to[1]
        return good(asked)

    served.answer = answer  # type: ignore[method-assign]
    told = forge.run(folder, ask(served, "-k", "creativity", "--model=test/a"), memory_mb=1500)
    assert_ended_clearly(told, kind)
    assert "MemoryError" not in told.text
    if kind in ("1.9", "1000 trailer", "1000 deflate"):  # what follows the packed answer is not unpacked
        assert told.status == 0, told.text
        for name in ("report", "site", "export"):
            assert forge.run(folder, COMMANDS[name]).status == 0, name
    else:
        assert told.status == 1 and "not measured" in told.text, told.text
    served.generate, told_to = says("I am someone, and I stay it."), ((200, b""), {})
    told = forge.run(folder, ask(served, "-k", "creativity", "--model=test/a"))
    assert told.status == 0, told.text


def test_a_conversation_of_five_hundred_turns_is_measured_and_shown(
    forge: Forge, measured_folder: Path, tmp_path: Path, served: ModelServer
) -> None:
    folder = fresh(measured_folder, tmp_path / "attacked")
    file = Path("configs", "scenarios", "creativity.yaml")
    (folder / file).parent.mkdir(parents=True)
    turns = [{"human": f"And what else, for the {number}th time?"} for number in range(500)]
    scenario = yaml.safe_load((CHECKOUT / file).read_text()) | {"turns": turns}
    (folder / file).write_text(yaml.safe_dump(scenario))
    words = ask(served, "-k", "creativity", "--model=test/a")
    told = forge.run(folder, words)
    assert told.status == 0, told.text
    assert len(served.generations) == 500
    assert forge.run(folder, words).status == 0
    assert len(served.generations) == 500
    for name in ("report", "site", "export"):
        assert forge.run(folder, COMMANDS[name]).status == 0, name


def test_a_hundred_thousand_rows_of_a_catalogue_are_refused_and_fifty_thousand_read(
    forge: Forge, measured_folder: Path, tmp_path: Path, served: ModelServer
) -> None:
    folder = fresh(measured_folder, tmp_path / "attacked")
    (folder / "configs").mkdir()
    (folder / "configs" / "endpoints.yaml").write_text(f"endpoints: [{{name: own, base_url: '{served.url}'}}]")
    for number in (100_000, 50_000):
        lines = (f"- {{label: vendor/model-{each}, id: vendor/{each}, endpoint: own}}\n" for each in range(number))
        (folder / "configs" / "models.yaml").write_text("models:\n" + "".join(lines))
        told = forge.run(folder, ask(served, "-k", "creativity", "--model=vendor/model-49999"))
        listed = forge.run(folder, ("independence-bench", "models"))
        assert_ended_clearly(told, number)
        assert (told.status, listed.status) == ((4, 2) if number == 100_000 else (0, 0)), told.text + listed.text
        assert ("read as UTF-8 text (it is larger than 4 MB);" in listed.text) == (number == 100_000)
        assert ("vendor/model-49999" in listed.text) == (number == 50_000)
