"""What is published stays as it was: the texts of every edition, and every key under which answers are stored.

`python unit_tests/configs/test_configs_pinned_keys.py` adds pins of what is new; a published pin never changes. Those of v1,
v1.1, lite and v2 were made again when these four took the original's conditions, and when scenarios no longer presupposed
an answer (docs/first-board.md), each time before any figure rested on their texts.
"""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from independence_bench.catalog.catalogue import Catalogue
from independence_bench.catalog.editions import Edition, texts_digest
from independence_bench.catalog.endpoints import Overrides
from independence_bench.catalog.selection import select_models, select_panel
from independence_bench.catalog.trials import plan_digest
from independence_bench.chat.trial_keys import PROTOCOL, trial_key
from independence_bench.digest import digest
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.kinds.edition_files import load_cells, load_edition
from independence_bench.session.plan import trial_specs
from independence_bench.spec import JUDGING, Cell, Model

CONFIGS = Path(__file__).parents[2] / "configs"
PINS = Path(__file__).with_name("pinned_keys.json")
PUBLISHED = ("v1", "v1.1", "lite", "v2", "roles", "roles-mini")
SAMPLE = "openai/gpt-5-nano"


@cache
def catalogue() -> Catalogue:
    return Catalogue()


@cache
def models() -> dict[str, Model]:
    """Every model that is not embedded, by its label."""
    rows = catalogue().models
    labels = [label for label, row in rows.items() if row.endpoint != "offline"]
    return {label: model for label in labels for model in select_models(catalogue(), [label], Overrides())}


def sample() -> Model:
    return next(model for model in models().values() if model.id == SAMPLE)


def written(edition: str) -> list[Any]:
    """Whatever the files of an edition say, as YAML alone reads it."""

    def read(name: str) -> Any:
        return yaml.load((CONFIGS / f"{name}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)

    row = read(f"editions/{edition}")
    if "roles" in row:
        names = ("contexts", "instruments/portrait", "instruments/survey", "personas", "prompts")
        return [row, *(read(f"roles/{name}") for name in names)]
    scenarios = [read(f"scenarios/{stem}") for stem in row["scenarios"]]
    return [row, *scenarios, *(read(f"rubrics/{scenario['rubric']}") for scenario in scenarios)]


def of_edition(name: str) -> dict[str, Any]:
    """Digests of an edition, and a key of each of its cells, or of every fortieth interview."""
    edition = load_edition(name, catalogue())
    cells = load_cells(edition, catalogue())
    panel = select_panel(catalogue(), (), [sample()], Overrides())
    keys = {
        f"{spec.scenario.id}/{spec.system_variant}/{spec.delivery_mode}/{spec.run}": trial_key(spec)
        for spec in trial_specs(edition, cells, [sample()], 2)
    }
    return {
        "files": digest(written(name)),
        "texts": texts_digest(cell.script.digest for cell in cells),
        "plan": plan_digest(edition, keys.values(), [judge.configuration for judge in panel]),
        "keys": dict(list(keys.items())[:: 40 if edition.design else 1]),
    }


@cache
def every_cell() -> tuple[Edition, Sequence[Cell]]:
    """v2 under each variant and delivery."""
    edition = load_edition("v2", catalogue())
    return edition, load_cells(
        edition, catalogue(), tuple(catalogue().system_variants), tuple(catalogue().delivery_prompts)
    )


def of_model(model: Model) -> str:
    """Digest of all keys of a model in v2 under each variant and delivery."""
    return digest([trial_key(spec) for spec in trial_specs(*every_cell(), [model], 2)])


def found() -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "judging": JUDGING,
        "known_answers": current_set_digest(),
        "editions": {name: of_edition(name) for name in PUBLISHED},
        "models": {label: of_model(model) for label, model in models().items()},
    }


@pytest.fixture(scope="module")
def pins() -> dict[str, Any]:
    pinned: dict[str, Any] = json.loads(PINS.read_text(encoding="utf-8"))
    return pinned


def test_what_is_sent_and_how_it_is_judged_have_not_changed(pins: dict[str, Any]) -> None:
    assert (PROTOCOL, JUDGING, current_set_digest()) == (pins["protocol"], pins["judging"], pins["known_answers"])


@pytest.mark.parametrize("name", PUBLISHED)
def test_an_edition_stays_as_it_was_published(name: str, pins: dict[str, Any]) -> None:
    assert of_edition(name) == pins["editions"][name]


def test_no_models_stored_answers_are_lost(pins: dict[str, Any]) -> None:
    now = {label: of_model(models()[label]) for label in pins["models"]}
    assert {label for label, pinned in pins["models"].items() if now[label] != pinned} == set()


if __name__ == "__main__":
    pinned = found()
    for table in ("editions", "models"):
        pinned[table] |= json.loads(PINS.read_text(encoding="utf-8"))[table]
    PINS.write_text(json.dumps(pinned, indent=1) + "\n", encoding="utf-8")
