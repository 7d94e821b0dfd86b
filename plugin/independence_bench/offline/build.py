"""Digests of the offline package's own source: the build under which its answers are stored.

Better code answers differently; with its digest as build, an improved model or judge never meets stale stored rows.
"""

import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from independence_bench.catalog.catalogue import packaged_configs
from independence_bench.kinds import KINDS, embedded_folder

_JUDGE_ALONE = frozenset(
    (
        "changes.py",
        "identity.py",
        "identity_lexicon.yaml",
        "judge_weights.yaml",
        "lexical.py",
        "material.py",
        "phrases.py",
        "lexical_scores.py",
        "stance.py",
        "stance_lexicon.yaml",
    )
)
_MODELS_ALONE = frozenset(
    (
        "characters.py",
        "characters.yaml",
        "phrasebook.yaml",
        "reading.py",
        "simulated.py",
    )
)
"""What is in neither set counts for both."""


def _source_files() -> list[str]:
    return sorted(entry.name for entry in files(__package__).iterdir() if entry.name.endswith((".py", ".yaml")))


def _digest(names: list[str], *folders: Path) -> str:
    """Return the digest of files of this package, and of all sources and YAML files in and below folders."""
    sources = [(name, files(__package__) / name) for name in names]
    for folder in folders:
        below = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".yaml"))
        sources += [(path.relative_to(folder).as_posix(), path) for path in below]
    sha = hashlib.sha256()
    for name, source in sources:
        sha.update(f"{name}\n".encode())
        sha.update(source.read_bytes().replace(b"\r\n", b"\n"))
    return sha.hexdigest()[:12]


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Return 12 hexadecimal digits over every source and data file of the offline package."""
    return _digest(_source_files())


@lru_cache(maxsize=1)
def judge_build() -> str:
    """Return 12 hexadecimal digits over the files that the lexical judge's verdicts depend on."""
    return _digest([name for name in _source_files() if name not in _MODELS_ALONE])


@lru_cache(maxsize=1)
def models_build() -> str:
    """Return 12 hexadecimal digits over the files that the simulated models' answers depend on.

    Of what kinds of edition bring along too, and of their configs: an item that is said to measure another value is
    answered otherwise.
    """
    folders = [
        folder
        for kind in KINDS
        if (own := embedded_folder(kind)) is not None
        for folder in (own, packaged_configs() / kind)
    ]
    return _digest([name for name in _source_files() if name not in _JUDGE_ALONE], *folders)
