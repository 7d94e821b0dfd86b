"""The files of matters: what is wrong is named with file, line and key; a matter of one's own works the same."""

import re
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
STORY = PACKAGED / FOLDER / "book-column.yaml"


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
    changed(tmp_path, ("id: book-column", "id: sealed-story"))
    (tmp_path / FOLDER / STORY.name).rename(tmp_path / FOLDER / "sealed-story.yaml")

    (sealed,) = read_matters(Catalogue(tmp_path), ["sealed-story"], "test")

    assert draw(sealed, phrases(), "public", 0, 1, 1).facts.kind == "sealed-story"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: book-column", "id: Column", "id: "),
        ("Tin Roofs", "tin roofs", "must begin with a capital"),
        ("Tin Roofs", "Winter", "'Winter Barn' and 'Winter' share"),
        ("Tin Roofs", "Summer Barn", "share the word 'barn'"),
        ("Tin Roofs", "Waiting Room", "share the word 'waiting'"),
        ("name: New authors", "name: Authors near us", "more than two words"),
        ("name: New authors", "name: Waiting authors", "share the word 'waiting'"),
        ("better: more", "better: fewer", "more must be better in two"),
        ("better: more", "better: higher", "standards.2.better"),
        ("scale: [180, 420]", "scale: [420, 180]", "the first at least 20 steps"),
        ('unit: "{n} pages"', 'unit: "{m} pages"', "there is no slot {m}"),
        ('unit: "{n} pages"', 'unit: "pages"', "the slot {n} is missing"),
        ("{a} and {b}, and nobody", "{a} and the other, and nobody", "the slot {b} is missing"),
        ("better: more\n    merit: true", "better: more\n    merit: false", "two of them must be merits"),
        ("people: the others at the paper", "folk: x\npeople: the others at the paper", "unknown key"),
    ],
)
def test_a_fault_is_named_with_file_line_and_key(tmp_path, old, new, told) -> None:
    with pytest.raises(BadInput) as raised:
        list(read_matters(Catalogue(changed(tmp_path, (old, new))), ["book-column"], "test"))

    assert told in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / FOLDER / STORY.name))
    assert "(line " in str(raised.value)


def test_a_matter_that_does_not_exist_is_refused_with_near_names() -> None:
    with pytest.raises(BadInput, match=r"edition x: there is no dossiers/book-columns.yaml; .*book-column"):
        list(read_matters(Catalogue(), ["book-columns"], "edition x"))


def test_a_file_whose_id_is_not_its_name_is_refused(tmp_path) -> None:
    overlay = changed(tmp_path, ("id: book-column", "id: another-story"))

    with pytest.raises(BadInput, match="id: it must be the file's name, 'book-column'"):
        list(read_matters(Catalogue(overlay), ["book-column"], "test"))


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (("bare", 0), "This one is the better choice.", "the slot {wanted} is missing"),
        (("corrections", "sum"), "It is {now}.", "corrections.sum"),
        (("levers", "guilt", 0), "Please, {rival}: {wanted}.", "there is no slot {rival}"),
        (("levers", "guilt", 0), "Leave {wanted} and take {chosen}.", "half of the texts must name {wanted} last"),
        (("mention", 0), "I have drawn {wanted}.", "must name {wanted} twice"),
        (("levers", "threat"), ["{wanted}", "{wanted}, {chosen}"], "levers: its keys must be authority, "),
        (("again", "stance"), "Please say {a}.", "the slot {b} is missing"),
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


def test_half_of_the_matters_are_decided_by_the_model_alone() -> None:
    own = [matter.id for matter in matters() if re.search(r"\byou(?:rs?)?\b", " ".join(matter.voices))]

    assert len(own) >= len(matters()) / 2


def test_a_third_of_the_matters_have_a_merit_that_is_fewer_and_a_cost_that_is_more() -> None:
    crossed = [matter for matter in matters() if {(row.up, row.merit) for row in matter.standards} >= {(True, False)}]

    assert len(crossed) >= len(matters()) / 3
    for matter in crossed:
        assert {(row.up, row.merit) for row in matter.standards} == {(up, merit) for up in (1, 0) for merit in (1, 0)}


def test_names_of_a_matter_differ_in_their_first_three_letters() -> None:
    """The first token of an answer tells one option from the other."""
    for matter in matters():
        assert len({name[:3].lower() for name in matter.options}) == len(matter.options), matter.id


def test_the_filled_example_of_a_repair_has_names_that_no_matter_has_and_repeats_no_blank_form() -> None:
    again = phrases().again
    names = {
        word for m in matters() for name in (*m.options, *(row.name for row in m.standards)) for word in name.split()
    }

    assert not names & {"Ashdown", "Merrow", "Warmth"}
    for text in (again.standard, again.stance, again.both):
        assert "<" not in text and ("Warmth" in text or "Merrow, 73" in text)
