"""An edition's YAML file, with what it extends, into an edition. Looks up nothing by itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.rows import EditionFile, asked_by
from independence_bench.catalog.yaml_files import merged, validated
from independence_bench.kinds import asking

if TYPE_CHECKING:
    from independence_bench.catalog.catalogue import Catalogue

EXTENDS = "extends"
"""Key of an edition's YAML: the edition whose keys it takes over."""
_NOT_INHERITED = ("id", "title", "about")
"""Keys that say what an edition is by itself."""


def read_edition(file: Path, catalogue: "Catalogue", own: Mapping[str, object] | None = None) -> Edition:
    """Return the edition in a file; ``own`` replaces values under its own key, which must be a mapping.

    Raises:
        BadInput: by file and key.
    """
    return _resolved(_extended(file, catalogue), file, catalogue, own)


def _resolved(
    content: dict[str, Any], file: Path, catalogue: "Catalogue", own: Mapping[str, object] | None = None
) -> Edition:
    _refuse_packaged_id(content, file, catalogue)
    kind, choice = asked_by(content, file)
    if own and isinstance(choice, dict):
        choice = {**choice, **own}
    row = validated(EditionFile, content, file)
    scenarios, design = asking(kind).resolve(choice, catalogue, file)
    return validated(Edition, {**dict(row), "scenarios": tuple(scenarios), "design": design}, file)


def _extended(file: Path, catalogue: "Catalogue", below: tuple[Path, ...] = ()) -> dict[str, Any]:
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


def _refuse_packaged_id(content: dict[str, Any], file: Path, catalogue: "Catalogue") -> None:
    """Refuse another edition under the id of a packaged one: its figures would pass for the packaged edition's."""
    packaged = catalogue.folders[0] / "editions" / f"{content.get('id')}.yaml"
    if packaged.is_file() and content != catalogue.read(packaged):
        trouble = f"{content['id']!r} is the packaged edition's; give yours an id of its own"
        raise BadInput.at(file, "id", trouble)
