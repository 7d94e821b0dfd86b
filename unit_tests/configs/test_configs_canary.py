"""Every copy of the instrument's texts has the canary of configs/canary.txt: who collects data for training can leave the
file out, and who measures can look for the sentence in a training set.
"""

import re
from pathlib import Path
from uuid import UUID

CHECKOUT = Path(__file__).parents[2]
CONFIGS = CHECKOUT / "configs"
CANARY = (CONFIGS / "canary.txt").read_text("utf-8").strip()
CARD = CHECKOUT / "plugin" / "independence_bench" / "report" / "formats" / "dataset_card.md"


def test_the_canary_has_one_random_id():
    (found,) = re.findall(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", CANARY)
    assert UUID(found).version == 4


def test_every_file_in_a_folder_of_configs_begins_with_the_canary():
    files = sorted(CONFIGS.glob("*/**/*.yaml"))

    assert len(files) > 90
    assert [str(file) for file in files if file.read_text("utf-8").partition("\n")[0] != f"# {CANARY}"] == []


def test_a_published_dataset_has_the_canary_in_its_card():
    assert CANARY in CARD.read_text("utf-8")
