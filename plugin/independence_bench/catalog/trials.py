"""An edition's configurations, its scenarios in each of them, and the digest of a plan."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.yaml_files import fault
from independence_bench.digest import Json, digest
from independence_bench.spec import DELIVERY_MODES, Cell, DeliveryMode, Scenario, Script


class AskedConfiguration(NamedTuple):
    """One system variant with one delivery mode."""

    system_variant: str
    delivery_mode: DeliveryMode
    official: bool  # whether it belongs to the edition's own set
    suffix: str  # what case ids add where there is more than the edition's own one


def check_variants(catalogue: Catalogue, file: Path) -> None:
    """Raise BadInput, by its line, if an edition's file names a system variant that has no prompt."""
    for index, variant in enumerate(catalogue.read(file).get("system_variants", ())):
        if variant not in catalogue.system_variants:
            near = near_matches(variant, catalogue.system_variants)
            raise fault(file, ["system_variants", index], f"there is no system variant {variant!r}; {near}")


def asked_configurations(
    edition: Edition, catalogue: Catalogue, variants: Sequence[str], modes: Sequence[DeliveryMode]
) -> Iterator[AskedConfiguration]:
    """Yield every configuration asked; empty choices select the edition's. Raises BadInput: one has no prompt."""
    variants, modes = variants or edition.system_variants, modes or edition.delivery_modes
    for variant in variants:
        _known(variant, catalogue.system_variants, "--system-variant")
    for mode in modes:
        _known(mode, catalogue.delivery_prompts, "--delivery-mode")
        if mode not in DELIVERY_MODES:
            raise BadInput(f"--delivery-mode={mode}: it is not one of {', '.join(DELIVERY_MODES)}")
    own = {(variant, mode) for variant in edition.system_variants for mode in edition.delivery_modes}
    asked = [(variant, mode) for variant in variants for mode in modes]
    named = len(asked) > 1 or not set(asked) <= own
    for variant, mode in asked:
        yield AskedConfiguration(variant, mode, (variant, mode) in own, f"+{variant}+{mode}" if named else "")


def configured_cells(
    edition: Edition, asked: Iterable[AskedConfiguration], script: Callable[[Scenario, AskedConfiguration], Script]
) -> tuple[Cell, ...]:
    """Return an edition's scenarios in every configuration asked."""
    return tuple(
        Cell(scenario=scenario, script=script(scenario, each), **each._asdict())
        for each in asked
        for scenario in edition.scenarios
    )


def _known(name: str, known: Mapping[str, object], option: str) -> None:
    if name not in known:
        raise BadInput(f"{option}={name}: configs/prompts has no such row; {near_matches(name, list(known))}")


def plan_digest(edition: Edition, keys: Iterable[str], panel: Iterable[str]) -> str:
    """Return the digest of all trials' keys, the panel and how it judges: equal digests are equal plans."""
    judging: list[Json] = [
        [
            scenario.id,
            scenario.rubric.digest if scenario.rubric else None,
            [rule.model_dump(mode="json") for rule in scenario.passes],
        ]
        for scenario in edition.scenarios
    ]
    return digest([[*sorted(keys)], [*panel], judging])
