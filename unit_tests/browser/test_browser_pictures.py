"""The pictures on README and the pages show what the viewer says today; another picture has no place there."""

import pictures
import pytest

pytestmark = pytest.mark.external


def test_every_picture_of_the_viewer_has_the_words_of_its_page(chromium) -> None:
    old = {
        picture.file
        for picture, _, words in pictures.pictures_now(chromium)
        if pictures.words_of((pictures.DOCS / picture.file).read_bytes()) != words
    }

    assert old == set(), "they are older than the viewer: python benchmarks/pictures.py makes them again"
    assert {file.name for file in pictures.DOCS.rglob("*.png")} == {picture.file for picture in pictures.PICTURES}
