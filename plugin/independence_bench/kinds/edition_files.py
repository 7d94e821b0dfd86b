"""Editions: a YAML file, with what it extends, resolved by the kind that it chooses."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

from independence_bench.bad_input import BadInput
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.rows import EditionFile, asked_by
from independence_bench.catalog.yaml_files import merged, validated
from independence_bench.kind_registry import Design, wing
from independence_bench.spec import Cell, DeliveryMode, Scenario

EXTENDS = "extends"  # key of an edition's YAML: the edition whose keys it takes over
_NOT_INHERITED = ("id", "title", "about")  # keys that say what an edition is by itself


class ReadKind(Protocol):
    """How editions of a kind are read."""

    def resolve(self, choice: object, catalogue: Catalogue, file: Path) -> tuple[Sequence[Scenario], Design | None]:
        """Return the scenarios, and the design, that an edition's own key selects. Raises BadInput: by file and key."""

    def cells(
        self, edition: Edition, catalogue: Catalogue, variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple[Cell, ...]:
        """Return everything that every model is asked once per run; empty choices select the edition's own.
        Raises BadInput: a variant or delivery mode has no prompt.
        """


def _read_kind(kind: str) -> ReadKind:
    return cast(ReadKind, wing(kind, "measuring"))


def load_edition(name: str, catalogue: Catalogue | None = None, own: Mapping[str, object] | None = None) -> Edition:
    """Return an edition by id, or from the user's own YAML file (a path that ends in .yaml or .yml).

    Scenarios, rubrics, experiments of a file outside the project are looked up next to it first. ``own`` replaces
    values under the edition's own key, which must be a mapping.
    Raises BadInput: by file and key.
    """
    catalogue = catalogue or Catalogue()
    if not name.endswith((".yaml", ".yml")):
        return read_edition(catalogue.stem_file("editions", name, f"--edition={name}"), catalogue, own)
    file = Path(name)
    return read_edition(file, catalogue.with_folder(file.parent), own)


def read_edition(file: Path, catalogue: Catalogue, own: Mapping[str, object] | None = None) -> Edition:
    """Return the edition in a file. Raises as :func:`load_edition`."""
    return _resolved(_extended(file, catalogue), file, catalogue, own)


def load_cells(
    edition: Edition,
    catalogue: Catalogue,
    system_variants: Sequence[str] = (),
    delivery_modes: Sequence[DeliveryMode] = (),
) -> tuple[Cell, ...]:
    """Return every scenario in every configuration asked for; without a choice, the edition's own.
    Raises BadInput: a variant or delivery mode has no prompt, or the edition sets it itself.
    """
    return _read_kind(edition.kind).cells(edition, catalogue, system_variants, delivery_modes)


def _resolved(
    content: dict[str, Any], file: Path, catalogue: Catalogue, own: Mapping[str, object] | None = None
) -> Edition:
    _refuse_packaged_id(content, file, catalogue)
    kind, choice = asked_by(content, file)
    if own and isinstance(choice, dict):
        choice = {**choice, **own}
    row = validated(EditionFile, content, file)
    scenarios, design = _read_kind(kind).resolve(choice, catalogue, file)
    return validated(Edition, {**dict(row), "scenarios": tuple(scenarios), "design": design}, file)


def _extended(file: Path, catalogue: Catalogue, below: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Return an edition's YAML, with what it extends put in: that must be an edition without a fault, which would
    else be blamed on this file.
    """
    content = dict(catalogue.read(file))
    base = content.pop(EXTENDS, None)
    if base is None:
        return content
    if not isinstance(base, str):
        raise BadInput.at(file, EXTENDS, "write the id of one edition, for example v2")
    extended = catalogue.stem_file("editions", base, f"{file}: {EXTENDS}")
    if extended in (*below, file):
        raise BadInput.at(file, EXTENDS, f"{base} extends this edition itself; name another")
    inherited = _extended(extended, catalogue, (*below, file))
    _resolved(dict(inherited), extended, catalogue)
    return merged({key: value for key, value in inherited.items() if key not in _NOT_INHERITED}, content)


def _refuse_packaged_id(content: dict[str, Any], file: Path, catalogue: Catalogue) -> None:
    """Refuse another edition under the id of a packaged one: its figures would pass for the packaged edition's."""
    packaged = catalogue.folders[0] / "editions" / f"{content.get('id')}.yaml"
    if packaged.is_file() and content != _extended(packaged, catalogue):
        trouble = f"{content['id']!r} is the packaged edition's; give yours another id"
        raise BadInput.at(file, "id", trouble)
