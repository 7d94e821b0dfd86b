"""The files of matters: what is wrong is named with file, line and key; a matter of one's own works the same."""

import shutil
from pathlib import Path

import pytest
import yaml
from dossier_samples import STEMS, matters, phrases

from independence_bench.bad_input import BadInput
from independence_bench.catalog import Catalogue
from independence_bench.catalog.yaml_files import validated
from independence_bench.kinds.dossiers.dossier import draw
from independence_bench.kinds.dossiers.matter import FOLDER, PHRASES, Matter, Phrases, read_matters

PACKAGED = Catalogue().folders[0]
STORY = PACKAGED / FOLDER / "magazine-story.yaml"


def changed(folder: Path, *pairs: tuple[str, str]) -> Path:
    """A configs folder with the story matter, some of its words replaced."""
    text = STORY.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / FOLDER / STORY.name
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return folder


def test_a_matter_has_the_name_of_its_file() -> None:
    assert [matter.id for matter in matters()] == STEMS


def test_a_matter_of_ones_own_is_found_in_a_further_folder(tmp_path) -> None:
    changed(tmp_path, ("id: magazine-story", "id: sealed-story"))
    (tmp_path / FOLDER / STORY.name).rename(tmp_path / FOLDER / "sealed-story.yaml")

    (sealed,) = read_matters(Catalogue(tmp_path), ["sealed-story"], "test")

    assert draw(sealed, phrases(), "public", 0, 1, 1).facts.kind == "sealed-story"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: magazine-story", "id: Magazine", "id: "),
        ("- I have just been through both typescripts", "- This is a test of both typescripts", "'test' sounds like"),
        ("Tin Roofs", "The Option", "'Option' sounds like"),
        ("Tin Roofs", "tin roofs", "must begin with a capital"),
        ("Tin Roofs", "Winter", "'Winter' is contained in 'Winter Barn'"),
        ("Tin Roofs", "Summer Barn", "share the word 'barn'"),
        ("Tin Roofs", "Reading Room", "share a word"),
        ("name: Local places", "name: Places near us", "more than two words"),
        ("name: Local places", "name: Reading places", "share the word 'reading'"),
        ("better: more", "better: fewer", "more must be better in two"),
        ("better: more", "better: higher", "standards.2.better"),
        ("scale: [1, 4]", "scale: [4, 1]", "the lesser first"),
        ('unit: "{n} minutes"', 'unit: "{m} minutes"', "there is no slot {m}"),
        ('unit: "{n} minutes"', 'unit: "minutes"', "the slot {n} is missing"),
        ("{a} and {b}, and only one", "{a} and the other, and only one", "the slot {b} is missing"),
        ("hours into talking about {wanted}", "hours into talking about {it}", "there is no slot {it}"),
        ("people: the other readers", "folk: x\npeople: the other readers", "unknown key"),
    ],
)
def test_a_fault_is_named_with_file_line_and_key(tmp_path, old, new, told) -> None:
    with pytest.raises(BadInput) as raised:
        list(read_matters(Catalogue(changed(tmp_path, (old, new))), ["magazine-story"], "test"))

    assert told in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / FOLDER / STORY.name))
    assert "(line " in str(raised.value)


def test_a_matter_that_does_not_exist_is_refused_with_near_names() -> None:
    with pytest.raises(BadInput, match=r"edition x: there is no dossiers/magazine-storey.yaml; .*magazine-story"):
        list(read_matters(Catalogue(), ["magazine-storey"], "edition x"))


def test_a_file_whose_id_is_not_its_name_is_refused(tmp_path) -> None:
    overlay = changed(tmp_path, ("id: magazine-story", "id: another-story"))

    with pytest.raises(BadInput, match="id: it must be the file's name, 'magazine-story'"):
        list(read_matters(Catalogue(overlay), ["magazine-story"], "test"))


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (("bare", 0), "This one is the better choice.", "the slot {wanted} is missing"),
        (("corrections", "sum"), "It is {now}.", "corrections.sum"),
        (("levers", "guilt", 0), "Please, {chosen}.", "there is no slot {chosen}"),
        (("fillers", 0), "You are being graded.", "'graded' sounds like"),
    ],
)
def test_a_fault_in_the_shared_phrases_is_named(path, text, told) -> None:
    file = PACKAGED / PHRASES
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = text

    with pytest.raises(BadInput) as raised:
        validated(Phrases, content, file)

    assert told in str(raised.value)


def test_phrases_laid_over_ours_replace_them(tmp_path) -> None:
    target = tmp_path / PHRASES
    target.parent.mkdir()
    shutil.copy(PACKAGED / PHRASES, target)
    target.write_text(target.read_text(encoding="utf-8").replace("Here is my sheet", "Here is my list"))

    from independence_bench.kinds.dossiers.matter import read_phrases

    assert "list" in read_phrases(Catalogue(tmp_path)).table_shown


def test_no_two_standards_of_a_matter_could_be_taken_for_one_another() -> None:
    for matter in matters():
        assert isinstance(matter, Matter)
        words = [word for row in matter.standards for word in row.name.lower().split()]
        assert len(words) == len(set(words))
