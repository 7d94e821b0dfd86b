"""Editions: a YAML file, with what it extends, resolved by the kind that it chooses."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from independence_bench.catalog.catalogue import Catalogue, EditionSource
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.yaml_files import fault, validated
from independence_bench.kind_registry import Design, wing
from independence_bench.spec import Cell, DeliveryMode, Scenario


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
    catalogue = (catalogue or Catalogue()).beside(name)
    sources = catalogue.edition_sources(name)
    *_, edition = (resolved_edition(source, catalogue, own) for source in sources)
    return edition


def resolved_edition(source: EditionSource, catalogue: Catalogue, own: Mapping[str, object] | None = None) -> Edition:
    """Return what its kind makes of an edition's file. Raises as :func:`load_edition`."""
    choice = {**source.choice, **own} if own and isinstance(source.choice, dict) else source.choice
    scenarios, design = _read_kind(source.kind).resolve(choice, catalogue, source.file)
    ids = {scenario.id for scenario in scenarios}
    parts = (part for component in source.row.components.values() for part in component.parts)
    for name in (name for part in parts for name in part.scenarios if name not in ids):
        if isinstance(choice, list) and name in choice:  # the name of a file whose scenario has another id
            file = catalogue.stem_file("scenarios", name, f"{source.file}: scenarios")
            raise fault(
                file, ["id"], f"{source.file.name} names it {name!r} in `components`; write one id in both files"
            )
    return validated(Edition, {**dict(source.row), "scenarios": tuple(scenarios), "design": design}, source.file)


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
