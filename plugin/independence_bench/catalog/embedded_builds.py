"""The builds of the embedded models and their judge: digests of source, so that better code meets no stale rows."""

import hashlib
from functools import lru_cache
from pathlib import Path

from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.kind_registry import KINDS, embedded_folder

SHARED = Path(__file__).parents[1] / "offline"
"""Files in this folder count for both the models and the judge, files in a subfolder for one of them only."""


def _digest(*folders: Path) -> str:
    sha = hashlib.sha256()
    for file in (file for folder in folders for file in sorted(folder.iterdir()) if file.suffix in (".py", ".yaml")):
        sha.update(f"{file.name}\n".encode())
        sha.update(file.read_bytes().replace(b"\r\n", b"\n"))
    return sha.hexdigest()[:12]


@lru_cache(maxsize=1)
def lexical_build() -> str:
    """Return the digest of the files that the lexical judge's verdicts depend on."""
    return _digest(SHARED, SHARED / "lexical_judge")


@lru_cache(maxsize=1)
def models_build() -> str:
    """Return the digest of the files that the simulated models' answers depend on, those of other kinds among them."""
    own = [root for kind in KINDS if (folder := embedded_folder(kind)) for root in (folder, packaged_configs() / kind)]
    below = [folder for root in own for folder in (root, *sorted(each for each in root.rglob("*") if each.is_dir()))]
    return _digest(SHARED, SHARED / "simulated_models", *below)
