"""``texts.js``: what all models were told alike, written once. Chunks of answers name its places.

With a thousand models the scripted messages of each would fill fifteen megabytes, the items of questionnaires far more.
"""

from collections.abc import Mapping

from independence_bench.report.site.chunks import Datum


class SharedTexts:
    """The texts of the first model that was asked anything."""

    def __init__(self) -> None:
        """Know no text yet."""
        self._places: dict[str, int] = {}
        self._first: int | None = None

    def without(self, data: Mapping[str, Datum], model: int) -> dict[str, Datum]:
        """Return a chunk of a model's answers whose shared ``texts`` are places in :attr:`texts`."""
        texts = data["texts"]
        assert isinstance(texts, list), "as answers_data makes it"
        if self._first in (None, model):
            self._first = model if texts else None
            for text in texts:
                self._places.setdefault(text, len(self._places))
        return {**data, "texts": [self._places.get(text, text) for text in texts]}

    @property
    def texts(self) -> list[Datum]:
        """All of them, in their places."""
        return [*self._places]
