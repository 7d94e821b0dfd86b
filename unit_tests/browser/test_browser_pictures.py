"""The pictures on README and the pages show what the viewer says today; another picture has no place there."""

import pytest

pytestmark = pytest.mark.external


def test_every_picture_of_the_viewer_has_the_words_of_its_page(chromium) -> None:
    import pictures  # here, since it needs the browser's package

    today = {picture.file: words for picture, _, words in pictures.pictures_now(chromium)}
    kept = {file: pictures.words_of((pictures.DOCS / file).read_bytes()) for file in today}

    assert kept == today, "they are older than the viewer: python benchmarks/pictures.py makes them again"
    assert {file.name for file in pictures.DOCS.rglob("*.png")} == set(today)
