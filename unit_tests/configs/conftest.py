"""The shipped configs/, read with PyYAML alone: these tests must not know how the catalog reads them."""

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"
EDITIONS = ("v1", "v1.1", "lite", "v2")  # of the Independence Index, oldest first


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def read_folder(name: str) -> dict[str, Any]:
    return {path.stem: read(path) for path in sorted((CONFIGS / name).glob("*.yaml"))}


def read_scenarios(edition: Any) -> dict[str, Any]:
    """The scenarios of an edition by stem, in the edition's order."""
    return {stem: read(CONFIGS / "scenarios" / f"{stem}.yaml") for stem in edition["scenarios"]}


@pytest.fixture(scope="session")
def editions() -> dict[str, Any]:
    return {name: read(CONFIGS / "editions" / f"{name}.yaml") for name in EDITIONS}


@pytest.fixture(params=EDITIONS)
def edition(request, editions) -> Any:
    """Each edition in turn."""
    return editions[request.param]


@pytest.fixture
def its_scenarios(edition) -> dict[str, Any]:
    """The scenarios of that edition by stem, in the edition's order."""
    return read_scenarios(edition)


@pytest.fixture(scope="session")
def every_scenario(editions) -> dict[str, Any]:
    """The scenarios of all editions by stem."""
    return {stem: scenario for each in editions.values() for stem, scenario in read_scenarios(each).items()}


@pytest.fixture(scope="session")
def v2(editions) -> Any:
    return editions["v2"]


@pytest.fixture(scope="session")
def scenarios(v2) -> dict[str, Any]:
    """The scenarios of v2 by stem, in the edition's order."""
    return read_scenarios(v2)


@pytest.fixture(scope="session")
def rubrics() -> dict[str, Any]:
    return read_folder("rubrics")


@pytest.fixture(scope="session")
def judge_check() -> dict[str, Any]:
    return read_folder("judge_check")


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


@pytest.fixture(scope="session")
def roles() -> dict[str, Any]:
    """The five files of configs/roles/ by stem."""
    return read_folder("roles") | read_folder("roles/instruments")


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    return []


@pytest.fixture(scope="session")
def heard_by_the_model(every_scenario, prompts) -> dict[str, str]:
    """Every text that can reach a model under measurement, by where it stands."""
    heard = {}
    for stem, scenario in every_scenario.items():
        said = [text for turn in scenario["opening"] + scenario["turns"] for text in turn.values()]
        heard.update({f"{stem}[{n}]": text for n, text in enumerate(said)})
    for file in ("system_variants", "delivery_modes"):
        heard.update({f"{file}[{n}]": text for n, text in enumerate(_strings(prompts[file]))})
    return heard
