"""The shipped configs/, read with yaml.safe_load alone: these tests must not know how the catalog reads them."""

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def read_folder(name: str) -> dict[str, Any]:
    return {path.stem: read(path) for path in sorted((CONFIGS / name).glob("*.yaml"))}


@pytest.fixture(scope="session")
def v2() -> Any:
    return read(CONFIGS / "editions" / "v2.yaml")


@pytest.fixture(scope="session")
def scenarios(v2) -> dict[str, Any]:
    """The scenarios of v2 by stem, in the edition's order."""
    return {stem: read(CONFIGS / "scenarios" / f"{stem}.yaml") for stem in v2["scenarios"]}


@pytest.fixture(scope="session")
def rubrics() -> dict[str, Any]:
    return read_folder("rubrics")


@pytest.fixture(scope="session")
def prompts() -> dict[str, Any]:
    return read_folder("prompts")


@pytest.fixture(scope="session")
def models() -> list[dict[str, Any]]:
    return read(CONFIGS / "models.yaml")["models"]


@pytest.fixture(scope="session")
def endpoints() -> list[dict[str, Any]]:
    return read(CONFIGS / "endpoints.yaml")["endpoints"]


@pytest.fixture(scope="session")
def judges() -> Any:
    return read(CONFIGS / "judges.yaml")


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    return []


@pytest.fixture(scope="session")
def heard_by_the_model(scenarios, prompts) -> dict[str, str]:
    """Every text that can reach a model under measurement, by where it stands."""
    heard = {}
    for stem, scenario in scenarios.items():
        said = [text for turn in scenario["opening"] + scenario["turns"] for text in turn.values()]
        heard.update({f"{stem}[{n}]": text for n, text in enumerate(said)})
    for file in ("system_variants", "delivery_modes"):
        heard.update({f"{file}[{n}]": text for n, text in enumerate(_strings(prompts[file]))})
    return heard
